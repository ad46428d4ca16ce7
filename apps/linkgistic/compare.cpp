// compare: several methods fitted to one file and scored on another.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include <nlohmann/json.hpp>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>

#include "compare_methods.hpp"
#include "data_options.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "rows/missing_names.hpp"
#include "text/message.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct CompareFlags {
  std::string train, test;
  DataOptions data;         // of both files: x and y of a regression, label or labels of a classification
  std::string test_labels;  // of a classification
  std::string positive_class, binary;
  std::vector<std::string> drop;  // columns that are not features
  std::string methods, l2 = "auto", scaling = "spectral";
  CompareSettings settings;
  bool json = false;
};

// "all" is every method; a name that is not one is a UsageError.
std::vector<std::string> chosen_methods(const std::string& text, const std::vector<std::string>& known,
                                        const std::vector<std::string>& by_default) {
  if (text.empty()) return by_default;
  if (text == "all") return known;
  const std::vector<std::string> wanted = split_names(text);
  for (const std::string& method : wanted) {
    if (std::find(known.begin(), known.end(), method) != known.end()) continue;
    if (method == "bregmantron_approx")
      throw UsageError(
          "--method bregmantron_approx: it is no longer offered, since it ended where "
          "bregmantron does; use bregmantron");
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    throw UsageError("--method " + method + ": it must be all, or some of " + list);
  }
  return wanted;
}

CompareRows read_rows(const CompareFlags& options, const std::string& file, const Context& context) {
  DataOptions data = options.data;
  data.file = file;
  TableRows rows = open_rows(data);
  CompareRows result;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
    result.x.insert(result.x.end(), block.x.begin(), block.x.end());
    result.y.insert(result.y.end(), block.y.begin(), block.y.end());
    result.weight.insert(result.weight.end(), block.weight.begin(), block.weight.end());
  }
  note_dropped(rows, context);
  return result;
}

DatasetOptions dataset_options(const CompareFlags& options) {
  DatasetOptions data;
  data.drop = options.drop;
  data.label = options.data.label;
  data.labels = options.data.labels;
  data.weights = options.data.weights;
  data.missing = value_of(missing_names(), options.data.missing);
  if (!options.positive_class.empty()) data.positive = {options.positive_class};
  if (!options.binary.empty()) data.positive = split_names(options.binary);
  data.delimiter = delimiter_of(options.data.delimiter);
  data.decimal = decimal_of(options.data);
  data.na = na_of(options.data);
  return data;
}

std::vector<MethodScore> regression_scores(const CompareFlags& options, const Context& context) {
  if (options.data.y.empty() || options.data.x.empty()) throw UsageError("--x and --y go together");
  if (options.data.missing == "impute") throw UsageError("--missing impute is for classification");
  const auto methods = chosen_methods(options.methods, regression_methods(), regression_methods());
  const CompareRows train = read_rows(options, options.train, context);
  const CompareRows test = read_rows(options, options.test, context);
  if (test.y.empty()) throw InputError(options.test + ": there are no rows");
  std::vector<MethodScore> scores;
  for (const std::string& method : methods) {
    scores.push_back(compare_regression(method, train, test, options.settings));
  }
  return scores;
}

std::vector<MethodScore> classification_scores(CompareFlags options, const Context& context) {
  if (!options.positive_class.empty() && !options.binary.empty())
    throw UsageError("--class and --binary cannot both be given");
  options.settings.l2 = number_or_auto("--l2", options.l2);
  LinkgisticOptions ours;
  ours.l2 = options.settings.l2;
  ours.loss = options.settings.loss;
  ours.validate();  // before anything is read
  const auto methods =
      chosen_methods(options.methods, classification_methods(), {"logistic", "gp", "isgp", "offset"});
  DatasetOptions data = dataset_options(options);
  const auto read = [&](const std::string& file, const Dataset* known) {
    Dataset rows = known == nullptr ? read_dataset(file, data) : read_dataset(file, data, *known);
    for (const std::string& note : rows.notes) context.note(note);
    if (rows.dropped > 0)
      context.note(file + ": " + counted(rows.dropped, "row") + " with a missing value left out");
    context.warn(rows.warnings);
    return rows;
  };
  const Dataset train = read(options.train, nullptr);
  if (!options.data.labels.empty()) data.labels = options.test_labels;
  const Dataset test = read(options.test, &train);
  if (test.labels.empty()) throw InputError(options.test + ": there are no rows");
  std::vector<MethodScore> scores;
  for (const std::string& method : methods) {
    scores.push_back(compare_classification(method, train, test, options.settings));
  }
  return scores;
}

// The algorithm of Nock & Menon's paper could not be compared with ours.
std::string method_label(const std::string& method) {
  return method.starts_with("bregmantron") ? method + " (our reading)" : method;
}

bool more_is_better(const std::string& metric) { return metric == "auc" || metric == "accuracy"; }

std::string table(const std::vector<MethodScore>& scores) {
  const std::size_t metrics = scores.front().values.size();
  std::vector<double> best;
  for (std::size_t m = 0; m < metrics; ++m) {
    double value = std::numeric_limits<double>::quiet_NaN();  // std::fmax and fmin pass over it
    for (const MethodScore& s : scores)
      value = more_is_better(s.values[m].first) ? std::fmax(value, s.values[m].second)
                                                : std::fmin(value, s.values[m].second);
    best.push_back(value);
  }
  char cell[64];
  const auto put = [&cell](const char* format, auto... values) {
    std::snprintf(cell, sizeof cell, format, values...);
    return std::string(cell);
  };
  int width = 19;
  for (const MethodScore& s : scores)
    width = std::max(width, static_cast<int>(method_label(s.method).size()));
  std::string text = put("  %-*s", width, "method");
  for (const auto& [metric, value] : scores.front().values) text += put(" %10s ", metric.c_str());
  text += put(" %9s  %s\n", "seconds", "stop");
  for (const MethodScore& s : scores) {
    text += put("  %-*s", width, method_label(s.method).c_str());
    for (std::size_t m = 0; m < metrics; ++m)
      text += std::isnan(s.values[m].second)
                  ? put(" %10s ", "-")
                  : put(" %10.5g%c", s.values[m].second,
                        s.values[m].second == best[m] && scores.size() > 1 ? '*' : ' ');
    text += put(" %9.3g  ", s.seconds) + s.stop + "\n";
  }
  return text;
}

std::string json_text(const std::vector<MethodScore>& scores) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const MethodScore& s : scores) {
    nlohmann::ordered_json one;
    for (const auto& [metric, value] : s.values) one[metric] = value;
    one["seconds"] = s.seconds;
    one["stop"] = s.stop;
    all[s.method] = one;
  }
  return all.dump(1) + "\n";
}

void compare(CompareFlags options, const Context& context) {
  const bool regression = !options.data.x.empty() || !options.data.y.empty();
  if (regression && (!options.data.label.empty() || !options.data.labels.empty()))
    throw UsageError("--x and --y are for regression, --label and --labels for classification");
  if (options.train == "-" && options.test == "-")
    throw UsageError("the two files cannot both come from standard input");
  if (!options.data.labels.empty() && options.test_labels.empty())
    throw UsageError("--labels needs --test-labels for the test file");
  if (options.settings.iterations < 0)
    throw UsageError("--iterations " + std::to_string(options.settings.iterations) +
                     ": it must be at least 0");
  options.settings.row_scaling = options.scaling == "row";
  const std::vector<MethodScore> scores =
      regression ? regression_scores(options, context) : classification_scores(options, context);
  print(options.json ? json_text(scores) : table(scores));
}

}  // namespace

void add_compare(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("compare", "Fit several methods to one file and score them on another");
  const auto options = std::make_shared<CompareFlags>();
  verb->add_option("train", options->train,
                   "File to fit: any format of classify, or with --x and --y a table")
      ->required();
  verb->add_option("test", options->test, "File to score the fits on")->required();
  verb->add_option("--label", options->data.label, "Label column");
  verb->add_option("--labels", options->data.labels, "File of the labels of the training rows");
  verb->add_option("--test-labels", options->test_labels, "File of the labels of the test rows");
  verb->add_option("--x", options->data.x, "Regression: column of x");
  verb->add_option("--y", options->data.y, "Regression: column of y");
  verb->add_option("--weights", options->data.weights, "Weight column");
  verb->add_option(
      "--method", options->methods,
      "all, or names separated by commas: isgp, offset, gp, logistic, glmtron, isotron, slisotron, "
      "bregmantron, bregmantron_label; regression: isgp, offset, gp, pava, linear");
  verb->add_option("--drop", options->drop, "Columns that are not features, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--class", options->positive_class, "This label against all others");
  verb->add_option("--binary", options->binary, "These labels, separated by commas, against all others");
  verb->add_option("--l2", options->l2, "Penalty of our classifiers and logistic regression, or auto")
      ->capture_default_str();
  verb->add_option("--loss", options->settings.loss, "Base loss of our classifiers")->capture_default_str();
  verb->add_option("--iterations", options->settings.iterations, "Updates of the Trons")
      ->capture_default_str();
  verb->add_option("--scaling", options->scaling,
                   "Rows of the Trons: spectral (largest eigenvalue 1) or row (largest length 1)")
      ->check(CLI::IsMember({"spectral", "row"}))
      ->capture_default_str();
  verb->add_option("--missing", options->data.missing,
                   "What to do with a missing value: refuse it, leave its row out, or impute")
      ->check(CLI::IsMember({"error", "drop", "impute"}))
      ->capture_default_str();
  add_cell_options(*verb, options->data);
  add_seed(*verb, options->settings.seed, "Seed of cross-validation and of the rows the Trons hold out");
  verb->add_option("--threads", options->settings.threads, "Number of threads; 0: all")
      ->capture_default_str();
  verb->add_flag("--json", options->json, "Print one JSON object, with an object for each method");
  add_quiet(*verb, context);
  verb->footer(
      "Default methods: logistic, gp, isgp, offset; regression: all. Prints auc, log_loss, accuracy, brier\n"
      "(regression: mse, nll), the seconds of the fit and why it stopped; a star marks the best of a "
      "column.\n"
      "With more than two classes auc is the mean over one-vs-rest problems, and log loss, accuracy and "
      "brier\n"
      "are those of the class. In the log loss, probabilities of exactly 0 and 1, which Trons give, count "
      "as\n"
      "1e-6 and 1 - 1e-6.\n\n"
      "Examples:\n"
      "  linkgistic compare train.csv test.csv --label y\n"
      "  linkgistic compare train-images.gz test-images.gz --labels train-labels.gz --test-labels "
      "test-labels.gz\n"
      "                     --class 0 --method all --json\n"
      "  linkgistic compare train.csv test.csv --x weight --y mpg");
  verb->callback([options, &context] { compare(*options, context); });
}

}  // namespace linkgistic
