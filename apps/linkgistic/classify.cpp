// classify: learn weights and link of a classifier.
#include <memory>

#include <nlohmann/json.hpp>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>
#include <linkgistic/parameters.hpp>

#include "classification/options.hpp"
#include "classification/summary.hpp"
#include "data_options.hpp"
#include "fit_progress.hpp"
#include "model_file/fields_json.hpp"
#include "numeric/stopwatch.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "ranks.hpp"
#include "report/classifier_text.hpp"
#include "rows/missing_names.hpp"
#include "signals.hpp"
#include "table/labels.hpp"
#include "text/message.hpp"
#include "text/names.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct ClassifyFlags {
  DataOptions table;
  DatasetOptions data;
  LinkgisticOptions settings;
  std::string missing, positive;
  std::vector<std::string> binary, class_weight;
  std::string model;
  bool json = false;
};

void set_class_weights(const std::vector<std::string>& entries, LinkgisticOptions& settings) {
  settings.balanced = entries.size() == 1 && entries[0] == "balanced";
  if (settings.balanced) return;
  for (const std::string& entry : entries) {
    const auto [name, value] =
        named_number("--class-weight", entry, "the word balanced, or CLASS=NUMBER,...");
    settings.class_weights[canonical_label(name)] = value;
  }
}

// The table of coefficients where it fits on a screen; `show` has it all.
std::string coefficients_to_print(const FittedLinkgisticClassifier& fit) {
  constexpr std::size_t most = 30;
  return fit.encoding().width() <= most ? inference_text(fit) : "";
}

Dataset read_training(const ClassifyFlags& options, const Context& context) {
  DatasetOptions wanted = options.data;
  wanted.delimiter = delimiter_of(options.table.delimiter);
  wanted.decimal = decimal_of(options.table);
  wanted.na = na_of(options.table);
  wanted.missing = value_of(missing_names(), options.missing);
  wanted.positive = options.binary;
  wanted.memory_budget = memory_of(options.table);
  if (!options.positive.empty()) wanted.positive = {options.positive};
  Dataset data = read_by_ranks(options.table.file, wanted, !options.settings.checkpoint.empty());
  for (const std::string& note : data.notes) context.note(note);
  if (data.dropped > 0) context.note(counted(data.dropped, "row") + " with a missing value left out");
  context.warn(data.warnings);
  return data;
}

FittedLinkgisticClassifier fit(LinkgisticOptions settings, const Dataset& data, const ClassifyFlags& options,
                               const Context& context) {
  FitProgressLine line(context);
  settings.on_progress = [&line](const FitProgress& progress) { line.tell(progress); };
  const PolledWork fit_polls;
  try {
    return fit_classifier(data, settings, engine_of_ranks(settings.device), hash_of_ranks());
  } catch (const InputError& error) {
    throw InputError(with_name(error.what(), options.table));
  }
}

std::string summary_json(const FittedLinkgisticClassifier& fitted, double seconds) {
  nlohmann::json summary = fields_to_json(fitted.summary(), true);
  summary["seconds"] = seconds;
  return summary.dump(1) + "\n";
}

void classify(const ClassifyFlags& options, const Context& context) {
  if (options.model == "-" && options.json) {
    throw UsageError("--model - and --json cannot both write to standard output");
  }
  if (!options.binary.empty() && !options.positive.empty()) {
    throw UsageError("--binary and --class cannot both say which class is positive");
  }
  LinkgisticOptions settings = options.settings;
  set_class_weights(options.class_weight, settings);
  settings.stop = stop_requested;
  settings.validate();  // before anything is read
  const Dataset data = read_training(options, context);
  if (!options.model.empty()) Output(options.model);  // as is a file that cannot be written
  const Stopwatch clock;
  const FittedLinkgisticClassifier fitted = fit(settings, data, options, context);
  const double seconds = clock.seconds();
  context.warn(fitted.summary().warnings);
  write_model(fitted.to_json(), options.model, context);
  if (options.json) return print(summary_json(fitted, seconds));
  if (options.model == "-") return;
  print(classifier_text(fitted) + coefficients_to_print(fitted) + "\n  time                " +
        rounded(seconds, 3) + " s, of it for the posterior of the links " +
        rounded(fitted.summary().seconds_posterior, 3) + "\n");
}

void add_data_flags(CLI::App& verb, ClassifyFlags& options) {
  verb.add_option(
          "file", options.table.file,
          "Rows: CSV with a header, NPY, JSON Lines, Parquet, IDX images or libsvm, also gzip; a folder or a "
          "pattern in quotes is all its files; - is standard input")
      ->required();
  verb.add_option("--label", options.data.label, "Label column; labels are any text");
  verb.add_option("--labels", options.data.labels,
                  "File of labels in the order of the rows: IDX, NPY, or text with one label a line");
  verb.add_option("--weights", options.data.weights, "Weight column: 2 counts a row twice, 0 leaves it out");
  verb.add_option("--drop", options.data.drop, "Columns that are not features, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--categorical", options.data.categorical,
                  "Columns whose values are categories even if they are numbers, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_choice(verb, "--missing", options.missing, missing_names(), MissingValues::error,
             "What to do with a missing value: refuse it, leave its row out, or replace it by the median "
             "and add an indicator column; predict leaves no row out");
  verb.add_option("--class", options.positive, "Fit this class against all others");
  verb.add_option("--binary", options.binary,
                  "Labels that make up the positive class, separated by commas, against all others")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_cell_options(verb, options.table);
  add_memory_option(verb, options.table);
  verb.add_flag("--zero-based", options.data.zero_based, "The first column of a libsvm file is 0, not 1");
}

void add_fit_flags(CLI::App& verb, ClassifyFlags& options) {
  add_option_flags(verb, options.settings, "class_weights");
  const auto& table = classifier_parameters();
  verb.add_option("--class-weight", options.class_weight,
                  parameter_text(table, "class_weights") +
                      " For example yes=2,no=1. balanced: " + parameter_text(table, "balanced"))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group("Model");
}

}  // namespace

void add_classify(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("classify", "Learn the weights and the link of a classifier");
  const auto options = std::make_shared<ClassifyFlags>();
  add_data_flags(*verb, *options);
  verb->add_option("--model", options->model, "Model file to write; - is standard output");
  add_fit_flags(*verb, *options);
  verb->add_flag("--json", options->json, "Print the summary as one JSON object");
  add_quiet(*verb, context);
  verb->footer(
      "Ctrl-C ends the fit, writes the best model so far and returns exit code 130; a second Ctrl-C ends the "
      "program\nat once.\n\n"
      "Examples:\n"
      "  linkgistic classify train.csv --label y --model m.json\n"
      "  linkgistic classify train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz --model m.json\n"
      "  linkgistic classify digits.svm.gz --binary 1,3,5,7,9 --prior isgp --l2 10 --model odd.json\n"
      "  linkgistic predict m.json test.csv --interval 0.9 -o p.csv");
  verb->callback([options, &context] { classify(*options, context); });
}

}  // namespace linkgistic
