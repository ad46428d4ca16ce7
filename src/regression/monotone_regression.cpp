#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "regression/data.hpp"
#include "regression/fit.hpp"
#include "regression/fitted.hpp"
#include "response/gaussian.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

// The data fill half of the period 2/c: t in [-1, 1].
constexpr double base_frequency = 0.5;
// Origin::shifted: as far left of the data as half of their range.
constexpr double pinned_origin = -2.0;

std::string text_of(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

void check_fixed(const std::vector<HyperParameter>& hyper, const MonotoneRegressionOptions& options) {
  for (const auto& [name, value] : options.fixed) {
    const auto it = std::find_if(hyper.begin(), hyper.end(),
                                 [&, n = name](const auto& h) { return user_name(h.name) == n; });
    if (it == hyper.end()) {
      std::string known;
      for (const auto& h : hyper) known += (known.empty() ? "" : ", ") + user_name(h.name);
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

std::vector<HyperParameter> all_hyper_parameters(const MonotoneRegressionOptions& options) {
  auto hyper = make_family(options)->hyper_parameters();
  for (auto& h : GaussianLikelihood().hyper_parameters()) hyper.push_back(std::move(h));
  return hyper;
}

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
  check_fixed(all_hyper_parameters(options_), options_);
}

FittedMonotoneRegression MonotoneRegression::fit(std::span<const double> x, std::span<const double> y,
                                                 std::span<const double> weight) const {
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
