#include "model.hpp"

#include <functional>
#include <map>

#include <linkgistic/error.hpp>

#include "model_file/model_file.hpp"
#include "signals.hpp"

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

std::string read_text(const std::string& path) {
  const EndAtOnce while_reading_a_pipe;
  return read_model_text(path);
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): models of other kinds keep theirs.
void Model::report(ReportOptions /*options*/, const Context& /*context*/) const {
  throw UsageError("report: there is none for a model of this kind; use evaluate, show or plot");
}

std::unique_ptr<Model> load_model(const std::string& path) {
  const std::string origin = path == "-" ? "stdin" : path;
  const ModelFile file = parse_model(read_text(path), origin);
  const auto loader = kinds().find(file.kind());
  if (loader == kinds().end()) {
    throw InputError(origin + ": this is a model of kind '" + file.kind() +
                     "', which this program does not know");
  }
  return loader->second(file);
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
}

void refuse_bootstrap(const EvaluateOptions& options) {
  if (options.bootstrap > 0) throw UsageError("--bootstrap: only a calibrator's scores have intervals");
}

}  // namespace linkgistic
