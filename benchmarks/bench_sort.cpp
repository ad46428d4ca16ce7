// Times stable sorts of doubles with their row numbers, as rows are brought into the order of a score:
//   bench_sort [REPEATS]
// prints the least milliseconds for our radix_sort, Highway's vqsort and std::stable_sort. Highway sorts
// 128-bit integers, the key above the row number, so that its order is the stable one; on two threads it
// sorts halves, which are merged.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

#include <hwy/contrib/sort/vqsort.h>

#include "numeric/parallel.hpp"
#include "numeric/radix_sort.hpp"
#include "numeric/random.hpp"

namespace {

using linkgistic::ordered_key;
using linkgistic::parallel_for;

struct Item {
  std::uint64_t row, key;  // in this order a 128-bit integer with the key in its upper half
};
static_assert(sizeof(Item) == sizeof(hwy::uint128_t));

bool less(const Item& a, const Item& b) { return a.key < b.key; }

void vqsort(std::vector<Item>& items, std::size_t begin, std::size_t end) {
  hwy::Sorter()(reinterpret_cast<hwy::uint128_t*>(items.data() + begin), end - begin, hwy::SortAscending());
}

void by_highway(std::vector<Item>& items, int threads) {
  const std::size_t n = items.size(), half = threads == 1 ? n : n / 2;
  parallel_for(2, threads, [&](std::size_t part) {
    if (part == 0)
      vqsort(items, 0, half);
    else if (half < n)
      vqsort(items, half, n);
  });
  if (half == n) return;
  // Each thread merges one half of the result: the cut is where the lower half of all items ends in both
  // parts.
  std::vector<Item> merged(n);
  const auto first = items.begin(), middle = first + static_cast<std::ptrdiff_t>(half), last = items.end();
  const auto cut = first + static_cast<std::ptrdiff_t>(half / 2);
  const auto other = std::lower_bound(middle, last, *cut, less);
  parallel_for(2, threads, [&](std::size_t part) {
    if (part == 0)
      std::merge(first, cut, middle, other, merged.begin(), less);
    else
      std::merge(cut, middle, other, last, merged.begin() + (cut - first) + (other - middle), less);
  });
  items.swap(merged);
}

std::vector<Item> some_items(std::size_t n, bool few_values) {
  linkgistic::RandomStream random(7);
  std::vector<Item> items(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = few_values ? static_cast<double>(random.below(1000)) : random.normal();
    items[i] = {i, ordered_key(x)};
  }
  return items;
}

struct Time {
  double clock = std::numeric_limits<double>::infinity(), processor = clock;
};

bool equal(const Item& a, const Item& b) { return a.key == b.key && a.row == b.row; }

/// The least times of sorting; an order other than the expected one ends the program.
template <class Sort>
Time least_time(const std::vector<Item>& items, const std::vector<Item>& expected, int repeats, Sort sort) {
  Time least;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<Item> copy = items;
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t ticks = std::clock();
    sort(copy);
    least.processor =
        std::min(least.processor, 1e3 * static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    least.clock = std::min(least.clock, time.count());
    if (std::equal(copy.begin(), copy.end(), expected.begin(), equal)) continue;
    std::fprintf(stderr, "the orders differ\n");
    std::exit(1);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 7;
  std::printf("%10s %-7s %7s %17s %17s %17s\n", "rows", "values", "threads", "radix", "vqsort", "std");
  for (const std::size_t n : {std::size_t{100'000}, std::size_t{1'000'000}, std::size_t{10'000'000}})
    for (const bool few_values : {false, true}) {
      const std::vector<Item> items = some_items(n, few_values);
      std::vector<Item> expected = items;
      std::stable_sort(expected.begin(), expected.end(), less);
      const Time standard = least_time(items, expected, repeats, [](std::vector<Item>& copy) {
        std::stable_sort(copy.begin(), copy.end(), less);
      });
      for (const int threads : {1, 2}) {
        const Time radix = least_time(items, expected, repeats, [&](std::vector<Item>& copy) {
          linkgistic::radix_sort(copy, threads);
        });
        const Time highway =
            least_time(items, expected, repeats, [&](std::vector<Item>& copy) { by_highway(copy, threads); });
        std::printf("%10zu %-7s %7d %8.2f/%8.2f %8.2f/%8.2f %8.2f/%8.2f\n", n,
                    few_values ? "1,000" : "normal", threads, radix.clock, radix.processor, highway.clock,
                    highway.processor, standard.clock, standard.processor);
      }
    }
}
