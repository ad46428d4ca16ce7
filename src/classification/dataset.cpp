#include <algorithm>
#include <utility>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>

#include "classification/data.hpp"
#include "classification/shared_dataset.hpp"
#include "rows/feature_file.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string shown(const std::string& path) { return path == "-" ? "stdin" : path; }

// The class of each name of `labels`, in place of its code.
void recode(const LabelColumn& labels, const std::vector<std::int32_t>& class_of, Dataset& data) {
  data.labels.reserve(labels.codes.size());
  for (const std::int32_t code : labels.codes)
    data.labels.push_back(class_of[static_cast<std::size_t>(code)]);
}

// Two classes: the labels that are listed against all others.
void merge_classes(const std::string& path, const LabelColumn& labels, const DatasetOptions& options,
                   Dataset& data) {
  std::vector<std::string> positive;
  for (const std::string& label : options.positive) {
    positive.push_back(canonical_label(label));
    if (!contains(labels.names, positive.back())) {
      throw InputError(shown(path) + ": no row has the label " + in_quotes(label) + "; the labels are " +
                       listed(labels.names));
    }
  }
  std::vector<std::string> others;
  std::vector<std::int32_t> class_of;
  for (const std::string& name : labels.names) {
    class_of.push_back(contains(positive, name) ? 1 : 0);
    if (class_of.back() == 0) others.push_back(name);
  }
  if (others.empty()) {
    throw InputError(shown(path) + ": every label is in the positive class, no row is left for the other");
  }
  const std::string all = joined(positive, ",");
  const bool two = positive.size() == 1 && others.size() == 1;
  data.class_names = {two ? others.front() : (all == "rest" ? "other" : "rest"), all};
  if (!two) data.encoding.positive = positive;
  recode(labels, class_of, data);
}

void learn_classes(const std::string& path, const LabelColumn& labels, const DatasetOptions& options,
                   Dataset& data) {
  if (!options.positive.empty()) return merge_classes(path, labels, options, data);
  EncodedLabels sorted = encode_labels(labels.names);
  data.class_names = std::move(sorted.names);
  recode(labels, sorted.labels, data);
  const std::string suspicion = regression_suspicion(data.class_names, data.labels.size());
  if (!suspicion.empty()) data.warnings.push_back(shown(path) + ": " + suspicion);
}

void match_classes(const std::string& path, const LabelColumn& labels, Dataset& data) {
  std::vector<std::int32_t> class_of;
  for (const std::string& name : labels.names) {
    if (!data.encoding.positive.empty()) {
      class_of.push_back(contains(data.encoding.positive, name) ? 1 : 0);
      continue;
    }
    const auto place = std::find(data.class_names.begin(), data.class_names.end(), name);
    if (place == data.class_names.end()) {
      throw InputError(shown(path) + ": the label " + in_quotes(name) +
                       " is not a class of the model; they are " + listed(data.class_names));
    }
    class_of.push_back(static_cast<std::int32_t>(place - data.class_names.begin()));
  }
  recode(labels, class_of, data);
}

Dataset dataset_of(FeatureFile& file) {
  Dataset data;
  data.rows = FeatureRows(std::move(file.rows), std::move(file.origin));
  data.feature_names = std::move(file.feature_names);
  data.weights = std::move(file.weights);
  data.encoding = std::move(file.encoding);
  data.dropped = file.dropped;
  data.notes = std::move(file.notes);
  data.warnings = std::move(file.warnings);
  return data;
}

Dataset read_known(const std::string& path, const DatasetOptions& options, const KnownFeatures& known,
                   const std::vector<std::string>& class_names) {
  FeatureFile file = read_feature_file(path, options, &known);
  Dataset data = dataset_of(file);
  data.class_names = class_names;
  if (file.labels) match_classes(path, *file.labels, data);
  return data;
}

Dataset training_data(FeatureFile file, const std::string& path, const DatasetOptions& options) {
  Dataset data = dataset_of(file);
  if (file.labels) learn_classes(path, *file.labels, options, data);
  data.encoding.labels_within = options.label.empty() && options.labels.empty();
  data.encoding.missing = options.missing;
  data.encoding.drop = options.drop;
  data.encoding.categorical = options.categorical;
  if (options.delimiter != 0) data.encoding.delimiter = options.delimiter;
  data.encoding.decimal = options.decimal;
  return data;
}

}  // namespace

Dataset read_dataset(const std::string& path, const DatasetOptions& options) {
  return training_data(read_feature_file(path, options), path, options);
}

Dataset read_dataset(const std::string& path, const DatasetOptions& options, Readers& readers) {
  return training_data(read_feature_file(path, options, readers, few_rows), path, options);
}

Dataset read_dataset(const std::string& path, const DatasetOptions& options,
                     const ClassificationData& training) {
  return read_known(path, options, {training.encoding, training.rows.columns()}, training.class_names);
}

Dataset read_dataset(const std::string& path, const DatasetOptions& options,
                     const FittedLinkgisticClassifier& fit) {
  return read_known(path, options, {fit.encoding(), fit.feature_names().size()}, fit.class_names());
}

}  // namespace linkgistic
