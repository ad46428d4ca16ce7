#include "source/integrated_harmonics.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "numeric/exponential_kernels.hpp"
#include "source/harmonic_sums.hpp"

namespace linkgistic {
namespace {

using std::numbers::pi;

// sin is odd: F_{-j} = -F_j.
double odd(const std::vector<double>& f, int j) {
  const double value = f[static_cast<std::size_t>(std::abs(j))];
  return j < 0 ? -value : value;
}
double even(const std::vector<double>& e, int j) { return e[static_cast<std::size_t>(std::abs(j))]; }

}  // namespace

IntegratedHarmonics::IntegratedHarmonics(int harmonics, double c, double origin, bool with_square)
    : harmonics_(harmonics), c_(c), origin_(origin), with_square_(with_square) {}

double IntegratedHarmonics::scale(int j) const { return 1 / (pi * c_ * j); }

void IntegratedHarmonics::evaluate(double x, VectorRef phi) const {
  const double u = x - origin_;
  const double half = pi * c_ * u / 2;
  const double c1 = std::cos(half);
  const double s1 = std::sin(half);
  phi[0] = 1;
  phi[1] = u;
  double c = c1;
  double s = s1;
  for (int j = 1; j <= harmonics_; ++j) {
    // sin(j theta) = 2 s c and 1 - cos(j theta) = 2 s^2 at the half angle: no cancellation.
    phi[c_index(j)] = 2 * s * c * scale(j);
    phi[s_index(j)] = 2 * s * s * scale(j);
    const double next = c * c1 - s * s1;
    s = s * c1 + c * s1;
    c = next;
  }
  if (with_square_) phi[square_index()] = u * u / 2;
}

void IntegratedHarmonics::derivative(double x, VectorRef phi) const {
  const double theta = pi * c_ * (x - origin_);
  phi[0] = 0;
  phi[1] = 1;
  for (int j = 1; j <= harmonics_; ++j) {
    phi[c_index(j)] = std::cos(j * theta);
    phi[s_index(j)] = std::sin(j * theta);
  }
  if (with_square_) phi[square_index()] = x - origin_;
}

namespace {

// theta_n and u_n = x_n - origin of all rows.
struct Angles {
  std::vector<double> theta, u;
  Angles(std::span<const double> x, double c, double origin) : theta(x.size()), u(x.size()) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      u[n] = x[n] - origin;
      theta[n] = pi * c * u[n];
    }
  }
};

}  // namespace

Vector IntegratedHarmonics::values(std::span<const double> x, const Vector& kappa, int threads) const {
  const Angles at(x, c_, origin_);
  const std::size_t n_coefficients = static_cast<std::size_t>(harmonics_) + 1;
  std::vector<double> c(n_coefficients), s(n_coefficients);
  for (int j = 1; j <= harmonics_; ++j) {
    c[static_cast<std::size_t>(j)] = kappa[c_index(j)] * scale(j);
    s[static_cast<std::size_t>(j)] = kappa[s_index(j)] * scale(j);
  }
  Vector nu(static_cast<Index>(x.size()));
  evaluate_integrated(at.theta, c, s, threads, {nu.data(), x.size()});
  nu += kappa[1] * Eigen::Map<const Vector>(at.u.data(), nu.size());
  nu.array() += kappa[0];
  if (with_square_)
    nu += kappa[square_index()] / 2 * Eigen::Map<const Vector>(at.u.data(), nu.size()).cwiseAbs2();
  return nu;
}

Vector IntegratedHarmonics::slopes(std::span<const double> x, const Vector& kappa, int threads) const {
  const Angles at(x, c_, origin_);
  const std::vector<double> c(kappa.data() + c_index(0), kappa.data() + c_index(harmonics_) + 1);
  std::vector<double> s(kappa.data() + s_index(0), kappa.data() + s_index(harmonics_) + 1);
  s[0] = 0;
  Vector slope(static_cast<Index>(x.size()));
  evaluate_exponentials(at.theta, c, s, threads, {slope.data(), x.size()});
  if (with_square_) slope += kappa[square_index()] * Eigen::Map<const Vector>(at.u.data(), slope.size());
  return slope;
}

Vector IntegratedHarmonics::linear_sum(std::span<const double> x, std::span<const double> r,
                                       int threads) const {
  const Angles at(x, c_, origin_);
  const ExponentialChannel channel{r, harmonics_};
  const auto sums = exponential_sums(at.theta, {&channel, 1}, threads)[0];
  Vector result(size());
  result[0] = sums.cosine[0];
  result[1] = Eigen::Map<const Vector>(r.data(), static_cast<Index>(r.size()))
                  .dot(Eigen::Map<const Vector>(at.u.data(), static_cast<Index>(at.u.size())));
  for (int j = 1; j <= harmonics_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    result[c_index(j)] = scale(j) * sums.sine[i];
    result[s_index(j)] = scale(j) * (sums.cosine[0] - sums.cosine[i]);
  }
  if (with_square_) {
    const auto u = Eigen::Map<const Vector>(at.u.data(), static_cast<Index>(at.u.size()));
    result[square_index()] = Eigen::Map<const Vector>(r.data(), u.size()).dot(u.cwiseAbs2()) / 2;
  }
  return result;
}

FeatureSums IntegratedHarmonics::sums(std::span<const double> x, std::span<const double> r,
                                      std::span<const double> h, int threads) const {
  const HarmonicSums sums = harmonic_sums({x, r, h, origin_, pi * c_, harmonics_, with_square_}, threads);
  const auto& [e, f] = sums.h;  // E_j = sum h cos(j theta), F_j = sum h sin(j theta)
  const auto& [eu, fu] = sums.hu;
  const auto& [er, fr] = sums.r;

  FeatureSums result{Vector(size()), Matrix(size(), size())};
  Vector& linear = result.linear;
  Matrix& gram = result.gram;
  linear[0] = er[0];
  linear[1] = sums.ru;
  gram(0, 0) = e[0];
  gram(1, 0) = eu[0];
  gram(1, 1) = sums.hu2;
  for (int j = 1; j <= harmonics_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const double sj = scale(j);
    linear[c_index(j)] = sj * fr[i];
    linear[s_index(j)] = sj * (er[0] - er[i]);
    gram(c_index(j), 0) = sj * f[i];
    gram(s_index(j), 0) = sj * (e[0] - e[i]);
    gram(c_index(j), 1) = sj * fu[i];
    gram(s_index(j), 1) = sj * (eu[0] - eu[i]);
    for (int k = 1; k <= harmonics_; ++k) {
      const double s2 = sj * scale(k);
      if (k <= j) {
        // sin j sin k = (cos(j-k) - cos(j+k))/2;  (1 - cos j)(1 - cos k) = 1 - cos j - cos k + (cos(j-k) +
        // cos(j+k))/2
        gram(c_index(j), c_index(k)) = s2 * (even(e, j - k) - even(e, j + k)) / 2;
        gram(s_index(j), s_index(k)) =
            s2 * (e[0] - e[i] - even(e, k) + (even(e, j - k) + even(e, j + k)) / 2);
      }
      // (1 - cos j) sin k = sin k - (sin(k+j) + sin(k-j))/2
      gram(s_index(j), c_index(k)) = s2 * (odd(f, k) - (odd(f, k + j) + odd(f, k - j)) / 2);
    }
  }
  if (with_square_) add_square(sums, result);
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return result;
}

// E_j = sum h u^2 cos(j theta) and F_j = sum h u^2 sin(j theta) give the products of Q with the others,
// powers of u the rest.
void IntegratedHarmonics::add_square(const HarmonicSums& sums, FeatureSums& to) const {
  const Index q = square_index();
  to.linear[q] = sums.ru2 / 2;
  to.gram(q, 0) = sums.hu2_j.cosine[0] / 2;
  to.gram(q, 1) = sums.hu3 / 2;
  for (int j = 1; j <= harmonics_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    to.gram(q, c_index(j)) = scale(j) * sums.hu2_j.sine[i] / 2;
    to.gram(q, s_index(j)) = scale(j) * (sums.hu2_j.cosine[0] - sums.hu2_j.cosine[i]) / 2;
  }
  to.gram(q, q) = sums.hu4 / 4;
}

Vector IntegratedHarmonics::quadratic_forms(std::span<const double> x, const Matrix& t, int threads) const {
  // In the plain harmonics (1, u, sin j, cos j): Phi = L h. Fold t' = L' t L into a trigonometric polynomial
  // of degree 2J, one of degree J times u, and u^2.
  const auto degree = static_cast<std::size_t>(harmonics_);
  std::vector<double> cosine(2 * degree + 1), sine(2 * degree + 1);  // of 1
  std::vector<double> cosine_u(degree + 1), sine_u(degree + 1);      // of u
  const auto add_odd = [](std::vector<double>& s, int j, double v) {
    s[static_cast<std::size_t>(std::abs(j))] += j < 0 ? -v : v;
  };
  const auto add_even = [](std::vector<double>& c, int j, double v) {
    c[static_cast<std::size_t>(std::abs(j))] += v;
  };

  cosine[0] += t(0, 0);
  cosine_u[0] += 2 * t(0, 1);
  for (int j = 1; j <= harmonics_; ++j) {
    const double sj = scale(j);
    const double c0 = 2 * sj * t(0, c_index(j));
    const double s0 = 2 * sj * t(0, s_index(j));
    add_odd(sine, j, c0);
    cosine[0] += s0;
    add_even(cosine, j, -s0);
    const double c1 = 2 * sj * t(1, c_index(j));
    const double s1 = 2 * sj * t(1, s_index(j));
    add_odd(sine_u, j, c1);
    cosine_u[0] += s1;
    add_even(cosine_u, j, -s1);
    for (int k = 1; k <= harmonics_; ++k) {
      const double s2 = sj * scale(k);
      const double cc = s2 * t(c_index(j), c_index(k));
      add_even(cosine, j - k, cc / 2);
      add_even(cosine, j + k, -cc / 2);
      const double ss = s2 * t(s_index(j), s_index(k));
      cosine[0] += ss;
      add_even(cosine, j, -ss);
      add_even(cosine, k, -ss);
      add_even(cosine, j - k, ss / 2);
      add_even(cosine, j + k, ss / 2);
      const double sc = 2 * s2 * t(s_index(j), c_index(k));
      add_odd(sine, k, sc);
      add_odd(sine, k + j, -sc / 2);
      add_odd(sine, k - j, -sc / 2);
    }
  }
  const Angles at(x, c_, origin_);
  Vector q(static_cast<Index>(x.size())), q_u(static_cast<Index>(x.size()));
  evaluate_exponentials(at.theta, cosine, sine, threads, {q.data(), x.size()});
  evaluate_exponentials(at.theta, cosine_u, sine_u, threads, {q_u.data(), x.size()});
  const Eigen::Map<const Eigen::ArrayXd> u(at.u.data(), q.size());
  Vector form = (q.array() + u * (q_u.array() + t(1, 1) * u)).matrix();
  if (!with_square_) return form;
  // 2 Q (t Phi)_Q without Q itself, and t_QQ Q^2.
  const Index last = square_index();
  Vector row = t.row(last).transpose();
  row[last] /= 2;
  form.array() += u.square() * values(x, row, threads).array();
  return form;
}

}  // namespace linkgistic
