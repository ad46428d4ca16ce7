// calibrate: learn the map from scores to probabilities.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/options.hpp"
#include "calibration/summary.hpp"
#include "fit_progress.hpp"
#include "model.hpp"
#include "model_file/fields_json.hpp"
#include "numeric/stopwatch.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "report/calibrator_text.hpp"
#include "score_rows.hpp"
#include "signals.hpp"
#include "text/message.hpp"
#include "text/names.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct CalibrateFlags {
  DataOptions data;
  BinaryScoreColumns columns;
  ClassCalibratorOptions settings;
  std::string model;
  bool json = false;
};

FittedMonotoneCalibrator fit(const CalibrateFlags& options, const Context& context) {
  const ScoreRows rows = read_binary_scores(options.data, options.columns, context);
  if (std::count(rows.label.begin(), rows.label.end(), 1) == 0 && !options.columns.positive.empty()) {
    throw InputError(with_name(
        "no row has the label " + in_quotes(options.columns.positive) + " of --positive", options.data));
  }
  std::map<std::string, std::string> names{
      {"score", options.columns.score}, {"label", options.columns.label}, {"positive", rows.positive}};
  if (!options.columns.weights.empty()) names["weight"] = options.columns.weights;
  add_reading(options.data, names);
  for (std::size_t i = 0; i < rows.negatives.size(); ++i) {
    names["negative " + std::to_string(i + 1)] = rows.negatives[i];
  }
  return checked(options.data, rows.where, [&] {
    return MonotoneCalibrator(options.settings.map)
        .fit(rows.score, rows.label, rows.weight)
        .with_columns(std::move(names));
  });
}

template <class Fitted>
std::string summary_json(const Fitted& fitted) {
  nlohmann::json summary = fields_to_json(fitted.summary(), true);
  summary["posterior"] = fitted.posterior();
  summary["warnings"] = fitted.warnings();
  return summary.dump(1) + "\n";
}

// Seconds.
template <class Fitted>
double make_bands(const Fitted& fitted) {
  const Stopwatch clock;
  (void)fitted.posterior();
  return clock.seconds();
}

std::string time_text(const std::string& what, double seconds, double bands) {
  return "\n  time                " + what + " " + rounded(seconds, 3) + " s, bands " + rounded(bands, 3) +
         " s\n";
}

template <class Fitted>
void write(const Fitted& fitted, Output* model) {
  if (model == nullptr) return;
  const std::string text = fitted.to_json();
  check_model_text(text);
  model->write(text);
  model->commit();
}

// Writes model and summary.
template <class Fitted>
void deliver(const Fitted& fitted, const CalibrateFlags& options, Output* model, const std::string& summary,
             const std::string& text) {
  if (stop_requested()) throw Interrupted();
  write(fitted, model);
  if (options.json) return print(summary);
  if (options.model != "-") print(text);
}

void calibrate_classes(const CalibrateFlags& options, const std::vector<std::string>& scores, Output* model,
                       const Context& context) {
  if (!options.columns.positive.empty()) {
    throw UsageError("--positive: several columns of scores are one for each class");
  }
  FitProgressLine line(context);
  ClassCalibratorOptions settings = options.settings;
  settings.stop = stop_requested;
  settings.on_progress = [&line](const FitProgress& p) { line.tell(p); };
  const ClassCalibrator calibrator(std::move(settings));
  ClassScoreRows rows =
      read_class_scores(options.data, {scores, options.columns.label, options.columns.weights}, {}, context);
  std::map<std::string, std::string> names{{"label", options.columns.label}};
  if (!options.columns.weights.empty()) names["weight"] = options.columns.weights;
  add_reading(options.data, names);
  for (std::size_t c = 0; c < scores.size(); ++c) names["score " + std::to_string(c + 1)] = scores[c];
  checked(options.data, rows.where, [&] {
    const PolledWork fit_polls;
    const auto fitted = calibrator.fit(rows.score, rows.label, std::move(rows.names), rows.weight)
                            .with_columns(std::move(names));
    if (stop_requested()) {
      context.warn(fitted.warnings());
      write(fitted, model);
      if (model != nullptr) context.note(options.model + " has the best model so far");
      throw Interrupted();
    }
    const double bands = make_bands(fitted);
    context.warn(fitted.warnings());
    deliver(fitted, options, model, summary_json(fitted),
            class_calibrator_text(fitted) + time_text("maps", fitted.summary().seconds, bands));
  });
}

void calibrate(CalibrateFlags options, const Context& context) {
  if (options.model == "-" && options.json) {
    throw UsageError("--model - and --json cannot both write to standard output");
  }
  options.settings.map.seed = options.settings.seed;
  options.settings.validate();
  std::unique_ptr<Output> model;
  if (!options.model.empty()) model = std::make_unique<Output>(options.model);
  const std::vector<std::string> scores = split_names(options.columns.score);
  if (scores.size() > 1) return calibrate_classes(options, scores, model.get(), context);
  const FittedMonotoneCalibrator fitted = fit(options, context);
  const double bands = make_bands(fitted);
  context.warn(fitted.warnings());
  deliver(fitted, options, model.get(), summary_json(fitted),
          calibrator_text(fitted) + time_text("map", fitted.summary().seconds, bands));
}

}  // namespace

void add_calibrate(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("calibrate", "Turn the scores of a classifier into probabilities");
  const auto options = std::make_shared<CalibrateFlags>();
  add_table_options(*verb, options->data);
  verb->add_option("--score", options->columns.score,
                   "Score column: log odds, decision values or probabilities (inf and -inf are allowed). For "
                   "many classes: one column for each class, separated by commas")
      ->required();
  verb->add_option("--label", options->columns.label, "Label column; labels are any text")->required();
  verb->add_option("--positive", options->columns.positive,
                   "The positive label (default: the greater of the two)");
  verb->add_option("--weights", options->columns.weights,
                   "Weight column: 2 counts a row twice, 0 leaves it out");
  add_missing_option(*verb, options->data);
  verb->add_option("--model", options->model, "Model file to write; - is standard output");
  add_option_flags(*verb, options->settings);
  verb->add_flag("--json", options->json, "Print the summary as one JSON object");
  add_quiet(*verb, context);
  verb->footer(
      "Examples:\n"
      "  linkgistic calibrate scores.csv --score s --label y --model cal.json\n"
      "  linkgistic calibrate scores.csv --score p_cat,p_dog,p_owl --label animal --model cal.json\n"
      "  linkgistic predict cal.json new.csv --interval 0.9 -o p.csv\n"
      "  linkgistic evaluate cal.json test.csv --json");
  verb->callback([options, &context] { calibrate(*options, context); });
}

}  // namespace linkgistic
