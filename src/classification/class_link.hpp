// The link of one class: nu(m), the base's link of the probability (log odds, for the log loss) as a function
// of the margin m = beta'z. It is m itself (logistic regression) or a learned source, which continues with
// the slope of its edge outside the margins it was learned on.
#pragma once

#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "engine/compression.hpp"
#include "inference/posterior.hpp"
#include "numeric/interpolate.hpp"
#include "numeric/loss_table.hpp"
#include "response/base_loss.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

/// What an E-step reports of a link in addition to its posterior.
struct LinkFacts {
  double log_evidence = 0;
  double smallest_eigenvalue = 1;  // of the whitened Hessian
  // Over the rows, each by the curvature of its loss: root mean square of nu', mean of nu, mean of m.
  double slope = 1, mean_nu = 0, mean_margin = 0;
  int newton_iterations = 0;
};

/// What an E-step saw of the rows, in t = (m - middle)/half of the margins' range then: all that another
/// posterior of the same link needs.
struct LinkRows {
  std::vector<double> t, y, weight;
  std::vector<double> share;  // in the mean square slope s^2
  double half = 1;
  double ridge = 0;  // of the penalty -(ridge/2) s^2

  auto fields() { return std::tie(t, y, weight, share, half, ridge); }
};

/// nu and its derivative at some margins.
struct LinkValues {
  std::vector<double> nu, slope;
};

class ClassLink {
 public:
  /// nu(m) = m.
  ClassLink() = default;
  /// A source in t = (m - middle)/half of the range, with the posterior of its coordinates.
  ClassLink(ScoreRange range, Vector theta, SourceModel source, std::shared_ptr<const Posterior> posterior,
            LinkFacts facts, std::shared_ptr<const LinkRows> rows = nullptr);

  [[nodiscard]] bool is_identity() const { return posterior_ == nullptr; }
  [[nodiscard]] const ScoreRange& range() const { return range_; }
  [[nodiscard]] const Vector& theta() const { return theta_; }
  [[nodiscard]] const SourceModel& source() const { return source_; }
  [[nodiscard]] const Posterior& posterior() const { return *posterior_; }
  [[nodiscard]] const LinkFacts& facts() const { return facts_; }
  /// The rows of the E-step; null in a link from a model file.
  [[nodiscard]] const std::shared_ptr<const LinkRows>& rows() const { return rows_; }
  /// The coefficients of the point estimate: the mode (Laplace) or the mean.
  [[nodiscard]] const Vector& kappa() const { return kappa_; }
  [[nodiscard]] ClassLink with_posterior(std::shared_ptr<const Posterior> posterior) const;

  /// The link that gives the same log odds after margins m have become factor m + shift.
  [[nodiscard]] ClassLink moved(double factor, double shift) const;

  /// Values of the point estimate.
  [[nodiscard]] LinkValues at(std::span<const double> margins, int threads) const;
  /// A table of nu, for predictions of many rows. Its error is at most 1e-9 times the sum of the amplitudes
  /// of nu's harmonics.
  [[nodiscard]] CubicTable map() const;
  /// The number of cells of that table: 64 to a period of the highest harmonic, of which half is in the
  /// range. A kernel of the Nystrom basis counts as a harmonic: its width is at least their distance.
  static std::size_t table_cells(std::size_t harmonics) { return 128 * harmonics; }
  /// (margins, levels): quantiles of nu. Those of samples are straight between 1,025 nodes of the range.
  [[nodiscard]] Matrix quantiles(std::span<const double> margins, std::span<const double> levels,
                                 int threads) const;

  /// -log p(y | nu(m)) of a base for both labels, of the point estimate (samples = 0) or in the mean over
  /// posterior samples, on margins up to half the range beyond its ends.
  [[nodiscard]] LossTable loss_table(const BaseLoss& base, int samples, std::uint64_t seed) const;

 private:
  [[nodiscard]] std::vector<double> places(std::span<const double> margins) const;

  ScoreRange range_;
  Vector theta_;  // hyper-parameters' coordinates
  SourceModel source_;
  std::shared_ptr<const Posterior> posterior_;
  LinkFacts facts_;
  std::shared_ptr<const LinkRows> rows_;
  Vector kappa_;
};

/// The margins fill half of the period 2/c: t in [-1, 1].
inline constexpr double base_frequency = 0.5;

/// dnu/dt on the trigonometric basis is a trigonometric polynomial: its coefficients in Harmonics, of t less
/// the origin, are this times kappa. Empty for another basis.
Matrix slope_map(const Features& features);

}  // namespace linkgistic
