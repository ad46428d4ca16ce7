#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/stopwatch.hpp"
#include "regression/data.hpp"
#include "regression/fit.hpp"
#include "regression/fitted.hpp"
#include "regression/prior.hpp"
#include "response/gaussian.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

std::string text_of(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

void check_fixed(const std::vector<HyperParameter>& hyper, const MonotoneRegressionOptions& options) {
  for (const auto& [name, value] : options.fixed) {
    const auto it =
        std::find_if(hyper.begin(), hyper.end(), [&, n = name](const auto& h) { return h.name == n; });
    if (it == hyper.end()) {
      std::string known;
      for (const auto& h : hyper) known += (known.empty() ? "" : ", ") + h.name;
      throw UsageError("fixed: there is no hyper-parameter '" + name + "' here; there are " + known);
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
      throw UsageError("fixed: " + name + " = " + text_of(value) + ": it must be " + rule);
    }
  }
}

}  // namespace

std::shared_ptr<const SourceFamily> make_family(const MonotoneRegressionOptions& options) {
  std::optional<double> pinned;
  if (options.origin == Origin::shifted) pinned = regression_prior.pinned_origin;
  if (options.basis == BasisKind::nystrom) {
    return std::make_shared<NystromSource>(options.prior, 2 * options.harmonics, -1.0, 1.0, pinned);
  }
  return std::make_shared<TrigSource>(options.prior, options.harmonics, regression_prior.base_frequency,
                                      pinned);
}

MonotoneRegression::MonotoneRegression(MonotoneRegressionOptions options) : options_(std::move(options)) {
  if (options_.harmonics < 1 || options_.harmonics > 128) {
    throw UsageError("harmonics = " + std::to_string(options_.harmonics) + ": it must be from 1 to 128");
  }
  if (options_.threads < 0) {
    throw UsageError("threads = " + std::to_string(options_.threads) + ": it must be 0 (all) or positive");
  }
  if (!(options_.curvature_floor > 0 && options_.curvature_floor <= 1)) {
    throw UsageError("curvature_floor = " + text_of(options_.curvature_floor) + ": it must be in (0, 1]");
  }
  if (options_.draws < 100) {
    throw UsageError("draws = " + std::to_string(options_.draws) + ": it must be 100 or more");
  }
  if (options_.prior == PriorKind::gp && options_.origin == Origin::shifted) {
    throw UsageError("origin = shifted: the gp prior integrates nothing, so it has no origin to shift");
  }
  if (options_.prior == PriorKind::gp && options_.direction != Direction::automatic) {
    throw UsageError("direction: the gp prior is not monotone, so it takes only auto");
  }
  check_fixed(regression_hyper_parameters(options_, GaussianResponse()), options_);
}

FittedMonotoneRegression MonotoneRegression::fit(std::span<const double> x, std::span<const double> y,
                                                 std::span<const double> weight) const {
  MemoryRows rows(x, y, weight);
  return fit(rows);
}

FittedMonotoneRegression MonotoneRegression::fit(RowStream& rows) const {
  return FittedMonotoneRegression(fit_regression(options_, std::make_shared<GaussianResponse>(), rows));
}

}  // namespace linkgistic
