#include "source/source_family.hpp"

#include <cmath>

namespace linkgistic {

GaussianPrior::GaussianPrior(Index dimension, Index hyper)
    : mean(Vector::Zero(dimension)),
      log_precision(Vector::Zero(dimension)),
      d_mean(Matrix::Zero(dimension, hyper)),
      d_log_precision(Matrix::Zero(dimension, hyper)) {}

bool GaussianPrior::clamped(Index i) const { return std::isinf(log_precision[i]); }

std::vector<Index> GaussianPrior::free_coordinates() const {
  std::vector<Index> free;
  for (Index i = 0; i < mean.size(); ++i) {
    if (!clamped(i)) free.push_back(i);
  }
  return free;
}

Vector GaussianPrior::draw(RandomStream& random) const {
  Vector g = mean;
  for (Index i = 0; i < g.size(); ++i) g[i] += std::exp(-log_precision[i] / 2) * random.normal();
  return g;
}

double SourceModel::latent(double x, const Vector& g) const {
  if (!basis) return 0;
  Vector phi(basis->size());
  basis->evaluate(x, phi);
  return phi.dot(g.head(phi.size()));
}

}  // namespace linkgistic
