// How far the links of a softmax bend, by evidence. About a mode g of all links under some sizes, the loss is
//   loss(g + d) = loss + b'd + d'H d/2,
// which any other sizes integrate in closed form: with the prior g = m + S x, x ~ N(0, I), and A = I + S'H S,
//   log evidence = -loss(m) + c'A^-1 c/2 - log det(A)/2,  c = S'(b + H (m - g)).
// At the sizes of the mode itself this is Laplace's approximation. H is that of all classes together, or,
// where their coordinates are too many, of each class by itself.
#pragma once

#include <span>
#include <vector>

#include "classification/joint_posterior.hpp"
#include "classification/link_fit.hpp"

namespace linkgistic {

/// How far links may bend: v of each class by itself, and v of the part that the classes of a softmax share.
struct LinkBend {
  double own = 0, shared = 0;

  bool operator==(const LinkBend&) const = default;
};

/// The prior of the coordinates g_k = (w_k, n_k) of links that share a part: g_k = mean_k + shared_sd x_0 +
/// own_sd x_k, all x ~ N(0, I). What has no size has no coordinates; without own parts the levels n_k stay
/// where the prior has them.
struct BendPrior {
  std::vector<Vector> mean;  // (C): (q)
  Vector shared_sd;          // (q - 1) or none
  Vector own_sd;             // (q) or none

  /// Of sources with v = v_0 + v_d.
  BendPrior(std::span<const SourceModel> sources, LinkBend bend);
};

class BendEvidence {
 public:
  /// `hyper` but for its sizes. The precision must outlive this object.
  BendEvidence(const LinkPrecision& precision, const LinkHyper& hyper);

  /// Its logarithm is the sum of the greatest log joint density, -loss(m) + c'A^-1 c/2, and of the logarithm
  /// of the volume about it, -log det(A)/2.
  struct Parts {
    double density = 0, volume = 0;

    [[nodiscard]] double sum() const { return density + volume; }
  };
  /// Not both sizes may be 0.
  [[nodiscard]] Parts parts(LinkBend bend) const;
  [[nodiscard]] double log_evidence(LinkBend bend) const { return parts(bend).sum(); }

  /// A better bend near this one, by at most three steps of half a decade in each size; or itself.
  [[nodiscard]] LinkBend better(LinkBend bend) const;

 private:
  [[nodiscard]] Parts together(const BendPrior& prior) const;
  [[nodiscard]] Parts by_themselves(const BendPrior& prior) const;

  const LinkPrecision& precision_;
  LinkHyper hyper_;
  Matrix rows_;   // (C q, q - 1): sum over l of the columns of H_kl, levels left out
  Matrix total_;  // (q - 1, q - 1): and over k of its rows
};

}  // namespace linkgistic
