// The E-step of one class: the posterior of its source at given margins, from the compressed rows.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <linkgistic/inference.hpp>
#include <linkgistic/source.hpp>

#include "classification/class_link.hpp"
#include "classification/link_constants.hpp"
#include "engine/compression.hpp"
#include "inference/posterior_quality.hpp"
#include "inference/problem.hpp"
#include "numeric/recall.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

/// Hyper-parameters in the units of the margins: E nu(m) = mu + size m for isgp and offset.
struct LinkHyper {
  PriorKind kind = PriorKind::offset;
  BasisKind basis = BasisKind::trig;
  Origin origin = Origin::intercept;
  int harmonics = 16;                             // K
  double a = LinkConstants::decay;                // of the spectrum; nystrom has its own, in its own unit
  double size = LinkConstants::size;              // isgp: k(0,0); offset: s; gp: k(0,0) to begin with
  double v = LinkConstants::v;                    // offset only; of a softmax that of each class's own part
  double shared = 0;                              // of a softmax: v of the part that its links share
  double gamma = LinkConstants::level_precision;  // of nu0
  double mu = 0;
  std::shared_ptr<const BaseLoss> base = BaseLoss::log();
  /// a and b (isgp, gp) or a and v (offset) by evidence; b of gp always is, having no natural size, unless
  /// hold_size.
  bool learn = false;
  bool hold_size = false;                    // of gp: k(0,0) stays at `size`
  double curvature_floor = 1;                // the guard of evidence and covariance: docs/math.md, "Guard"
  Inference inference = Inference::laplace;  // of the E-step: laplace or variational
};

/// The last posterior of a link, and how good it is.
struct LinkPosterior {
  ClassLink link;
  PosteriorQuality quality;
};

/// G with kappa' G kappa = sum_n u_n (dnu/dm)^2, u_n the shares of the rows.
Matrix square_slope(const Features& features, const LinkRows& rows);
inline Matrix square_slope(const SourceModel& source, const LinkRows& rows) {
  return square_slope(*source.features, rows);
}

class LinkFamily {
 public:
  explicit LinkFamily(const LinkHyper& hyper);

  /// The posterior, by the family's inference, given rows of the margins in `range`, which must not be a
  /// point, with the penalty -(ridge/2) s^2 on the mean slope s of nu. Newton's method begins at `previous`.
  /// A fit that `recall` knows, if it is not empty, is not made again.
  [[nodiscard]] ClassLink fit(const WeightedRows& rows, const ScoreRange& range, double ridge,
                              const ClassLink& previous, const Recall& recall = {}) const;

  /// The posterior of a link that an E-step made, by this inference: checked, or sampled anew. For a
  /// link that is the identity the words are empty.
  [[nodiscard]] LinkPosterior last_posterior(const ClassLink& link, Inference inference,
                                             const SamplingOptions& sampling) const;

  [[nodiscard]] const LinkHyper& options() const { return hyper_; }
  /// The coordinates of the hyper-parameters for margins in a range.
  [[nodiscard]] Vector theta(const ScoreRange& range) const;
  /// Where a search for the link in a range begins: at the previous one, seen in that range.
  [[nodiscard]] Vector start(const SourceModel& source, const ScoreRange& range,
                             const ClassLink& previous) const;

  /// A link from its file: coordinates theta of the hyper-parameters and the posterior.
  [[nodiscard]] SourceModel source(const Vector& theta) const { return family_->at(theta); }
  [[nodiscard]] Index hyper_size() const { return static_cast<Index>(family_->hyper_parameters().size()); }
  /// The hyper-parameters at theta by name, in the units of margins in `range`.
  [[nodiscard]] std::vector<std::pair<std::string, double>> hyper(const Vector& theta,
                                                                  const ScoreRange& range) const;
  [[nodiscard]] std::size_t cells() const {
    return LinkConstants::cells_per_harmonic * static_cast<std::size_t>(hyper_.harmonics);
  }

 private:
  /// What a fit finds, as bytes keep it: a Gaussian, or with `mean_estimate` a variational one.
  struct Found {
    Vector theta, centre;
    Matrix factor, spread;
    bool mean_estimate = false;
    LinkFacts facts;

    auto fields() { return std::tie(theta, centre, factor, spread, mean_estimate, facts); }
  };
  [[nodiscard]] Found find(const LinkRows& rows, const ScoreRange& range, const ClassLink& previous) const;
  [[nodiscard]] std::string question(const LinkRows& rows, const ScoreRange& range,
                                     const ClassLink& previous) const;

  /// With what the options learn. The rows must outlive it.
  [[nodiscard]] Problem problem_of(const LinkRows& rows) const;
  /// k(0,0)/b.
  [[nodiscard]] double decay_sum(double a) const;

  LinkHyper hyper_;
  std::shared_ptr<const SourceFamily> family_;
};

}  // namespace linkgistic
