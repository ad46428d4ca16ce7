#include "rows/table_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <linkgistic/error.hpp>

#include "io/spill_buffer.hpp"
#include "rows/column_median.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr float missing_number = std::numeric_limits<float>::quiet_NaN();

class Encoder {
 public:
  Encoder(Records& records, const TableColumns& columns, FeatureEncoding& encoding,
          const EncodeOptions& options)
      : records_(records),
        columns_(columns),
        encoding_(encoding),
        options_(options),
        values_(options.budget),
        width_(encoding.width()) {
    std::size_t first = 0;
    for (const ColumnEncoding& column : encoding.columns) {
      first_.push_back(first);
      first += column.width();
      categories_.emplace_back();
      for (std::size_t k = 0; k < column.categories.size(); ++k)
        categories_.back().emplace(column.categories[k], k);
    }
  }

  EncodedTable read() {
    for (; records_.next(); ++row_) {
      if (options_.drop && is_dropped()) {
        ++result_.dropped;
        continue;
      }
      add_label();
      add_weight();
      float* const out = values_.extend(width_);
      for (std::size_t i = 0; i < encoding_.columns.size(); ++i) add_cell(i, out + first_[i]);
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
  [[nodiscard]] bool is_dropped() const {
    const TableColumns answers{{}, columns_.label, columns_.weight};
    return (options_.training ? columns_ : answers).missing_in(records_).has_value();
  }

  void add_label() {
    if (options_.labels != nullptr) {
      const auto code = static_cast<std::size_t>(options_.labels->codes[row_]);
      return labels_.add(options_.labels->names[code]);
    }
    if (!columns_.label) return;
    std::string label = canonical_label(records_.text(*columns_.label));
    if (label.empty()) throw InputError(records_.where(*columns_.label) + ": the label is missing");
    labels_.add(std::move(label));
  }

  void add_weight() {
    if (!columns_.weight) return;
    const std::size_t j = *columns_.weight;
    double weight = 0;
    if (records_.number(j, weight) != NumberKind::finite) {
      throw InputError(records_.where(j) + ": " + in_quotes(records_.text(j)) +
                       " is no weight, a finite number");
    }
    if (weight < 0) throw InputError(records_.where(j) + ": a weight must not be negative");
    result_.weights.push_back(weight);
  }

  void add_cell(std::size_t i, float* out) {
    if (encoding_.columns[i].text) {
      add_category(i, out);
    } else {
      add_number(i, out);
    }
  }

  void add_category(std::size_t i, float* out) {
    const std::size_t j = columns_.features[i];
    double value = 0;
    const bool missing = records_.number(j, value) == NumberKind::missing;
    const auto place = categories_[i].find(missing ? std::string() : records_.text(j));
    if (place == categories_[i].end()) {
      ++result_.unseen;
    } else {
      out[place->second] = 1;
    }
  }

  void add_number(std::size_t i, float* out) {
    const ColumnEncoding& column = encoding_.columns[i];
    const std::size_t j = columns_.features[i];
    double value = 0;
    const NumberKind kind = records_.number(j, value);
    if (kind == NumberKind::missing) {
      out[0] = missing_number;
      if (column.indicator) {
        out[1] = 1;
      } else {
        ++result_.imputed;
      }
      return;
    }
    const double stored = value - options_.origin[i];
    if (kind != NumberKind::finite || !(std::abs(stored) <= double{std::numeric_limits<float>::max()})) {
      throw InputError(records_.where(j) + ": " + in_quotes(records_.text(j)) +
                       (kind == NumberKind::text       ? " is not a number"
                        : kind == NumberKind::infinite ? " is not finite"
                                                       : " is too large for single precision"));
    }
    out[0] = static_cast<float>(stored);
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

  Records& records_;
  const TableColumns& columns_;
  FeatureEncoding& encoding_;
  const EncodeOptions& options_;
  SpillBuffer<float> values_;
  std::size_t width_;
  std::size_t row_ = 0;
  std::vector<std::size_t> first_;  // feature of each column
  std::vector<std::unordered_map<std::string, std::size_t>> categories_;
  LabelCollector labels_;
  EncodedTable result_;
};

}  // namespace

EncodedTable encode_table(Records& records, const TableColumns& columns, FeatureEncoding& encoding,
                          const EncodeOptions& options) {
  return Encoder(records, columns, encoding, options).read();
}

}  // namespace linkgistic
