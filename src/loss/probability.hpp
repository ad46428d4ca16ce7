// A probability kept by its log-odds, so that 1e-300 and 1 - 1e-300 are equally well resolved.
#pragma once

#include <cmath>

#include "numeric/logistic.hpp"

namespace linkgistic {

class Probability {
 public:
  /// p in [0, 1]; near 1 prefer `complement`.
  explicit Probability(double p) : logit_(std::log(p) - std::log1p(-p)) {}
  /// 1 - q.
  static Probability complement(double q) { return from_logit(-Probability(q).logit()); }
  static Probability from_logit(double t) {
    Probability out(0.5);
    out.logit_ = t;
    return out;
  }

  [[nodiscard]] double logit() const { return logit_; }
  [[nodiscard]] double one() const { return sigmoid(logit_); }         ///< P(y = 1)
  [[nodiscard]] double zero() const { return sigmoid(-logit_); }       ///< P(y = 0)
  [[nodiscard]] double log_one() const { return -softplus(-logit_); }  ///< log P(y = 1)
  [[nodiscard]] double log_zero() const { return -softplus(logit_); }  ///< log P(y = 0)
  [[nodiscard]] double of(int y) const { return y == 1 ? one() : zero(); }
  [[nodiscard]] double log_of(int y) const { return y == 1 ? log_one() : log_zero(); }

 private:
  double logit_;
};

}  // namespace linkgistic
