#include "numeric/maximise.hpp"

#include <cmath>
#include <exception>
#include <memory>

#include <nlopt.h>

namespace linkgistic {
namespace {

struct Search {
  const std::function<double(const Vector&, Vector&)>& f;
  nlopt_opt optimiser;
  MaximiseResult best;
  std::exception_ptr error;
};

double evaluate(unsigned n, const double* x, double* gradient, void* context) {
  auto& search = *static_cast<Search*>(context);
  const Vector at = Eigen::Map<const Vector>(x, static_cast<Index>(n));
  Vector slope = Vector::Zero(at.size());
  double value = 0;
  try {
    value = search.f(at, slope);
  } catch (...) {
    search.error = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return 0;
  }
  if (gradient != nullptr) Eigen::Map<Vector>(gradient, at.size()) = slope;
  MaximiseResult& best = search.best;
  if (++best.evaluations == 1 || value > best.value) {
    best.value = value;
    best.x = at;
  }
  return value;
}

}  // namespace

MaximiseResult maximise(const std::function<double(const Vector&, Vector&)>& f, const Vector& start,
                        const Vector& lower, const Vector& upper, const MaximiseOptions& options) {
  const auto n = static_cast<unsigned>(start.size());
  Search search{f, nullptr, {}, nullptr};
  if (n == 0) {
    Vector none;
    return {start, f(start, none), 1, true, "nothing to learn"};
  }
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(nlopt_create(NLOPT_LD_SLSQP, n),
                                                                    nlopt_destroy);
  search.optimiser = optimiser.get();
  nlopt_set_max_objective(optimiser.get(), evaluate, &search);
  nlopt_set_lower_bounds(optimiser.get(), lower.data());
  nlopt_set_upper_bounds(optimiser.get(), upper.data());
  nlopt_set_maxeval(optimiser.get(), options.max_evaluations);
  nlopt_set_ftol_rel(optimiser.get(), options.value_tolerance);
  nlopt_set_ftol_abs(optimiser.get(), options.value_tolerance);
  Vector x = start.cwiseMax(lower).cwiseMin(upper);
  double value = 0;
  const nlopt_result code = nlopt_optimize(optimiser.get(), x.data(), &value);
  if (search.error) std::rethrow_exception(search.error);

  MaximiseResult result = search.best;
  switch (code) {
    case NLOPT_SUCCESS:
    case NLOPT_FTOL_REACHED:
    case NLOPT_XTOL_REACHED:
      result.converged = true;
      result.stop = "converged";
      break;
    case NLOPT_ROUNDOFF_LIMITED:
    case NLOPT_FAILURE:  // SLSQP's line search cannot improve on the best point
      result.converged = true;
      result.stop = "converged to rounding";
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
