// What is chosen by cross-validation: the ridge l2 and how far links may bend, v; and links that are learned
// from held-out scores. The fits of all parts share their passes over the rows.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "classification/em.hpp"
#include "numeric/progress_monitor.hpp"

namespace linkgistic {

class CrossValidation {
 public:
  /// The parts are those of the engine's rows. `em` and the monitor must outlive this object.
  CrossValidation(LinkgisticEm& em, std::size_t parts, ProgressMonitor& monitor);

  // When the fit is stopped these answer with what they know.

  /// The l2 of logistic regression with the least held-out loss, down a path of warm starts; of a softmax a
  /// stronger one, if it is not worse by more than a standard error.
  double choose_l2();
  /// The v with the least held-out loss; 0 (logistic regression) unless another v is better by more than one
  /// standard error. With `cross_fit` the links of a part come from the held-out scores of the others.
  double choose_v(double l2, const LinkHyper& hyper, bool cross_fit);

  /// EM whose links are learned from held-out scores: those of every row under the part that holds it out.
  /// The parts' beta follow the same links. Where rows are few, their own scores are too far apart for their
  /// labels, and a link learned from them is too steep. `logistic` is the fit of all rows.
  EmResult cross_fit(const EmResult& logistic, const LinkFamily& family,
                     const std::function<void(const EmResult&)>& on_step = {});
  /// The v whose cross-fitted link has the greatest evidence, with its fit; 0 (logistic regression) where a
  /// straight link has a posterior probability of 0.9, bent ones being as probable a priori. For one score:
  /// one against the rest, the likelihoods of several scores of the same rows cannot be multiplied.
  std::pair<double, EmResult> cross_fit_v(const EmResult& logistic, LinkHyper hyper);

  /// The coefficients of the first part's last fit, which leaves rows out; empty before the first.
  [[nodiscard]] const std::vector<double>& last_beta() const { return parts_.front().beta; }
  /// Whether a choice was cut short.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

  /// What was tried: (value, mean held-out loss a row and class).
  [[nodiscard]] const std::vector<std::pair<double, double>>& l2_tried() const { return l2_tried_; }
  [[nodiscard]] const std::vector<std::pair<double, double>>& v_tried() const { return v_tried_; }

 private:
  using Fits = std::vector<EmResult>;  // one a part
  [[nodiscard]] HeldOutAnswer held_out(std::span<const Fits* const> sets) const;
  /// Whether to end a choice here.
  [[nodiscard]] bool cut_short();
  [[nodiscard]] bool tries_ridges(std::span<const double> l2);
  [[nodiscard]] double chosen_l2();
  void solve_parts(double l2);
  [[nodiscard]] Fits bent_parts(const LinkHyper& hyper, bool cross_fit);

  LinkgisticEm& em_;
  Fits parts_;                    // logistic regression at the last l2
  std::vector<Fits> fits_tried_;  // of a softmax, with each l2
  std::vector<std::pair<double, double>> l2_tried_, v_tried_;
  ProgressMonitor& monitor_;
  bool interrupted_ = false;
};

}  // namespace linkgistic
