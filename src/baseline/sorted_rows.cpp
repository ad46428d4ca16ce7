#include "baseline/sorted_rows.hpp"

#include <cstdint>

#include "baseline/check_rows.hpp"
#include "numeric/radix_sort.hpp"

namespace linkgistic {
namespace {

struct Row {
  std::uint64_t key;
  double y;
};
struct WeightedRow {
  std::uint64_t key;
  double y;
  double weight;
};

double weight_of(const Row&) { return 1.0; }
double weight_of(const WeightedRow& row) { return row.weight; }
Row make_row(const RowBlock& rows, std::size_t i, Row*) { return {ordered_key(rows.x[i]), rows.y[i]}; }
WeightedRow make_row(const RowBlock& rows, std::size_t i, WeightedRow*) {
  return {ordered_key(rows.x[i]), rows.y[i], rows.weight[i]};
}

template <class R>
SortedRows sort_as(const RowBlock& rows, int threads) {
  std::vector<R> items;
  items.reserve(rows.size());
  bool sorted = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const R row = make_row(rows, i, static_cast<R*>(nullptr));
    if (weight_of(row) == 0) continue;
    sorted = sorted && (items.empty() || items.back().key <= row.key);
    items.push_back(row);
  }
  if (!sorted) radix_sort(items, threads);
  const std::size_t n = items.size();
  SortedRows out;
  out.x.reserve(n);
  out.y.reserve(n);
  out.weight.reserve(n);
  for (std::size_t i = 0; i < n;) {
    const std::uint64_t key = items[i].key;
    double y = items[i].y;
    double weight = weight_of(items[i]);
    if (++i < n && items[i].key == key) {
      double sum = weight * y;
      for (; i < n && items[i].key == key; ++i) {
        sum += weight_of(items[i]) * items[i].y;
        weight += weight_of(items[i]);
      }
      y = sum / weight;
    }
    out.x.push_back(from_ordered_key(key));
    out.y.push_back(y);
    out.weight.push_back(weight);
  }
  return out;
}

}  // namespace

SortedRows sort_rows(const RowBlock& rows, int threads) {
  check_rows(rows);
  return rows.weight.empty() ? sort_as<Row>(rows, threads) : sort_as<WeightedRow>(rows, threads);
}

}  // namespace linkgistic
