// The sums of a regression's rows have the same bits for any cut between blocks, and any number of threads.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "numeric/random.hpp"
#include "regression/data.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/trig_source.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

TEST(RegressionPartitions, GiveTheSameSums) {
  RandomStream random(4);
  const std::size_t n = 5 * rows_per_block + 1234;
  std::vector<double> x(n), y(n), w(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = 2 * random.uniform() - 1;
    y[i] = std::tanh(2 * x[i]) + 0.1 * random.normal();
    w[i] = static_cast<double>(random.below(3));
  }
  SumsRequest request;
  request.features = std::make_shared<IntegratedHarmonics>(6, 0.5);
  const auto part = [&](std::size_t first, std::size_t last, int threads) {
    const auto cut = [&](const std::vector<double>& v) { return std::span(v).subspan(first, last - first); };
    MemoryRows rows(cut(x), cut(y), cut(w));
    return partial_sums(rows, request, first / rows_per_block, threads, {}, nullptr);
  };
  const RegressionSums whole = total_sums(part(0, n, 1));
  const Vector kappa = Vector::LinSpaced(request.features->size(), -1, 1);
  const Vector eta = Vector::Constant(1, 0.3);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<std::size_t> cuts{0, n};
    for (int i = 0; i < 3; ++i) cuts.push_back(random.below(6) * rows_per_block);
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::vector<TreeNode<RegressionSums>>> parts(cuts.size() - 1);
    for (std::size_t i = parts.size(); i-- > 0;)  // from the last to the first
      if (cuts[i] < cuts[i + 1]) parts[i] = part(cuts[i], cuts[i + 1], trial % 2 == 0 ? 2 : 7);
    std::vector<TreeNode<RegressionSums>> nodes;
    for (auto& p : parts)
      for (auto& node : p) nodes.push_back(std::move(node));
    const RegressionSums total = total_sums(std::move(nodes));
    EXPECT_EQ(total.sums, whole.sums);
    EXPECT_EQ(total.moments->value(kappa, eta), whole.moments->value(kappa, eta));
  }
  // And they are the sums.
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    weight += w[i];
    sum += w[i] * x[i] * y[i];
  }
  EXPECT_NEAR(whole.sums[0], weight, 1e-9);
  EXPECT_NEAR(whole.sums[4], sum, 1e-9 * weight);
}

}  // namespace
}  // namespace linkgistic
