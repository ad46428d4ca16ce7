#include "score_rows.hpp"

#include <algorithm>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "data/labelled_rows.hpp"
#include "data/message.hpp"
#include "data/number.hpp"
#include "signals.hpp"

namespace linkgistic {
namespace {

LabelledRows read_rows(const DataOptions& data, const LabelledColumns& columns) {
  const char delimiter = delimiter_of(data.delimiter);
  std::unique_ptr<ByteSource> source;
  {
    const EndAtOnce while_reading_a_pipe;
    source = open_source(data.file);
  }
  LabelledRows rows = read_labelled_rows(std::move(source), delimiter, columns,
                                         data.missing == "drop" ? Missing::drop : Missing::error);
  if (stop_requested()) throw Interrupted();
  return rows;
}

// The positive one of the labels that came.
std::string find_positive(const std::vector<std::string>& names, const DataOptions& data) {
  const std::vector<std::string> sorted = encode_labels(names).names;
  if (sorted.size() == 2) return sorted[1];
  double number = 0;
  if (sorted.size() == 1 && parse_number(sorted[0], number) == NumberKind::finite) {
    return number > 0 ? sorted[0] : "1";
  }
  throw InputError(with_name(counted(sorted.size(), "different label") +
                                 " where two are needed: --positive LABEL says which one is positive",
                             data));
}

}  // namespace

ScoreRows read_scores(const DataOptions& data, const ScoreColumns& columns, const Context& context) {
  LabelledColumns wanted{{columns.score}, columns.label};
  if (!columns.weights.empty()) wanted.numbers.push_back(columns.weights);
  LabelledRows read = read_rows(data, wanted);
  if (read.dropped > 0) context.note(counted(read.dropped, "row") + " with a missing value left out");
  ScoreRows rows;
  rows.positive = columns.positive.empty() ? find_positive(read.names, data) : columns.positive;
  std::vector<std::uint8_t> is_positive;
  for (const std::string& name : read.names) is_positive.push_back(same_label(name, rows.positive) ? 1 : 0);
  rows.label.reserve(read.labels.size());
  for (const std::int32_t code : read.labels)
    rows.label.push_back(is_positive[static_cast<std::size_t>(code)]);
  rows.score = std::move(read.numbers[0]);
  if (read.numbers.size() > 1) rows.weight = std::move(read.numbers[1]);
  return rows;
}

std::vector<double> read_score_column(const DataOptions& data, const std::string& column) {
  return std::move(read_rows(data, {{column}, ""}).numbers[0]);
}

}  // namespace linkgistic
