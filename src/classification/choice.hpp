// What cross-validation chooses for a classifier: the ridge, and how far the links may leave the identity.
//
// Held-out rows have weight 0 in a part's fit, so no row is copied and the fit gives their margins.
#pragma once

#include <utility>
#include <vector>

#include "classification/data.hpp"
#include "classification/fit_monitor.hpp"

namespace linkgistic {

class CrossValidation {
 public:
  /// The data and the monitor must outlive this object. What the checkpoint has of it is restored.
  CrossValidation(const LabelledView& data, std::vector<std::int32_t> positive, const EmOptions& options,
                  const std::vector<RowPart>& parts, FitMonitor& monitor);

  // All of these go on from the checkpoint. When the fit is stopped they answer with what they know.

  /// The l2 of logistic regression with the least held-out loss, down a path of warm starts.
  double choose_l2();
  /// The v with the least held-out loss, 0 (logistic regression) unless that is sure to be beaten.
  double choose_v(double l2, const LinkHyper& hyper);

  /// EM whose links are learned from held-out margins: those of every row under the part that has it held
  /// out. The parts' beta follow the same links. Where rows are few, their own margins are too far apart for
  /// their labels, and a link learned from them too steep. `logistic` is the fit `em` has of all rows.
  EmResult cross_fit(LinkgisticEm& em, const EmResult& logistic, const LinkFamily& family, double l2,
                     const std::function<void(const EmResult&)>& on_step = {});
  /// The v whose cross-fitted links have the greatest evidence, 0 (logistic regression) among them, with its
  /// fit.
  std::pair<double, EmResult> cross_fit_v(LinkgisticEm& em, const EmResult& logistic, LinkHyper hyper,
                                          double l2);

  /// beta of the first part's last fit, which leaves rows out; empty before the first.
  [[nodiscard]] const std::vector<double>& last_beta() const { return parts_.front().logistic.beta; }
  /// Whether a choice was cut short.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

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
  /// Whether to end a choice here.
  [[nodiscard]] bool cut_short();
  [[nodiscard]] nlohmann::json parts_to_json() const;
  void restore_parts(const nlohmann::json& j);
  void solve_parts(double l2);

  LabelledView data_;
  std::vector<std::int32_t> positive_;
  EmOptions options_;
  bool many_;  // rows enough to share a part's work among threads, rather than the parts
  std::vector<Part> parts_;
  std::vector<std::pair<double, double>> l2_tried_, v_tried_;
  FitMonitor& monitor_;
  bool interrupted_ = false;
};

}  // namespace linkgistic
