// summary: what a fit must know about the rows before it begins. These are their number and weight, by label
// and part, and the moments of the columns about one pivot.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/selection.hpp"

namespace linkgistic {

struct SummaryAnswer {
  std::vector<double> weight;         // (selections, labels)
  std::vector<double> first, second;  // (D): weighted sums of raw - pivot and its square

  auto fields() { return std::tie(weight, first, second); }
};

struct SummaryRequest {
  using Answer = SummaryAnswer;
  std::vector<Selection> selections;
  std::uint32_t labels = 0;   // they are 0 .. labels-1
  std::vector<double> pivot;  // (D), or empty: no moments of columns

  auto fields() { return std::tie(selections, labels, pivot); }
};

inline SummaryAnswer empty_answer(const SummaryRequest& r) {
  return {std::vector<double>(r.selections.size() * r.labels), std::vector<double>(r.pivot.size()),
          std::vector<double>(r.pivot.size())};
}

}  // namespace linkgistic
