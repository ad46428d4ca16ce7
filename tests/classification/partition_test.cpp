// The same bytes of the model file for any partition of the rows and any number of threads.
#include <gtest/gtest.h>

#include "classification/bent_rows.hpp"
#include "classification/fit.hpp"
#include "engine/partitioned_engine.hpp"
#include "numeric/random.hpp"
#include "reference/partitions.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {
namespace {

enum class Kind { dense, weighted, bytes, sparse, few, chosen };

// Above 20,000 rows and 40 leaves, where no row is gathered; weighted but for dense ones and bytes. `few`:
// below.
ClassificationData rows_of(Kind kind) {
  const std::size_t n = kind == Kind::few ? 9000 : 41'500;
  constexpr std::size_t d = 6;
  ClassificationData data = bent_rows(n, d, kind == Kind::bytes ? 3 : 2, 21);
  RandomStream random(4);
  if (kind != Kind::bytes && kind != Kind::dense)
    for (std::size_t i = 0; i < n; ++i) data.weights.push_back(static_cast<double>(random.below(4)));
  const RowMatrix& matrix = data.rows.matrix();
  if (kind == Kind::bytes) {
    std::vector<std::uint8_t> values;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j)
        values.push_back(static_cast<std::uint8_t>(std::clamp(128 + 40 * matrix.at(i, j), 0.0, 255.0)));
    data.rows = FeatureRows(RowMatrix(DenseRows<std::uint8_t>{n, d, std::move(values)}));
  }
  if (kind == Kind::sparse) {
    std::vector<std::int64_t> start = {0};
    std::vector<std::int32_t> column;
    std::vector<float> value;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        if (matrix.at(i, j) < -0.3) continue;
        column.push_back(static_cast<std::int32_t>(j));
        value.push_back(static_cast<float>(matrix.at(i, j)));
      }
      start.push_back(static_cast<std::int64_t>(column.size()));
    }
    data.rows = FeatureRows(RowMatrix(CsrRows{n, d, std::move(start), std::move(column), std::move(value)}));
  }
  return data;
}

LinkgisticOptions options_of(Kind kind, int threads) {
  LinkgisticOptions options;
  options.harmonics = 4;
  options.em_iterations = 1;
  options.threads = threads;
  if (kind == Kind::chosen) return options;  // l2 and v are chosen
  options.l2 = 3;
  options.v = 0.1;
  options.max_passes = 6;
  if (kind == Kind::bytes) options.prior = LinkPrior::isgp;
  return options;
}

void expect_one_model(Kind kind, int partitions) {
  const ClassificationData data = rows_of(kind);
  const std::string whole = file_digest(LinkgisticClassifier(options_of(kind, 2)).fit(data));
  expect_one_digest(whole, data.labels.size(), 4096, partitions, static_cast<std::uint64_t>(kind) + 9,
                    [&](const std::vector<std::size_t>& cuts, std::uint64_t seed, int threads) {
                      const auto engine = [&](const EngineRows& rows, int own_threads) {
                        return make_partitioned_engine(rows, cuts, seed, own_threads);
                      };
                      return file_digest(fit_classifier(data, options_of(kind, threads), engine));
                    });
}

TEST(ClassifierPartitions, OfDenseRowsGiveOneModel) { expect_one_model(Kind::dense, 10); }
TEST(ClassifierPartitions, OfWeightedRowsGiveOneModel) { expect_one_model(Kind::weighted, 10); }
TEST(ClassifierPartitions, OfBytesGiveOneModel) { expect_one_model(Kind::bytes, 10); }
TEST(ClassifierPartitions, OfSparseRowsGiveOneModel) { expect_one_model(Kind::sparse, 10); }
TEST(ClassifierPartitions, OfFewRowsGiveOneModel) { expect_one_model(Kind::few, 7); }
TEST(ClassifierPartitions, ChooseHyperParametersOfOneModel) { expect_one_model(Kind::chosen, 3); }

TEST(LongClassifierPartitions, OfDenseRowsGiveOneModel) { expect_one_model(Kind::dense, 1000); }
TEST(LongClassifierPartitions, OfWeightedRowsGiveOneModel) { expect_one_model(Kind::weighted, 1000); }
TEST(LongClassifierPartitions, OfBytesGiveOneModel) { expect_one_model(Kind::bytes, 1000); }
TEST(LongClassifierPartitions, OfSparseRowsGiveOneModel) { expect_one_model(Kind::sparse, 1000); }
TEST(LongClassifierPartitions, OfFewRowsGiveOneModel) { expect_one_model(Kind::few, 1000); }

}  // namespace
}  // namespace linkgistic
