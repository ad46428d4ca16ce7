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

  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.weight, s.first, s.second);
  }
};

struct SummaryRequest {
  using Answer = SummaryAnswer;
  std::vector<Selection> selections;
  std::uint32_t labels = 0;   // they are 0 .. labels-1
  std::vector<double> pivot;  // (D), or empty: no moments of columns

  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.selections, s.labels, s.pivot);
  }
};

inline SummaryAnswer empty_answer(const SummaryRequest& r) {
  return {std::vector<double>(r.selections.size() * r.labels), std::vector<double>(r.pivot.size()),
          std::vector<double>(r.pivot.size())};
}

inline void merge(SummaryAnswer& left, const SummaryAnswer& right) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  add(left.weight, right.weight);
  add(left.first, right.first);
  add(left.second, right.second);
}

}  // namespace linkgistic
