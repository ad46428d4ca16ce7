// The learned loss: a proper loss whose link from score to probability was learned from data. Other models
// can be trained with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// Which source is taken from a posterior.
enum class SourceEstimate {
  mode,    // the most probable source
  mean,    // its expectation, E nu
  sample,  // a draw
};

struct LearnedLossState;

/// l_nu(y, x) = (-L)*(nu(x)) - y nu(x) in a real score x, for labels y in {0, 1}, where L is the Bayes risk
/// of the base and nu the source (docs/losses.md). A loss is immutable, so several threads may use it at
/// once; copies share it.
class LINKGISTIC_API LearnedLoss {
 public:
  explicit LearnedLoss(std::shared_ptr<const LearnedLossState> state);
  /// A base loss (log, square, matsushita, ...) with the identity as its source. Throws a UsageError for an
  /// unknown name.
  static LearnedLoss canonical(const std::string& base = "log");

  /// Value and derivatives in the score x. The curvature may be negative: the loss is convex in nu, not in x.
  struct Values {
    double value = 0;
    double gradient = 0;   // (p - y) nu'
    double curvature = 0;  // nu'^2/w(p) + (p - y) nu''
  };
  [[nodiscard]] Values at(int y, double x) const;
  /// The same for many rows. Outputs that are empty are not computed. Throws an InputError if lengths differ.
  void at(std::span<const std::uint8_t> y, std::span<const double> x, std::span<double> value,
          std::span<double> gradient, std::span<double> curvature) const;
  /// p (1 - p) (dt/dx)^2 with t the log odds: Fisher's information of the score in a label, never negative.
  [[nodiscard]] double information(double x) const;

  /// chi^-1(x), the probability of label 1 at a score, and its log odds.
  [[nodiscard]] double inverse_link(double x) const;
  [[nodiscard]] double log_odds(double x) const;
  /// chi(u), the score of a probability. Throws a UsageError for u outside (0, 1) and for a source that is
  /// not increasing.
  [[nodiscard]] double link(double u) const;
  /// w(u) of the base loss.
  [[nodiscard]] double weight(double u) const;
  struct SourceValues {
    double value, first, second;  // nu, nu', nu''
  };
  [[nodiscard]] SourceValues source(double x) const;
  /// False only for a source of the gp prior that falls somewhere in the range it was learned on.
  [[nodiscard]] bool increasing() const;

  /// Bound of |dl/dx| for all x: sup |phi|^2 |w|^2 for nu' = (w'phi)^2, the lemma of the paper.
  [[nodiscard]] double lipschitz_bound() const;
  /// The largest |dl/dx| itself over both labels, on a fine grid of [from, to].
  [[nodiscard]] double lipschitz_on(double from, double to) const;
  /// The margin loss G_nu(y chi(u)) = G(y nu^-1(psi(u))), y = -1 or 1, of a G with |G'| <= 1: bound of its
  /// slope in u, sup w(u)/nu'(chi(u)), over the probabilities of the scores that the source was learned on.
  /// It is infinite where nu is flat or falls.
  [[nodiscard]] double margin_lipschitz_bound() const;

  [[nodiscard]] const std::string& base() const;
  /// The range of scores that the source was learned on. Outside of it the source is straight.
  [[nodiscard]] double score_lower() const;
  [[nodiscard]] double score_upper() const;

  /// As JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static LearnedLoss from_json(const std::string& text, const std::string& origin);
  /// Writes the whole file or nothing.
  void save(const std::string& path) const;
  static LearnedLoss load(const std::string& path);

 private:
  std::shared_ptr<const LearnedLossState> state_;
};

}  // namespace linkgistic
