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
  auto* verb = program.add_subcommand("predict", "Predict every row of a table with a fitted model");
  const auto options = std::make_shared<PredictFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  add_table_options(*verb, options->data);
  add_memory_option(*verb, options->data);
  verb->add_option("--x", options->data.x,
                   "x column, for a regression (default: the one stored in the model)");
  verb->add_option("--score", options->data.score,
                   "Score column, for a calibrator (default: the one stored in the model)");
  verb->add_option("--interval", options->interval, "Probability inside the bands, between 0 and 1")
      ->capture_default_str();
  verb->add_option(
          "--band", options->band,
          "What the bands of a classifier of two classes carry. all: the uncertainty of coefficients "
          "and link; link: that of the link, at fixed coefficients")
      ->check(CLI::IsMember({"all", "link"}))
      ->capture_default_str();
  verb->add_option("--estimate", options->estimate,
                   "Which probability of a classifier of two classes. mode: that of the fitted link and "
                   "coefficients; marginal: its mean over their posterior; plug-in: that of the link's mean")
      ->check(CLI::IsMember({"mode", "marginal", "plug-in"}))
      ->capture_default_str();
  auto* quantiles =
      verb->add_option(
              "--quantiles", options->quantiles,
              "For a regression: levels between 0 and 1, separated by commas; writes mean, median, mode "
              "and these quantiles in place of the bands, for an exposure of 1 and no offset")
          ->delimiter(',')
          ->allow_extra_args(false);
  add_choice(*verb, "--of", options->of, quantity_names(), Quantity::nu,
             "What --quantiles describe: the curve, an observation, or the latent f")
      ->needs(quantiles);
  add_response_options(*verb, options->data, "; default: the one stored in the model, if the table has it");
  add_choice(*verb, "--scale", options->scale, scale_names(), PredictionScale::mean,
             "For a regression: the mean of y, or the curve on the scale of its link, without the band of an "
             "observation");
  verb->add_option("-o,--output", options->output, "CSV file to write; - is standard output")
      ->capture_default_str();
  add_quiet(*verb, context);
  verb->footer(
      "Writes one row for each row of the table. The columns of a regression are\n"
      "estimate,lower,upper,obs_lower,obs_upper: the curve (its mode; its mean with inference variational "
      "or\n"
      "mcmc) with its credible band, and the band of a single observation. Of a response with a link they "
      "are on\n"
      "the scale of the mean: counts and amounts for the row's exposure (1 where there is no such column), "
      "shares\n"
      "of successes. A calibrator writes\n"
      "probability,lower,upper,log_odds. A classifier of two classes writes label,probability,lower,upper "
      "(the\n"
      "probability of the second class and its band); one of more classes writes label,p_CLASS,....\n\n"
      "Examples:\n"
      "  linkgistic predict mpg.json new.csv --interval 0.9 -o out.csv\n"
      "  linkgistic predict claims.json new.csv --exposure years -o out.csv\n"
      "  zcat new.csv.gz | linkgistic predict mpg.json -");
  verb->callback([options, &context] {
    check_one_stdin(options->model, options->data.file);
    load_model(options->model)->predict(*options, context);
  });
}

}  // namespace linkgistic
