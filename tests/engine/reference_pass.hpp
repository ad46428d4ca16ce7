// The definition of the fused pass, row by row in double precision. The fast one is tested against it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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

// What one row adds to a set of classes: the loss, its slopes in the margins, and how far the row is on the
// side of its label.
struct RowTerm {
  double loss = 0;
  std::vector<double> slope;  // (classes of the set)
  double lead = 0;
};

inline RowTerm alone(const PassClass& one_class, std::int32_t label, double margin) {
  const bool positive = label == one_class.label;
  const LossNode node = one_class.table->at(positive ? 1 : 0, margin);
  return {node.value, {node.slope}, positive ? margin : -margin};
}

inline RowTerm softmax(std::span<const PassClass> classes, std::int32_t label,
                       std::span<const double> margins) {
  RowTerm term;
  std::vector<double> nu;
  double own = 0;
  double rival = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const LossNode link = classes[k].table->at(0, margins[k]);
    nu.push_back(link.value);
    term.slope.push_back(link.slope);
    if (label == classes[k].label) {
      own = link.value;
    } else {
      rival = std::max(rival, link.value);
    }
  }
  double sum = 0;
  for (const double v : nu) sum += std::exp(v - own);
  for (std::size_t k = 0; k < classes.size(); ++k)
    term.slope[k] *= std::exp(nu[k] - own) / sum - (label == classes[k].label ? 1 : 0);
  term.loss = std::log(sum);
  term.lead = own - rival;
  return term;
}

/// As fused_pass; margins (C, N) may be empty, and `coupled` classes at a time are one softmax.
inline PassResult reference_pass(const LabelledView& data, std::span<const PassClass> classes,
                                 std::span<const double> beta, std::span<double> margins = {},
                                 std::size_t coupled = 1) {
  const std::size_t width = data.columns() + 1;
  PassResult result(classes.size(), data.columns());
  std::vector<double> margin(classes.size());
  for (std::size_t n = 0; n < data.rows(); ++n) {
    const std::vector<double> z = reference_row(*data.view, n);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const double* b = beta.data() + k * width;
      margin[k] = b[0];
      for (std::size_t j = 0; j < z.size(); ++j) margin[k] += b[j + 1] * z[j];
      if (!margins.empty()) margins[k * data.rows() + n] = margin[k];
    }
    for (std::size_t first = 0; first < classes.size(); first += coupled) {
      const auto set = classes.subspan(first, coupled);
      const bool selected = data.parts == nullptr || data.parts->takes(set[0].selection, n);
      const double weight = selected ? data.weight(n) : 0;
      if (!(weight > 0)) continue;
      const RowTerm term = coupled == 1
                               ? alone(set[0], data.labels[n], margin[first])
                               : softmax(set, data.labels[n], std::span(margin).subspan(first, coupled));
      result.loss[first] += weight * term.loss;
      result.least_signed[first] = std::min(result.least_signed[first], term.lead);
      for (std::size_t k = first; k < first + coupled; ++k) {
        const double residual = weight * term.slope[k - first];
        result.residual_size[k] += std::abs(residual);
        result.lower[k] = std::min(result.lower[k], margin[k]);
        result.upper[k] = std::max(result.upper[k], margin[k]);
        double* g = result.gradient.data() + k * width;
        g[0] += residual;
        for (std::size_t j = 0; j < z.size(); ++j) g[j + 1] += residual * z[j];
      }
    }
  }
  return result;
}

}  // namespace linkgistic
