#include <chrono>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "regression/data.hpp"
#include "regression/fit.hpp"
#include "regression/fitted.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

// The data fill half of the period 2/c: t in [-1, 1].
constexpr double base_frequency = 0.5;
// Origin::shifted: as far left of the data as half of their range.
constexpr double pinned_origin = -2.0;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::shared_ptr<const SourceFamily> make_family(const MonotoneRegressionOptions& options) {
  std::optional<double> pinned;
  if (options.origin == Origin::shifted) pinned = pinned_origin;
  if (options.basis == BasisKind::nystrom) {
    return std::make_shared<NystromSource>(options.prior, 2 * options.harmonics, -1.0, 1.0, pinned);
  }
  return std::make_shared<TrigSource>(options.prior, options.harmonics, base_frequency, pinned);
}

MonotoneRegression::MonotoneRegression(MonotoneRegressionOptions options) : options_(std::move(options)) {
  options_.validate();
}

FittedMonotoneRegression MonotoneRegression::fit(std::span<const double> x, std::span<const double> y,
                                                 std::span<const double> weight) const {
  if (x.size() != y.size() || (!weight.empty() && weight.size() != x.size())) {
    throw InputError("x has " + std::to_string(x.size()) + " values, y has " + std::to_string(y.size()) +
                     (weight.empty() ? "" : ", weight has " + std::to_string(weight.size())) +
                     ": they must be as many");
  }
  MemoryRows rows(x, y, weight);
  return fit(rows);
}

FittedMonotoneRegression MonotoneRegression::fit(RowStream& rows) const {
  const auto begin = std::chrono::steady_clock::now();
  const auto family = make_family(options_);
  ProgressMonitor monitor(options_.stop, options_.on_progress);
  const auto stop = [&monitor] { return monitor.ask_stop(); };
  rows.rewind();
  const RegressionRange range = find_range(rows, stop);
  rows.rewind();
  const auto features = family->at(start_theta(family->hyper_parameters())).features;
  const RegressionData data =
      read_moments(rows, range, features, family->basis_moves(), options_.threads, stop);
  const double seconds_data = seconds_since(begin);
  const auto search_begin = std::chrono::steady_clock::now();

  bool decreasing = options_.direction == Direction::decreasing;
  bool both = false;
  if (options_.direction == Direction::automatic) {
    decreasing = data.correlation < 0;
    both = std::abs(data.correlation) * std::sqrt(data.total_weight) < 4;
  }
  if (options_.prior == PriorKind::gp) decreasing = both = false;
  auto best = std::make_unique<RegressionFit>(options_, data, family, decreasing, monitor);
  try {
    if (both) {
      auto other = std::make_unique<RegressionFit>(options_, data, family, !decreasing, monitor);
      if (other->better_than(*best)) best = std::move(other);
    }
  } catch (const Interrupted&) {  // the best so far is there
  }
  auto state = best->state(range);
  state->summary.seconds_data = seconds_data;
  state->summary.seconds_search = seconds_since(search_begin) - state->summary.seconds_posterior;
  return FittedMonotoneRegression(state);
}

}  // namespace linkgistic
