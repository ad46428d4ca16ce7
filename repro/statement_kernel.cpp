// The trigonometric kernel, its closed forms, the shifted origin and the Nystrom integral, next to their
// print.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "numeric/decompositions.hpp"
#include "repro/prior_draws.hpp"
#include "repro/statements.hpp"
#include "source/nystrom_basis.hpp"

namespace linkgistic::repro {
namespace kernel_checks {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double a = 1.2, b = 0.7, c = 0.5;
constexpr int pairs = 8;

double kernel_sum(double d, int harmonics) {
  double sum = 0;
  for (int m = 1; m <= harmonics; ++m) sum += b * std::pow(a, -m) * std::cos(m * pi * c * d);
  return sum;
}

/// The closed form of appendix E as printed, M = 2 pairs.
double printed_kernel(double distance) {
  const double d = c * distance, m = 2 * pairs;
  const auto e = [&](double angle) { return std::polar(1.0, angle); };
  const Complex top = a * e(pi * d * (2 * m + 3) / 2) + a * e(pi * d / 2) - e(pi * d * (m + 1)) - e(pi * d) -
                      2 * std::pow(a, m) * e(pi * d * (m + 2) / 2) * (a * std::cos(pi * d / 2) - 1);
  const Complex below =
      2 * std::pow(a, m) * e(pi * d * (m + 1) / 2) * (a * e(pi * d) - (a * a + 1) * e(pi * d / 2) + a);
  return (b * top / below).real();
}

/// The same for M to infinity.
double printed_limit(double distance) {
  const Complex angle(0, pi * c * distance / 2);
  return (b / 2 * (a / (a - std::exp(angle)) + 1.0 / (a * std::exp(a - angle) - 1.0))).real();
}

Statement closed_form() {
  double error = 0, printed = 0;
  for (const double d : grid(0.1, 3.9, 39)) {
    error = std::max(error, std::abs(trig_kernel(d, 0, a, b, c, pairs) - kernel_sum(d, pairs)));
    printed = std::max(printed, std::abs(printed_kernel(d) - kernel_sum(d, pairs)));
  }
  return {"kernel",
          "Equation kfromphilambda, appendix E",
          "k(x, z) has a closed form",
          "largest difference from its Mercer sum",
          error,
          1e-12,
          "the form as printed",
          printed,
          "b Re[q (1 - q^K)/(1 - q)], q = exp(i\u03C0c|x - z|)/a, K = M/2; the print has half the frequency "
          "and M pairs."};
}

Statement limit() {
  double error = 0, printed = 0;
  for (const double d : grid(0.1, 3.9, 39)) {
    const Complex q = std::polar(1 / a, pi * c * d);
    const double many = kernel_sum(d, 400);
    error = std::max(error, std::abs((b * q / (1.0 - q)).real() - many));
    printed = std::max(printed, std::abs(printed_limit(d) - many));
  }
  return {"kernel limit",
          "Appendix E",
          "k(x, z) for M to infinity",
          "largest difference from 400 pairs",
          error,
          1e-12,
          "the form as printed",
          printed,
          "b Re[q/(1 - q)]; the print has an extra b/2 and a stray exp(a - ...)."};
}

Statement diagonal() {
  double error = 0, planted = 0;
  for (const int k : {4, 16, 64}) {
    const double sum = kernel_sum(0, k);
    error = std::max(error, std::abs(b * (1 - std::pow(a, -k)) / (a - 1) - sum));
    planted = std::max(planted, std::abs(b * (1 - std::pow(a, -2 * k)) / (a - 1) - sum));
  }
  return {"kernel diagonal",
          "Equation trigk:diag",
          "k(x, x) = b (1 - a^(-M/2))/(a - 1)",
          "largest difference from the sum",
          error,
          1e-12,
          "M in place of M/2",
          planted};
}

/// psi(x) of the library, by polarisation.
Matrix psi(const SourceModel& source, double x) {
  const Index n = source.dimension() - 1;
  const Vector phi = source.features->at(x);
  const auto nu = [&](Index i, Index j) {
    Vector g = Vector::Zero(n + 1);
    g[i] += 1;
    if (j >= 0) g[j] += 1;
    return source.map->value(g).dot(phi);
  };
  Matrix result(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) result(i, j) = (nu(i, j) - nu(i, -1) - nu(j, -1)) / 2;
  }
  return result;
}

Statement semi_definite() {
  const TrigSource family(PriorKind::isgp, pairs, c);
  const SourceModel source = family.at(start_theta(family.hyper_parameters()));
  const auto least = [&](double x) {
    const Matrix m = psi(source, x);
    return -eigenvalues((m + m.transpose()) / 2).minCoeff();
  };
  double right = -1e300, left = -1e300;
  for (const double x : {0.1, 0.5, 1.0, 1.9}) {
    right = std::max(right, least(x));
    left = std::max(left, least(-x));
  }
  return {"psi",
          "Equation psi",
          "\u03C8(x) is positive semi-definite",
          "largest negative eigenvalue, for x \u2265 0",
          right,
          1e-9,
          "x < 0",
          left,
          "for x \u2265 0; for x < 0 it is negative semi-definite."};
}

/// The three printed integrals of appendix E.
Statement psi_forms() {
  const TrigSource family(PriorKind::isgp, pairs, c);
  const SourceModel source = family.at(start_theta(family.hyper_parameters()));
  double error = 0, planted = 0;
  for (const double x : {-1.3, 0.4, 1.7}) {
    const Matrix ours = psi(source, x);
    for (Index m = 1; m <= pairs; ++m) {
      for (Index n = 1; n <= pairs; ++n) {
        const auto u = static_cast<double>(m), v = static_cast<double>(n), w = pi * c;
        const double su = std::sin(w * u * x), cu = std::cos(w * u * x), sv = std::sin(w * v * x),
                     cv = std::cos(w * v * x), below = w * (u * u - v * v);
        const bool same = m == n;
        const double sines =
            same ? x / 2 - std::sin(2 * w * u * x) / (4 * w * u) : (v * su * cv - u * cu * sv) / below;
        const double cosines =
            same ? x / 2 + std::sin(2 * w * u * x) / (4 * w * u) : (u * su * cv - v * cu * sv) / below;
        const double mixed = same ? su * su / (2 * w * u) : (-v * su * sv - u * cu * cv + u) / below;
        error = std::max({error, std::abs(ours(m - 1, n - 1) - cosines),
                          std::abs(ours(pairs + m - 1, pairs + n - 1) - sines),
                          std::abs(ours(pairs + m - 1, n - 1) - mixed)});
        planted = std::max(planted, std::abs(ours(m - 1, pairs + n - 1) - mixed));
      }
    }
  }
  return {"psi forms",
          "Appendix E, \u03C8",
          "the three integrals of products of sines and cosines",
          "largest difference from the library's",
          error,
          1e-10,
          "sine and cosine of the mixed one exchanged",
          planted};
}

/// The share of places in the domain [0, 2] where nu has no spread under draws: the pinned point must lie
/// outside.
double pinned_share(const SourceModel& source, double moved) {
  RandomStream random(1, 21);
  std::vector<Vector> kappa;
  for (int s = 0; s < 50; ++s) kappa.push_back(source.map->value(source.prior.draw(random)));
  double share = 0;
  const std::vector<double> places = grid(0, 2, 41);
  for (const double x : places) {
    const Vector phi = source.features->at(x + moved);
    double least = 1e300, most = -1e300;
    for (const Vector& k : kappa) {
      least = std::min(least, k.dot(phi));
      most = std::max(most, k.dot(phi));
    }
    if (most - least < 1e-6) share += 1.0 / static_cast<double>(places.size());
  }
  return share;
}

Statement shifted_origin() {
  constexpr double r = -1;
  const TrigSource family(PriorKind::isgp, pairs, c / 2, r);
  const SourceModel source = family.at(start_theta(family.hyper_parameters()));
  // The library's nu(x) = w'psi(x - r)w + ...; the print has x + r, which is the same at x + 2 r.
  return {"shifted origin",
          "Appendix B",
          "with the integral from r < 0 on, no place of the domain x \u2265 0 is pinned",
          "share of places without any spread",
          pinned_share(source, 0),
          0,
          "w'\u03C8(x + r)w as printed",
          pinned_share(source, 2 * r),
          "w'\u03C8(x - r)w + r k(0,0); the print pins x = -r, inside the domain."};
}

Statement nystrom() {
  Vector points(4);
  points << -1, -0.25, 0.5, 1.25;
  constexpr double rate = 3, t = 0.8;
  const NystromBasis basis(points, rate, false);
  Vector ours(basis.pairs());
  basis.integrate_products(t, 0, ours);
  double error = 0;
  for (Index j = 0; j < basis.size(); ++j) {
    for (Index i = 0; i <= j; ++i) {
      constexpr int steps = 2000;
      double sum = 0;
      Vector phi(basis.size());
      for (int k = 0; k <= steps; ++k) {
        basis.evaluate(t * k / steps, phi);
        sum += (k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2) * phi[i] * phi[j];
      }
      error = std::max(error, std::abs(ours[NystromBasis::pair(i, j)] - sum * t / (3 * steps)));
    }
  }
  // erfi(x) = 2/sqrt(pi) int_0^x exp(z^2).
  const auto erfi = [](double x) {
    double sum = 0;
    for (int k = 0; k < 2000; ++k) sum += std::exp(std::pow(x * (k + 0.5) / 2000, 2)) * x / 2000;
    return 2 / std::sqrt(pi) * sum;
  };
  const double x = points[0], z = points[2], root = std::sqrt(rate);
  double exact = 0;
  for (int k = 0; k < 2000; ++k) {
    const double at = t * (k + 0.5) / 2000;
    exact += std::exp(-rate / 2 * (std::pow(x - at, 2) + std::pow(z - at, 2))) * t / 2000;
  }
  const double printed = std::sqrt(pi) / (2 * root) * std::exp(rate / 4 * (x - z) * (x - z)) *
                         (erfi(root / 2 * (x + z)) - erfi(root / 2 * (x + z - 2 * t)));
  return {"nystrom",
          "Appendix F",
          "the integral of two Gaussian kernels has a closed form",
          "largest difference of \u03C8 from quadrature",
          error,
          1e-9,
          "the form as printed",
          std::abs(printed - exact),
          "exp(-a/4 (xi - xj)\u00B2) and erf; the print has exp(+a/4 ...) and erfi."};
}

}  // namespace
}  // namespace kernel_checks

std::vector<Statement> kernel_statements() {
  using namespace kernel_checks;
  return {closed_form(), limit(), diagonal(), semi_definite(), psi_forms(), shifted_origin(), nystrom()};
}

}  // namespace linkgistic::repro
