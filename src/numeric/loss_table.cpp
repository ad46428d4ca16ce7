// The loss of a row as a function of its margin, tabulated for label 0 and label 1.
#include "numeric/loss_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/interpolate.hpp"

namespace linkgistic {

LossTable LossTable::grid(double low, double high, int k) {
  LossTable table;
  table.step_ = std::ldexp(1.0, -k);
  const double first = std::floor(low / table.step_);
  const double last = std::ceil(high / table.step_);
  constexpr double most = 1 << 22;  // margins in cells stay exact in single precision
  if (!(first < last) || std::abs(first) > most || std::abs(last) > most) {
    throw UsageError("loss table: [" + std::to_string(low) + ", " + std::to_string(high) +
                     "] in steps of 2^" + std::to_string(-k) +
                     " must have between 1 and 2^22 cells on each side of 0");
  }
  table.first_ = static_cast<std::int32_t>(first);
  table.last_ = static_cast<std::int32_t>(last);
  return table;
}

void LossTable::fill() {
  exact_.clear();
  exact_.reserve(2 * static_cast<std::size_t>(cells()) * coefficients);
  const auto put = [&](const std::array<double, coefficients>& c) {
    exact_.insert(exact_.end(), c.begin(), c.end());
  };
  const double h = step_;
  const std::size_t points = nodes_.size() / 2;
  for (const auto nodes : {std::span(nodes_).first(points), std::span(nodes_).subspan(points)}) {
    put({nodes.front().value - h * nodes.front().slope, h * nodes.front().slope, 0, 0});
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      const LossNode& a = nodes[i];
      const LossNode& b = nodes[i + 1];
      put(Cubic{a.value, b.value, h * a.slope, h * b.slope}.coefficients());
    }
    put({nodes.back().value, h * nodes.back().slope, 0, 0});
  }
  packed_.resize(exact_.size());
  std::transform(exact_.begin(), exact_.end(), packed_.begin(),
                 [](double c) { return static_cast<float>(c); });
}

// Bytes of strangers may have another number of nodes than their grid: such a table is not whole.
void LossTable::was_read() {
  const std::int64_t points = std::int64_t{last_} - first_ + 1;
  exact_.clear();
  packed_.clear();
  if (points > 1 && nodes_.size() == 2 * static_cast<std::size_t>(points)) fill();
}

const LossTable& LossTable::logistic() {
  static const LossTable table = tabulate(-40, 40, 5, [](int label, double m) {
    const double s = label == 1 ? -m : m;  // log(1 + e^s), slope in s: 1/(1 + e^-s)
    const double value = std::max(s, 0.0) + std::log1p(std::exp(-std::abs(s)));
    const double slope = s > 0 ? 1 / (1 + std::exp(-s)) : std::exp(s) / (1 + std::exp(s));
    return LossNode{value, label == 1 ? -slope : slope};
  });
  return table;
}

LossTable::Place LossTable::place(int label, double margin) const {
  const double u = margin / step_;
  const double last_cell = static_cast<double>(cells() - 1);
  // A margin that is not a number has the first cell.
  const double i = std::min(std::max(0.0, std::floor(u) - first_cell()), last_cell);
  const auto index = static_cast<std::size_t>(label * cells()) + static_cast<std::size_t>(i);
  return {exact_.data() + index * coefficients, u - (i + first_cell())};
}

LossNode LossTable::at(int label, double margin) const {
  const auto [c, t] = place(label, margin);
  return {c[0] + t * (c[1] + t * (c[2] + t * c[3])), (c[1] + t * (2 * c[2] + 3 * t * c[3])) / step_};
}

double LossTable::curvature(int label, double margin) const {
  const auto [c, t] = place(label, margin);
  return (2 * c[2] + 6 * t * c[3]) / (step_ * step_);
}

bool LossTable::is_whole() const {
  const std::int64_t count = std::int64_t{last_} - first_ + 2;
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(count, 0)) * 2 * coefficients;
  return count > 2 && std::isfinite(step_) && step_ > 0 && exact_.size() == size && packed_.size() == size;
}

}  // namespace linkgistic
