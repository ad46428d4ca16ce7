// A monotone regression behind the verbs that take a model file.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "metrics/regression_metrics.hpp"
#include "model.hpp"
#include "output.hpp"
#include "plot_rows.hpp"
#include "progress.hpp"
#include "regression/file.hpp"
#include "report/figure/render.hpp"
#include "report/page.hpp"
#include "report/regression_figure.hpp"
#include "report/regression_page.hpp"
#include "report/regression_text.hpp"
#include "signals.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr double evaluated_interval = 0.9;

void append_row(std::string& text, const Prediction& p, std::size_t i) {
  for (const auto* column : {&p.estimate, &p.lower, &p.upper, &p.obs_lower, &p.obs_upper}) {
    append_number(text, (*column)[i]);
    text += ',';
  }
  text.back() = '\n';
}

void append_row(std::string& text, const Distribution& d, std::size_t i) {
  for (const auto* column : {&d.mean, &d.median, &d.mode}) {
    append_number(text, (*column)[i]);
    text += ',';
  }
  for (const auto& level : d.quantiles) {
    append_number(text, level[i]);
    text += ',';
  }
  text.back() = '\n';
}

// As append_number has it.
std::string shortest(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

class RegressionModel final : public Model {
 public:
  explicit RegressionModel(FittedMonotoneRegression fit) : fit_(std::move(fit)) {}

  void predict(PredictOptions options, const Context& context) const override {
    refuse_band(options);
    (void)fit_.predict({}, options.interval);  // a bad interval is refused before anything is read
    const Quantity of = value_of(quantity_names(), options.of);
    if (!options.quantiles.empty()) (void)fit_.distribution({}, of, options.quantiles);
    name_column(options.data.x, "x");
    const auto table = open_table(options.data);
    const ColumnRequest asked{table->columns().find(options.data.x), CellType::number};
    Output output(options.output);
    Progress progress(context, "predicting");
    std::string text = "estimate,lower,upper,obs_lower,obs_upper\n";
    if (!options.quantiles.empty()) {
      text = "mean,median,mode";
      for (const double level : options.quantiles) text += ",q" + shortest(level);
      text += '\n';
    }
    for (CellBlock block; table->read(std::span(&asked, 1), rows_per_block, block) > 0; block.clear()) {
      if (stop_requested()) throw Interrupted();
      if (block.missing > 0) {
        refuse_gap(*table, std::span(&asked, 1), block,
                   "predict writes one row for each it reads and can leave none out");
      }
      const std::vector<double>& x = block.columns[0].numbers;
      if (options.quantiles.empty()) {
        const Prediction p = fit_.predict(x, options.interval);
        for (std::size_t i = 0; i < x.size(); ++i) append_row(text, p, i);
      } else {
        const Distribution d = fit_.distribution(x, of, options.quantiles);
        for (std::size_t i = 0; i < x.size(); ++i) append_row(text, d, i);
      }
      output.write(text);
      text.clear();
      progress.add(x.size());
    }
    output.write(text);
    output.commit();
  }

  void evaluate(EvaluateOptions options, const Context& context) const override {
    refuse_bootstrap(options);
    const RegressionMetrics metrics = measure(options.data, context).metrics;
    const nlohmann::ordered_json scores{{"rmse", metrics.rmse()},
                                        {"mae", metrics.mae()},
                                        {"nll", metrics.nll()},
                                        {"coverage", metrics.coverage()}};
    if (options.json) return print(scores.dump(1) + "\n");
    std::string text;
    for (const auto& [name, value] : scores.items()) {
      text += name + std::string(10 - name.size(), ' ') + rounded(value.get<double>()) + "\n";
    }
    print(text);
  }

  void plot(PlotOptions options, const Context& context) const override {
    if (options.what == "evidence") return render(evidence_figure(fit_), options.output);
    RowsForPlot shown;
    if (!options.data.file.empty()) {
      name_column(options.data.x, "x");
      name_column(options.data.y, "y");
      TableRows rows = open_rows(options.data);
      CountedRows counted(rows, context);
      shown = rows_for_plot(counted);
      note_dropped(rows, context);
    }
    render(regression_figure(fit_, shown), options.output);
  }

  void report(ReportOptions options, const Context& context) const override {
    std::optional<RegressionTrial> trial;
    if (!options.data.file.empty()) trial = measure(options.data, context);
    Output output(options.output);
    output.write(html(regression_page(fit_, trial)));
    output.commit();
  }

  [[nodiscard]] std::string show(bool json) const override {
    if (!json) return regression_text(fit_) + warnings();
    const auto file = nlohmann::json::parse(fit_.to_json());
    nlohmann::json shown = file.at("summary");
    shown["options"] = file.at("options");
    shown["columns"] = file.at("columns");
    return shown.dump(1) + "\n";
  }

 private:
  // The rows of the table, and how the fit does on them. Knows the weights' column where the table has it.
  RegressionTrial measure(DataOptions data, const Context& context) const {
    name_column(data.x, "x");
    name_column(data.y, "y");
    auto table = open_table(data);
    const auto weight = fit_.columns().find("weight");
    if (data.weights.empty() && weight != fit_.columns().end() && table->columns().has(weight->second)) {
      data.weights = weight->second;
    }
    TableRows rows = make_rows(std::move(table), data);
    CountedRows counted(rows, context);
    RegressionTrial trial{data.file == "-" ? "stdin" : data.file, 0, {}, RegressionMetrics(fit_.noise())};
    RowSampler shown;
    for (RowBlock block = counted.next(); block.size() > 0; block = counted.next()) {
      if (stop_requested()) throw Interrupted();
      const Prediction p = fit_.predict(block.x, evaluated_interval);
      trial.metrics.add(block.y, p.estimate, p.obs_lower, p.obs_upper, block.weight);
      trial.rows += block.size();
      shown.add(block);
    }
    if (trial.metrics.total_weight() == 0) throw InputError(with_name("every row has weight 0", data));
    note_dropped(rows, context);
    trial.shown = std::move(shown).rows();
    return trial;
  }

  [[nodiscard]] std::string warnings() const {
    std::string text;
    for (const std::string& warning : fit_.summary().warnings) text += "\n  warning: " + warning + "\n";
    return text;
  }

  // Fills in the name that travels with the model where the user gave none.
  void name_column(std::string& name, const std::string& role) const {
    if (!name.empty()) return;
    const auto it = fit_.columns().find(role);
    if (it == fit_.columns().end()) {
      throw UsageError("the model does not know the name of its column " + role + ": give --" + role);
    }
    name = it->second;
  }

  FittedMonotoneRegression fit_;
};

}  // namespace

std::unique_ptr<Model> load_regression(const ModelFile& file) {
  return std::make_unique<RegressionModel>(regression_from(file));
}

}  // namespace linkgistic
