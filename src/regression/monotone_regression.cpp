#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/stopwatch.hpp"
#include "regression/data.hpp"
#include "regression/fit.hpp"
#include "regression/fitted.hpp"
#include "regression/options.hpp"
#include "regression/prior.hpp"
#include "regression/shape.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {

std::shared_ptr<const SourceFamily> make_family(const MonotoneRegressionOptions& options, bool y_has_units) {
  std::optional<double> pinned;
  if (options.origin == Origin::shifted) pinned = regression_prior.pinned_origin;
  if (options.basis == BasisKind::nystrom) {
    return std::make_shared<NystromSource>(options.prior, 2 * options.harmonics, -1.0, 1.0, pinned);
  }
  constexpr double c = regression_prior.base_frequency;
  if (const auto curvature = fit_curvature(shape_of(options), y_has_units))
    return std::make_shared<TrigSource>(options.prior, options.harmonics, c, *curvature, options.spectrum);
  return std::make_shared<TrigSource>(options.prior, options.harmonics, c, pinned, options.spectrum);
}

MonotoneRegression::MonotoneRegression(MonotoneRegressionOptions options) : options_(std::move(options)) {
  options_.validate();
}

FittedMonotoneRegression MonotoneRegression::fit(std::span<const double> x, std::span<const double> y,
                                                 std::span<const double> weight) const {
  MemoryRows rows(x, y, weight);
  return fit(rows);
}

FittedMonotoneRegression MonotoneRegression::fit_rows(const RowBlock& block) const {
  MemoryRows rows(block);
  return fit(rows);
}

FittedMonotoneRegression MonotoneRegression::fit(RowStream& rows) const {
  const auto response = regression_response(options_);
  return FittedMonotoneRegression(fit_regression(options_, response, rows));
}

}  // namespace linkgistic
