#include "report/figure/thin.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

std::vector<std::size_t> all(std::size_t n) {
  std::vector<std::size_t> indices(n);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

void sort_unique(std::vector<std::size_t>& indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

}  // namespace

std::vector<std::size_t> thin_curve(const std::vector<double>& lower, const std::vector<double>& upper,
                                    const std::function<bool(std::size_t)>& drawn) {
  const std::size_t n = lower.size();
  if (n <= most_values_shown) return all(n);
  const std::size_t runs = most_values_shown / 5;
  std::vector<std::size_t> kept;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t begin = run * n / runs, end = (run + 1) * n / runs;
    std::size_t first = end, last = end, lowest = end, highest = end, gap = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (!drawn(i)) {
        if (gap == end) gap = i;
        continue;
      }
      if (first == end) first = lowest = highest = i;
      last = i;
      if (lower[i] < lower[lowest]) lowest = i;
      if (upper[i] > upper[highest]) highest = i;
    }
    for (const std::size_t i : {first, lowest, highest, last, gap})
      if (i != end) kept.push_back(i);
  }
  sort_unique(kept);
  return kept;
}

std::vector<std::size_t> thin_points(const std::vector<double>& x, const std::vector<double>& y,
                                     const std::function<bool(std::size_t)>& drawn) {
  std::vector<std::size_t> places = all(x.size());
  std::erase_if(places, [&](std::size_t i) { return !drawn(i); });
  const std::size_t n = places.size();
  if (n <= most_values_shown) return places;
  const auto by = [](const std::vector<double>& v) {
    return [&v](std::size_t i, std::size_t j) { return v[i] < v[j]; };
  };
  const auto [left, right] = std::minmax_element(places.begin(), places.end(), by(x));
  const auto [bottom, top] = std::minmax_element(places.begin(), places.end(), by(y));
  std::vector<std::size_t> kept = {*left, *right, *bottom, *top};
  const std::size_t runs = most_values_shown - kept.size();
  RandomStream random(0);
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t begin = run * n / runs, end = (run + 1) * n / runs;
    kept.push_back(places[begin + random.below(end - begin)]);
  }
  sort_unique(kept);
  return kept;
}

}  // namespace linkgistic
