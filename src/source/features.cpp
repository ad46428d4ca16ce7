#include "source/features.hpp"

#include <algorithm>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t chunk_rows = 512;

using Evaluate = void (Features::*)(double x, VectorRef phi) const;

// body(number of the chunk, its first row, Phi or Phi' of its rows as columns), chunk by chunk.
template <class Body>
void for_chunks(const Features& features, std::span<const double> x, int threads, const Body& body,
                Evaluate evaluate = &Features::evaluate) {
  const std::size_t chunks = (x.size() + chunk_rows - 1) / chunk_rows;
  parallel_for(chunks, threads, [&](std::size_t i) {
    const std::size_t first = i * chunk_rows;
    const std::size_t rows = std::min(chunk_rows, x.size() - first);
    Matrix phi(features.size(), static_cast<Index>(rows));
    for (std::size_t n = 0; n < rows; ++n) (features.*evaluate)(x[first + n], phi.col(static_cast<Index>(n)));
    body(i, first, phi);
  });
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
  Vector nu(static_cast<Index>(x.size()));
  for_chunks(*this, x, threads, [&](std::size_t, std::size_t first, const Matrix& phi) {
    nu.segment(static_cast<Index>(first), phi.cols()) = phi.transpose() * kappa;
  });
  return nu;
}

Vector Features::slopes(std::span<const double> x, const Vector& kappa, int threads) const {
  Vector slope(static_cast<Index>(x.size()));
  for_chunks(
      *this, x, threads,
      [&](std::size_t, std::size_t first, const Matrix& phi) {
        slope.segment(static_cast<Index>(first), phi.cols()) = phi.transpose() * kappa;
      },
      &Features::derivative);
  return slope;
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
