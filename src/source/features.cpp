#include "source/features.hpp"

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t chunk_rows = 512;

using Evaluate = void (Features::*)(double x, VectorRef phi) const;

// body(number of the chunk, its first row, Phi or Phi' of its rows as columns), chunk by chunk.
template <class Body>
void for_chunks(const Features& features, std::span<const double> x, int threads, const Body& body,
                Evaluate evaluate = &Features::evaluate) {
  parallel_chunks(x.size(), chunk_rows, threads, [&](std::size_t i, std::size_t first, std::size_t last) {
    Matrix phi(features.size(), static_cast<Index>(last - first));
    for (std::size_t n = first; n < last; ++n)
      (features.*evaluate)(x[n], phi.col(static_cast<Index>(n - first)));
    body(i, first, phi);
  });
}

// kappa . Phi or kappa . Phi' of the rows.
Vector combined(const Features& features, std::span<const double> x, const Vector& kappa, int threads,
                Evaluate evaluate) {
  Vector result(static_cast<Index>(x.size()));
  const auto body = [&](std::size_t, std::size_t first, const Matrix& phi) {
    result.segment(static_cast<Index>(first), phi.cols()) = phi.transpose() * kappa;
  };
  for_chunks(features, x, threads, body, evaluate);
  return result;
}

Eigen::Map<const Vector> rows_of(std::span<const double> values, std::size_t first, Index rows) {
  return {values.data() + first, rows};
}

}  // namespace

Vector Features::at(double x) const {
  Vector phi(size());
  evaluate(x, phi);
  return phi;
}

Vector Features::values(std::span<const double> x, const Vector& kappa, int threads) const {
  return combined(*this, x, kappa, threads, &Features::evaluate);
}

Vector Features::slopes(std::span<const double> x, const Vector& kappa, int threads) const {
  return combined(*this, x, kappa, threads, &Features::derivative);
}

FeatureSums Features::sums(std::span<const double> x, std::span<const double> r, std::span<const double> h,
                           int threads) const {
  std::vector<FeatureSums> partial((x.size() + chunk_rows - 1) / chunk_rows);
  for_chunks(*this, x, threads, [&](std::size_t i, std::size_t first, const Matrix& phi) {
    partial[i].linear = phi * rows_of(r, first, phi.cols());
    partial[i].gram = phi * rows_of(h, first, phi.cols()).asDiagonal() * phi.transpose();
  });
  FeatureSums total{Vector::Zero(size()), Matrix::Zero(size(), size())};
  for (const auto& p : partial) {
    total.linear += p.linear;
    total.gram += p.gram;
  }
  return total;
}

Vector Features::linear_sum(std::span<const double> x, std::span<const double> r, int threads) const {
  std::vector<Vector> partial((x.size() + chunk_rows - 1) / chunk_rows);
  for_chunks(*this, x, threads, [&](std::size_t i, std::size_t first, const Matrix& phi) {
    partial[i] = phi * rows_of(r, first, phi.cols());
  });
  Vector total = Vector::Zero(size());
  for (const auto& p : partial) total += p;
  return total;
}

Vector Features::quadratic_forms(std::span<const double> x, const Matrix& t, int threads) const {
  Vector q(static_cast<Index>(x.size()));
  for_chunks(*this, x, threads, [&](std::size_t, std::size_t first, const Matrix& phi) {
    q.segment(static_cast<Index>(first), phi.cols()) = phi.cwiseProduct(t * phi).colwise().sum();
  });
  return q;
}

}  // namespace linkgistic
