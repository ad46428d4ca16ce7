#include "score_rows.hpp"

#include <algorithm>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "signals.hpp"
#include "table/labelled_rows.hpp"
#include "text/message.hpp"
#include "text/parse_number.hpp"

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

std::string listed(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + in_quotes(label);
  return text;
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
  for (std::size_t i = 0; i < read.names.size(); ++i) {
    const std::string& name = read.names[i];
    is_positive.push_back(same_label(name, rows.positive) ? 1 : 0);
    if (is_positive.back() == 1) continue;
    rows.negatives.push_back(name);
    const auto& known = columns.known_negatives;
    if (known.empty() || std::any_of(known.begin(), known.end(),
                                     [&](const std::string& label) { return same_label(label, name); })) {
      continue;
    }
    throw InputError(with_name(read.first[i] + ": the model does not know the label " + in_quotes(name) +
                                   "; its labels are " + in_quotes(rows.positive) + " and " + listed(known),
                               data));
  }
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

namespace {

// The class of every column.
std::vector<std::string> match_classes(const std::vector<std::string>& columns,
                                       const std::vector<std::string>& labels, const DataOptions& data) {
  const std::vector<std::string> sorted = encode_labels(labels).names;
  std::vector<std::string> found;
  for (const std::string& column : columns) {
    // The longest label that the name ends with.
    std::string best;
    for (const std::string& label : sorted) {
      if (column.ends_with(label) && label.size() > best.size()) best = label;
    }
    if (best.empty() || std::find(found.begin(), found.end(), best) != found.end()) break;
    found.push_back(best);
  }
  const bool all = found.size() == columns.size() &&
                   std::all_of(sorted.begin(), sorted.end(), [&](const std::string& label) {
                     return std::find(found.begin(), found.end(), label) != found.end();
                   });
  if (all) return found;
  if (sorted.size() == columns.size()) return sorted;
  throw InputError(with_name(counted(columns.size(), "column") + " of scores and " +
                                 counted(sorted.size(), "different label") +
                                 ": name each column by its class",
                             data));
}

}  // namespace

ClassScoreRows read_class_scores(const DataOptions& data, const std::vector<std::string>& scores,
                                 const std::string& label, const std::string& weights,
                                 const std::vector<std::string>& known, const Context& context) {
  LabelledColumns wanted{scores, label};
  if (!weights.empty()) wanted.numbers.push_back(weights);
  LabelledRows read = read_rows(data, wanted);
  if (read.dropped > 0) context.note(counted(read.dropped, "row") + " with a missing value left out");
  ClassScoreRows rows;
  rows.class_names = known;
  if (known.empty()) rows.class_names = match_classes(scores, read.names, data);
  std::vector<std::int32_t> place;
  for (const std::string& name : read.names) {
    const auto it = std::find_if(rows.class_names.begin(), rows.class_names.end(),
                                 [&](const std::string& c) { return same_label(c, name); });
    if (it == rows.class_names.end()) {
      const std::string& line = read.first[static_cast<std::size_t>(&name - read.names.data())];
      throw InputError(with_name(line + ": there is no class " + in_quotes(name), data));
    }
    place.push_back(static_cast<std::int32_t>(it - rows.class_names.begin()));
  }
  for (const std::int32_t code : read.labels) rows.label.push_back(place[static_cast<std::size_t>(code)]);
  const std::size_t count = read.numbers[0].size();
  rows.score.reserve(count * scores.size());
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t c = 0; c < scores.size(); ++c) rows.score.push_back(read.numbers[c][n]);
  }
  if (!weights.empty()) rows.weight = std::move(read.numbers.back());
  return rows;
}

}  // namespace linkgistic
