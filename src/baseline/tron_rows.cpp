#include "baseline/tron_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/cpu/fused_pass.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// |x|^2 of row i, x_j = (raw_j - shift_j) scale_j.
template <class Dense>
double square(const Dense& rows, const ColumnScale& scale, std::size_t i) {
  double sum = 0;
  for (std::size_t j = 0; j < rows.columns; ++j) {
    const double x = (static_cast<double>(rows.at(i, j)) - scale.shift_of(j)) * scale.scale_of(j);
    sum += x * x;
  }
  return sum;
}

// The square of a row of zeros, and what each entry changes in it.
double square(const CsrRows& rows, const ColumnScale& scale, std::size_t i, double zeros) {
  double sum = zeros;
  each_value(rows, i, [&](std::size_t j, float entry) {
    const double unit = scale.scale_of(j) * scale.scale_of(j);
    const double value = static_cast<double>(entry);
    sum += unit * value * (value - 2 * scale.shift_of(j));
  });
  return std::max(sum, 0.0);
}

}  // namespace

double largest_row(const RowView& view, std::span<const float> weights, int threads) {
  constexpr std::size_t chunk = 1024;
  const std::size_t n = view.rows.rows();
  double zeros = 0;
  for (std::size_t j = 0; j < view.rows.columns(); ++j)
    zeros += std::pow(view.scale.shift_of(j) * view.scale.scale_of(j), 2);
  std::vector<double> largest((n + chunk - 1) / chunk);
  std::visit(
      [&](const auto& rows) {
        parallel_chunks(n, chunk, threads, [&](std::size_t c, std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            if (weights[i] == 0) continue;
            if constexpr (std::is_same_v<std::decay_t<decltype(rows)>, CsrRows>)
              largest[c] = std::max(largest[c], square(rows, view.scale, i, zeros));
            else
              largest[c] = std::max(largest[c], square(rows, view.scale, i));
          }
        });
      },
      view.rows.storage());
  return largest.empty() ? 0.0 : std::sqrt(*std::max_element(largest.begin(), largest.end()));
}

double largest_eigenvalue(const RowView& view, std::span<const float> weights, double largest, int threads) {
  constexpr int steps = 10;
  const std::size_t columns = view.rows.columns();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto normalise = [](std::vector<double>& v) {
    const double norm = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    for (double& value : v) value = norm > 0 ? value / norm : 0.0;
    return norm;
  };
  std::vector<double> v(columns + 1);
  RandomStream random(0, 0x7201);
  for (std::size_t j = 1; j <= columns; ++j) v[j] = random.normal();
  normalise(v);
  // The loss m^2/2 has the slope m: one pass gives X' diag(w) X v. Cubic interpolation has it exactly, on the
  // range of m.
  int exponent = 0;
  std::frexp(largest / 8, &exponent);
  const LossTable parabola =
      LossTable::tabulate(-1.001 * largest, 1.001 * largest, -exponent, [](int, double m) {
        return LossNode{m * m / 2, m};
      });
  const std::vector<std::int32_t> labels(view.rows.rows());
  const PassClass one_class{1, &parabola};
  double value = 0;
  for (int step = 0; step < steps; ++step) {
    v = fused_pass({&view, labels, weights}, std::span(&one_class, 1), v, {}, threads).gradient;
    v[0] = 0;
    value = normalise(v) / total;
  }
  return value;
}

HoldOut hold_out(std::span<const float> weights, double share, std::uint64_t seed) {
  constexpr std::size_t fewest = 10;
  HoldOut parts{{weights.begin(), weights.end()}, std::vector<float>(weights.size())};
  RandomStream random(seed, 0x7202);
  std::size_t held = 0;
  std::size_t trained = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool out = random.uniform() < share;
    if (weights[i] == 0) continue;
    if (out) std::swap(parts.train[i], parts.held[i]);
    ++(out ? held : trained);
  }
  if (held < fewest || trained < fewest) return {{weights.begin(), weights.end()}, {}};
  return parts;
}

}  // namespace linkgistic
