// A calibrator of many classes behind the verbs that take a model file.
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "model.hpp"
#include "output.hpp"
#include "report/calibrator_text.hpp"
#include "score_rows.hpp"

namespace linkgistic {
namespace {

// Weighted means over rows: -log p of the label, sum_c (p_c - y_c)^2, whether the most probable class is
// right.
nlohmann::ordered_json scores(std::span<const double> p, const ClassScoreRows& rows) {
  const std::size_t classes = rows.class_names.size();
  double total = 0, loss = 0, brier = 0, right = 0;
  for (std::size_t n = 0; n < rows.label.size(); ++n) {
    const double w = rows.weight.empty() ? 1.0 : rows.weight[n];
    const double* row = p.data() + n * classes;
    const auto label = static_cast<std::size_t>(rows.label[n]);
    std::size_t best = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double miss = row[c] - (c == label ? 1 : 0);
      brier += w * miss * miss;
      if (row[c] > row[best]) best = c;
    }
    total += w;
    loss -= w * std::log(row[label]);
    right += best == label ? w : 0;
  }
  return {{"log_loss", loss / total}, {"brier", brier / total}, {"accuracy", right / total}};
}

class ClassCalibratorModel final : public Model {
 public:
  explicit ClassCalibratorModel(FittedClassCalibrator fit) : fit_(std::move(fit)) {}

  void predict(PredictOptions options, const Context& context) const override {
    const ClassScoreRows rows =
        read_class_scores(options.data, score_columns(options.data), "", "", fit_.class_names(), context);
    const CalibratedClasses p = fit_.predict(rows.score);
    Output output(options.output);
    std::string text;
    for (const std::string& name : fit_.class_names()) text += name + ",";
    text += "label\n";
    const std::size_t classes = fit_.class_names().size();
    for (std::size_t n = 0; n < p.label.size(); ++n) {
      for (std::size_t c = 0; c < classes; ++c) {
        append_number(text, p.probability[n * classes + c]);
        text += ',';
      }
      text += fit_.class_names()[p.label[n]] + "\n";
    }
    output.write(text);
    output.commit();
  }

  void evaluate(EvaluateOptions options, const Context& context) const override {
    const std::string label = options.data.label.empty() ? column("label") : options.data.label;
    const ClassScoreRows rows = read_class_scores(options.data, score_columns(options.data), label,
                                                  options.data.weights, fit_.class_names(), context);
    const nlohmann::ordered_json result{{"before", scores(fit_.uncalibrated(rows.score), rows)},
                                        {"after", scores(fit_.predict(rows.score).probability, rows)}};
    if (options.json) return print(result.dump(1) + "\n");
    std::string text = "            before    after\n";
    for (const auto& [name, value] : result["before"].items()) {
      const std::string before = rounded(value.get<double>());
      text += name + std::string(12 - name.size(), ' ') + before +
              std::string(before.size() < 10 ? 10 - before.size() : 1, ' ') +
              rounded(result["after"][name].get<double>()) + "\n";
    }
    print(text);
  }

  void plot(PlotOptions /*options*/, const Context& /*context*/) const override {
    throw UsageError("plot: there is none of many classes; show and evaluate say what there is");
  }
  [[nodiscard]] std::string show(bool json) const override {
    if (!json) return class_calibrator_text(fit_);
    const auto file = nlohmann::json::parse(fit_.to_json());
    nlohmann::json shown = file.at("summary");
    for (const char* key : {"options", "columns", "class_names"}) shown[key] = file.at(key);
    return shown.dump(1) + "\n";
  }

 private:
  [[nodiscard]] std::string column(const std::string& role) const {
    const auto it = fit_.columns().find(role);
    if (it == fit_.columns().end()) {
      throw UsageError("the model does not know the name of its column " + role +
                       ": give --score and --label");
    }
    return it->second;
  }

  [[nodiscard]] std::vector<std::string> score_columns(const DataOptions& data) const {
    if (!data.score.empty()) {
      std::vector<std::string> names = split_names(data.score);
      if (names.size() == fit_.class_names().size()) return names;
      throw UsageError("--score: there must be " + std::to_string(fit_.class_names().size()) + " columns");
    }
    std::vector<std::string> names;
    for (std::size_t c = 1; c <= fit_.class_names().size(); ++c) {
      names.push_back(column("score " + std::to_string(c)));
    }
    return names;
  }

  FittedClassCalibrator fit_;
};

}  // namespace

std::unique_ptr<Model> load_class_calibrator(const std::string& text, const std::string& origin) {
  return std::make_unique<ClassCalibratorModel>(FittedClassCalibrator::from_json(text, origin));
}

}  // namespace linkgistic
