// What cross-validation chooses for a classifier: the ridge, and how far the links may leave the identity.
//
// Held-out rows have weight 0 in a part's fit, so no row is copied and the fit gives their margins.
#pragma once

#include <utility>
#include <vector>

#include "model/linkgistic_em.hpp"

namespace linkgistic {

class CrossValidation {
 public:
  /// Five parts, stratified by label; of many rows one part is held out, the rest stay. The data must outlive
  /// this object.
  CrossValidation(const LabelledView& data, std::vector<std::int32_t> positive, const EmOptions& options);

  /// The l2 of logistic regression with the least held-out loss, down a path of warm starts.
  double choose_l2();
  /// The v with the least held-out loss, 0 (logistic regression) unless that is sure to be beaten.
  double choose_v(double l2, const LinkHyper& hyper);

  /// What was tried: (value, mean held-out loss a row and class).
  [[nodiscard]] const std::vector<std::pair<double, double>>& l2_tried() const { return l2_tried_; }
  [[nodiscard]] const std::vector<std::pair<double, double>>& v_tried() const { return v_tried_; }

 private:
  struct Part {
    std::vector<float> weights;  // (N), 0 for held-out rows
    std::vector<std::size_t> held_out;
    std::unique_ptr<LinkgisticEm> em;
    EmResult logistic;  // at the last l2
  };
  template <class Fit>
  [[nodiscard]] std::vector<double> held_out_losses(const Fit& fit);
  [[nodiscard]] double mean(const std::vector<double>& losses) const;
  [[nodiscard]] bool stopped() const { return options_.stop && options_.stop(); }

  LabelledView data_;
  std::vector<std::int32_t> positive_;
  EmOptions options_;
  bool many_;  // rows enough to share a part's work among threads, rather than the parts
  std::vector<Part> parts_;
  std::vector<std::pair<double, double>> l2_tried_, v_tried_;
};

}  // namespace linkgistic
