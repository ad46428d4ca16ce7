// predict: the estimate and bands for every row of a table.
#include <memory>

#include "model.hpp"
#include "option_flags.hpp"
#include "text/names.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct PredictFlags : PredictOptions {
  std::string model;
};

}  // namespace

void add_predict(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("predict", "Predict every row of a table by a fitted model");
  const auto options = std::make_shared<PredictFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  add_table_options(*verb, options->data);
  verb->add_option("--x", options->data.x, "Column of x; the model knows its name if not given");
  verb->add_option("--score", options->data.score, "Column of scores of a calibrator, likewise");
  verb->add_option("--interval", options->interval, "Probability inside the bands, between 0 and 1")
      ->capture_default_str();
  auto* quantiles =
      verb->add_option(
              "--quantiles", options->quantiles,
              "Of a regression: levels between 0 and 1, separated by commas; writes mean, median, mode "
              "and these quantiles in place of the bands")
          ->delimiter(',')
          ->allow_extra_args(false);
  add_choice(*verb, "--of", options->of, quantity_names(), Quantity::nu,
             "What --quantiles are of: the curve, an observation, or the latent f")
      ->needs(quantiles);
  verb->add_option("-o,--output", options->output, "CSV file to write; - is standard output")
      ->capture_default_str();
  add_quiet(*verb, context);
  verb->footer(
      "Writes the columns estimate,lower,upper,obs_lower,obs_upper, one row for each row of the table: the "
      "curve\n"
      "(its mode, or its mean where the posterior has one) with its credible band, and the band of a single\n"
      "observation. A calibrator writes\n"
      "probability,lower,upper,log_odds; a classifier label,probability,lower,upper for two classes (of the "
      "second\n"
      "one, the link's band) and label,p_CLASS,... for more.\n\n"
      "Examples:\n"
      "  linkgistic predict mpg.json new.csv --interval 0.9 -o out.csv\n"
      "  zcat new.csv.gz | linkgistic predict mpg.json -");
  verb->callback([options, &context] {
    check_one_stdin(options->model, options->data.file);
    load_model(options->model)->predict(*options, context);
  });
}

}  // namespace linkgistic
