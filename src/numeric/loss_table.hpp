// The loss of a row as a function of its margin m = beta'z, tabulated for label 0 and label 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace linkgistic {

/// Value and first derivative of a loss at one margin.
struct LossNode {
  double value = 0;
  double slope = 0;
};

/// Cubic Hermite interpolation of a loss and its slope on the grid m = i h, h = 2^-k, and linear with the
/// edge's slope outside. Interpolation error of the value: h^4/384 max|l''''|, of the slope: h^3 sqrt(3)/216
/// max|l''''|. A power of two makes m/h exact, so the place within a cell is exact also in single precision.
class LossTable {
 public:
  /// One cell of the cubic c0 + c1 t + c2 t^2 + c3 t^3, t = m/h - i in [0, 1).
  static constexpr std::size_t coefficients = 4;

  /// `node(label, m)` is called at each grid point of the smallest grid that covers [low, high]. 2^-k must
  /// divide the range into at least one and at most 2^22 cells.
  template <class Node>
  static LossTable tabulate(double low, double high, int k, Node&& node) {
    LossTable table = grid(low, high, k);
    for (int label = 0; label < 2; ++label) {
      for (std::int32_t i = table.first_; i <= table.last_; ++i)
        table.nodes_.push_back(node(label, static_cast<double>(i) * table.step_));
    }
    table.fill();
    return table;
  }

  /// The logistic loss log(1 + exp(-m)) for label 1, log(1 + exp(m)) for label 0; error of the value below
  /// 4e-10, of the slope below 4e-8.
  static const LossTable& logistic();

  [[nodiscard]] LossNode at(int label, double margin) const;
  /// The second derivative of the interpolant.
  [[nodiscard]] double curvature(int label, double margin) const;

  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] double low() const { return static_cast<double>(first_) * step_; }
  [[nodiscard]] double high() const { return static_cast<double>(last_) * step_; }

  // What a kernel needs: cell i, with 0 the linear part below `low` and cells()-1 that above `high`, of label
  // y has its coefficients at packed() + (y cells() + i) coefficients; i = floor(m/h) - first_cell(),
  // clamped.
  [[nodiscard]] const float* packed() const { return packed_.data(); }
  [[nodiscard]] const double* exact() const { return exact_.data(); }
  [[nodiscard]] std::int32_t cells() const { return last_ - first_ + 2; }
  [[nodiscard]] std::int32_t first_cell() const { return first_ - 1; }

  /// Whether a table that was read from bytes has all of its cells.
  [[nodiscard]] bool is_whole() const;

  // The nodes are a third of the bytes of the cells, which follow from them.
  auto fields() { return std::tie(step_, first_, last_, nodes_); }
  void was_read();

 private:
  static LossTable grid(double low, double high, int k);
  void fill();
  struct Place {
    const double* cell;
    double t;
  };
  [[nodiscard]] Place place(int label, double margin) const;

  double step_ = 1;
  std::int32_t first_ = 0;  // the grid runs from first_ h to last_ h
  std::int32_t last_ = 1;
  std::vector<LossNode> nodes_;  // (2, points of the grid)
  std::vector<double> exact_;    // (2, cells, 4)
  std::vector<float> packed_;    // the same, rounded
};

}  // namespace linkgistic
