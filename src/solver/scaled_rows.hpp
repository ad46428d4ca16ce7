// An engine seen through a scale: coefficients and gradients are those of the scaled features.
#pragma once

#include <span>
#include <vector>

#include "engine/row_engine.hpp"

namespace linkgistic {

class ScaledRows {
 public:
  /// The engine must outlive it.
  ScaledRows(RowEngine& engine, ColumnScale scale) : engine_(engine), scale_(std::move(scale)) {}

  [[nodiscard]] RowEngine& engine() const { return engine_; }
  [[nodiscard]] const ColumnScale& scale() const { return scale_; }
  [[nodiscard]] std::size_t width() const { return engine_.shape().columns + 1; }

  /// (P, D + 1) coefficients to those of the raw values.
  [[nodiscard]] std::vector<double> to_raw(std::span<const double> beta) const;
  /// The pass of a request whose coefficients are those of the features, and so is the answer's gradient.
  PassResult pass(PassRequest request) const;

  /// Root mean square of each feature over the rows with their weights, 1 for the intercept: (D + 1). A
  /// column of zeros has 0.
  [[nodiscard]] std::vector<double> feature_sizes() const;

 private:
  RowEngine& engine_;
  ColumnScale scale_;
};

/// The weights of selections: (selections, labels).
std::vector<double> selection_weights(RowEngine& engine, std::vector<Selection> selections,
                                      std::size_t labels);

}  // namespace linkgistic
