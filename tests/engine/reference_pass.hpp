// The definition of the fused pass, row by row in double precision. The fast one is tested against it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/cpu/fused_pass.hpp"

namespace linkgistic {

/// The features z of one row, in double.
inline std::vector<double> reference_row(const RowView& view, std::size_t row) {
  std::vector<double> z(view.rows.columns());
  const auto add = [&](std::size_t j, auto value) { z[j] += static_cast<double>(value); };
  std::visit([&](const auto& rows) { each_value(rows, row, add); }, view.rows.storage());
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = (z[j] - view.scale.shift_of(j)) * view.scale.scale_of(j);
  return z;
}

/// As fused_pass; margins (C, N) may be empty.
inline PassResult reference_pass(const LabelledView& data, std::span<const PassClass> classes,
                                 std::span<const double> beta, std::span<double> margins = {}) {
  const std::size_t width = data.columns() + 1;
  PassResult result(classes.size(), data.columns());
  for (std::size_t n = 0; n < data.rows(); ++n) {
    const std::vector<double> z = reference_row(*data.view, n);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const double* b = beta.data() + k * width;
      double* g = result.gradient.data() + k * width;
      double margin = b[0];
      for (std::size_t j = 0; j < z.size(); ++j) margin += b[j + 1] * z[j];
      if (!margins.empty()) margins[k * data.rows() + n] = margin;
      const bool selected = data.parts == nullptr || data.parts->takes(classes[k].selection, n);
      const double weight = selected ? data.weight(n) : 0;
      if (!(weight > 0)) continue;
      const bool positive = data.labels[n] == classes[k].label;
      const LossNode loss = classes[k].table->at(positive ? 1 : 0, margin);
      result.loss[k] += weight * loss.value;
      result.residual_size[k] += weight * std::abs(loss.slope);
      result.lower[k] = std::min(result.lower[k], margin);
      result.upper[k] = std::max(result.upper[k], margin);
      result.least_signed[k] = std::min(result.least_signed[k], positive ? margin : -margin);
      g[0] += weight * loss.slope;
      for (std::size_t j = 0; j < z.size(); ++j) g[j + 1] += weight * loss.slope * z[j];
    }
  }
  return result;
}

}  // namespace linkgistic
