// A row of predictions for every row of a table, read block by block.
#pragma once

#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "context.hpp"
#include "model.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "table/row_stream.hpp"
#include "table/table.hpp"
#include "text/message.hpp"

namespace linkgistic {

/// Writes the names of the columns and a line for each row of the table. predict(block) takes the rows
/// without a missing value and returns a function append(text, i) that adds the line of the i-th of them. The
/// other rows have empty fields, so that the lines of the output are those of the table.
template <class Predict>
void write_predictions(Table& table, std::span<const ColumnRequest> asked, const PredictOptions& options,
                       const std::vector<std::string>& columns, const Context& context,
                       const Predict& predict) {
  Output output(options.output);
  Progress progress(context, "predicting");
  std::string text;
  for (const std::string& name : columns) text += (text.empty() ? "" : ",") + field(name);
  text += '\n';
  const std::string gap = std::string(columns.size() - 1, ',') + "\n";
  std::size_t gaps = 0;
  CellBlock block;
  while (const std::size_t rows = table.read(asked, rows_per_block, block)) {
    std::vector<std::size_t> complete(rows);
    std::iota(complete.begin(), complete.end(), std::size_t{0});
    if (block.missing > 0) complete = block.keep_complete();
    gaps += rows - complete.size();
    std::size_t done = 0;  // rows of the block
    if (!complete.empty()) {
      const auto append = predict(block);
      for (std::size_t i = 0; i < complete.size(); ++i) {
        for (; done < complete[i]; ++done) text += gap;
        append(text, i);
        ++done;
      }
    }
    for (; done < rows; ++done) text += gap;
    output.write(text);
    text.clear();
    progress.add(rows);
    block.clear();
  }
  output.write(text);
  output.commit();
  if (gaps > 0) context.note(counted(gaps, "row") + " with a missing value: the fields are empty");
}

}  // namespace linkgistic
