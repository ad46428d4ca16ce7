// summary: what a fit must know about the rows before it begins. These are their number and weight, by label
// and part, the moments of the columns about one pivot, and the greatest value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "engine/selection.hpp"
#include "engine/verbs/same_size.hpp"

namespace linkgistic {

struct SummaryAnswer {
  std::vector<double> weight;         // (selections, labels)
  std::vector<double> first, second;  // (D): weighted sums of raw - pivot and its square
  double greatest = -std::numeric_limits<double>::infinity();

  auto fields() { return std::tie(weight, first, second, greatest); }
};

struct SummaryRequest {
  using Answer = SummaryAnswer;
  std::vector<Selection> selections;
  std::uint32_t labels = 0;   // they are 0 .. labels-1
  std::vector<double> pivot;  // (D), or empty: no moments of columns
  bool greatest = false;      // whether the greatest raw value of all rows is wanted

  auto fields() { return std::tie(selections, labels, pivot, greatest); }
};

inline SummaryAnswer empty_answer(const SummaryRequest& r) {
  return {std::vector<double>(r.selections.size() * r.labels), std::vector<double>(r.pivot.size()),
          std::vector<double>(r.pivot.size()), -std::numeric_limits<double>::infinity()};
}

inline void merge(SummaryAnswer& left, const SummaryAnswer& right) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    check_same_size(to.size(), from.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  add(left.weight, right.weight);
  add(left.first, right.first);
  add(left.second, right.second);
  left.greatest = std::max(left.greatest, right.greatest);
}

}  // namespace linkgistic
