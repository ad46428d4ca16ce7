#include "score_rows.hpp"

#include <utility>

#include "text/message.hpp"

namespace linkgistic {

ScoreTable read_score_table(const DataOptions& data, const ScoreColumns& columns, const Context& context) {
  ScoreTable table = read_scores(open_table(data), columns, missing_of(data));
  if (table.dropped > 0) context.note(counted(table.dropped, "row") + " with a missing value left out");
  return table;
}

ScoreRows read_binary_scores(const DataOptions& data, const BinaryScoreColumns& columns,
                             const Context& context) {
  ScoreTable table = read_score_table(data, {{columns.score}, columns.label, columns.weights}, context);
  return {binary_labels(table.name, table.labels, columns.positive, columns.known_negatives),
          std::move(table.score), std::move(table.weight), std::move(table.where)};
}

ClassScoreRows read_class_scores(const DataOptions& data, const ScoreColumns& columns,
                                 const std::vector<std::string>& known, const Context& context) {
  ScoreTable table = read_score_table(data, columns, context);
  return {class_labels(table.name, table.labels, columns.scores, known), std::move(table.score),
          std::move(table.weight), std::move(table.where)};
}

}  // namespace linkgistic
