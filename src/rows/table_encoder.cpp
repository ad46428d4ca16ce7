#include "rows/table_encoder.hpp"

#include <cmath>
#include <limits>
#include <unordered_map>

#include <linkgistic/error.hpp>

#include "io/spill_buffer.hpp"
#include "rows/column_median.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

constexpr float missing_number = std::numeric_limits<float>::quiet_NaN();

class Encoder {
 public:
  Encoder(Table& table, const ColumnRoles& roles, FeatureEncoding& encoding, const EncodeOptions& options)
      : table_(table),
        roles_(roles),
        encoding_(encoding),
        options_(options),
        values_(options.budget),
        width_(encoding.width()) {
    std::size_t first = 0;
    std::vector<CellType> types;
    for (const ColumnEncoding& column : encoding.columns) {
      first_.push_back(first);
      first += column.width();
      types.push_back(column.text ? CellType::text : CellType::number);
      categories_.emplace_back();
      for (std::size_t k = 0; k < column.categories.size(); ++k)
        categories_.back().emplace(column.categories[k], k);
    }
    asked_ = requests(roles, types);
  }

  EncodedTable read() {
    while (const std::size_t count = table_.read(asked_, rows_for(asked_.size()), block_)) {
      add_block(count);
      row_ += count;
      block_.clear();
    }
    const std::size_t rows = width_ == 0 ? 0 : values_.size() / width_;
    result_.origin.assign(width_, 0.0);
    for (std::size_t i = 0; i < encoding_.columns.size(); ++i) {
      if (!encoding_.columns[i].text) result_.origin[first_[i]] = options_.origin[i];
    }
    if (options_.training) learn_medians(rows);
    fill_missing(rows);
    result_.labels = labels_.take();
    result_.rows = RowMatrix(DenseRows<float>{rows, width_, values_.share()});
    return std::move(result_);
  }

 private:
  // The block at hand, which was read with so many rows.
  void add_block(std::size_t count) {
    const std::size_t answers = roles_.features.size();
    const bool may_drop = options_.drop && block_.missing > 0;
    if (may_drop || options_.labels != nullptr) {
      const auto kept = may_drop ? block_.keep_complete(0, options_.training ? 0 : answers)
                                 : block_.keep_complete(0, asked_.size());
      result_.dropped += count - kept.size();
      for (const std::size_t r : kept) add_label_of_row(row_ + r);
    }
    if (roles_.label) add_labels(answers);
    if (roles_.weight) add_weights(asked_.size() - 1);
    float* const out = values_.extend(block_.rows() * width_);
    for (std::size_t i = 0; i < answers; ++i) {
      if (encoding_.columns[i].text) {
        add_categories(i, out + first_[i]);
      } else {
        add_numbers(i, out + first_[i]);
      }
    }
  }

  void add_label_of_row(std::size_t row) {
    if (options_.labels == nullptr) return;
    labels_.add(options_.labels->names[static_cast<std::size_t>(options_.labels->codes[row])]);
  }

  void add_labels(std::size_t i) {
    for (std::size_t r = 0; r < block_.rows(); ++r) {
      const std::string_view label = block_.columns[i].text(r);
      if (label.empty()) throw InputError(where(r, i) + ": the label is missing");
      labels_.add(label);
    }
  }

  void add_weights(std::size_t i) {
    const auto& weights = block_.columns[i].numbers;
    for (std::size_t r = 0; r < block_.rows(); ++r) {
      if (std::isnan(weights[r])) throw InputError(where(r, i) + ": the weight is missing");
    }
    result_.weights.insert(result_.weights.end(), weights.begin(), weights.end());
  }

  void add_categories(std::size_t i, float* out) {
    for (std::size_t r = 0; r < block_.rows(); ++r, out += width_) {
      const auto place = categories_[i].find(std::string(block_.columns[i].text(r)));
      if (place == categories_[i].end()) {
        ++result_.unseen;
      } else {
        out[place->second] = 1;
      }
    }
  }

  void add_numbers(std::size_t i, float* out) {
    const double origin = options_.origin[i];
    const std::vector<double>& values = block_.columns[i].numbers;
    for (std::size_t r = 0; r < values.size(); ++r, out += width_) {
      const double stored = values[r] - origin;
      if (!(std::abs(stored) <= double{std::numeric_limits<float>::max()})) {
        add_unusual(i, r, out);
      } else {
        out[0] = static_cast<float>(stored);
      }
    }
  }

  void add_unusual(std::size_t i, std::size_t r, float* out) {
    const double value = block_.columns[i].numbers[r];
    if (!std::isnan(value)) {
      throw InputError(where(r, i) + ": " + shortest(value) + " is too large for single precision");
    }
    out[0] = missing_number;
    if (encoding_.columns[i].indicator) {
      out[1] = 1;
    } else {
      ++result_.imputed;
    }
  }

  [[nodiscard]] std::string where(std::size_t r, std::size_t i) const {
    return table_.where(block_.places[r], asked_[i].column);
  }

  void learn_medians(std::size_t rows) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < encoding_.columns.size(); ++i) {
      if (!encoding_.columns[i].text) wanted.push_back(first_[i]);
    }
    const std::vector<double> medians =
        column_medians(std::span<const float>(values_.data(), rows * width_), width_, wanted);
    for (std::size_t i = 0, k = 0; i < encoding_.columns.size(); ++i) {
      if (!encoding_.columns[i].text) encoding_.columns[i].median = options_.origin[i] + medians[k++];
    }
  }

  void fill_missing(std::size_t rows) {
    for (std::size_t i = 0; i < encoding_.columns.size(); ++i) {
      const ColumnEncoding& column = encoding_.columns[i];
      if (column.text || (!column.indicator && result_.imputed == 0)) continue;
      const auto median = static_cast<float>(column.median - options_.origin[i]);
      for (std::size_t n = 0; n < rows; ++n) {
        float& value = values_.data()[n * width_ + first_[i]];
        if (std::isnan(value)) value = median;
      }
    }
  }

  Table& table_;
  const ColumnRoles& roles_;
  FeatureEncoding& encoding_;
  const EncodeOptions& options_;
  std::vector<ColumnRequest> asked_;
  CellBlock block_;
  SpillBuffer<float> values_;
  std::size_t width_;
  std::size_t row_ = 0;             // of the table, that the block begins with
  std::vector<std::size_t> first_;  // feature of each column
  std::vector<std::unordered_map<std::string, std::size_t>> categories_;
  LabelCollector labels_;
  EncodedTable result_;
};

}  // namespace

EncodedTable encode_table(Table& table, const ColumnRoles& roles, FeatureEncoding& encoding,
                          const EncodeOptions& options) {
  return Encoder(table, roles, encoding, options).read();
}

}  // namespace linkgistic
