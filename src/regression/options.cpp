#include "regression/options.hpp"

#include <algorithm>
#include <cmath>

#include "regression/fit.hpp"
#include "regression/fitted.hpp"
#include "regression/shape.hpp"
#include "response/response.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

void check_fixed(const std::vector<HyperParameter>& hyper, const MonotoneRegressionOptions& options) {
  for (const auto& [name, value] : options.fixed) {
    const auto it =
        std::find_if(hyper.begin(), hyper.end(), [&, n = name](const auto& h) { return h.name == n; });
    if (it == hyper.end()) {
      throw UsageError("fixed: there is no hyper-parameter '" + name + "' here; there are " +
                       joined(hyper, ", ", [](const auto& h) { return h.name; }));
    }
    const bool above_one = it->coordinate == Coordinate::log_minus_one;
    const bool share = it->coordinate == Coordinate::logit;
    const bool positive = it->coordinate == Coordinate::log;
    if (!std::isfinite(value) || (above_one && !(value > 1)) || (share && !(value > 0 && value < 1)) ||
        (positive && !(value > 0))) {
      const char* rule = above_one  ? "greater than 1"
                         : share    ? "between 0 and 1"
                         : positive ? "positive"
                                    : "finite";
      throw UsageError("fixed: " + name + " = " + shortest(value) + ": it must be " + rule);
    }
  }
}

void check_noise(const MonotoneRegressionOptions& options) {
  if (options.noise == NoiseKind::constant) return;
  const auto refuse = [](const std::string& why) { throw UsageError("noise = smooth: " + why); };
  if (options.response != ResponseKind::gaussian) {
    refuse("only the response gaussian has it, not " + name_of(response_names(), options.response));
  }
  if (options.inference == Inference::mcmc) {
    refuse("the chains of mcmc take one noise for all rows; take the inference laplace or variational");
  }
  if (options.fixed.contains("noise")) refuse("it is learned, so noise cannot be fixed");
  if (options.profiles) refuse("there are no profiles of the evidence, which is a bound of curve and noise");
}

// A learned rate is at most a quarter, and so are two.
void check_rates(const MonotoneRegressionOptions& options) {
  const Rate &guess = options.guess, &lapse = options.lapse;
  if (guess == Rate{} && lapse == Rate{}) return;
  const auto words = [](const char* name, const Rate& rate) {
    return std::string(name) + " = " + (rate.learned ? "learn" : shortest(rate.value));
  };
  const std::string both = words("guess", guess) + ", " + words("lapse", lapse);
  if (options.response != ResponseKind::bernoulli && options.response != ResponseKind::binomial) {
    throw UsageError(both + ": only the responses bernoulli and binomial have them, not " +
                     name_of(response_names(), options.response));
  }
  if (!(guess.value + lapse.value < 1)) throw UsageError(both + ": together they must be below 1");
}

}  // namespace

void MonotoneRegressionOptions::validate() const {
  check_ranges(*this);
  check_noise(*this);
  check_rates(*this);
  if (prior == PriorKind::gp && origin == Origin::shifted) {
    throw UsageError("origin = shifted: the gp prior integrates nothing, so it has no origin to shift");
  }
  if (prior == PriorKind::gp && direction != Direction::automatic) {
    throw UsageError("direction: the gp prior is not monotone, so it takes only auto");
  }
  if (shape != Shape::automatic && direction != Direction::automatic) {
    throw UsageError("shape = " + name_of(shape_names(), shape) + ", direction = " +
                     name_of(direction_names(), direction) + ": only one of them may be given");
  }
  const CurveShape curve = shape_of(*this);
  if (shape != Shape::automatic && prior == PriorKind::gp)
    throw UsageError("shape: the gp prior has no shape, so it takes only auto");
  if (curve.curvature != 0 && (basis == BasisKind::nystrom || origin == Origin::shifted)) {
    throw UsageError("shape = " + name_of(shape_names(), shape) +
                     ": a shape with curvature has basis = trig and origin = intercept");
  }
  if (spectrum != SpectrumKind::analytic && basis == BasisKind::nystrom)
    throw UsageError("spectrum = " + name_of(spectrum_names(), spectrum) +
                     ": the basis nystrom has no harmonics");
  const auto law = regression_response(*this);
  if (inference == Inference::variational && !law->has_bound()) {
    const bool rates = law->link() == Link::logit;  // plain labels and shares have a bound
    throw UsageError("inference = variational: no bound is known for the response '" +
                     std::string(law->name()) + "'" + (rates ? " with guesses or lapses" : "") +
                     "; take laplace or mcmc");
  }
  check_fixed(regression_hyper_parameters(*this, *law), *this);
}

}  // namespace linkgistic
