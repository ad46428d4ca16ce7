// Where a car was made: three classes, a text column left out, missing values put in.
#include <cstdio>
#include <string>
#include <string_view>

#include <linkgistic/dataset.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "classifier_trial.hpp"
#include "demo_parts.hpp"
#include "io/atomic_file.hpp"
#include "numeric/random.hpp"
#include "output.hpp"
#include "report/classifier_text.hpp"
#include "table/toys.hpp"

namespace linkgistic {
namespace {

struct Split {
  std::string train, test;
};

// Seven rows of ten, drawn at random, and the others; both with the header.
Split split_rows(std::string_view csv, std::uint64_t seed) {
  constexpr double share = 0.7;
  Split split;
  RandomStream random(seed);
  for (bool header = true; !csv.empty(); header = false) {
    const std::size_t end = std::min(csv.find('\n'), csv.size() - 1) + 1;
    const std::string_view row = csv.substr(0, end);
    csv.remove_prefix(end);
    if (header) {
      split.train = split.test = row;
    } else {
      (random.uniform() < share ? split.train : split.test) += row;
    }
  }
  return split;
}

std::string score_row(const char* name, const BinaryMetrics& m) {
  char row[96];
  std::snprintf(row, sizeof row, "  %-12s %8.4f  %8.4f  %8.4f\n", name, m.accuracy, m.log_loss, m.brier);
  return row;
}

}  // namespace

void demo_classification(const DemoFolder& folder, std::uint64_t seed) {
  const Split split = split_rows(auto_mpg_csv(), seed);
  write_atomically(folder.file("origin-train.csv"), split.train);
  write_atomically(folder.file("origin-test.csv"), split.test);
  DatasetOptions how;
  how.label = "origin";
  how.drop = {"car_name"};
  how.missing = MissingValues::impute;
  const Dataset train = read_dataset(folder.file("origin-train.csv"), how);
  const Dataset test = read_dataset(folder.file("origin-test.csv"), {}, train);
  LinkgisticOptions options;
  const auto fit = LinkgisticClassifier(options).fit(train);
  options.prior = LinkPrior::none;
  const auto logistic = LinkgisticClassifier(options).fit(train);
  ClassifierTrial trial = judge(fit, test);
  trial.name = "origin-test.csv";
  const ClassifierTrial base = judge(logistic, test);
  trial.rival = "logistic regression";
  trial.rival_probability = base.probability;
  fit.save(folder.file("origin.json"));
  folder.page(classifier_page(fit, trial), "origin");
  print("LINKGISTIC REGRESSION\n\nauto-mpg: where a car was made (1 USA, 2 Europe, 3 Japan), " +
        std::to_string(train.labels.size()) + " cars to learn from, " + std::to_string(test.labels.size()) +
        " held out\n  method       accuracy  log loss     Brier\n" + score_row("linkgistic", trial.all) +
        score_row("logistic", base.all) + "\n" + classifier_text(fit) + "\n");
}

}  // namespace linkgistic
