// evaluate: how well a model predicts a table whose answers are known.
#include <memory>

#include "model.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct EvaluateFlags : EvaluateOptions {
  std::string model;
};

}  // namespace

void add_evaluate(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("evaluate", "Score a fitted model on a table with known answers");
  const auto options = std::make_shared<EvaluateFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  add_table_options(*verb, options->data);
  add_memory_option(*verb, options->data);
  verb->add_option("--x", options->data.x,
                   "x column, for a regression (default: the one stored in the model)");
  verb->add_option("--score", options->data.score,
                   "Score column, for a calibrator (default: the one stored in the model)");
  verb->add_option("--label", options->data.label,
                   "Label column, for a calibrator or classifier (default: the one stored in the model)");
  verb->add_option("--labels", options->data.labels,
                   "File of labels for a classifier, in the order of the rows");
  verb->add_option("--y", options->data.y,
                   "y column, for a regression (default: the one stored in the model)");
  verb->add_option("--weights", options->data.weights,
                   "Weight column (default: the one stored in the model, if the table has it)");
  add_response_options(*verb, options->data, "; default: the one stored in the model, if the table has it");
  add_missing_option(*verb, options->data);
  verb->add_option("--bootstrap", options->bootstrap,
                   "For a calibrator: number of resamples for 90 % intervals of the scores, at least 20")
      ->check(CLI::Range(20, 100000));
  verb->add_flag("--json", options->json, "Print one JSON object");
  add_quiet(*verb, context);
  verb->footer(
      "For a regression, prints rmse, mae, nll (mean negative log density at the learned noise) and "
      "coverage\n"
      "(share of y inside the 90 % observation band); of a response with a link the mean deviance as well, "
      "and\n"
      "the errors are those of the mean. For a calibrator, prints scores before and after\n"
      "calibration. For a classifier, prints accuracy, auc, log_loss, brier, ece, and one_vs_rest, the mean "
      "of\n"
      "each over the classes taken one against the rest. With two classes these judge the probability of "
      "the\n"
      "second one. With more, auc is the mean over classes, log_loss that of the true class, brier the sum "
      "over\n"
      "classes, and ece that of the most probable class. A classifier fills missing features as predict "
      "does;\n"
      "--missing applies to its labels and weights.\n\n"
      "Examples:\n"
      "  linkgistic evaluate mpg.json test.csv\n"
      "  linkgistic evaluate mpg.json test.csv --json\n"
      "  linkgistic evaluate cal.json test.csv --bootstrap 200\n"
      "  linkgistic evaluate fashion.json t10k-images-idx3-ubyte.gz --labels t10k-labels-idx1-ubyte.gz");
  verb->callback([options, &context] {
    check_one_stdin(options->model, options->data.file);
    load_model(options->model)->evaluate(*options, context);
  });
}

}  // namespace linkgistic
