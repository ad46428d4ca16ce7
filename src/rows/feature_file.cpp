#include "rows/feature_file.hpp"

#include <algorithm>
#include <numeric>

#include <linkgistic/error.hpp>

#include "io/file_bytes.hpp"
#include "rows/array_file.hpp"
#include "rows/column_median.hpp"
#include "rows/encoding_learner.hpp"
#include "rows/idx_reader.hpp"
#include "rows/libsvm_reader.hpp"
#include "rows/table_encoder.hpp"
#include "table/data_format.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

bool is_plain(const FeatureEncoding& encoding) {
  return std::none_of(encoding.columns.begin(), encoding.columns.end(),
                      [](const ColumnEncoding& c) { return c.text || c.indicator; });
}

class FeatureFileReader {
 public:
  FeatureFileReader(const std::string& path, const DatasetOptions& options, const KnownFeatures* known)
      : path_(path), options_(options), known_(known), source_(open_source(path)), name_(source_->name()) {
    if (options_.memory_budget == 0) options_.memory_budget = default_memory_budget();
    if (known_ == nullptr) return;
    file_.encoding = known_->encoding;
    options_.zero_based = known_->encoding.zero_based;
  }

  FeatureFile read() {
    switch (data_format(*source_)) {
      case DataFormat::idx:
        read_idx();
        break;
      case DataFormat::libsvm:
        read_sparse();
        break;
      case DataFormat::npy:
        read_npy();
        break;
      case DataFormat::csv:
        read_table(csv_records(std::move(source_), options_.delimiter));
        break;
    }
    if (file_.feature_names.empty() && !file_.encoding.columns.empty())
      file_.feature_names = file_.encoding.feature_names();
    return std::move(file_);
  }

 private:
  [[nodiscard]] bool training() const { return known_ == nullptr; }
  [[nodiscard]] bool positional() const { return known_ != nullptr && known_->encoding.columns.empty(); }

  // For a format whose columns have no names.
  void refuse_names(const char* format) const {
    const auto refuse = [&](const char* option, const std::string& column) {
      throw UsageError(std::string(option) + " = " + in_quotes(column) + ": " + name_ + " is " + format +
                       ", its columns have no names");
    };
    if (options_.labelled && !options_.label.empty()) refuse("label", options_.label);
    if (!options_.weights.empty()) refuse("weights", options_.weights);
    if (!options_.drop.empty()) refuse("drop", options_.drop.front());
    if (known_ != nullptr && !positional()) {
      throw InputError(name_ + " is " + format + " without names of columns, which the model needs: " +
                       in_quotes(known_->encoding.columns.front().name) + ", ...");
    }
  }

  void check_count(std::size_t columns) const {
    if (known_ != nullptr && columns != known_->count) {
      throw InputError(name_ + ": has " + counted(columns, "column") + " of features, the model has " +
                       std::to_string(known_->count));
    }
  }

  // Labels from a file of their own, in the order of the rows.
  void read_labels_for(std::size_t rows) {
    if (!options_.labelled) return;
    if (options_.labels.empty()) {
      throw UsageError("labels: " + name_ + " holds none; name a file of them, or a column");
    }
    file_.labels = read_labels(options_.labels, rows, name_);
  }

  void read_idx() {
    refuse_names("an IDX file");
    const auto bytes = path_ == "-" ? read_all_bytes(*source_, options_.memory_budget)
                                    : read_file_bytes(path_, options_.memory_budget);
    file_.rows = read_idx_rows(name_, bytes);
    check_count(file_.rows.columns());
    read_labels_for(file_.rows.rows());
  }

  void read_sparse() {
    refuse_names("a libsvm file");
    LibsvmOptions sparse;
    sparse.base = options_.zero_based ? IndexBase::zero : IndexBase::one;
    sparse.memory_budget = options_.memory_budget;
    sparse.columns = known_ != nullptr ? known_->count : 0;
    sparse.ignore_beyond = known_ != nullptr;
    LabelledRows read = read_libsvm(*source_, sparse);
    file_.rows = std::move(read.rows);
    file_.encoding.zero_based = options_.zero_based;
    if (read.beyond > 0) {
      file_.warnings.push_back(name_ + ": " + counted(read.beyond, "value") +
                               " beyond the model's columns left out");
    }
    if (!options_.labels.empty()) return read_labels_for(file_.rows.rows());
    if (!options_.labelled) return;
    LabelCollector labels;
    for (const double label : read.labels) labels.add(canonical_label(label));
    file_.labels = labels.take();
  }

  // Label, weight and features among the columns of a table.
  TableColumns find_columns(const std::vector<std::string>& names) {
    DatasetOptions wanted = options_;
    if (wanted.labelled && known_ != nullptr) {
      if (wanted.label.empty() && wanted.labels.empty()) wanted.label = known_->encoding.label;
      const std::string& weights = known_->encoding.weights;
      if (wanted.weights.empty() && std::find(names.begin(), names.end(), weights) != names.end())
        wanted.weights = weights;
    }
    if (wanted.labelled && wanted.label.empty() && wanted.labels.empty()) {
      throw UsageError("label: name the column of " + name_ + " that holds the labels, or a file of labels");
    }
    TableColumns columns = known_ != nullptr && !positional()
                               ? encoded_columns(name_, names, known_->encoding, wanted)
                               : training_columns(name_, names, wanted);
    if (training()) {
      if (wanted.labelled) file_.encoding.label = wanted.label;
      file_.encoding.weights = wanted.weights;
    }
    if (positional()) check_count(columns.features.size());
    return columns;
  }

  void read_npy() {
    ArrayFile array(path_, *source_, options_.memory_budget);
    std::vector<std::string> names;
    for (std::size_t j = 0; j < array.head().columns; ++j) names.push_back(std::to_string(j));
    if (is_plain(file_.encoding)) {
      const TableColumns columns = find_columns(names);
      const bool all = columns.features.size() == names.size() &&
                       std::is_sorted(columns.features.begin(), columns.features.end());
      if (array.is_bytes()) return take_bytes(array, columns, names);
      if (array.is_single() && all && !columns.label && !columns.weight) {
        if (auto rows = array.single_rows()) return take_array(std::move(*rows), names);
      }
      source_->rewind();
    }
    read_table(npy_records(std::move(source_)));
  }

  void take_bytes(ArrayFile& array, const TableColumns& columns, const std::vector<std::string>& names) {
    std::vector<std::string> chosen;
    for (const std::size_t j : columns.features) chosen.push_back(names[j]);
    if (columns.weight) file_.weights = array.byte_column(*columns.weight);
    if (columns.label) {
      LabelCollector labels;
      for (const double label : array.byte_column(*columns.label)) labels.add(canonical_label(label));
      file_.labels = labels.take();
    }
    take_array(array.byte_rows(columns.features), chosen);
  }

  // Rows that are used as they are.
  void take_array(RowMatrix rows, const std::vector<std::string>& names) {
    if (rows.rows() == 0 && training()) throw InputError(name_ + ": there are no rows");
    if (training()) {
      std::vector<std::size_t> all(names.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      std::vector<double> medians;
      if (const auto* bytes = std::get_if<DenseRows<std::uint8_t>>(&rows.storage())) {
        medians = column_medians(bytes->values.span(), bytes->columns, all);
      } else {
        const auto& single = std::get<DenseRows<float>>(rows.storage());
        medians = column_medians(single.values.span(), single.columns, all);
      }
      for (std::size_t j = 0; j < names.size(); ++j)
        file_.encoding.columns.push_back({names[j], false, medians[j], false, {}});
    }
    file_.rows = std::move(rows);
    if (!file_.labels) read_labels_for(file_.rows.rows());
  }

  void read_table(const std::unique_ptr<Records>& records) {
    const TableColumns columns = find_columns(records->columns());
    EncodeOptions encode;
    encode.training = training();
    encode.budget = options_.memory_budget;
    encode.drop = options_.missing == MissingValues::drop;
    FeatureEncoding encoding = file_.encoding;
    std::size_t rows = 0;
    if (training()) {
      LearnedEncoding learned = learn_encoding(*records, columns, options_.missing);
      encoding.columns = std::move(learned.encoding.columns);
      encode.origin = std::move(learned.means);
      rows = learned.rows;
      file_.notes = std::move(learned.notes);
    } else {
      if (positional()) {
        for (const std::size_t j : columns.features)
          encoding.columns.push_back({records->columns()[j], false, 0, false, {}});
      }
      for (const ColumnEncoding& column : encoding.columns) encode.origin.push_back(column.median);
      if (options_.labelled && !options_.labels.empty()) {
        while (records->next()) ++rows;
      }
    }
    std::optional<LabelColumn> labels;
    if (options_.labelled && !options_.labels.empty()) labels = read_labels(options_.labels, rows, name_);
    encode.labels = labels ? &*labels : nullptr;
    records->rewind();
    take(encode_table(*records, columns, encoding, encode), columns);
    if (training()) file_.encoding = std::move(encoding);
  }

  void take(EncodedTable table, const TableColumns& columns) {
    if (table.imputed > 0 && positional()) {
      throw InputError(name_ + ": " + counted(table.imputed, "missing value") +
                       ", and the model knows no medians to put there");
    }
    if (table.imputed > 0) {
      file_.warnings.push_back(name_ + ": " + counted(table.imputed, "missing value") +
                               " in columns that had none in training filled by the training median");
    }
    if (table.unseen > 0) {
      file_.warnings.push_back(name_ + ": " + counted(table.unseen, "value") +
                               " of no category of the training data; all features of such a column are 0");
    }
    file_.rows = std::move(table.rows);
    file_.origin = std::move(table.origin);
    file_.weights = std::move(table.weights);
    file_.dropped = table.dropped;
    if (columns.label || (options_.labelled && !options_.labels.empty()))
      file_.labels = std::move(table.labels);
  }

  std::string path_;
  DatasetOptions options_;
  const KnownFeatures* known_;
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  FeatureFile file_;
};

}  // namespace

FeatureFile read_feature_file(const std::string& path, const DatasetOptions& options,
                              const KnownFeatures* known) {
  if (options.labelled && !options.label.empty() && !options.labels.empty()) {
    throw UsageError("labels = " + in_quotes(options.labels) +
                     ": it cannot stand beside label = " + in_quotes(options.label));
  }
  return FeatureFileReader(path, options, known).read();
}

}  // namespace linkgistic
