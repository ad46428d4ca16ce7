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
#include "prediction_rows.hpp"
#include "progress.hpp"
#include "regression/file.hpp"
#include "regression/fit.hpp"
#include "report/figure/render.hpp"
#include "report/page.hpp"
#include "report/regression_figure.hpp"
#include "report/regression_page.hpp"
#include "report/regression_text.hpp"
#include "response_rows.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr double evaluated_interval = 0.9;

void append_row(std::string& text, const Prediction& p, std::size_t i, bool observed) {
  for (const auto* column : {&p.estimate, &p.lower, &p.upper, &p.obs_lower, &p.obs_upper}) {
    if (!observed && column == &p.obs_lower) break;
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
std::string as_written(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

// The columns of a table that predictions need.
class PlaceColumns {
 public:
  PlaceColumns(const Table& table, const DataOptions& data) {
    for (const std::string& name : {data.x, data.offset, data.exposure, data.trials}) {
      places_.push_back(name.empty() ? none : asked_.size());
      if (!name.empty()) asked_.push_back({table.columns().find(name), CellType::number});
    }
  }
  [[nodiscard]] std::span<const ColumnRequest> asked() const { return asked_; }
  /// An InputError for an exposure or a number of trials that cannot be.
  [[nodiscard]] RowBlock of(const Table& table, const CellBlock& block) const {
    const auto column = [&](std::size_t i) {
      return places_[i] == none ? std::span<const double>()
                                : std::span<const double>(block.columns[places_[i]].numbers);
    };
    const auto check = [&](std::size_t i, const auto& good, const char* rule) {
      const auto values = column(i);
      for (std::size_t r = 0; r < values.size(); ++r) {
        if (good(values[r])) continue;
        throw InputError(table.where(block.places[r], asked_[places_[i]].column) + ": " +
                         as_written(values[r]) + ": it must be " + rule);
      }
    };
    check(
        2, [](double v) { return v > 0; }, "positive");
    check(
        3, [](double v) { return v > 0 && v == std::floor(v); }, "a positive whole number");
    return {column(0), {}, {}, column(1), column(2), column(3)};
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<ColumnRequest> asked_;
  std::vector<std::size_t> places_;
};

class RegressionModel final : public Model {
 public:
  explicit RegressionModel(FittedMonotoneRegression fit) : fit_(std::move(fit)) {}

  void predict(PredictOptions options, const Context& context) const override {
    refuse_band(options);
    (void)fit_.predict({}, options.interval);  // a bad interval is refused before anything is read
    const Quantity of = value_of(quantity_names(), options.of);
    if (!options.quantiles.empty()) (void)fit_.distribution({}, of, options.quantiles);
    const PredictionScale scale = value_of(scale_names(), options.scale);
    const bool observed = scale == PredictionScale::mean;
    const DataOptions& data = options.data;
    const bool sized = !data.offset.empty() || !data.exposure.empty() || !data.trials.empty();
    if (!options.quantiles.empty() && (sized || !observed)) {
      throw UsageError(
          "--quantiles are on the scale of the mean, for an exposure of 1 and no offset: leave out --scale, "
          "--offset, "
          "--exposure and --trials");
    }
    name_column(options.data.x, "x");
    const auto table = open_table(options.data);
    name_sizes(options.data, table->columns());
    const PlaceColumns columns(*table, options.data);
    std::vector<std::string> names{"estimate", "lower", "upper"};
    if (observed) names.insert(names.end(), {"obs_lower", "obs_upper"});
    if (options.quantiles.empty()) {
      write_predictions(*table, columns.asked(), options, names, context, [&](const CellBlock& block) {
        return [p = fit_.predict_rows(columns.of(*table, block), options.interval, scale), observed](
                   std::string& text, std::size_t i) { append_row(text, p, i, observed); };
      });
      return;
    }
    names = {"mean", "median", "mode"};
    for (const double level : options.quantiles) names.push_back("q" + as_written(level));
    write_predictions(*table, columns.asked(), options, names, context, [&](const CellBlock& block) {
      return [d = fit_.distribution(columns.of(*table, block).x, of, options.quantiles)](
                 std::string& text, std::size_t i) { append_row(text, d, i); };
    });
  }

  void evaluate(EvaluateOptions options, const Context& context) const override {
    refuse_bootstrap(options);
    const RegressionMetrics metrics = measure(options.data, context).metrics;
    nlohmann::ordered_json scores{{"rmse", metrics.rmse()}, {"mae", metrics.mae()}, {"nll", metrics.nll()}};
    if (metrics.has_scores()) scores["deviance"] = metrics.deviance();
    scores["coverage"] = metrics.coverage();
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
      auto table = open_table(options.data);
      name_sizes(options.data, table->columns());
      const auto response = response_of();
      ResponseRows rows(std::move(table), options.data, *response, labels());
      CountedRows counted(rows, context);
      shown = rows_for_plot(counted);
      note_dropped(rows, context);
    }
    render(regression_figure(fit_, shown), options.output);
  }

  void report(ReportOptions options, const Context& context) const override {
    refuse_train(options, true);
    std::optional<FittedMonotoneRegression> line;
    if (!options.train.empty()) line = straight_line(options, context);
    std::optional<RegressionTrial> trial;
    if (!options.data.file.empty()) trial = measure(options.data, context, line);
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
  // The table of labelled rows, with the names of its columns. Knows the weights' column where the table has
  // it.
  std::unique_ptr<Table> open_named(DataOptions& data) const {
    name_column(data.x, "x");
    name_column(data.y, "y");
    auto table = open_table(data);
    const auto weight = fit_.columns().find("weight");
    if (data.weights.empty() && weight != fit_.columns().end() && table->columns().has(weight->second)) {
      data.weights = weight->second;
    }
    name_sizes(data, table->columns());
    return table;
  }

  static TrainingTable training_table(const FittedMonotoneRegression& fit) {
    const RegressionSummary& s = fit.summary();
    return {s.rows, {s.total_weight}, s.x_lower, s.x_upper};
  }

  // A straight line on the scale of the link, with the response of the curve, fitted to the training rows:
  // the prior `offset` with no share of the slope free to bend.
  [[nodiscard]] FittedMonotoneRegression straight_line(const ReportOptions& options,
                                                       const Context& context) const {
    constexpr double least_share = 1e-6;  // the least v there is
    MonotoneRegressionOptions line;
    line.response = fit_.options().response;
    line.guess = fit_.options().guess;
    line.lapse = fit_.options().lapse;
    line.threads = fit_.options().threads;
    line.fixed = {{"v", least_share}};
    for (const auto& [name, value] : fit_.options().fixed)
      for (const char* own : {"noise", "freedom", "dispersion", "shape", "guess", "lapse"})
        if (name == own) line.fixed.emplace(name, value);
    DataOptions data = options.data;
    data.file = options.train;
    auto table = open_named(data);
    const auto response = response_of();
    ResponseRows rows(std::move(table), data, *response, labels());
    CountedRows counted(rows, context);
    FittedMonotoneRegression fit = MonotoneRegression(line).fit(counted);
    refuse_other_rows(options.train, training_table(fit_), training_table(fit));
    return fit;
  }

  // The rows of the table, and how the fit and the straight line do on them.
  RegressionTrial measure(DataOptions data, const Context& context,
                          const std::optional<FittedMonotoneRegression>& line = std::nullopt) const {
    auto table = open_named(data);
    const auto response = response_of();
    ResponseRows rows(std::move(table), data, *response, labels());
    CountedRows counted(rows, context);
    RegressionTrial trial{data.file == "-" ? "stdin" : data.file, 0, {}, RegressionMetrics(fit_.noise())};
    RowSampler shown;
    PairedLossSums against_line;
    for (RowBlock block = counted.next(); block.size() > 0; block = counted.next()) {
      const Prediction p = fit_.predict_rows(block, evaluated_interval);
      std::vector<double> y(block.y.begin(), block.y.end());
      for (std::size_t i = 0; i < block.trials.size(); ++i) y[i] /= block.trials[i];
      trial.metrics.add(y, p.estimate, p.obs_lower, p.obs_upper, block.weight);
      if (fit_.options().response != ResponseKind::gaussian || fit_.options().noise != NoiseKind::constant) {
        const RowScores scores = fit_.score_rows(block);
        trial.metrics.add_scores(scores.log_density, scores.deviance, block.weight);
      }
      if (line) add_losses(against_line, *line, block, y, p.estimate);
      trial.rows += block.size();
      shown.add(block);
    }
    if (trial.metrics.total_weight() == 0) throw InputError(with_name("every row has weight 0", data));
    note_dropped(rows, context);
    trial.shown = std::move(shown).rows();
    if (line) trial.line = against_line.losses();
    return trial;
  }

  // Squared errors of a response with noise, deviances of the others.
  void add_losses(PairedLossSums& sums, const FittedMonotoneRegression& line, const RowBlock& block,
                  std::span<const double> y, std::span<const double> estimate) const {
    const auto weight = [&](std::size_t i) { return block.weight.empty() ? 1.0 : block.weight[i]; };
    if (std::isfinite(fit_.noise())) {
      const std::vector<double> other = line.estimate_rows(block);
      for (std::size_t i = 0; i < y.size(); ++i)
        sums.add(std::pow(y[i] - estimate[i], 2), std::pow(y[i] - other[i], 2), weight(i));
    } else {
      const std::vector<double> own = fit_.score_rows(block).deviance,
                                other = line.score_rows(block).deviance;
      for (std::size_t i = 0; i < y.size(); ++i) sums.add(own[i], other[i], weight(i));
    }
  }

  [[nodiscard]] std::string warnings() const {
    std::string text;
    for (const std::string& warning : fit_.summary().warnings) text += "\n  warning: " + warning + "\n";
    return text;
  }

  [[nodiscard]] std::shared_ptr<const Response> response_of() const {
    return regression_response(fit_.options());
  }

  // The labels of y that the model knows.
  [[nodiscard]] ResponseLabels labels() const {
    ResponseLabels known;
    for (const auto& [role, name] : fit_.columns()) {
      if (role == "positive") known.positive = name;
      if (role.starts_with("negative ")) known.negatives.push_back(name);
    }
    if (known.positive.empty()) known = {"1", {"0"}};  // of a model that was fitted to numbers
    return known;
  }

  // Offset, exposure and trials of the model, where the table has them and the user gave none.
  void name_sizes(DataOptions& data, const ColumnNames& columns) const {
    for (const auto& [role, name] :
         {std::pair{"offset", &data.offset}, {"exposure", &data.exposure}, {"trials", &data.trials}}) {
      const auto it = fit_.columns().find(role);
      if (name->empty() && it != fit_.columns().end() && columns.has(it->second)) *name = it->second;
    }
    const auto response = response_of();
    if (response->takes_trials() && data.trials.empty()) return;  // one trial a row
    check_columns(data, *response);
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
