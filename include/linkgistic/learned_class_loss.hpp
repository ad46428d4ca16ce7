// The learned loss of many classes: that of a softmax over learned links. Other models can be trained with
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/learned_loss.hpp>

namespace linkgistic {

struct LearnedClassLossState;

/// l(y, s) = -log p_y, p = softmax(nu_1(s_1), .., nu_C(s_C)), a proper loss of C scores. It is immutable, so
/// several threads may use it at once; copies share it.
class LINKGISTIC_API LearnedClassLoss {
 public:
  explicit LearnedClassLoss(std::shared_ptr<const LearnedClassLossState> state);
  /// The identity as every link: the loss of multinomial logistic regression. A UsageError for fewer than two
  /// classes.
  static LearnedClassLoss canonical(std::vector<std::string> class_names);

  /// Value (N) and derivatives in the scores (N, C), given row by row: gradient (N, C) and Hessian (N, C, C).
  /// Outputs that are empty are not computed. The Hessian may have negative eigenvalues: the loss is convex
  /// in nu, not in the scores. An InputError for lengths that do not fit and for labels outside 0 .. C-1.
  void at(std::span<const std::int32_t> labels, std::span<const double> scores, std::span<double> value,
          std::span<double> gradient, std::span<double> hessian) const;
  /// (N, C): p_k (1 - p_k) nu_k'^2, Fisher's information of each score in a label, never negative.
  [[nodiscard]] std::vector<double> information(std::span<const double> scores) const;

  /// (N, C): the probabilities at scores (N, C), and their logarithms.
  [[nodiscard]] std::vector<double> probability(std::span<const double> scores) const;
  [[nodiscard]] std::vector<double> log_probability(std::span<const double> scores) const;
  /// (N, C): scores of probabilities (N, C): those where sum_k nu_k = 0. A UsageError for a probability
  /// outside (0, 1).
  [[nodiscard]] std::vector<double> link(std::span<const double> probability) const;
  /// nu_k with its derivatives.
  [[nodiscard]] LearnedLoss::SourceValues source(std::size_t label, double score) const;

  [[nodiscard]] const std::vector<std::string>& class_names() const;
  /// The range of scores that nu_k was learned on. Outside of it the link is straight.
  [[nodiscard]] double score_lower(std::size_t label) const;
  [[nodiscard]] double score_upper(std::size_t label) const;

  /// As JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static LearnedClassLoss from_json(const std::string& text, const std::string& origin);
  /// Writes the whole file or nothing.
  void save(const std::string& path) const;
  static LearnedClassLoss load(const std::string& path);

 private:
  std::shared_ptr<const LearnedClassLossState> state_;
};

}  // namespace linkgistic
