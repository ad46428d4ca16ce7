#include "calibration/classes/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/hash.hpp"
#include "numeric/limits.hpp"
#include "numeric/random.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// The part that a row of log odds belongs to. It is random, but equal rows have the same part, wherever and
// however often they occur, even if rounding has moved them. For this, log odds are counted in steps of 1/64
// of their size, and the ends of the steps lie away from 0 and other likely numbers.
int part_of_row(std::span<const double> log_odds, const ClassCalibratorOptions& options) {
  Hash hash;
  for (const double l : log_odds) {
    const double step = std::floor(64 * std::asinh(0x1p40 * std::clamp(l, -1e290, 1e290)) + 0.3217);
    hash.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(step)));
  }
  const auto folds = static_cast<std::uint64_t>(options.folds);
  return static_cast<int>(RandomStream(options.seed, hash.value()).below(folds));
}

// Up to so many rows, neither their order nor how often one stands there makes a difference, to the last bit.
constexpr std::size_t most_sorted_rows = 20'000;

// Equal rows as one with the sum of their weights, in the order of their log odds and labels.
ClassRows merged(const ClassRows& rows) {
  const auto row = [&](std::size_t n) {
    return std::span(rows.log_odds).subspan(n * rows.classes, rows.classes);
  };
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto compare = [&](std::size_t a, std::size_t b) {
    const auto x = row(a), y = row(b);
    const auto [p, q] = std::mismatch(x.begin(), x.end(), y.begin());
    return p != x.end() ? (*p < *q ? -1 : 1) : rows.labels[a] - rows.labels[b];
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
  ClassRows result;
  result.classes = rows.classes;
  bool weighted = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t n = order[i];
    if (i > 0 && compare(order[i - 1], n) == 0) {
      result.weights.back() += rows.weight(n);
    } else {
      const auto values = row(n);
      result.log_odds.insert(result.log_odds.end(), values.begin(), values.end());
      result.labels.push_back(rows.labels[n]);
      result.weights.push_back(rows.weight(n));
    }
    weighted = weighted || result.weights.back() != 1;
  }
  if (!weighted) result.weights.clear();
  return result;
}

}  // namespace

ClassRows part_of(const ClassRows& rows, std::span<const int> part, int which, bool inside) {
  ClassRows result;
  result.classes = rows.classes;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if ((part[n] == which) != inside) continue;
    const auto begin = rows.log_odds.begin() + static_cast<std::ptrdiff_t>(n * rows.classes);
    result.log_odds.insert(result.log_odds.end(), begin, begin + static_cast<std::ptrdiff_t>(rows.classes));
    result.labels.push_back(rows.labels[n]);
    if (!rows.weights.empty()) result.weights.push_back(rows.weights[n]);
  }
  return result;
}

ClassRows check_rows(std::span<const double> log_odds, std::span<const std::int32_t> labels,
                     std::span<const double> weights, std::size_t classes) {
  if (labels.empty()) throw InputError("there are no rows");
  if (!weights.empty() && weights.size() != labels.size()) {
    throw InputError(std::to_string(weights.size()) + " weights for " + std::to_string(labels.size()) +
                     " rows");
  }
  ClassRows rows;
  rows.classes = classes;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const std::string row = " of row " + std::to_string(n + 1);
    if (labels[n] < 0 || static_cast<std::size_t>(labels[n]) >= classes) {
      throw InputError("the label" + row + " is class number " + std::to_string(labels[n]) + " of " +
                       std::to_string(classes));
    }
    const double w = weights.empty() ? 1.0 : weights[n];
    if (!is_weight(w)) throw InputError("the weight" + row + " is " + shortest(w) + ": " + weight_rule);
    if (w == 0) continue;
    const auto begin = log_odds.begin() + static_cast<std::ptrdiff_t>(n * classes);
    rows.log_odds.insert(rows.log_odds.end(), begin, begin + static_cast<std::ptrdiff_t>(classes));
    rows.labels.push_back(labels[n]);
    if (!weights.empty()) rows.weights.push_back(w);
  }
  if (rows.size() == 0) throw InputError("no row has a positive weight");
  return rows.size() <= most_sorted_rows ? merged(rows) : rows;
}

std::vector<int> parts_of(const ClassRows& rows, const ClassCalibratorOptions& options) {
  std::vector<int> part(rows.size());
  for (std::size_t n = 0; n < part.size(); ++n)
    part[n] = part_of_row(std::span(rows.log_odds).subspan(n * rows.classes, rows.classes), options);
  return part;
}

std::vector<double> of_labels(const ClassRows& rows, std::span<const double> p) {
  std::vector<double> result(rows.size());
  for (std::size_t n = 0; n < result.size(); ++n)
    result[n] = p[n * rows.classes + static_cast<std::size_t>(rows.labels[n])];
  return result;
}

}  // namespace linkgistic
