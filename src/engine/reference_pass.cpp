// The definition of the fused pass, row by row in double precision.
#include "engine/reference_pass.hpp"

#include <algorithm>
#include <cmath>

namespace linkgistic {

namespace {

template <class Dense>
void add_raw(const Dense& rows, std::size_t i, std::vector<double>& raw) {
  for (std::size_t j = 0; j < raw.size(); ++j) raw[j] += static_cast<double>(rows.at(i, j));
}

void add_raw(const CsrRows& rows, std::size_t i, std::vector<double>& raw) {
  for (auto e = static_cast<std::size_t>(rows.row_start[i]);
       e < static_cast<std::size_t>(rows.row_start[i + 1]); ++e) {
    raw[static_cast<std::size_t>(rows.column[e])] += static_cast<double>(rows.value[e]);
  }
}

}  // namespace

std::vector<double> reference_row(const RowView& view, std::size_t row) {
  std::vector<double> z(view.rows.columns());
  std::visit([&](const auto& rows) { add_raw(rows, row, z); }, view.rows.storage());
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = (z[j] - view.scale.shift_of(j)) * view.scale.scale_of(j);
  return z;
}

PassResult reference_pass(const LabelledView& data, std::span<const PassClass> classes,
                          std::span<const double> beta, std::span<double> margins) {
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
