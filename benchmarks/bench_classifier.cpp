// Cost of Linkgistic regression: a whole fit on images, passes over more and more rows, and a sparse fit; for
// classifier_vs_sklearn.py.
//
//   bench_classifier fit FOLDER L2     the four IDX files of MNIST's names: time, its parts, peak memory,
//   test loss bench_classifier passes FOLDER     seconds of a pass for ten classes over the rows and over ten
//   times the rows bench_classifier sparse            a fit on generated 10^6 x 10^5 rows with 30 entries
//   each: time, peak memory
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/linkgistic_classifier.hpp>

#include "engine/cpu/fused_pass.hpp"
#include "metrics/classification_metrics.hpp"
#include "numeric/random.hpp"
#include "rows/idx_reader.hpp"

namespace {

using namespace linkgistic;
using nlohmann::json;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The process's own peak: getrusage would count the memory of the parent that started it.
double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "VmHWM:") continue;
    double kib = 0;
    status >> kib;
    return kib * 1024e-6;
  }
  return 0;
}

double megabytes(const RowMatrix& rows) { return 1e-6 * static_cast<double>(rows.bytes()); }

LabelledImages read(const std::string& folder, const std::string& part) {
  return read_idx(folder + "/" + part + "-images-idx3-ubyte.gz",
                  folder + "/" + part + "-labels-idx1-ubyte.gz");
}

json fit_summary(const FittedLinkgisticClassifier& fit) {
  double links = 0;
  double beta = 0;
  int passes = 0;
  for (const EmStep& step : fit.summary().trace) {
    links += step.seconds_link;
    beta += step.seconds_beta;
    passes += step.passes;
  }
  return {{"seconds_link", links}, {"seconds_beta", beta}, {"passes", passes}, {"stop", fit.summary().stop}};
}

// Means over classes, each against the rest.
json test_scores(const FittedLinkgisticClassifier& fit, const LabelledImages& test) {
  const std::size_t classes = fit.class_names().size();
  const std::vector<double> nu = fit.decision_values(FeatureRows(test.rows));
  double log_loss = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<double> one(test.labels.size());
    std::vector<std::uint8_t> y(one.size());
    for (std::size_t n = 0; n < one.size(); ++n) {
      one[n] = nu[n * classes + k];
      y[n] = test.labels[n] == static_cast<std::int32_t>(k);
    }
    log_loss += binary_metrics(one, y).log_loss / static_cast<double>(classes);
  }
  double right = 0;
  for (std::size_t n = 0; n < test.labels.size(); ++n) {
    const auto row = nu.begin() + static_cast<std::ptrdiff_t>(n * classes);
    const auto best = std::max_element(row, row + static_cast<std::ptrdiff_t>(classes));
    right += best - row == test.labels[n] ? 1 : 0;
  }
  return {{"log_loss", log_loss}, {"accuracy", right / static_cast<double>(test.labels.size())}};
}

json fit_images(const std::string& folder, double l2) {
  LabelledImages train = read(folder, "train");
  ClassificationData data;
  data.rows = FeatureRows(std::move(train.rows));
  data.labels = std::move(train.labels);
  for (int k = 0; k < 10; ++k) data.class_names.push_back(std::to_string(k));
  LinkgisticOptions options;
  options.prior = LinkPrior::isgp;
  options.multiclass = Multiclass::ovr;
  options.l2 = l2;
  std::optional<FittedLinkgisticClassifier> fit;
  const double seconds = seconds_of([&] { fit = LinkgisticClassifier(options).fit(data); });
  json output = fit_summary(*fit);
  output["seconds"] = seconds;
  output["peak_mb"] = peak_memory_mb();
  output["data_mb"] = megabytes(data.rows.matrix());
  output["rows"] = data.rows.rows();
  output.update(test_scores(*fit, read(folder, "t10k")));
  return output;
}

json time_passes(const std::string& folder) {
  const LabelledImages once = read(folder, "train");
  const auto& bytes = std::get<DenseRows<std::uint8_t>>(once.rows.storage());
  constexpr std::size_t times = 10;
  std::vector<std::uint8_t> repeated;
  std::vector<std::int32_t> labels;
  repeated.reserve(times * bytes.values.size());
  for (std::size_t i = 0; i < times; ++i) {
    repeated.insert(repeated.end(), bytes.values.data(), bytes.values.data() + bytes.values.size());
    labels.insert(labels.end(), once.labels.begin(), once.labels.end());
  }
  const ColumnScale scale = uniform_scale(bytes.columns, 1.0 / 255);
  const RowView small{once.rows, scale};
  const RowView large{
      RowMatrix(DenseRows<std::uint8_t>{times * bytes.rows, bytes.columns, std::move(repeated)}), scale};
  std::vector<PassClass> classes;
  for (std::int32_t k = 0; k < 10; ++k) classes.push_back({k, &LossTable::logistic()});
  const std::vector<double> beta(classes.size() * (bytes.columns + 1), 0.01);
  double seconds_small = 1e300;
  double seconds_large = 1e300;
  constexpr int rounds = 10;
  for (int r = 0; r < rounds; ++r) {
    seconds_small = std::min(seconds_small, seconds_of([&] {
                               fused_pass({&small, once.labels, {}}, classes, beta, {}, 0);
                             }));
    seconds_large = std::min(seconds_large, seconds_of([&] {
                               fused_pass({&large, labels, {}}, classes, beta, {}, 0);
                             }));
  }
  return {{"rows", bytes.rows},
          {"seconds", seconds_small},
          {"seconds_repeated", seconds_large},
          {"exponent", std::log(seconds_large / seconds_small) / std::log(static_cast<double>(times))}};
}

// Labels drawn from a logistic model with normal coefficients.
ClassificationData sparse_rows() {
  constexpr std::size_t rows = 1000000;
  constexpr std::size_t columns = 100000;
  constexpr std::size_t per_row = 30;
  RandomStream random(1);
  std::vector<double> beta(columns);
  for (double& b : beta) b = 0.5 * random.normal();
  std::vector<std::int64_t> start(rows + 1);
  std::vector<std::int32_t> column(rows * per_row);
  std::vector<float> value(rows * per_row);
  ClassificationData data;
  for (std::size_t i = 0; i < rows; ++i) {
    double score = 0;
    for (std::size_t e = i * per_row; e < (i + 1) * per_row; ++e) {
      column[e] = static_cast<std::int32_t>(random.below(columns));
      value[e] = static_cast<float>(random.uniform());
      score += beta[static_cast<std::size_t>(column[e])] * static_cast<double>(value[e]);
    }
    data.labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : 0);
    start[i + 1] = static_cast<std::int64_t>((i + 1) * per_row);
  }
  data.rows = FeatureRows::sparse(rows, columns, std::move(start), std::move(column), std::move(value));
  data.class_names = {"0", "1"};
  return data;
}

json fit_sparse() {
  const ClassificationData data = sparse_rows();
  const double before = peak_memory_mb();
  LinkgisticOptions options;
  options.prior = LinkPrior::isgp;
  options.multiclass = Multiclass::ovr;
  options.l2 = 10;
  std::optional<FittedLinkgisticClassifier> fit;
  const double seconds = seconds_of([&] { fit = LinkgisticClassifier(options).fit(data); });
  json output = fit_summary(*fit);
  output["seconds"] = seconds;
  output["peak_mb_before"] = before;
  output["peak_mb"] = peak_memory_mb();
  output["data_mb"] = megabytes(data.rows.matrix());
  return output;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "fit" && argc == 4) {
    std::printf("%s\n", fit_images(argv[2], std::stod(argv[3])).dump().c_str());
  } else if (command == "passes" && argc == 3) {
    std::printf("%s\n", time_passes(argv[2]).dump().c_str());
  } else if (command == "sparse" && argc == 2) {
    std::printf("%s\n", fit_sparse().dump().c_str());
  } else {
    std::fprintf(stderr, "usage: bench_classifier fit FOLDER L2 | passes FOLDER | sparse\n");
    return 2;
  }
}
