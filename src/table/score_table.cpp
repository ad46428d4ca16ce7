#include "table/score_table.hpp"

#include <memory>
#include <utility>

#include "table/row_stream.hpp"

namespace linkgistic {

ScoreTable read_scores(std::unique_ptr<Table> table, const ScoreColumns& columns, MissingValues missing) {
  std::vector<NamedColumn> wanted;
  for (const std::string& name : columns.scores) wanted.push_back({name, CellType::score});
  if (!columns.label.empty()) wanted.push_back({columns.label, CellType::text});
  if (!columns.weight.empty()) wanted.push_back({columns.weight, CellType::weight});
  ScoreTable result;
  result.name = table->name();
  const std::size_t scores = columns.scores.size();
  LabelCollector labels;
  const auto shared = std::make_shared<CompleteRows>(std::move(table), wanted, missing);
  CompleteRows& rows = *shared;
  while (const std::size_t count = rows.next()) {
    const std::size_t before = result.score.size();
    result.score.resize(before + count * scores);
    for (std::size_t c = 0; c < scores; ++c) {
      double* out = result.score.data() + before + c;
      for (const double score : rows.column(c)) {
        *out = score;
        out += scores;
      }
    }
    for (std::size_t r = 0; r < count && !columns.label.empty(); ++r)
      labels.add(rows.text(scores, r), [&] { return rows.place(r); });
    if (columns.weight.empty()) continue;
    const auto weight = rows.column(wanted.size() - 1);
    result.weight.insert(result.weight.end(), weight.begin(), weight.end());
  }
  result.labels = labels.take();
  result.dropped = rows.dropped();
  result.where = [shared](std::size_t row, std::size_t column) {
    shared->rewind();
    for (std::size_t count = shared->next(); row >= count; count = shared->next()) row -= count;
    return shared->where(column, row);
  };
  return result;
}

}  // namespace linkgistic
