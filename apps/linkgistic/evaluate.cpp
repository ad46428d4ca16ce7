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
  verb->add_option("--x", options->data.x, "Column of x; the model knows its name if not given");
  verb->add_option("--score", options->data.score, "Column of scores of a calibrator, likewise");
  verb->add_option("--label", options->data.label,
                   "Column of labels of a calibrator or classifier, likewise");
  verb->add_option("--labels", options->data.labels,
                   "File of labels for a classifier, in the order of the rows");
  verb->add_option("--y", options->data.y, "Column of y; the model knows its name if not given");
  verb->add_option("--weights", options->data.weights,
                   "Column of weights; if not given, the model's where the table has it");
  add_missing_option(*verb, options->data);
  verb->add_option("--bootstrap", options->bootstrap,
                   "Of a calibrator: 90 % intervals of the scores from so many resamples, at least 20")
      ->check(CLI::Range(20, 100000));
  verb->add_flag("--json", options->json, "Print one JSON object");
  add_quiet(*verb, context);
  verb->footer(
      "Prints rmse, mae, nll (mean negative log density at the learned noise) and coverage (share of y "
      "inside\n"
      "the 90 % observation band). For a calibrator: scores before and after.\n"
      "For a classifier: accuracy, auc, log_loss, brier, ece, and one_vs_rest, the mean of each over the "
      "classes\n"
      "taken one against the rest. Two classes: those of the second one's probability. More: auc is the mean "
      "over\n"
      "classes, log_loss that of the true class, brier the sum over classes, ece that of the most probable "
      "class.\n"
      "A classifier fills missing features as predict does; --missing is about its labels and weights.\n\n"
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
