// Whole fits on a GPU give the models of the processor. Without a GPU these tests skip themselves.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "classification/bent_rows.hpp"
#include "engine/cuda/cuda_library.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {
namespace {

bool no_gpu() { return cuda_devices().starts_with("none"); }

/// The same rows as bytes.
ClassificationData as_bytes(ClassificationData data) {
  const RowMatrix& rows = data.rows.matrix();
  std::vector<std::uint8_t> values;
  for (std::size_t n = 0; n < rows.rows(); ++n)
    for (std::size_t j = 0; j < rows.columns(); ++j)
      values.push_back(static_cast<std::uint8_t>(std::clamp(128 + 32 * feature(data, n, j), 0.0, 255.0)));
  const std::size_t n = rows.rows(), d = rows.columns();
  data.rows = FeatureRows(RowMatrix(DenseRows<std::uint8_t>{n, d, std::move(values)}));
  return data;
}

/// The same rows as CSR, values near 0 left out.
ClassificationData as_sparse(ClassificationData data) {
  const RowMatrix& rows = data.rows.matrix();
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (std::abs(feature(data, n, j)) < 0.3) continue;
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(static_cast<float>(feature(data, n, j)));
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  data.rows = FeatureRows(
      RowMatrix(CsrRows{rows.rows(), rows.columns(), std::move(start), std::move(column), std::move(value)}));
  return data;
}

struct Comparison {
  double largest_difference = 0, log_loss_difference = 0;
  std::size_t steps_cuda = 0, steps_cpu = 0;
};

Comparison compare(const ClassificationData& data, LinkgisticOptions options) {
  const auto here = LinkgisticClassifier(options).fit(data);
  options.device = "cuda";
  const auto there = LinkgisticClassifier(options).fit(data);
  const std::vector<double> p = here.predict(data.rows).probability;
  const std::vector<double> q = there.predict(data.rows).probability;
  Comparison c;
  for (std::size_t i = 0; i < p.size(); ++i)
    c.largest_difference = std::max(c.largest_difference, std::abs(p[i] - q[i]));
  c.log_loss_difference = std::abs(log_loss(here, data) - log_loss(there, data));
  c.steps_cpu = here.summary().trace.size();
  c.steps_cuda = there.summary().trace.size();
  EXPECT_EQ(there.options().device, "cuda");
  return c;
}

class CudaFits : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (no_gpu()) GTEST_SKIP() << cuda_devices();
  }
  /// Above and below the number of rows that are merged where they are equal; of each storage.
  static ClassificationData data(std::size_t classes) {
    const ClassificationData floats = bent_rows(GetParam() == 3 ? 900 : 21000, 6, classes, 4);
    return GetParam() == 1 ? as_bytes(floats) : GetParam() == 2 ? as_sparse(floats) : floats;
  }
};

TEST_P(CudaFits, AgreeClosely) {
  for (const std::size_t classes : {2U, 4U}) {
    LinkgisticOptions options;
    options.l2 = 1;
    options.v = 0.1;
    if (classes > 2) options.v_shared = 0.2;
    options.tolerance = 1e-9;
    options.max_passes = 2000;
    options.em_iterations = 6;
    const Comparison c = compare(data(classes), options);
    // Few rows hold the coefficients less: the same rounding of a gradient moves them further.
    EXPECT_LT(c.largest_difference, GetParam() == 3 ? 5e-5 : 1e-5) << classes;
    EXPECT_EQ(c.steps_cuda, c.steps_cpu) << classes;
  }
}

TEST_P(CudaFits, AgreeWhenAllIsChosen) {
  for (const std::size_t classes : {2U, 3U}) {
    for (const Multiclass coding : {Multiclass::softmax, Multiclass::ovr, Multiclass::ovo}) {
      if (classes == 2 && coding != Multiclass::softmax) continue;
      LinkgisticOptions options;
      options.multiclass = coding;
      const Comparison c = compare(data(classes), options);
      EXPECT_LT(c.largest_difference, 1e-3) << classes;
      EXPECT_LT(c.log_loss_difference, 1e-4) << classes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, CudaFits, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace linkgistic
