#include "regression/fit_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <linkgistic/error.hpp>

#include "numeric/extent.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

void check(double value, bool good, const char* name, std::size_t row, std::string_view rule = "be finite") {
  if (!good) {
    throw InputError(std::string(name) + " is " + shortest(value) + " in row " + std::to_string(row + 1) +
                     ": it must " + std::string(rule));
  }
}

void refuse(bool given, bool taken, const char* column, const Response& response) {
  if (!given || taken) return;
  throw UsageError(std::string(column) + ": the response '" + std::string(response.name()) + "' takes none");
}

bool is_count(double value) { return value > 0 && std::isfinite(value) && value == std::floor(value); }

bool all_good(const RowBlock& block) {
  const auto finite = [](std::span<const double> values) { return extent_of(values).finite; };
  const Extent weight = extent_of(block.weight), exposure = extent_of(block.exposure);
  if (!finite(block.x) || !weight.finite || weight.lower < 0 || !finite(block.offset)) return false;
  if (!block.exposure.empty() && !(exposure.finite && exposure.lower > 0)) return false;
  for (std::size_t i = 0; i < block.trials.size(); ++i)
    if (!is_count(block.trials[i]) || block.y[i] > block.trials[i]) return false;
  return true;
}

}  // namespace

void check_rows(const RowBlock& block, const Response& response, std::size_t& row) {
  refuse(!block.exposure.empty(), response.takes_exposure(), "exposure", response);
  refuse(!block.trials.empty(), response.takes_trials(), "trials", response);
  if (response.takes_trials() && block.trials.empty()) {
    throw UsageError("trials: the response '" + std::string(response.name()) +
                     "' needs a number of trials for each row");
  }
  if (all_good(block) && response.all_valid(block.y)) {
    row += block.size();
    return;
  }
  const std::string rule = "be " + std::string(response.rule());
  for (std::size_t i = 0; i < block.size(); ++i, ++row) {
    check(block.x[i], std::isfinite(block.x[i]), "x", row);
    check(block.y[i], response.is_valid(block.y[i]), "y", row, rule);
    if (!block.offset.empty()) check(block.offset[i], std::isfinite(block.offset[i]), "offset", row);
    if (!block.exposure.empty()) {
      check(block.exposure[i], std::isfinite(block.exposure[i]), "exposure", row);
      check(block.exposure[i], block.exposure[i] > 0, "exposure", row, "be positive");
    }
    if (!block.trials.empty()) {
      check(block.trials[i], is_count(block.trials[i]), "trials", row, "be a positive whole number");
      check(block.trials[i], block.y[i] <= block.trials[i], "trials", row,
            "be at least the number of successes, " + shortest(block.y[i]));
    }
    if (block.weight.empty()) continue;
    check(block.weight[i], std::isfinite(block.weight[i]), "weight", row);
    check(block.weight[i], block.weight[i] >= 0, "weight", row, "not be negative");
  }
}

RowBlock PreparedRows::of(const RowBlock& block, const Response& response) {
  const bool all = std::find(block.weight.begin(), block.weight.end(), 0.0) == block.weight.end();
  const Link link = response.link();
  const bool shifted = !block.offset.empty() && link != Link::logit;
  if (all && !shifted) return block;
  for (auto* column : {&x_, &y_, &weight_, &offset_, &exposure_, &trials_}) column->clear();
  const bool exposed = !block.exposure.empty() || (shifted && link == Link::log);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!block.weight.empty() && block.weight[i] == 0) continue;
    const double offset = block.offset.empty() ? 0 : block.offset[i];
    x_.push_back(block.x[i]);
    y_.push_back(link == Link::identity ? block.y[i] - offset : block.y[i]);
    if (!block.weight.empty()) weight_.push_back(block.weight[i]);
    if (link == Link::logit && !block.offset.empty()) offset_.push_back(offset);
    if (exposed) {
      const double exposure = (block.exposure.empty() ? 1 : block.exposure[i]) * std::exp(offset);
      if (!(exposure > 0 && std::isfinite(exposure))) {
        throw InputError("offset is " + shortest(offset) +
                         ": e to that power, times the exposure, is not a positive number");
      }
      exposure_.push_back(exposure);
    }
    if (!block.trials.empty()) trials_.push_back(block.trials[i]);
  }
  return {x_, y_, weight_, offset_, exposure_, trials_};
}

}  // namespace linkgistic
