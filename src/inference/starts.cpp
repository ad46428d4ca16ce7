#include "inference/starts.hpp"

#include <cmath>

#include "numeric/decompositions.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr Index grid_size = 65;

Vector range_grid(const SourceRange& range) { return Vector::LinSpaced(grid_size, range.lower, range.upper); }

// (grid, weights): the values of f's basis functions.
Matrix basis_matrix(const SourceModel& source, const Vector& x) {
  Matrix phi(source.basis->size(), x.size());
  for (Index i = 0; i < x.size(); ++i) source.basis->evaluate(x[i], phi.col(i));
  return phi.transpose();
}

}  // namespace

Vector project_latent(const SourceModel& source, const Vector& x, const Vector& f, double nu0) {
  Vector g = source.prior.mean;
  const Index m = source.basis->size();
  const Vector sd = (-0.5 * source.prior.log_precision.head(m)).array().exp();
  const Matrix a = basis_matrix(source, x) * sd.asDiagonal();
  const Vector residual = f - basis_matrix(source, x) * g.head(m);
  // Ridge: the prior, with an error of a hundredth of the size of f.
  const double ridge = 1e-4 * f.squaredNorm() / static_cast<double>(f.size()) + 1e-300;
  const Matrix normal = a.transpose() * a + ridge * Matrix::Identity(m, m);
  g.head(m) += sd.cwiseProduct(SignedCholesky(normal).solve(a.transpose() * residual));
  if (!source.prior.clamped(m)) g[m] = nu0;
  return g;
}

std::vector<Vector> start_points(const SourceModel& source, const SourceRange& range, int draws,
                                 std::uint64_t seed) {
  const GaussianPrior& prior = source.prior;
  if (!source.basis) return {prior.mean};
  const Vector x = range_grid(range);
  const Index m = source.basis->size();
  const Vector sd = (-0.5 * prior.log_precision).array().exp();  // 0 where clamped
  // E f^2 a priori, at the middle.
  Vector phi(m);
  source.basis->evaluate((range.lower + range.upper) / 2, phi);
  const double mean = phi.dot(prior.mean.head(m));
  const double size = std::sqrt(mean * mean + phi.cwiseProduct(sd.head(m)).squaredNorm());

  const Eigen::ArrayXd t = Eigen::ArrayXd::LinSpaced(grid_size, -1, 1);
  const std::vector<Eigen::ArrayXd> shapes = {Eigen::ArrayXd::Ones(grid_size), 1 + 0.8 * t, 1 - 0.8 * t, t};
  std::vector<Vector> starts;
  for (const auto& shape : shapes) {
    const double rms = std::sqrt(shape.square().mean());
    starts.push_back(project_latent(source, x, (shape * size / rms).matrix(), prior.mean[m]));
  }
  for (int s = 0; s < draws; ++s) {
    RandomStream random(seed, static_cast<std::uint64_t>(s));
    starts.push_back(prior.draw(random));
  }
  return starts;
}

void fix_sign(const SourceModel& source, const SourceRange& range, Vector& g) {
  if (!source.basis) return;
  const Index m = source.basis->size();
  if (!source.prior.mean.head(m).isZero()) return;
  if ((basis_matrix(source, range_grid(range)) * g.head(m)).sum() < 0) g.head(m) *= -1;
}

Mode find_best_mode(const LogJoint& joint, const std::vector<Vector>& starts, const SourceRange& range,
                    const std::function<bool()>& stop) {
  Mode best;
  bool first = true;
  for (const Vector& start : starts) {
    if (!first && stop && stop()) break;
    const Mode mode = find_mode(joint, start);
    if (first || mode.log_joint > best.log_joint + 1e-10 * (1 + std::abs(best.log_joint))) best = mode;
    first = false;
  }
  // The Hessian at -w is that at w with the signs of the weights' rows and columns turned.
  const Vector before = best.g;
  fix_sign(joint.source(), range, best.g);
  if (best.g != before) best = find_mode(joint, best.g);
  return best;
}

}  // namespace linkgistic
