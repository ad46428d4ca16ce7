// The link of one class: nu(m), the base's link of the probability (log odds, for the log loss) as a function
// of the margin m = beta'z. Either m itself (logistic regression) or a learned source, which goes on with its
// edge's slope outside the margins it was learned on.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compute/loss_table.hpp"
#include "inference/posterior.hpp"
#include "likelihood/compression.hpp"
#include "model/base_loss.hpp"
#include "prior/source.hpp"

namespace linkgistic {

/// nu and its derivative at some margins.
struct LinkValues {
  std::vector<double> nu, slope;
};

/// What E-steps say of a link beside its posterior.
struct LinkFacts {
  double log_evidence = 0;
  double smallest_eigenvalue = 1;  // of the whitened Hessian
  // Over the rows, each by the curvature of its loss: root mean square of nu', mean of nu, mean of m.
  double slope = 1, mean_nu = 0, mean_margin = 0;
  int newton_iterations = 0;
};

/// Margins to nu at the mode, with all that does not depend on them done before.
class LinkMap {
 public:
  /// nu(m) = m.
  LinkMap() = default;
  LinkMap(ScoreRange range, const SourceModel& source, Vector kappa);
  /// The margins in `values` become nu, on one thread.
  void apply(std::span<double> values) const;

 private:
  ScoreRange range_;
  std::shared_ptr<const Features> features_;  // none: the identity
  Vector kappa_;
  double slope_below_ = 1, slope_above_ = 1;  // dnu/dt at t = -1 and 1
};

class ClassLink {
 public:
  /// nu(m) = m.
  ClassLink() = default;
  /// A source in t = (m - middle)/half of the range, with the Gaussian posterior of its coordinates.
  ClassLink(ScoreRange range, Vector theta, SourceModel source,
            std::shared_ptr<const GaussianPosterior> posterior, LinkFacts facts);

  [[nodiscard]] bool is_identity() const { return posterior_ == nullptr; }
  [[nodiscard]] const ScoreRange& range() const { return range_; }
  [[nodiscard]] const Vector& theta() const { return theta_; }
  [[nodiscard]] const SourceModel& source() const { return source_; }
  [[nodiscard]] const GaussianPosterior& posterior() const { return *posterior_; }
  [[nodiscard]] const LinkFacts& facts() const { return facts_; }

  /// The same log odds of margins that have become factor m + shift.
  [[nodiscard]] ClassLink moved(double factor, double shift) const;

  /// At the mode.
  [[nodiscard]] LinkValues at(std::span<const double> margins, int threads) const;
  /// nu alone, for many blocks of margins.
  [[nodiscard]] LinkMap map() const;
  /// The standard deviation of nu, of the source linearised at its mode: sqrt(Phi' J Sigma J' Phi). Where f
  /// is near 0 that vanishes and the second order takes its place.
  [[nodiscard]] std::vector<double> deviation(std::span<const double> margins, int threads) const;

  /// -log p(y | nu(m)) of a base for both labels, at the mode (samples = 0) or in the mean over posterior
  /// samples, on margins up to half the range beyond its ends.
  [[nodiscard]] LossTable loss_table(const BaseLoss& base, int samples, std::uint64_t seed) const;

 private:
  ScoreRange range_;
  Vector theta_;  // hyper-parameters' coordinates
  SourceModel source_;
  std::shared_ptr<const GaussianPosterior> posterior_;
  LinkFacts facts_;
};

/// The margins fill half of the period 2/c: t in [-1, 1].
inline constexpr double base_frequency = 0.5;

/// dnu/dt is a trigonometric polynomial: its coefficients in Harmonics are this times kappa.
Matrix slope_map(const SourceModel& source);

/// nu and dnu/dt of a source with coefficients kappa, straight outside [-1, 1].
LinkValues source_curve(const SourceModel& source, const Vector& kappa, std::span<const double> t,
                        int threads);

}  // namespace linkgistic
