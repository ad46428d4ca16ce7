// classify: learn weights and link of a classifier.
#include <memory>

#include <nlohmann/json.hpp>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>
#include <linkgistic/parameters.hpp>

#include "classification/names.hpp"
#include "data_options.hpp"
#include "fit_progress.hpp"
#include "numeric/stopwatch.hpp"
#include "output.hpp"
#include "report/classifier_text.hpp"
#include "signals.hpp"
#include "source_options.hpp"
#include "table/labels.hpp"
#include "text/message.hpp"
#include "text/names.hpp"
#include "text/parse_number.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct ClassifyFlags {
  DataOptions table;
  DatasetOptions data;
  LinkgisticOptions settings;
  std::string prior, inference, standardize, missing;
  std::string l2 = "auto", v = "auto", positive;
  std::vector<std::string> binary, class_weight;
  std::string model;
  bool json = false;
};

void set_class_weights(const std::vector<std::string>& entries, LinkgisticOptions& settings) {
  settings.balanced = entries.size() == 1 && entries[0] == "balanced";
  if (settings.balanced) return;
  for (const std::string& entry : entries) {
    const auto equals = entry.rfind('=');
    double value = 0;
    if (equals == std::string::npos || equals == 0 ||
        parse_number(std::string_view(entry).substr(equals + 1), value) != NumberKind::finite) {
      throw UsageError("--class-weight " + in_quotes(entry) +
                       ": it must be the word balanced, or CLASS=NUMBER,...");
    }
    settings.class_weights[canonical_label(entry.substr(0, equals))] = value;
  }
}

LinkgisticOptions fit_settings(const ClassifyFlags& options) {
  LinkgisticOptions settings = options.settings;
  settings.prior = value_of(link_prior_names(), options.prior);
  settings.inference = value_of(inference_names(), options.inference);
  settings.standardize = value_of(standardize_names(), options.standardize);
  settings.l2 = number_or_auto("--l2", options.l2);
  settings.v = number_or_auto("--v", options.v);
  set_class_weights(options.class_weight, settings);
  settings.stop = stop_requested;
  return settings;
}

Dataset read_training(const ClassifyFlags& options, const Context& context) {
  DatasetOptions wanted = options.data;
  wanted.delimiter = delimiter_of(options.table.delimiter);
  wanted.na = na_of(options.table);
  wanted.missing = value_of(missing_names(), options.missing);
  wanted.positive = options.binary;
  if (!options.positive.empty()) wanted.positive = {options.positive};
  const EndAtOnce nothing_is_written_yet;
  Dataset data = read_dataset(options.table.file, wanted);
  for (const std::string& note : data.notes) context.note(note);
  if (data.dropped > 0) context.note(counted(data.dropped, "row") + " with a missing value left out");
  context.warn(data.warnings);
  return data;
}

FittedLinkgisticClassifier fit(LinkgisticOptions settings, const Dataset& data, const ClassifyFlags& options,
                               const Context& context) {
  FitProgressLine line(context);
  settings.on_progress = [&line](const FitProgress& progress) { line.tell(progress); };
  const SecondEndsAtOnce no_file_is_open;
  try {
    return LinkgisticClassifier(settings).fit(data);
  } catch (const InputError& error) {
    throw InputError(with_name(error.what(), options.table));
  }
}

std::string summary_json(const FittedLinkgisticClassifier& fitted, double seconds) {
  nlohmann::json summary = nlohmann::json::parse(fitted.to_json()).at("summary");
  summary["seconds"] = seconds;
  summary["seconds_posterior"] = fitted.summary().seconds_posterior;
  return summary.dump(1) + "\n";
}

void classify(const ClassifyFlags& options, const Context& context) {
  if (options.model == "-" && options.json) {
    throw UsageError("--model - and --json cannot both write to standard output");
  }
  if (!options.binary.empty() && !options.positive.empty()) {
    throw UsageError("--binary and --class cannot both say which class is positive");
  }
  const LinkgisticOptions settings = fit_settings(options);
  (void)LinkgisticClassifier(settings);  // a bad option is told before anything is read
  const Dataset data = read_training(options, context);
  if (!options.model.empty()) Output(options.model);  // as is a file that cannot be written
  const Stopwatch clock;
  const FittedLinkgisticClassifier fitted = fit(settings, data, options, context);
  const double seconds = clock.seconds();
  context.warn(fitted.summary().warnings);
  write_model(fitted.to_json(), options.model, context);
  if (options.json) return print(summary_json(fitted, seconds));
  if (options.model == "-") return;
  print(classifier_text(fitted) + "\n  time                " + rounded(seconds, 3) +
        " s, of it for the posterior of the links " + rounded(fitted.summary().seconds_posterior, 3) + "\n");
}

void add_data_flags(CLI::App& verb, ClassifyFlags& options) {
  verb.add_option(
          "file", options.table.file,
          "Rows: CSV with a header, NPY, JSON Lines, IDX images or libsvm, also gzip; - is standard input")
      ->required();
  verb.add_option("--label", options.data.label, "Column of labels, of any text");
  verb.add_option("--labels", options.data.labels,
                  "File of labels in the order of the rows: IDX, NPY, or text with one a line");
  verb.add_option("--weights", options.data.weights,
                  "Column of weights: 2 is the row twice, 0 the row left out");
  verb.add_option("--drop", options.data.drop, "Columns that are no features, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--categorical", options.data.categorical,
                  "Columns whose values are categories even where they are numbers, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_choice(verb, "--missing", options.missing, missing_names(), MissingValues::error,
             "A missing value: refuse it, leave its row out, or put the median there with an "
             "indicator column; predict leaves no row out");
  verb.add_option("--class", options.positive, "One class against all others");
  verb.add_option("--binary", options.binary,
                  "Labels that make up the positive class, separated by commas, against all others")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_cell_options(verb, options.table);
  verb.add_flag("--zero-based", options.data.zero_based, "The first column of a libsvm file is 0, not 1");
}

const std::string& classifier_meaning(std::string_view parameter) {
  return parameter_text(classifier_parameters(), parameter);
}

void add_fit_flags(CLI::App& verb, ClassifyFlags& options) {
  LinkgisticOptions& s = options.settings;
  const std::string group = "Model";
  add_choice(verb, "--prior", options.prior, link_prior_names(), s.prior, classifier_meaning("prior"))
      ->group(group);
  verb.add_option("--loss", s.loss, classifier_meaning("loss"))->capture_default_str()->group(group);
  verb.add_option("--l2", options.l2, classifier_meaning("l2"))->capture_default_str()->group(group);
  verb.add_option("--v", options.v, classifier_meaning("v"))->capture_default_str()->group(group);
  verb.add_option("--em-iterations", s.em_iterations, classifier_meaning("em_iterations"))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--samples", s.samples, classifier_meaning("samples"))->capture_default_str()->group(group);
  verb.add_option("--tolerance", s.tolerance, classifier_meaning("tolerance"))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--harmonics", s.harmonics, classifier_meaning("harmonics"))
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--learn-hyper", s.learn_hyper, classifier_meaning("learn_hyper"))->group(group);
  add_choice(verb, "--inference", options.inference, inference_names(), s.inference,
             classifier_meaning("inference"))
      ->group(group);
  verb.add_option("--draws", s.draws, classifier_meaning("draws"))->capture_default_str()->group(group);
  verb.add_option("--cv", s.cv, classifier_meaning("cv"))->capture_default_str()->group(group);
  add_choice(verb, "--standardize", options.standardize, standardize_names(), s.standardize,
             classifier_meaning("standardize"))
      ->group(group);
  verb.add_option("--class-weight", options.class_weight,
                  classifier_meaning("class_weights") +
                      " Such as yes=2,no=1, or balanced: " + classifier_meaning("balanced"))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  add_seed(verb, s.seed, classifier_meaning("seed"))->group(group);
  verb.add_option("--threads", s.threads, classifier_meaning("threads"))->capture_default_str()->group(group);
}

}  // namespace

void add_classify(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("classify", "Learn the weights and the link of a classifier");
  const auto options = std::make_shared<ClassifyFlags>();
  add_data_flags(*verb, *options);
  verb->add_option("--model", options->model, "Model file to write; - is standard output");
  verb->add_option("--checkpoint", options->settings.checkpoint, classifier_meaning("checkpoint"));
  add_fit_flags(*verb, *options);
  verb->add_flag("--json", options->json, "Print the summary as one JSON object");
  add_quiet(*verb, context);
  verb->footer(
      "Ctrl-C ends the fit with the best model so far, which is written, and exit code 130; a second one "
      "ends "
      "at once.\n\n"
      "Examples:\n"
      "  linkgistic classify train.csv --label y --model m.json\n"
      "  linkgistic classify train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz --model m.json\n"
      "  linkgistic classify digits.svm.gz --binary 1,3,5,7,9 --prior isgp --l2 10 --model odd.json\n"
      "  linkgistic predict m.json test.csv --interval 0.9 -o p.csv");
  verb->callback([options, &context] { classify(*options, context); });
}

}  // namespace linkgistic
