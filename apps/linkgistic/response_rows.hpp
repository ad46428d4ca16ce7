// The rows of a table for a regression of any response: the columns that the response takes, every cell
// checked, labels as numbers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <linkgistic/rows.hpp>

#include "data_options.hpp"
#include "response/response.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {

/// Labels of y where it is one of two: they are read on the first pass.
struct ResponseLabels {
  std::string positive;                // empty: the second of two
  std::vector<std::string> negatives;  // those that a model knows; empty: any
};

/// A UsageError for a flag of a column that the response does not take, and for one that it lacks.
void check_columns(const DataOptions& options, const Response& response);

class ResponseRows final : public ForeseenRows {
 public:
  /// The response must outlive the stream. Throws an InputError with file, line and column for the first cell
  /// that cannot be, where it is read.
  ResponseRows(std::unique_ptr<Table> table, const DataOptions& options, const Response& response,
               const ResponseLabels& labels);

  RowBlock next() override;
  void rewind() override;
  /// Of x and y alone: a weight of 0 leaves a row out, an offset changes y.
  [[nodiscard]] std::optional<KnownRows> known_rows() const override;
  [[nodiscard]] std::size_t dropped() const { return rows_.dropped(); }
  /// What y was read as; empty where it is a number.
  [[nodiscard]] const ResponseLabels& labels() const { return labels_; }

 private:
  [[nodiscard]] std::span<const double> column(const std::string& role) const;
  void check(const RowBlock& block) const;
  void read_labels(const ResponseLabels& known);

  const Response& response_;
  std::string table_;
  std::map<std::string, std::string> names_;   // of the columns, by their roles
  std::map<std::string, std::size_t> places_;  // among those read
  CompleteRows rows_;
  bool labelled_;
  std::vector<double> label_;  // (rows) of a labelled y
  ResponseLabels labels_;
  std::size_t row_ = 0;
};

/// Says how many rows were left out, if any.
void note_dropped(const ResponseRows& rows, const Context& context);

}  // namespace linkgistic
