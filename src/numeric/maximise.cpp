#include "numeric/maximise.hpp"

#include <cmath>
#include <exception>
#include <memory>

#include <nlopt.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

// The function is in log units: with a smaller gradient a step of 1 would gain less than this.
constexpr double flat_gradient = 0.05;

constexpr const char* interrupted = "interrupted";

struct Search {
  const std::function<double(const Vector&, Vector&)>& f;
  nlopt_opt optimiser = nullptr;
  MaximiseResult best;
  Vector best_gradient;
  Vector start_gradient;
  double scale = 1;  // of the function, so that the first step, the scaled gradient, has length 1 at most
  std::exception_ptr error;
  bool interrupted = false;

  double evaluate(const Vector& x, Vector& gradient) {
    const double value = f(x, gradient);
    if (++best.evaluations == 1 || value > best.value) {
      best.value = value;
      best.x = x;
      best_gradient = gradient;
    }
    return value;
  }
};

double callback(unsigned n, const double* x, double* gradient, void* context) {
  auto& search = *static_cast<Search*>(context);
  const Vector at = Eigen::Map<const Vector>(x, static_cast<Index>(n));
  Vector slope = Vector::Zero(at.size());
  double value = 0;
  try {
    if (search.best.evaluations == 1 && at == search.best.x) {  // the start, once more
      value = search.best.value;
      slope = search.start_gradient;
    } else {
      value = search.evaluate(at, slope);
    }
  } catch (const Interrupted&) {
    search.interrupted = true;
    nlopt_force_stop(search.optimiser);
    return 0;
  } catch (...) {
    search.error = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return 0;
  }
  if (gradient != nullptr) Eigen::Map<Vector>(gradient, at.size()) = search.scale * slope;
  return search.scale * value;
}

}  // namespace

MaximiseResult maximise(const std::function<double(const Vector&, Vector&)>& f, const Vector& start,
                        const Vector& lower, const Vector& upper, const MaximiseOptions& options) {
  const auto n = static_cast<unsigned>(start.size());
  Search search{f, nullptr, {}, {}, Vector::Zero(start.size()), 1, nullptr, false};
  Vector x = start.cwiseMax(lower).cwiseMin(upper);
  search.best.x = x;
  try {
    search.evaluate(x, search.start_gradient);
  } catch (const Interrupted&) {
    search.best.stop = interrupted;
    return search.best;
  }
  if (n == 0) {
    search.best.converged = true;
    search.best.stop = "nothing to learn";
    return search.best;
  }
  search.scale = 1 / std::fmax(1.0, search.start_gradient.norm());
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(nlopt_create(NLOPT_LD_SLSQP, n),
                                                                    nlopt_destroy);
  search.optimiser = optimiser.get();
  nlopt_set_max_objective(optimiser.get(), callback, &search);
  nlopt_set_lower_bounds(optimiser.get(), lower.data());
  nlopt_set_upper_bounds(optimiser.get(), upper.data());
  nlopt_set_maxeval(optimiser.get(), options.max_evaluations);
  nlopt_set_ftol_abs(optimiser.get(), options.value_tolerance * search.scale);
  double value = 0;
  const nlopt_result code = nlopt_optimize(optimiser.get(), x.data(), &value);
  if (search.error) std::rethrow_exception(search.error);

  MaximiseResult result = search.best;
  if (search.interrupted) {
    result.stop = interrupted;
    return result;
  }
  switch (code) {
    case NLOPT_SUCCESS:
    case NLOPT_FTOL_REACHED:
    case NLOPT_XTOL_REACHED:
      result.converged = true;
      result.stop = "converged";
      break;
    case NLOPT_ROUNDOFF_LIMITED:
    case NLOPT_FAILURE:  // SLSQP's line search cannot improve on the best point
      // Converged if flat: a gradient that points out of the bounds does not count.
      for (Index i = 0; i < x.size(); ++i) {
        const bool outward = search.best_gradient[i] > 0 ? result.x[i] >= upper[i] : result.x[i] <= lower[i];
        if (outward) search.best_gradient[i] = 0;
      }
      result.converged = search.best_gradient.norm() <= flat_gradient;
      result.stop = result.converged ? "converged to rounding" : "no further progress";
      break;
    case NLOPT_MAXEVAL_REACHED:
      result.stop = "evaluation limit";
      break;
    default:
      result.stop = nlopt_result_to_string(code);
  }
  return result;
}

}  // namespace linkgistic
