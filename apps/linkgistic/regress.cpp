// regress: fit a monotone curve to two columns of a table.
#include <memory>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "data_options.hpp"
#include "fit_progress.hpp"
#include "model_file/fields_json.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "regression/fit.hpp"
#include "regression/options.hpp"
#include "regression/summary.hpp"
#include "report/regression_text.hpp"
#include "response_rows.hpp"
#include "signals.hpp"
#include "text/names.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct RegressFlags {
  DataOptions data;
  MonotoneRegressionOptions settings;
  std::string model;
  bool json = false;
};

FittedMonotoneRegression fit(MonotoneRegressionOptions settings, ResponseRows& rows,
                             const RegressFlags& options, const Context& context) {
  std::map<std::string, std::string> columns{{"x", options.data.x}, {"y", options.data.y}};
  for (const auto& [role, name] : {std::pair{"weight", options.data.weights},
                                   {"offset", options.data.offset},
                                   {"exposure", options.data.exposure},
                                   {"trials", options.data.trials},
                                   {"positive", rows.labels().positive}}) {
    if (!name.empty()) columns[role] = name;
  }
  for (std::size_t i = 0; i < rows.labels().negatives.size(); ++i)
    columns["negative " + std::to_string(i + 1)] = rows.labels().negatives[i];
  add_reading(options.data, columns);
  CountedRows counted(rows, context);
  FitProgressLine line(context);
  settings.on_progress = [&line](const FitProgress& progress) { line.tell(progress); };
  const PolledWork fit_polls;
  try {
    return MonotoneRegression(settings).fit(counted).with_columns(std::move(columns));
  } catch (const InputError& error) {
    throw InputError(with_name(error.what(), options.data));
  }
}

std::string summary_json(const FittedMonotoneRegression& fitted) {
  return fields_to_json(fitted.summary(), true).dump(1) + "\n";
}

void regress(const RegressFlags& options, const Context& context) {
  if (options.model == "-" && options.json) {
    throw UsageError("--model - and --json cannot both write to standard output");
  }
  MonotoneRegressionOptions settings = options.settings;
  settings.stop = stop_requested;
  settings.validate();  // before anything is read
  const auto response = regression_response(settings);
  check_columns(options.data, *response);
  ResponseRows rows(open_table(options.data), options.data, *response, {options.data.positive, {}});
  if (!options.model.empty()) Output(options.model);  // as is a file that cannot be written
  const FittedMonotoneRegression fitted = fit(settings, rows, options, context);
  note_dropped(rows, context);
  context.warn(fitted.summary().warnings);
  write_model(fitted.to_json(), options.model, context);
  if (options.json) return print(summary_json(fitted));
  if (options.model != "-") print(regression_text(fitted) + "\n" + time_text(fitted.summary()));
}

}  // namespace

void add_regress(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("regress", "Fit a monotone curve with credible bands");
  const auto options = std::make_shared<RegressFlags>();
  add_table_options(*verb, options->data);
  verb->add_option("--x", options->data.x, "x column")->required();
  verb->add_option("--y", options->data.y, "y column")->required();
  verb->add_option("--weights", options->data.weights,
                   "Weight column: 2 counts a row twice, 0 leaves it out");
  add_response_options(*verb, options->data, "");
  verb->add_option("--positive", options->data.positive,
                   "Label of y whose probability is modelled (bernoulli; default: the second of two)");
  add_missing_option(*verb, options->data);
  verb->add_option("--model", options->model, "Model file to write; - is standard output");
  add_option_flags(*verb, options->settings);
  verb->add_flag("--json", options->json, "Print the summary as one JSON object");
  add_quiet(*verb, context);
  verb->footer(
      "Ctrl-C ends the search, writes the best model so far and returns exit code 130; a second Ctrl-C ends "
      "the\nprogram at once.\n\n"
      "Examples:\n"
      "  linkgistic regress cars.csv --x weight --y mpg --model mpg.json\n"
      "  linkgistic regress cars.csv --x horsepower --y mpg --missing drop --prior isgp --fix noise=4\n"
      "  linkgistic regress claims.csv --x age --y claims --exposure years --response poisson --model "
      "claims.json\n"
      "  linkgistic regress doses.csv --x dose --y dead --trials n --response binomial --model dose.json\n"
      "  zcat rows.csv.gz | linkgistic regress - --x dose --y effect --weights n --model m.json --json");
  verb->callback([options, &context] { regress(*options, context); });
}

}  // namespace linkgistic
