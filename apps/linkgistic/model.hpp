// A fitted model of any kind, as the verbs that take a model file see it. A new kind is one file with a class
// derived from Model, and one line in the table of model.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "context.hpp"
#include "data_options.hpp"

namespace linkgistic {

struct ModelFile;

struct PredictOptions {
  DataOptions data;
  double interval = 0.9;
  std::string band = "all";       // of a classifier: what its bands carry
  std::string estimate = "mode";  // of a classifier: which probability
  std::vector<double> quantiles;  // of a regression, in place of the bands
  std::string of = "nu";          // what they are of
  std::string scale = "mean";     // of a regression: mean or link
  std::string output = "-";
};

/// A UsageError for quantiles, which only a regression has.
void refuse_quantiles(const PredictOptions& options);
/// A UsageError for a kind of band, which only a classifier has.
void refuse_band(const PredictOptions& options);

struct EvaluateOptions {
  DataOptions data;
  bool json = false;
  int bootstrap = 0;  // replicates of the intervals of a calibrator's metrics; 0: none
};

/// UsageError where a kind of model has no intervals of its metrics.
void refuse_bootstrap(const EvaluateOptions& options);

struct PlotOptions {
  DataOptions data;  // file empty: the model alone
  std::string what = "fit";
  std::string class_name;  // of a classifier; empty: the first
  std::string output;
};

struct ReportOptions {
  DataOptions data;   // file empty: the model alone
  std::string train;  // the table that the model was fitted to, for the method it is compared with
  std::string output;
};

/// UsageError where a kind of model is compared with no other method, and where there is no table to compare
/// on.
void refuse_train(const ReportOptions& options, bool compared);

/// What tells the table that a model was fitted to from another.
struct TrainingTable {
  std::size_t rows = 0;
  std::vector<double> weights;  // of all rows, or of each class
  double x_lower = 0, x_upper = 0;
};

/// An InputError where the table of --train is not the one of the model, by these figures.
void refuse_other_rows(const std::string& train, const TrainingTable& model, const TrainingTable& table);

class Model {
 public:
  virtual ~Model() = default;

  /// One row for each row of the table, in its order.
  virtual void predict(PredictOptions options, const Context& context) const = 0;
  virtual void evaluate(EvaluateOptions options, const Context& context) const = 0;
  virtual void plot(PlotOptions options, const Context& context) const = 0;
  /// One HTML file: the model, and how it does on the table. A UsageError for a kind that has none.
  virtual void report(ReportOptions options, const Context& context) const;
  /// What was fitted, for a reader or as JSON.
  [[nodiscard]] virtual std::string show(bool json) const = 0;
};

/// Reads a model file ("-": standard input); an InputError for one that this program does not know.
std::unique_ptr<Model> load_model(const std::string& path);

/// Throws an InputError if a model that was just made cannot be read back.
void check_model_text(const std::string& text);

/// A UsageError when model and table are both to come from standard input.
void check_one_stdin(const std::string& model, const std::string& table);

// The kinds, by their files.
std::unique_ptr<Model> load_learned_loss(const ModelFile& file);
std::unique_ptr<Model> load_learned_class_loss(const ModelFile& file);
std::unique_ptr<Model> load_regression(const ModelFile& file);
std::unique_ptr<Model> load_calibrator(const ModelFile& file);
std::unique_ptr<Model> load_class_calibrator(const ModelFile& file);
std::unique_ptr<Model> load_classifier(const ModelFile& file);

}  // namespace linkgistic
