#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <linkgistic/error.hpp>

#include "model_file/model_file.hpp"
#include "text/message.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

using Load = std::unique_ptr<Model> (*)(const ModelFile& file);

const std::map<std::string, Load>& kinds() {
  static const std::map<std::string, Load> loaders{
      {"monotone regression", load_regression},    {"monotone calibrator", load_calibrator},
      {"class calibrator", load_class_calibrator}, {"linkgistic classifier", load_classifier},
      {"learned loss", load_learned_loss},         {"learned class loss", load_learned_class_loss}};
  return loaders;
}

std::unique_ptr<Model> model_of(const ModelFile& file) {
  const auto loader = kinds().find(file.kind());
  if (loader == kinds().end()) {
    throw InputError(file.origin + ": this is a model of kind " + in_quotes(file.kind()) +
                     ", which this program does not know");
  }
  return loader->second(file);
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): models of other kinds keep theirs.
void Model::report(ReportOptions /*options*/, const Context& /*context*/) const {
  throw UsageError("report: there is none for a model of this kind; use evaluate, show or plot");
}

std::unique_ptr<Model> load_model(const std::string& path) {
  const std::string origin = path == "-" ? "stdin" : path;
  return model_of(parse_model(read_model_text(path), origin));
}

void check_model_text(const std::string& text) {
  check_readable(text, [](const std::string& t) { model_of(parse_model(t, "the model")); });
}

void check_one_stdin(const std::string& model, const std::string& table) {
  if (model == "-" && table == "-") {
    throw UsageError("the model and the table cannot both come from standard input");
  }
}

void refuse_quantiles(const PredictOptions& options) {
  if (options.quantiles.empty()) return;
  throw UsageError("--quantiles: only a regression has them; use --interval for the bands of other models");
}

void refuse_band(const PredictOptions& options) {
  if (options.band != "all") throw UsageError("--band: only a classifier has a choice of bands");
  if (options.estimate != "mode") throw UsageError("--estimate: only a classifier has a choice of it");
}

void refuse_train(const ReportOptions& options, bool compared) {
  if (options.train.empty()) return;
  if (!compared)
    throw UsageError(
        "--train: only a regression and a classifier with a learned link are compared with another method; a "
        "calibration is compared with the scores themselves");
  if (options.data.file.empty())
    throw UsageError("--train: the comparison needs a table of other rows, after the model");
  if (options.train == "-")
    throw UsageError("--train: the table is read by its name, not from standard input");
}

void refuse_other_rows(const std::string& train, const TrainingTable& model, const TrainingTable& table) {
  const auto refuse = [&](const std::string& of_model, const std::string& of_table) {
    throw InputError(train + ": --train is " + of_table + ", and the model was fitted to " + of_model +
                     ": it must be the table that the model was fitted to");
  };
  if (model.rows != table.rows) refuse(counted(model.rows, "row"), counted(table.rows, "row"));
  const auto range = [](const TrainingTable& t) {
    return "x from " + shortest(t.x_lower) + " to " + shortest(t.x_upper);
  };
  if (model.x_lower != table.x_lower || model.x_upper != table.x_upper) refuse(range(model), range(table));
  constexpr double rounding = 1e-9;  // of sums of millions of weights
  for (std::size_t k = 0; k < std::min(model.weights.size(), table.weights.size()); ++k) {
    if (std::abs(model.weights[k] - table.weights[k]) <= rounding * std::abs(model.weights[k])) continue;
    const std::string of =
        model.weights.size() > 1 ? " of class " + std::to_string(k + 1) : std::string(" of all rows");
    refuse("a weight of " + shortest(model.weights[k]) + of,
           "a weight of " + shortest(table.weights[k]) + of);
  }
}

void refuse_bootstrap(const EvaluateOptions& options) {
  if (options.bootstrap > 0) throw UsageError("--bootstrap: only a calibrator's scores have intervals");
}

}  // namespace linkgistic
