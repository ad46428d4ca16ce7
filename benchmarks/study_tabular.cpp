// Linkgistic regression against logistic regression on small tables: log loss over repeated five-fold
// cross-validation, features standardised, l2 chosen inside each training part for both.
//
//   study_tabular --data FOLDER [--repeats R] [--seed S] [--prior offset] [--v V] [--l2 L] [--l2-by
//   cv|evidence]
//   [--sets abalone,...] [--threads T]
//
// FOLDER has ionosphere, sonar, spambase, abalone (rings > 9), heart-cleveland (num > 0) and titanic as CSV.
// Text columns are one-hot encoded; a missing number is the column's median, with an indicator column.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "metrics/classification_metrics.hpp"
#include "numeric/random.hpp"
#include "rows/row_matrix.hpp"
#include "table/csv_reader.hpp"
#include "table/missing_words.hpp"
#include "text/parse_number.hpp"

namespace {

using namespace linkgistic;

struct Set {
  std::string name, label;
  double above;  // positive: label > above
};

const std::vector<Set> all_sets{{"ionosphere", "label", 0.5},    {"sonar", "label", 0.5},
                                {"spambase", "label", 0.5},      {"abalone", "rings", 9},
                                {"heart-cleveland", "num", 0.5}, {"titanic", "survived", 0.5}};

struct Numbers {
  std::vector<double> value;  // NaN where missing
  bool text = false;
};

Numbers numbers_of(const std::vector<std::string>& column) {
  Numbers result;
  const MissingWords missing;
  for (const std::string& field : column) {
    double x = 0;
    const NumberKind kind = parse_number(field, x);
    if (kind == NumberKind::text && !missing.has(trimmed(field))) result.text = true;
    result.value.push_back(kind == NumberKind::finite ? x : std::nan(""));
  }
  return result;
}

void add_column(const std::vector<std::string>& column, std::vector<std::vector<double>>& features) {
  const Numbers numbers = numbers_of(column);
  if (numbers.text) {
    std::map<std::string, std::vector<double>> one_hot;
    for (std::size_t n = 0; n < column.size(); ++n) one_hot[column[n]].resize(column.size());
    for (std::size_t n = 0; n < column.size(); ++n) one_hot[column[n]][n] = 1;
    for (auto& entry : one_hot) features.push_back(std::move(entry.second));
    return;
  }
  std::vector<double> known, value = numbers.value, missing(value.size());
  std::copy_if(value.begin(), value.end(), std::back_inserter(known),
               [](double x) { return !std::isnan(x); });
  std::nth_element(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2), known.end());
  for (std::size_t n = 0; n < value.size(); ++n) {
    if (!std::isnan(value[n])) continue;
    value[n] = known[known.size() / 2];
    missing[n] = 1;
  }
  features.push_back(std::move(value));
  if (known.size() < missing.size()) features.push_back(std::move(missing));
}

ClassificationData read(const std::string& folder, const Set& set) {
  CsvReader csv(open_source(folder + "/" + set.name + ".csv"));
  std::vector<std::vector<std::string>> columns(csv.header().size());
  while (csv.next()) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].emplace_back(csv.fields()[j]);
  }
  std::vector<std::vector<double>> features;
  ClassificationData data;
  data.class_names = {"no", "yes"};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (csv.header()[j] != set.label) {
      add_column(columns[j], features);
      continue;
    }
    for (const double x : numbers_of(columns[j]).value) data.labels.push_back(x > set.above ? 1 : 0);
  }
  std::vector<double> values(data.labels.size() * features.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = features[i % features.size()][i / features.size()];
  data.rows = FeatureRows::dense(values, data.labels.size(), features.size());
  return data;
}

ClassificationData take(const ClassificationData& data, const std::vector<std::size_t>& which) {
  ClassificationData part = data;
  part.rows = FeatureRows(take_rows(data.rows.matrix(), which), data.rows.origin());
  part.labels.clear();
  for (const std::size_t n : which) part.labels.push_back(data.labels[n]);
  return part;
}

// Parts of the rows, stratified by label.
std::vector<std::vector<std::size_t>> folds(const ClassificationData& data, std::uint64_t seed) {
  std::vector<std::size_t> order(data.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(seed, 1);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return data.labels[a] < data.labels[b]; });
  std::vector<std::vector<std::size_t>> parts(5);
  for (std::size_t i = 0; i < order.size(); ++i) parts[i % 5].push_back(order[i]);
  return parts;
}

double loss(const FittedLinkgisticClassifier& model, const ClassificationData& test) {
  const std::vector<std::uint8_t> y(test.labels.begin(), test.labels.end());
  return binary_metrics(model.decision_values(test.rows), y).log_loss;
}

// That of another estimate of the probability.
double loss(const FittedLinkgisticClassifier& model, const ClassificationData& test,
            ProbabilityEstimate estimate) {
  const ClassPrediction p = model.predict(test.rows, 0.9, BandKind::all, estimate);
  double sum = 0;
  for (std::size_t n = 0; n < test.labels.size(); ++n)
    sum -= std::log(p.probability[2 * n + static_cast<std::size_t>(test.labels[n])]);
  return sum / static_cast<double>(test.labels.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder;
  std::string wanted;
  int repeats = 10;
  std::uint64_t seed = 0;
  LinkgisticOptions options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--data")
      folder = value;
    else if (name == "--sets")
      wanted = value;
    else if (name == "--repeats")
      repeats = std::stoi(value);
    else if (name == "--seed")
      seed = std::stoul(value);
    else if (name == "--v")
      options.v = std::stod(value);
    else if (name == "--l2")
      options.l2 = std::stod(value);
    else if (name == "--l2-by")
      options.l2_by = value == "evidence" ? RidgeChoiceBy::evidence : RidgeChoiceBy::cv;
    else if (name == "--threads")
      options.threads = std::stoi(value);
    else if (name == "--prior")
      options.prior = value == "isgp" ? LinkPrior::isgp : value == "gp" ? LinkPrior::gp : LinkPrior::offset;
    else
      std::fprintf(stderr, "unknown: %s\n", argv[i]), std::exit(2);
  }
  std::printf(
      "set              logistic  linkgistic  ratio   marginal and plug-in to mode   v chosen (times)\n");
  double log_sum = 0, log_marginal = 0, log_plug_in = 0;
  int count = 0;
  for (const Set& set : all_sets) {
    if (!wanted.empty() && wanted.find(set.name) == std::string::npos) continue;
    const ClassificationData data = read(folder, set);
    double base = 0;
    double learned = 0, marginal = 0, plug_in = 0;
    std::map<double, int> chosen;
    for (int r = 0; r < repeats; ++r) {
      const auto parts = folds(data, seed + static_cast<std::uint64_t>(r));
      for (std::size_t k = 0; k < parts.size(); ++k) {
        std::vector<std::size_t> rest;
        for (std::size_t j = 0; j < parts.size(); ++j) {
          if (j != k) rest.insert(rest.end(), parts[j].begin(), parts[j].end());
        }
        const ClassificationData train = take(data, rest);
        const ClassificationData test = take(data, parts[k]);
        const auto linkgistic = LinkgisticClassifier(options).fit(train);
        LinkgisticOptions logistic = options;
        logistic.prior = LinkPrior::none;
        logistic.l2 = linkgistic.summary().l2;
        base += loss(LinkgisticClassifier(logistic).fit(train), test) / (5.0 * repeats);
        learned += loss(linkgistic, test) / (5.0 * repeats);
        marginal += loss(linkgistic, test, ProbabilityEstimate::marginal) / (5.0 * repeats);
        plug_in += loss(linkgistic, test, ProbabilityEstimate::plug_in) / (5.0 * repeats);
        ++chosen[linkgistic.summary().v];
      }
    }
    std::printf("%-16s %.5f   %.5f     %.4f  %.4f   %.4f                ", set.name.c_str(), base, learned,
                learned / base, marginal / learned, plug_in / learned);
    for (const auto& [v, times] : chosen) std::printf(" %g (%d)", v, times);
    std::printf("\n");
    std::fflush(stdout);
    log_sum += std::log(learned / base);
    log_marginal += std::log(marginal / learned);
    log_plug_in += std::log(plug_in / learned);
    ++count;
  }
  std::printf("geometric mean of ratios %.4f, of marginal to mode %.4f, of plug-in to mode %.4f\n",
              std::exp(log_sum / count), std::exp(log_marginal / count), std::exp(log_plug_in / count));
}
