// A Linkgistic classifier behind the verbs that take a model file.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>

#include "classification/file.hpp"
#include "classifier_trial.hpp"
#include "metrics/classification_metrics.hpp"
#include "model.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report/class_loss_figure.hpp"
#include "report/classifier_figure.hpp"
#include "report/classifier_page.hpp"
#include "report/classifier_text.hpp"
#include "report/figure/render.hpp"
#include "report/learned_loss_figure.hpp"
#include "rows/row_matrix.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const BinaryMetrics& m) {
  return {
      {"accuracy", m.accuracy}, {"auc", m.auc}, {"log_loss", m.log_loss}, {"brier", m.brier}, {"ece", m.ece}};
}

ProbabilityEstimate estimate_of(const std::string& name) {
  if (name == "marginal") return ProbabilityEstimate::marginal;
  return name == "plug-in" ? ProbabilityEstimate::plug_in : ProbabilityEstimate::mode;
}

class ClassifierModel final : public Model {
 public:
  explicit ClassifierModel(FittedLinkgisticClassifier fit) : fit_(std::move(fit)) {}

  void predict(PredictOptions options, const Context& context) const override {
    refuse_quantiles(options);
    (void)fit_.predict(FeatureRows::dense(std::vector<float>(), 0, fit_.feature_names().size()),
                       options.interval);  // a bad interval is refused before anything is read
    DatasetOptions wanted;
    wanted.labelled = false;
    const Dataset data = read(options.data, wanted, context);
    Output output(options.output);
    Progress progress(context, "predicting");
    const auto& names = fit_.class_names();
    std::string text = "label";
    if (names.size() == 2) {
      text += ",probability,lower,upper";
    } else {
      for (const std::string& name : names) text += ',' + field("p_" + name);
      for (const std::string& name : fit_.has_bands() ? names : std::vector<std::string>())
        text += ',' + field("lower_" + name) + ',' + field("upper_" + name);
    }
    text += '\n';
    for_blocks(data, [&](const FeatureRows& rows, std::size_t /*first*/) {
      const ClassPrediction p =
          fit_.predict(rows, options.interval, options.band == "link" ? BandKind::link : BandKind::all,
                       estimate_of(options.estimate));
      for (std::size_t n = 0; n < rows.rows(); ++n) append_row(text, p, n);
      output.write(text);
      text.clear();
      progress.add(rows.rows());
    });
    output.write(text);
    output.commit();
  }

  void evaluate(EvaluateOptions options, const Context& context) const override {
    refuse_bootstrap(options);
    const ClassifierTrial trial = judge(fit_, read_labelled(options.data, context));
    const ordered_json first = to_json(trial.all), second = to_json(trial.one_vs_rest);
    ordered_json scores = first;
    scores["one_vs_rest"] = second;
    if (options.json) return print(scores.dump(1) + "\n");
    std::string text = "            all       one vs rest\n";
    for (const auto& [name, value] : first.items()) {
      const std::string one = rounded(value.get<double>());
      text += name + std::string(12 - name.size(), ' ') + one +
              std::string(one.size() < 10 ? 10 - one.size() : 1, ' ') + rounded(second[name].get<double>()) +
              "\n";
    }
    print(text);
  }

  void plot(PlotOptions options, const Context& /*context*/) const override {
    if (options.what == "evidence") {
      throw UsageError("--what evidence: a classifier has fit, loss, link, source and weight");
    }
    if (options.what == "fit") return render(link_figure(fit_), options.output);
    if (fit_.summary().softmax && options.class_name.empty())
      return render(class_loss_figure(fit_.learned_class_loss(), options.what), options.output);
    const std::size_t score = score_of(options.class_name);
    const LearnedLoss loss = fit_.learned_loss(score);
    render(learned_loss_figure(loss, options.what, source_band(fit_, score, loss), "score",
                               "label 1: " + fit_.summary().classes[score].name),
           options.output);
  }

  void report(ReportOptions options, const Context& context) const override {
    refuse_train(options, fit_.options().prior != LinkPrior::none);
    std::optional<ClassifierTrial> trial;
    if (!options.data.file.empty()) {
      const Dataset rows = read_labelled(options.data, context);
      trial = judge(fit_, rows);
      if (!options.train.empty()) add_rival(*trial, rows, options, context);
      trial->name = options.data.file == "-" ? "stdin" : options.data.file;
    }
    Output output(options.output);
    output.write(html(classifier_page(fit_, trial)));
    output.commit();
  }

  [[nodiscard]] std::string show(bool json) const override {
    if (json) return show_json();
    std::string text = classifier_text(fit_) + hyper_text(fit_) + coefficient_text(fit_) +
                       inference_text(fit_) + link_text(fit_);
    for (const std::string& warning : fit_.summary().warnings) text += "\n  warning: " + warning + "\n";
    return text;
  }

 private:
  // The first, or that of a class.
  [[nodiscard]] std::size_t score_of(const std::string& class_name) const {
    if (class_name.empty()) return 0;
    const auto& classes = fit_.summary().classes;
    std::string known;
    for (std::size_t k = 0; k < classes.size(); ++k) {
      if (classes[k].name == class_name) return k;
      known += (known.empty() ? "" : ", ") + classes[k].name;
    }
    throw UsageError("--class " + class_name + ": the model has scores for " + known);
  }

  Dataset read(const DataOptions& options, DatasetOptions wanted, const Context& context) const {
    wanted.delimiter = delimiter_of(options.delimiter);
    wanted.decimal = decimal_of(options);
    wanted.na = na_of(options);
    wanted.memory_budget = memory_of(options);
    Dataset data = read_dataset(options.file, wanted, fit_);
    context.warn(data.warnings);
    return data;
  }

  Dataset read_labelled(const DataOptions& options, const Context& context) const {
    DatasetOptions wanted;
    wanted.label = options.label.empty() ? options.y : options.label;
    wanted.labels = options.labels;
    wanted.weights = options.weights;
    wanted.missing = missing_of(options);
    Dataset data = read(options, wanted, context);
    if (data.dropped > 0) {
      context.note(std::to_string(data.dropped) + " rows without label or weight left out");
    }
    if (data.labels.empty()) throw InputError(with_name("there are no rows", options));
    if (!data.weights.empty() &&
        std::all_of(data.weights.begin(), data.weights.end(), [](double w) { return w == 0; })) {
      throw InputError(with_name("every row has weight 0", options));
    }
    return data;
  }

  static TrainingTable training_table(const FittedLinkgisticClassifier& fit) {
    TrainingTable table;
    table.rows = fit.summary().rows;
    for (const ClassSummary& c : fit.summary().classes) table.weights.push_back(c.weight);
    return table;
  }

  // The same model with the link of the base alone, fitted to the training rows.
  void add_rival(ClassifierTrial& trial, const Dataset& rows, const ReportOptions& options,
                 const Context& context) const {
    DataOptions table = options.data;
    table.file = options.train;
    LinkgisticOptions base = fit_.options();
    base.prior = LinkPrior::none;
    base.v = base.v_shared = std::nullopt;
    base.inference = Inference::laplace;
    if (fit_.summary().l2_chosen) base.l2 = std::nullopt;
    const auto fit = LinkgisticClassifier(base).fit(read_labelled(table, context));
    refuse_other_rows(options.train, training_table(fit_), training_table(fit));
    trial.rival = base.loss == "log" ? "logistic regression" : "the link of the loss " + base.loss;
    for_blocks(rows, [&](const FeatureRows& block, std::size_t /*first*/) {
      const std::vector<double> p = fit.probability(block);
      trial.rival_probability.insert(trial.rival_probability.end(), p.begin(), p.end());
    });
  }

  void append_row(std::string& text, const ClassPrediction& p, std::size_t n) const {
    const std::size_t classes = fit_.class_names().size();
    text += field(fit_.class_names()[p.label[n]]);
    const auto add = [&text](double value) {
      text += ',';
      append_number(text, value);
    };
    if (classes == 2) {
      add(p.probability[2 * n + 1]);
      add(p.lower[n]);
      add(p.upper[n]);
    } else {
      for (std::size_t k = 0; k < classes; ++k) add(p.probability[n * classes + k]);
      for (std::size_t i = n * classes; i < (n + 1) * classes && !p.lower.empty(); ++i) {
        add(p.lower[i]);
        add(p.upper[i]);
      }
    }
    text += '\n';
  }

  [[nodiscard]] std::string show_json() const {
    constexpr int points = 41;
    const auto file = nlohmann::json::parse(fit_.to_json());
    nlohmann::json shown = file.at("summary");
    shown["options"] = file.at("options");
    shown["encoding"] = file.at("encoding");
    shown["class_names"] = fit_.class_names();
    const auto& classes = fit_.summary().classes;
    const std::size_t width = fit_.feature_names().size() + 1;
    const std::vector<double> beta = fit_.coefficients();
    nlohmann::json coefficients, links;
    for (std::size_t k = 0; k < classes.size(); ++k) {
      nlohmann::json& of_class = coefficients[classes[k].name];
      of_class["intercept"] = beta[k * width];
      of_class["features"] = nlohmann::json::object();
      for (std::size_t j = 1; j < width; ++j)
        of_class["features"][fit_.feature_names()[j - 1]] = beta[k * width + j];
      const std::vector<double> grid = score_grid(classes[k], points);
      const auto curve = fit_.link(k, grid);
      links[classes[k].name] = {
          {"score", grid}, {"nu", curve.nu}, {"lower", curve.lower}, {"upper", curve.upper}};
    }
    shown["coefficients"] = coefficients;
    for (const Coefficient& c : fit_.coefficient_table().rows)
      shown["inference"].push_back({{"name", c.name},
                                    {"estimate", c.estimate},
                                    {"error", c.error},
                                    {"z", c.z},
                                    {"p_value", c.p_value},
                                    {"lower", c.lower},
                                    {"upper", c.upper},
                                    {"effect", c.effect},
                                    {"effect_error", c.effect_error}});
    shown["links"] = links;
    const auto hyper = link_hyper_parameters(fit_);
    for (std::size_t k = 0; k < classes.size(); ++k)
      shown["hyper_parameters"][classes[k].name] =
          std::map<std::string, double>(hyper[k].begin(), hyper[k].end());
    return shown.dump(1) + "\n";
  }

  FittedLinkgisticClassifier fit_;
};

}  // namespace

std::unique_ptr<Model> load_classifier(const ModelFile& file) {
  return std::make_unique<ClassifierModel>(classifier_from(file));
}

}  // namespace linkgistic
