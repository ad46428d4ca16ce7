// Rows that others hold: a fit that sees messages alone has the bytes of one that sees the rows.
#include "classification/piece.hpp"

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "classification/bent_rows.hpp"
#include "classification/fit.hpp"
#include "classification/weights.hpp"
#include "engine/partitions.hpp"
#include "engine/slices.hpp"
#include "numeric/random.hpp"
#include "reference/partitions.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {
namespace {

// Rows in double precision, which are stored about the means of all.
ClassificationData rows_of(std::size_t classes, bool weighted) {
  constexpr std::size_t n = 23'500, d = 5;
  ClassificationData data = bent_rows(n, d, classes, 7);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) values.push_back(3 + data.rows.matrix().at(i, j) / 3);
  ViewRows<double> view = about_means({n, d, SharedSpan<double>(std::move(values)), d, 1, {}}, 2);
  std::vector<double> origin = view.origin;
  data.rows = FeatureRows(RowMatrix(std::move(view)), std::move(origin));
  RandomStream random(3);
  for (std::size_t i = 0; weighted && i < n; ++i) data.weights.push_back(i % 7 == 0 ? 0 : random.uniform());
  return data;
}

// A cluster in one process: pieces, and nothing but messages between them and the fit.
std::string digest_by_pieces(const ClassificationData& data, const LinkgisticOptions& options,
                             std::vector<std::size_t> cuts) {
  const RowMatrix& matrix = data.rows.matrix();
  const std::size_t classes = data.class_names.size();
  const RowsShape shape = shape_of(EngineRows{matrix, data.labels, {}, {}});
  const auto pieces = partition_rows(std::move(cuts), Grid(shape).block_rows(), shape.rows);
  const auto piece_rows = [&](const RowSpan& p) {
    auto view = std::get<ViewRows<double>>(slice_rows(matrix, p.first, p.last).storage());
    view.origin.clear();
    return RowMatrix(std::move(view));
  };
  const auto labels_of = [&](const RowSpan& p) {
    return std::vector<std::int32_t>(data.labels.begin() + static_cast<std::ptrdiff_t>(p.first),
                                     data.labels.begin() + static_cast<std::ptrdiff_t>(p.last));
  };
  const auto weights_of = [&](const RowSpan& p) {
    if (data.weights.empty()) return std::vector<float>();
    return std::vector<float>(data.weights.begin() + static_cast<std::ptrdiff_t>(p.first),
                              data.weights.begin() + static_cast<std::ptrdiff_t>(p.last));
  };
  const auto sums = [&](std::span<const double> factors) {
    std::vector<std::string> messages;
    for (const RowSpan& p : pieces) {
      std::vector<float> weights = weights_of(p);
      weigh_classes(factors, labels_of(p), weights);
      messages.insert(messages.begin(),  // the last comes first
                      message_of(piece_sums(p.first, piece_rows(p), labels_of(p), weights, classes, 1)));
    }
    return total_sum(nodes_of<std::vector<double>>(messages), 0);
  };
  std::vector<double> raw = sums(std::vector<double>(classes, 1.0));
  const std::vector<double> factors = class_factors(data.class_names, std::span(raw).first(classes), options);
  std::vector<double> origin(raw.begin() + static_cast<std::ptrdiff_t>(classes) + 1, raw.end());
  for (double& mean : origin) mean /= static_cast<double>(shape.rows);
  const std::vector<double> weighed = sums(factors);

  std::vector<std::size_t> class_rows(classes);
  for (const std::int32_t label : data.labels) ++class_rows[static_cast<std::size_t>(label)];
  const auto plan =
      from_bytes<ClassifierPlan>(to_bytes(plan_classifier(shape, class_rows, factors, origin, options)));
  std::vector<std::unique_ptr<ClassifierPiece>> holders;
  std::vector<std::uint64_t> ranks(classes);
  for (const RowSpan& p : pieces) {
    holders.push_back(std::make_unique<ClassifierPiece>(plan, p.first, ranks, piece_rows(p), labels_of(p),
                                                        weights_of(p), 1));
    for (const std::int32_t label : labels_of(p)) ++ranks[static_cast<std::size_t>(label)];
  }
  const auto ask = [&](const std::string& request) {
    // Merged two by two, as a tree of tasks does.
    std::vector<std::string> answers;
    for (const auto& holder : holders) answers.push_back(holder->answer(request));
    while (answers.size() > 1) {
      std::vector<std::string> fewer;
      for (std::size_t i = 0; i < answers.size(); i += 2) {
        const auto some = std::span(answers).subspan(i, std::min<std::size_t>(2, answers.size() - i));
        fewer.push_back(merge_answer_messages(some));
      }
      answers = std::move(fewer);
    }
    return answers.front();
  };
  TrainingFacts facts;
  facts.class_names = data.class_names;
  facts.totals.assign(weighed.begin(), weighed.begin() + static_cast<std::ptrdiff_t>(classes));
  facts.rows = static_cast<std::size_t>(weighed[classes]);
  facts.origin = plan.origin;
  const auto first = std::get<ViewRows<double>>(matrix.storage());
  for (std::size_t j = 0; j < shape.columns; ++j) facts.pivot.push_back(first.at(0, j));
  set_parts(plan, class_rows, facts);
  const auto engine = make_remote_engine(shape, ask);
  return file_digest(fit_by_engine(facts, *engine, options, nullptr, [](std::size_t) {}));
}

void expect_one_model(const ClassificationData& data, LinkgisticOptions options) {
  options.harmonics = 4;
  options.em_iterations = 1;
  options.max_passes = 5;
  const std::string whole = file_digest(LinkgisticClassifier(options).fit(data));
  EXPECT_EQ(digest_by_pieces(data, options, {}), whole);
  EXPECT_EQ(digest_by_pieces(data, options, {1, 2, 5000, 5001, 9000, 15'000, 23'499}), whole);
}

TEST(ClassifierPieces, OfWeightedRowsGiveTheModelOfAll) {
  LinkgisticOptions options;
  options.l2 = 3;
  options.v = 0.1;
  expect_one_model(rows_of(2, true), options);
}

TEST(ClassifierPieces, ChooseTheHyperParametersOfAll) { expect_one_model(rows_of(2, false), {}); }

TEST(ClassifierPieces, OfManyClassesGiveTheModelOfAll) {
  LinkgisticOptions options;
  options.l2 = 3;
  options.balanced = true;
  expect_one_model(rows_of(4, true), options);
}

TEST(ClassifierPieces, CrossFitAsAllDo) {
  LinkgisticOptions options;
  options.l2 = 3;
  options.v = 0.1;
  options.cross_fit = true;
  options.cv = 3;
  expect_one_model(rows_of(2, false), options);
}

TEST(ClassifierPieces, OfPairsOfClassesGiveTheModelOfAll) {
  LinkgisticOptions options;
  options.l2 = 3;
  options.v = 0.1;
  options.multiclass = Multiclass::ovo;
  expect_one_model(rows_of(3, false), options);
}

TEST(ClassifierPieces, RefuseOtherInstructions) {
  std::string request = request_message(SummaryRequest{});
  EXPECT_NO_THROW(check_instructions(request));
  request[sizeof(std::uint64_t)] ^= 1;
  EXPECT_THROW(check_instructions(request), InputError);
  EXPECT_THROW(check_instructions("ab"), InputError);
}

}  // namespace
}  // namespace linkgistic
