#include "rows/feature_file.hpp"

#include <algorithm>
#include <numeric>

#include <linkgistic/error.hpp>

#include "io/file_bytes.hpp"
#include "io/file_list.hpp"
#include "numeric/tree_sum.hpp"
#include "rows/array_file.hpp"
#include "rows/column_median.hpp"
#include "rows/encoding_learner.hpp"
#include "rows/idx_reader.hpp"
#include "rows/label_file.hpp"
#include "rows/libsvm_reader.hpp"
#include "rows/row_joiner.hpp"
#include "rows/table_encoder.hpp"
#include "table/format.hpp"
#include "table/joined_table.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

bool is_plain(const FeatureEncoding& encoding) {
  return std::none_of(encoding.columns.begin(), encoding.columns.end(),
                      [](const ColumnEncoding& c) { return c.text || c.indicator; });
}

std::size_t count_rows(Table& table) {
  std::size_t rows = 0;
  CellBlock block;
  while (const std::size_t count = table.read({}, rows_for(0), block)) {
    rows += count;
    block.clear();
  }
  return rows;
}

class FeatureFileReader {
 public:
  FeatureFileReader(const std::string& path, const DatasetOptions& options, const KnownFeatures* known)
      : files_(files_of(path)),
        options_(options),
        missing_(options.na),
        known_(known),
        source_(open_source(files_.front())),
        name_(files_.size() > 1 ? path : source_->name()) {
    prepare();
  }
  FeatureFileReader(const std::string& path, const DatasetOptions& options, Readers& readers, std::size_t few)
      : FeatureFileReader(path, options, nullptr) {
    readers_ = &readers;
    few_ = few;
  }
  FeatureFileReader(const Table& table, const DatasetOptions& options, const KnownFeatures* known)
      : options_(options), missing_(options.na), known_(known), name_(table.name()) {
    prepare();
  }

  FeatureFile read(Table& table) {
    read_table(table);
    file_.feature_names = file_.encoding.feature_names();
    return std::move(file_);
  }

  FeatureFile read() {
    const Format& format = format_of(*source_);
    for (std::size_t f = 1; f < files_.size(); ++f) check_format(format, files_[f]);
    switch (format.layout) {
      case Layout::images:
        read_idx();
        break;
      case Layout::sparse:
        read_sparse();
        break;
      case Layout::array:
        if (read_array()) break;
        [[fallthrough]];
      case Layout::table:
        if (is_shared(format)) {
          read_shared();
        } else {
          read_table(*open_all(format));
        }
        break;
    }
    if (file_.feature_names.empty() && !file_.encoding.columns.empty())
      file_.feature_names = file_.encoding.feature_names();
    return std::move(file_);
  }

 private:
  void prepare() {
    if (options_.memory_budget == 0) options_.memory_budget = default_memory_budget();
    file_.encoding.na = options_.na;
    if (known_ == nullptr) return;
    file_.encoding = known_->encoding;
    options_.zero_based = known_->encoding.zero_based;
    if (options_.na == default_missing_words()) missing_ = MissingWords(known_->encoding.na);
  }

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
    if (!options_.categorical.empty()) refuse("categorical", options_.categorical.front());
    if (known_ != nullptr && !positional()) {
      throw InputError(name_ + " is " + format + " without names of columns, which the model needs: " +
                       in_quotes(known_->encoding.columns.front().name) + ", ...");
    }
  }

  [[nodiscard]] std::unique_ptr<ByteSource> source_of(std::size_t file) {
    return file == 0 ? std::move(source_) : open_source(files_[file]);
  }
  [[nodiscard]] std::string name_of(std::size_t file) const {
    return files_[file] == "-" ? name_ : files_[file];
  }

  // The files of a table may have any formats of one.
  void check_format(const Format& first, const std::string& file) const {
    const Format& own = format_of(*open_source(file));
    const auto is_table = [](const Format& f) { return f.layout == Layout::table; };
    if (&own == &first || (is_table(own) && is_table(first))) return;
    throw InputError(file + ": is " + own.name + ", and " + files_.front() + " is " + first.name);
  }

  std::unique_ptr<Table> open_all(const Format& format) {
    const TableOptions how{options_.delimiter, missing_, options_.decimal};
    if (files_.size() > 1) return join_tables(name_, files_, how);
    return format.open(std::move(source_), how);
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
    file_.labels = read_labels(options_.labels, rows, name_, missing_);
  }

  void read_idx() {
    refuse_names("an IDX file");
    RowJoiner rows(options_.memory_budget);
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const auto bytes = f == 0 ? read_file_bytes(*source_, files_[f], options_.memory_budget)
                                : read_file_bytes(files_[f], options_.memory_budget);
      rows.add(name_of(f), read_idx_rows(name_of(f), bytes));
    }
    file_.rows = rows.take();
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
    RowJoiner rows(options_.memory_budget);
    LabelCollector labels;
    std::size_t beyond = 0;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      SparseFile read = read_libsvm(*source_of(f), sparse);
      rows.add(name_of(f), std::move(read.rows));
      beyond += read.beyond;
      if (!options_.labelled || !options_.labels.empty()) continue;
      for (const double label : read.labels) labels.add(canonical_label(label));
    }
    file_.rows = rows.take();
    file_.encoding.zero_based = options_.zero_based;
    if (beyond > 0) {
      file_.warnings.push_back(name_ + ": " + counted(beyond, "value") +
                               " beyond the model's columns left out");
    }
    if (!options_.labels.empty()) return read_labels_for(file_.rows.rows());
    if (options_.labelled) file_.labels = labels.take();
  }

  // Label, weight and features among the columns of a table.
  ColumnRoles find_roles(const ColumnNames& columns) {
    RoleNames wanted{options_.labelled ? options_.label : "", options_.weights, options_.drop};
    if (options_.labelled && known_ != nullptr) {
      if (wanted.label.empty() && options_.labels.empty()) wanted.label = known_->encoding.label;
      if (wanted.weight.empty() && columns.has(known_->encoding.weights))
        wanted.weight = known_->encoding.weights;
    }
    if (options_.labelled && wanted.label.empty() && options_.labels.empty()) {
      throw UsageError("label: name the column of " + name_ + " that holds the labels, or a file of labels");
    }
    std::vector<std::string> features;
    for (const ColumnEncoding& column : file_.encoding.columns) features.push_back(column.name);
    ColumnRoles roles = features.empty() ? roles_of(columns, wanted) : roles_of(columns, wanted, features);
    if (training()) {
      file_.encoding.label = wanted.label;
      file_.encoding.weights = wanted.weight;
    }
    if (positional()) check_count(roles.features.size());
    return roles;
  }

  // The rows of one array as they are, its labels and weights added to those before; none if its values must
  // be converted.
  std::optional<RowMatrix> array_rows(ArrayFile& array, const ColumnRoles& roles, bool all,
                                      LabelCollector& labels) {
    if (array.is_single() && all && !roles.label && !roles.weight) return array.single_rows();
    if (!array.is_bytes()) return std::nullopt;
    if (roles.weight) {
      const std::vector<double> weights = array.byte_column(*roles.weight);
      file_.weights.insert(file_.weights.end(), weights.begin(), weights.end());
    }
    if (roles.label)
      for (const double label : array.byte_column(*roles.label)) labels.add(canonical_label(label));
    return array.byte_rows(roles.features);
  }

  // Arrays whose values need no conversion; false leaves them to be read as a table.
  bool read_array() {
    if (!is_plain(file_.encoding) || missing_.has_numbers() || !options_.categorical.empty()) return false;
    const NpyHead first = read_npy_head(*source_);
    source_->rewind();
    std::vector<std::string> names;
    for (std::size_t j = 0; j < first.columns; ++j) names.push_back(std::to_string(j));
    const ColumnNames columns(name_, std::move(names));
    const ColumnRoles roles = find_roles(columns);
    const bool all = roles.features.size() == columns.size() &&
                     std::is_sorted(roles.features.begin(), roles.features.end());
    RowJoiner rows(options_.memory_budget);
    LabelCollector labels;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const std::unique_ptr<ByteSource> other = f == 0 ? nullptr : open_source(files_[f]);
      ArrayFile array(files_[f], other ? *other : *source_, options_.memory_budget);
      const bool alike = array.head().kind == first.kind && array.head().columns == first.columns;
      auto own = alike ? array_rows(array, roles, all, labels) : std::nullopt;
      if (!own) {
        file_.weights.clear();
        source_->rewind();
        return false;
      }
      rows.add(name_of(f), *std::move(own));
    }
    if (roles.label) file_.labels = labels.take();
    std::vector<std::string> chosen;
    for (const std::size_t j : roles.features) chosen.push_back(columns[j]);
    take_array(rows.take(), chosen);
    return true;
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

  [[nodiscard]] bool is_shared(const Format& format) const {
    return readers_ != nullptr && readers_->count() > 1 && files_.size() > 1 &&
           format.layout == Layout::table && options_.labelled && options_.labels.empty() &&
           options_.missing == MissingValues::error;
  }

  void read_shared() {
    const TableOptions how{options_.delimiter, missing_, options_.decimal};
    const auto table = join_tables(name_, files_, how, own_files(files_, *readers_));
    const ColumnRoles roles = find_roles(table->columns());
    // Pieces of whole blocks of the grid of dense rows (engine/grid.hpp).
    constexpr std::size_t piece_rows = 4 * sum_leaf_rows;
    SharedTable shared = read_shared_table(*table, roles, options_, piece_rows, few_, *readers_);
    file_.encoding.columns = std::move(shared.encoding.columns);
    file_.rows = std::move(shared.rows);
    file_.origin = std::move(shared.origin);
    file_.labels = std::move(shared.labels);
    file_.weights = std::move(shared.weights);
    file_.notes = std::move(shared.notes);
  }

  void read_table(Table& table) {
    const ColumnRoles roles = find_roles(table.columns());
    EncodeOptions encode;
    encode.training = training();
    encode.budget = options_.memory_budget;
    encode.drop = options_.missing == MissingValues::drop;
    FeatureEncoding encoding = file_.encoding;
    std::size_t rows = 0;
    if (training()) {
      LearnedEncoding learned = learn_encoding(table, roles, options_);
      encoding.columns = std::move(learned.encoding.columns);
      encode.origin = std::move(learned.means);
      rows = learned.rows;
      file_.notes = std::move(learned.notes);
    } else {
      if (positional()) {
        for (const std::size_t j : roles.features)
          encoding.columns.push_back({table.columns()[j], false, 0, false, {}});
      }
      for (const ColumnEncoding& column : encoding.columns) encode.origin.push_back(column.median);
      if (options_.labelled && !options_.labels.empty()) rows = count_rows(table);
    }
    std::optional<LabelColumn> labels;
    if (options_.labelled && !options_.labels.empty())
      labels = read_labels(options_.labels, rows, name_, missing_);
    encode.labels = labels ? &*labels : nullptr;
    table.rewind();
    take(encode_table(table, roles, encoding, encode), roles);
    if (training()) file_.encoding = std::move(encoding);
  }

  void take(EncodedTable table, const ColumnRoles& roles) {
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
    if (roles.label || (options_.labelled && !options_.labels.empty()))
      file_.labels = std::move(table.labels);
  }

  std::vector<std::string> files_;
  DatasetOptions options_;
  MissingWords missing_;
  const KnownFeatures* known_;
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  Readers* readers_ = nullptr;
  std::size_t few_ = 0;
  FeatureFile file_;
};

void check_label_options(const DatasetOptions& options) {
  if (options.labelled && !options.label.empty() && !options.labels.empty()) {
    throw UsageError("labels = " + in_quotes(options.labels) +
                     ": it cannot be combined with label = " + in_quotes(options.label));
  }
}

}  // namespace

FeatureFile read_feature_file(const std::string& path, const DatasetOptions& options,
                              const KnownFeatures* known) {
  check_label_options(options);
  return FeatureFileReader(path, options, known).read();
}

FeatureFile read_feature_file(const std::string& path, const DatasetOptions& options, Readers& readers,
                              std::size_t few) {
  check_label_options(options);
  return FeatureFileReader(path, options, readers, few).read();
}

FeatureFile read_feature_table(Table& table, const DatasetOptions& options, const KnownFeatures* known) {
  return FeatureFileReader(table, options, known).read(table);
}

}  // namespace linkgistic
