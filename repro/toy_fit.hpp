// The univariate models of the paper on its toys: a trigonometric source, hyper-parameters by maximum
// marginal likelihood (no priors on them, as in the paper), the Laplace posterior, evaluated also where the
// paper's figures show the period and a user's curve would go on straight.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/source.hpp>

#include "loss/source.hpp"
#include "table/toys.hpp"

namespace linkgistic::repro {

struct ToyCurve {
  std::vector<double> middle, lower, upper;  // at the mode, and 90 % about it
};

struct ToyProfile {
  std::string name;
  std::vector<double> value, log_evidence;  // value in the coordinates of the fit
  double at = 0, best = 0;                  // the fit's value and its log evidence
  bool log_axis = false;
};

class ToyFit {
 public:
  /// x in [0, 100] becomes t in [-1, 1], half a period: c = 1/100 in units of x. y is standardised when it
  /// has Gaussian noise, a label when not.
  ToyFit(const Toy& toy, PriorKind prior, bool gaussian, int harmonics, std::function<bool()> stop);
  ~ToyFit();

  [[nodiscard]] ToyCurve nu(std::span<const double> x) const;
  [[nodiscard]] ToyCurve f(std::span<const double> x) const;  // not of the gp prior
  [[nodiscard]] ToyCurve f_squared(std::span<const double> x) const;
  /// nu at the mode as a source of learned losses, straight beyond [0, 100]; labels only.
  [[nodiscard]] std::shared_ptr<const Source> source() const;
  [[nodiscard]] double noise() const;  // standard deviation of y
  [[nodiscard]] double log_evidence() const;
  [[nodiscard]] std::vector<ToyProfile> profiles(int points) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace linkgistic::repro
