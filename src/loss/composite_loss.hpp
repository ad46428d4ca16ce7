// A proper loss with a source: l_nu(y, x) = (-L)*(nu(x)) - y nu(x), as a function of a real score x. The
// learned loss is one whose source was learned.
#pragma once

#include <memory>

#include "loss/proper_loss.hpp"
#include "loss/source.hpp"

namespace linkgistic {

class CompositeLoss {
 public:
  /// In the score x.
  struct Values {
    double value;
    double gradient;   ///< (p - y) nu'
    double curvature;  ///< nu'^2/w(p) + (p - y) nu''
  };

  CompositeLoss(std::shared_ptr<const ProperLoss> base, std::shared_ptr<const Source> source);

  [[nodiscard]] const ProperLoss& base() const { return *base_; }
  [[nodiscard]] const Source& source() const { return *source_; }

  /// y in {0, 1}.
  [[nodiscard]] Values at(int y, double x) const;
  /// chi^-1(x) = psi^-1(nu(x)): the probability of label 1 at a score.
  [[nodiscard]] Probability inverse_link(double x) const;
  /// chi(u) = nu^-1(psi(u)).
  [[nodiscard]] double link(Probability u) const;
  /// chi'(u) = w(u)/nu'(chi(u)).
  [[nodiscard]] double link_slope(Probability u) const;
  /// w(u) of the base: the source changes the link and leaves the loss of probabilities as it is.
  [[nodiscard]] double weight(Probability u) const { return base_->weight(u); }
  /// Bound on |d l_nu/dx| for all x: the Lipschitz constant of the canonical loss, 1, times that of the
  /// source.
  [[nodiscard]] double lipschitz_bound() const { return source_->slope_bound(); }
  /// max of |d l_nu/dx| over both labels and `points` equally spaced x in [from, to].
  [[nodiscard]] double lipschitz_on(double from, double to, int points = 1001) const;
  /// max of chi'(u) over the probabilities u of scores in [from, to], infinite where nu is flat or falls. A
  /// margin loss G with |G'| <= 1, as the margin form of a canonical loss has, makes of the link the loss
  /// G(y chi(u)), y = -1 or 1, whose slope in u is at most this: the paper's G_nu.
  [[nodiscard]] double margin_lipschitz_on(double from, double to, int points = 513) const;

 private:
  std::shared_ptr<const ProperLoss> base_;
  std::shared_ptr<const Source> source_;
};

}  // namespace linkgistic
