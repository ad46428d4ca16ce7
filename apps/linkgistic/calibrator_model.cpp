// A calibrator behind the verbs that take a model file.
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/file.hpp"
#include "calibration_scores.hpp"
#include "model.hpp"
#include "output.hpp"
#include "prediction_rows.hpp"
#include "report/calibration_page.hpp"
#include "report/calibrator_figure.hpp"
#include "report/calibrator_text.hpp"
#include "report/figure/render.hpp"
#include "report/words.hpp"
#include "score_rows.hpp"

namespace linkgistic {
namespace {

class CalibratorModel final : public Model {
 public:
  explicit CalibratorModel(FittedMonotoneCalibrator fit) : fit_(std::move(fit)) {}

  void predict(PredictOptions options, const Context& context) const override {
    refuse_quantiles(options);
    refuse_band(options);
    (void)fit_.predict({}, options.interval);  // a bad interval is refused before anything is read
    const auto table = open_table(options.data);
    const std::vector<ColumnRequest> asked{
        {table->columns().find(score_column(options.data)), CellType::score}};
    const std::vector<std::string> names{"probability", "lower", "upper", "log_odds"};
    write_predictions(*table, asked, options, names, context, [&](const CellBlock& block) {
      const auto predicted = [&] { return fit_.predict(block.columns[0].numbers, options.interval); };
      const auto where = [&](std::size_t row, std::size_t i) {
        return table->where(block.places[row], asked[i].column);
      };
      return [p = checked(options.data, where, predicted)](std::string& text, std::size_t i) {
        for (const auto* column : {&p.probability, &p.lower, &p.upper, &p.log_odds}) {
          append_number(text, (*column)[i]);
          text += ',';
        }
        text.back() = '\n';
      };
    });
  }

  void evaluate(EvaluateOptions options, const Context& context) const override {
    const ScoreRows rows = read_binary_scores(options.data, columns(options.data), context);
    const std::vector<double> before =
        checked(options.data, rows.where, [&] { return fit_.uncalibrated(rows.score); });
    const std::vector<double> after =
        checked(options.data, rows.where, [&] { return fit_.log_odds(rows.score); });
    const nlohmann::ordered_json result = checked(options.data, rows.where, [&] {
      return calibration_comparison(before, after, rows.label, rows.weight, options.bootstrap);
    });
    if (options.json) return print(result.dump(1) + "\n");
    const auto number = [&](const char* when, const std::string& name) {
      std::string text = rounded(result[when][name].get<double>());
      if (options.bootstrap > 0 && result["intervals"][when][name][0].is_number()) {
        const auto& ends = result["intervals"][when][name];
        text += " [" + rounded(ends[0].get<double>(), 3) + ", " + rounded(ends[1].get<double>(), 3) + "]";
      }
      return text;
    };
    const std::size_t width = options.bootstrap > 0 ? 30 : 10;
    std::string text = padded("", 16) + padded("before", width) + "after\n";
    for (const auto& [name, value] : result["before"].items())
      text += padded(name, 16) + padded(number("before", name), width) + number("after", name) + "\n";
    print(text);
  }

  void plot(PlotOptions options, const Context& context) const override {
    if (options.what != "fit") throw UsageError("--what " + options.what + ": a calibrator has only fit");
    CalibrationRows shown;
    if (!options.data.file.empty()) {
      ScoreRows rows = read_binary_scores(options.data, columns(options.data), context);
      shown = {std::move(rows.score), std::move(rows.label), std::move(rows.weight)};
    }
    render(calibrator_figure(fit_, shown), options.output);
  }

  void report(ReportOptions options, const Context& context) const override {
    refuse_train(options, false);
    std::optional<CalibrationTrial> trial;
    ScorePlace where;
    if (!options.data.file.empty()) {
      ScoreRows rows = read_binary_scores(options.data, columns(options.data), context);
      where = std::move(rows.where);
      trial = CalibrationTrial{options.data.file == "-" ? "stdin" : options.data.file,
                               {std::move(rows.score), std::move(rows.label), std::move(rows.weight)}};
    }
    Output output(options.output);
    output.write(html(checked(options.data, where, [&] { return calibration_page(fit_, trial); })));
    output.commit();
  }

  [[nodiscard]] std::string show(bool json) const override {
    if (!json) return calibrator_text(fit_) + warnings();
    const auto file = nlohmann::json::parse(fit_.to_json());
    nlohmann::json shown = file.at("summary");
    shown["options"] = file.at("options");
    shown["columns"] = file.at("columns");
    return shown.dump(1) + "\n";
  }

 private:
  [[nodiscard]] std::string warnings() const {
    std::string text;
    for (const std::string& warning : fit_.warnings()) text += "\n  warning: " + warning + "\n";
    return text;
  }

  // What the user gave, else what travels with the model.
  [[nodiscard]] std::string named(const std::string& given, const char* role) const {
    if (!given.empty()) return given;
    const auto it = fit_.columns().find(role);
    if (it != fit_.columns().end()) return it->second;
    throw UsageError(std::string("the model does not know the name of its column ") + role + ": give --" +
                     role);
  }
  [[nodiscard]] std::string score_column(const DataOptions& data) const {
    return named(data.score.empty() ? data.x : data.score, "score");
  }
  [[nodiscard]] BinaryScoreColumns columns(const DataOptions& data) const {
    const auto positive = fit_.columns().find("positive");
    std::vector<std::string> negatives;
    for (std::size_t i = 1;; ++i) {
      const auto it = fit_.columns().find("negative " + std::to_string(i));
      if (it == fit_.columns().end()) break;
      negatives.push_back(it->second);
    }
    return {score_column(data), named(data.label.empty() ? data.y : data.label, "label"), data.weights,
            positive == fit_.columns().end() ? "" : positive->second, std::move(negatives)};
  }

  FittedMonotoneCalibrator fit_;
};

}  // namespace

std::unique_ptr<Model> load_calibrator(const ModelFile& file) {
  return std::make_unique<CalibratorModel>(calibrator_from(file));
}

}  // namespace linkgistic
