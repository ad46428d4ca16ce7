// The posterior of the coefficients and of the link together, for the score of two classes: a Gaussian over
// (beta, g) about the fit. A row's nu_n = nu(beta'z_n) has the derivatives x_n = (nu'(m_n) z_n, psi(m_n)),
// psi = dnu/dg, and with I_n Fisher's information of nu_n in its label the precision is
//   sum_n w_n I_n x_n x_n' + diag(0, l2, .., l2, prior precisions of g),
// over all rows in double precision. Of the log loss, whose link is canonical, I_n is the curvature itself.
// Two more things are uncertain: how far the link may bend, by a mean of covariances over the values of v,
// and the ridge, by the places of the coefficients under other ridges.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "classification/class_link.hpp"
#include "classification/ridge_evidence.hpp"
#include "engine/row_engine.hpp"

namespace linkgistic {

/// The coordinates of a link and where they stand; without a source the link is the identity and has none.
struct LinkPlace {
  ScoreRange range;
  SourceModel source;
  Vector g;

  [[nodiscard]] Index size() const { return g.size(); }
};

/// nu, nu' and psi (q, scores) at scores.
struct LinkTangents {
  Vector nu, slope;
  Matrix psi;
};
LinkTangents link_tangents(const LinkPlace& link, std::span<const double> scores);

struct WeightPosterior {
  LinkPlace link;
  Matrix root;  // (D + 1 + q, D + 1 + q), lower: the covariance is root root'
};

/// The most coordinates of such a posterior: its work is their number cubed.
inline constexpr std::size_t most_weights = 1024;

/// The score that a posterior is of.
struct WeightProblem {
  RowEngine& engine;
  ColumnScale scale;  // of the engine's rows
  std::int32_t positive = 1;
  std::vector<double> beta;  // (D + 1)
  const BaseLoss& base;
  double l2 = 0;
};

/// Prior standard deviations of the link's coordinates, and how probable they are.
struct BendWeight {
  Vector prior_sd;
  double weight = 1;
};

/// A request for products of the features and of functions of the score, still without the functions.
InformationRequest information_request(const WeightProblem& problem);
/// Scores at which the functions of the request are to be tabulated: over the range of the rows' own. They
/// are the nodes of its first function, which is still empty.
std::vector<double> score_nodes(const WeightProblem& problem, InformationRequest& request,
                                const LinkPlace& link);
/// The answer as a whole matrix.
Matrix information_matrix(const WeightProblem& problem, const InformationRequest& request);

/// sum_n w_n I_n x_n x_n' (D + 1 + q).
Matrix joint_information(const WeightProblem& problem, const LinkPlace& link);

/// Nothing where the information with the ridge is singular.
std::optional<WeightPosterior> weight_posterior(const WeightProblem& problem, LinkPlace link,
                                                std::span<const BendWeight> bends, const RidgeSpread& ridges);

/// Standard deviations of nu at rows.
class WeightSpread {
 public:
  explicit WeightSpread(const WeightPosterior& posterior);

  /// Those of rows first .. first + sd.size() - 1, which have these scores.
  void operator()(const RowMatrix& rows, const ColumnScale& scale, std::size_t first,
                  std::span<const double> scores, std::span<double> sd) const;

 private:
  Matrix weights_;               // (D + 1, D + 1): the transposed rows of the coefficients, upper triangular
  Matrix tangents_;              // (r + 1, nodes): those of g times psi, and nu' last; none for the identity
  double lower_ = 0, step_ = 1;  // of the nodes
};

}  // namespace linkgistic
