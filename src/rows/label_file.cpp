#include "rows/label_file.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <linkgistic/error.hpp>

#include "io/file_bytes.hpp"
#include "io/file_list.hpp"
#include "rows/idx_reader.hpp"
#include "table/csv_reader.hpp"
#include "table/format.hpp"
#include "text/message.hpp"
#include "text/utf8.hpp"

namespace linkgistic {
namespace {

void require_one_column(const std::string& name, std::size_t columns) {
  if (columns == 1) return;
  throw InputError(name + ": has " + counted(columns, "column") + ", a file of labels has one");
}

std::vector<std::string> idx_labels(ByteSource& source) {
  std::vector<std::string> labels;
  for (const std::int32_t label : read_idx_labels(source.name(), read_all_bytes(source)))
    labels.push_back(std::to_string(label));
  return labels;
}

std::vector<std::string> table_labels(Table& table) {
  require_one_column(table.name(), table.columns().size());
  const ColumnRequest first{0, CellType::text};
  std::vector<std::string> labels;
  for (CellBlock block; table.read(std::span(&first, 1), rows_for(1), block) > 0; block.clear()) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      labels.emplace_back(block.columns[0].text(r));
      if (labels.back().empty())
        throw InputError(table.name() + ": " + table.place(block.places[r]) + ": the label is missing");
    }
  }
  return labels;
}

// The first line may be a header; the number of rows decides.
std::vector<std::string> text_labels(std::unique_ptr<ByteSource> source, const MissingWords& missing) {
  CsvReader reader(std::move(source));
  require_one_column(reader.name(), reader.header().size());
  std::vector<std::string> labels{canonical_label(reader.header()[0])};
  while (reader.next()) {
    if (!is_utf8(reader.fields()[0]))
      throw InputError(reader.name() + ": line " + std::to_string(reader.line()) +
                       ": the label is not in UTF-8");
    labels.push_back(canonical_label(reader.fields()[0]));
    if (missing.has(trimmed(reader.fields()[0])))
      throw InputError(reader.name() + ": line " + std::to_string(reader.line()) + ": the label is missing");
  }
  return labels;
}

// The labels of one file; `lines`: they are lines of text, of which the first may be a header.
std::vector<std::string> labels_in(const std::string& path, const MissingWords& missing, bool& lines) {
  std::unique_ptr<ByteSource> source = open_source(path);
  const Format& format = format_of(*source);
  lines = false;
  if (format.layout == Layout::images) return idx_labels(*source);
  if (format.open != nullptr && format.matches != nullptr)
    return table_labels(*format.open(std::move(source), {.missing = missing}));
  lines = true;
  return text_labels(std::move(source), missing);
}

// A first line that does not occur below it may be a header.
bool may_have_header(const std::vector<std::string>& labels) {
  return std::find(labels.begin() + 1, labels.end(), labels.front()) == labels.end();
}

}  // namespace

LabelColumn read_labels(const std::string& path, std::size_t rows, const std::string& rows_name,
                        const MissingWords& missing) {
  std::vector<std::vector<std::string>> files;
  bool headers = true;
  std::size_t count = 0;
  for (const std::string& file : files_of(path)) {
    bool lines = false;
    files.push_back(labels_in(file, missing, lines));
    headers = headers && lines && may_have_header(files.back());
    count += files.back().size();
  }
  // If every file has one line too many, and its first is a text that does not occur below it, it is a
  // header.
  headers = headers && count == rows + files.size();
  if (!headers && count != rows) {
    throw InputError(rows_name + " has " + counted(rows, "row") + " but " + path + " has " +
                     counted(count, "label"));
  }
  LabelCollector collector;
  for (const auto& labels : files)
    for (std::size_t i = headers ? 1 : 0; i < labels.size(); ++i) collector.add(labels[i]);
  return collector.take();
}

}  // namespace linkgistic
