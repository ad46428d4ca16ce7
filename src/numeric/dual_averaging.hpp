// The step of a Hamiltonian path by Nesterov's dual averaging: moves log step until the mean acceptance is
// the target's (M. Hoffman and A. Gelman, The no-U-turn sampler, JMLR 15, 2014, section 3.2).
#pragma once

#include <cmath>

namespace linkgistic {

class DualAveraging {
 public:
  explicit DualAveraging(double start = 1, double target = 0.8)
      : target_(target), centre_(std::log(10 * start)), log_step_(std::log(start)), mean_(log_step_) {}

  void update(double acceptance) {
    constexpr double gamma = 0.05, t0 = 10, kappa = 0.75;
    ++count_;
    const double rate = 1 / (count_ + t0);
    error_ = (1 - rate) * error_ + rate * (target_ - acceptance);
    log_step_ = centre_ - std::sqrt(count_) / gamma * error_;
    const double weight = std::pow(count_, -kappa);
    mean_ = (1 - weight) * mean_ + weight * log_step_;
  }
  /// To try next.
  [[nodiscard]] double step() const { return std::exp(log_step_); }
  /// The average, to keep when tuning is over.
  [[nodiscard]] double final_step() const { return std::exp(mean_); }

 private:
  double target_, centre_, log_step_, mean_;
  double error_ = 0, count_ = 0;
};

}  // namespace linkgistic
