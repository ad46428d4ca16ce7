// A calibrator of many classes behind the verbs that take a model file.
#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/file.hpp"
#include "calibration_scores.hpp"
#include "model.hpp"
#include "output.hpp"
#include "prediction_rows.hpp"
#include "report/calibrator_text.hpp"
#include "report/class_calibration_page.hpp"
#include "report/figure/render.hpp"
#include "report/words.hpp"
#include "score_rows.hpp"

namespace linkgistic {
namespace {

nlohmann::ordered_json scores(std::span<const double> p, const ClassCalibrationTrial& trial,
                              std::size_t classes) {
  const BinaryMetrics m = class_metrics(p, classes, trial.label, trial.weight);
  nlohmann::ordered_json result;
  for (const auto& [name, member] : class_metric_fields) result[name] = m.*member;
  return result;
}

class ClassCalibratorModel final : public Model {
 public:
  explicit ClassCalibratorModel(FittedClassCalibrator fit) : fit_(std::move(fit)) {}

  void predict(PredictOptions options, const Context& context) const override {
    refuse_quantiles(options);
    refuse_band(options);
    (void)fit_.predict({}, options.interval);  // a bad interval is refused before anything is read
    const auto table = open_table(options.data);
    std::vector<ColumnRequest> asked;
    for (const std::string& name : score_columns(options.data))
      asked.push_back({table->columns().find(name), CellType::score});
    std::vector<std::string> names = fit_.class_names();
    names.emplace_back("label");
    for (const std::string& name : fit_.class_names())
      names.insert(names.end(), {name + "_lower", name + "_upper"});
    write_predictions(*table, asked, options, names, context, [&](const CellBlock& block) {
      const auto where = [&](std::size_t row, std::size_t c) {
        return table->where(block.places[row], asked[c].column);
      };
      return [p = predicted(block, options, where), this](std::string& text, std::size_t n) {
        append_row(text, p, n);
      };
    });
  }

  void evaluate(EvaluateOptions options, const Context& context) const override {
    ScorePlace where;
    const ClassCalibrationTrial trial = read_trial(options.data, context, where);
    const std::size_t classes = fit_.class_names().size();
    const nlohmann::ordered_json result = checked(options.data, where, [&] {
      const std::vector<double> p = fit_.predict(trial.score).probability;
      nlohmann::ordered_json all{{"before", scores(fit_.uncalibrated(trial.score), trial, classes)},
                                 {"after", scores(p, trial, classes)}};
      for (std::size_t c = 0; c < classes; ++c) {
        const CalibrationRows rows = one_against_rest(fit_, trial, c);
        const std::vector<double> after = log_odds_of(p, classes, c);
        all["classes"][fit_.class_names()[c]] =
            calibration_comparison(rows.score, after, rows.label, rows.weight, options.bootstrap);
      }
      return all;
    });
    if (options.json) return print(result.dump(1) + "\n");
    std::string text = "            before    after\n";
    for (const auto& [name, value] : result["before"].items()) {
      text += padded(name, 12) + padded(rounded(value.get<double>()), 10) +
              rounded(result["after"][name].get<double>()) + "\n";
    }
    text += "\nsmooth ECE of each class against the others\n";
    for (const auto& [name, value] : result["classes"].items()) {
      text += padded(name, 12) + padded(rounded(value["before"]["smooth_ece"].get<double>()), 10) +
              rounded(value["after"]["smooth_ece"].get<double>()) + "\n";
    }
    print(text);
  }

  void plot(PlotOptions options, const Context& context) const override {
    if (options.what != "fit") throw UsageError("--what " + options.what + ": a calibrator has only fit");
    std::size_t c = 0;
    if (!options.class_name.empty()) {
      const auto& names = fit_.class_names();
      c = static_cast<std::size_t>(std::find(names.begin(), names.end(), options.class_name) - names.begin());
      if (c == names.size()) throw UsageError("--class " + options.class_name + ": there is no such class");
    }
    std::optional<ClassCalibrationTrial> trial;
    ScorePlace where;
    if (!options.data.file.empty()) trial = read_trial(options.data, context, where);
    render(checked(options.data, where, [&] { return class_map_figure(fit_, trial, c); }), options.output);
  }

  void report(ReportOptions options, const Context& context) const override {
    refuse_train(options, false);
    std::optional<ClassCalibrationTrial> trial;
    ScorePlace where;
    if (!options.data.file.empty()) trial = read_trial(options.data, context, where);
    Output output(options.output);
    output.write(html(checked(options.data, where, [&] { return class_calibration_page(fit_, trial); })));
    output.commit();
  }

  [[nodiscard]] std::string show(bool json) const override {
    if (!json) {
      std::string text = class_calibrator_text(fit_);
      for (const std::string& warning : fit_.warnings()) text += "\n  warning: " + warning + "\n";
      return text;
    }
    const auto file = nlohmann::json::parse(fit_.to_json());
    nlohmann::json shown = file.at("summary");
    for (const char* key : {"options", "columns", "class_names"}) shown[key] = file.at(key);
    return shown.dump(1) + "\n";
  }

 private:
  [[nodiscard]] ClassCalibrationTrial read_trial(const DataOptions& data, const Context& context,
                                                 ScorePlace& where) const {
    const std::string label = data.label.empty() ? column("label") : data.label;
    ClassScoreRows rows =
        read_class_scores(data, {score_columns(data), label, data.weights}, fit_.class_names(), context);
    where = std::move(rows.where);
    return {data.file == "-" ? "stdin" : data.file, std::move(rows.score), std::move(rows.label),
            std::move(rows.weight)};
  }

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

  [[nodiscard]] CalibratedClasses predicted(const CellBlock& block, const PredictOptions& options,
                                            const ScorePlace& where) const {
    const std::size_t classes = block.columns.size();
    std::vector<double> score(block.rows() * classes);
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t n = 0; n < block.rows(); ++n) score[n * classes + c] = block.columns[c].numbers[n];
    return checked(options.data, where, [&] { return fit_.predict(score, options.interval); });
  }

  void append_row(std::string& text, const CalibratedClasses& p, std::size_t n) const {
    const std::size_t classes = fit_.class_names().size();
    for (std::size_t c = 0; c < classes; ++c) {
      append_number(text, p.probability[n * classes + c]);
      text += ',';
    }
    text += field(fit_.class_names()[p.label[n]]);
    for (std::size_t i = n * classes; i < (n + 1) * classes; ++i) {
      text += ',';
      append_number(text, p.lower[i]);
      text += ',';
      append_number(text, p.upper[i]);
    }
    text += '\n';
  }

  FittedClassCalibrator fit_;
};

}  // namespace

std::unique_ptr<Model> load_class_calibrator(const ModelFile& file) {
  return std::make_unique<ClassCalibratorModel>(class_calibrator_from(file));
}

}  // namespace linkgistic
