// The learned loss: a proper loss whose link from score to probability was learned, as an object that any
// other model can be trained on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// Which source of a posterior.
enum class SourceEstimate {
  mode,    // the most probable one
  mean,    // its expectation, E nu
  sample,  // a draw
};

struct LearnedLossState;

/// l_nu(y, x) = (-L)*(nu(x)) - y nu(x) in a real score x, for labels y in {0, 1}; L the Bayes risk of the
/// base, nu the source (docs/losses.md). Immutable, so that several threads may use it at once;
/// copies share it.
class LINKGISTIC_API LearnedLoss {
 public:
  explicit LearnedLoss(std::shared_ptr<const LearnedLossState> state);
  /// A base (log, square, matsushita, ...; UsageError for another name) with the identity as its source.
  static LearnedLoss canonical(const std::string& base = "log");

  /// In the score x. The curvature may be negative: the loss is convex in nu, not in x.
  struct Values {
    double value = 0;
    double gradient = 0;   // (p - y) nu'
    double curvature = 0;  // nu'^2/w(p) + (p - y) nu''
  };
  [[nodiscard]] Values at(int y, double x) const;
  /// The same for many rows; an output that is empty is not wanted. InputError for lengths that differ.
  void at(std::span<const std::uint8_t> y, std::span<const double> x, std::span<double> value,
          std::span<double> gradient, std::span<double> curvature) const;
  /// p (1 - p) (dt/dx)^2 with t the log odds: Fisher's information of the score in a label, never negative.
  [[nodiscard]] double information(double x) const;

  /// chi^-1(x), the probability of label 1 at a score, and its log odds.
  [[nodiscard]] double inverse_link(double x) const;
  [[nodiscard]] double log_odds(double x) const;
  /// chi(u), the score of a probability; UsageError for u outside (0, 1) and for a source that is not
  /// increasing.
  [[nodiscard]] double link(double u) const;
  /// w(u) of the base loss.
  [[nodiscard]] double weight(double u) const;
  struct SourceValues {
    double value, first, second;  // nu, nu', nu''
  };
  [[nodiscard]] SourceValues source(double x) const;
  /// False only for sources of the gp prior, where nu falls somewhere in the range it was learned on.
  [[nodiscard]] bool increasing() const;

  /// Bound of |dl/dx| for all x: sup |phi|^2 |w|^2 for nu' = (w'phi)^2, the lemma of the paper.
  [[nodiscard]] double lipschitz_bound() const;
  /// The largest |dl/dx| itself over both labels, on a fine grid of [from, to].
  [[nodiscard]] double lipschitz_on(double from, double to) const;

  [[nodiscard]] const std::string& base() const;
  /// Scores that the source was learned on; outside of them it is straight.
  [[nodiscard]] double score_lower() const;
  [[nodiscard]] double score_upper() const;

  /// As JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static LearnedLoss from_json(const std::string& text, const std::string& origin);
  /// Written whole or not at all.
  void save(const std::string& path) const;
  static LearnedLoss load(const std::string& path);

 private:
  std::shared_ptr<const LearnedLossState> state_;
};

}  // namespace linkgistic
