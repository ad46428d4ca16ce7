#include "rows/label_column.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <linkgistic/error.hpp>

#include "rows/idx_reader.hpp"
#include "table/csv_reader.hpp"
#include "table/data_format.hpp"
#include "table/npy_reader.hpp"
#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

std::vector<std::string> idx_labels(const std::string& path) {
  std::vector<std::string> labels;
  for (const std::int32_t label : read_idx_labels(path)) labels.push_back(std::to_string(label));
  return labels;
}

std::vector<std::string> npy_labels(std::unique_ptr<ByteSource> source) {
  NpyTable table(std::move(source));
  if (table.column_names().size() != 1) {
    throw InputError(table.name() + ": has " + counted(table.column_names().size(), "column") +
                     ", labels have one");
  }
  std::vector<std::string> labels;
  NumberBlock block;
  const std::size_t first = 0;
  while (table.read(std::span(&first, 1), 1 << 16, block) > 0) {
    for (std::size_t i = 0; i < block.places.size(); ++i) {
      const double value = block.columns[0][i];
      if (std::isnan(value)) {
        throw InputError(table.name() + ": row " + std::to_string(block.places[i]) +
                         ": the label is missing");
      }
      labels.push_back(canonical_label(value));
    }
  }
  return labels;
}

// The first line may be a header: whoever knows the number of rows can tell.
std::vector<std::string> text_labels(std::unique_ptr<ByteSource> source) {
  CsvReader reader(std::move(source));
  if (reader.header().size() != 1) {
    throw InputError(reader.name() + ": has " + counted(reader.header().size(), "column") +
                     ", a file of labels has one");
  }
  std::vector<std::string> labels{canonical_label(reader.header()[0])};
  while (reader.next()) {
    labels.push_back(canonical_label(reader.fields()[0]));
    if (labels.back().empty()) {
      throw InputError(reader.name() + ": line " + std::to_string(reader.line()) + ": the label is missing");
    }
  }
  return labels;
}

}  // namespace

std::string canonical_label(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  switch (parse_number(text, value)) {
    case NumberKind::finite:
      return canonical_label(value);
    case NumberKind::missing:
      return "";
    default:
      return std::string(text);
  }
}

std::string canonical_label(double value) {
  char buffer[40];
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value)).ptr};
  }
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

void LabelCollector::add(std::string label) {
  const auto [place, is_new] =
      places_.try_emplace(std::move(label), static_cast<std::int32_t>(labels_.names.size()));
  if (is_new) labels_.names.push_back(place->first);
  labels_.codes.push_back(place->second);
}

LabelColumn read_labels(const std::string& path, std::size_t rows, const std::string& rows_name) {
  std::unique_ptr<ByteSource> source = open_source(path);
  const DataFormat format = data_format(*source);
  std::vector<std::string> labels;
  std::size_t first = 0;
  if (format == DataFormat::idx) {
    labels = idx_labels(path);
  } else if (format == DataFormat::npy) {
    labels = npy_labels(std::move(source));
  } else {
    labels = text_labels(std::move(source));
    // One line too many, of a text that is no label below it, is a header.
    const bool header = std::find(labels.begin() + 1, labels.end(), labels.front()) == labels.end();
    if (labels.size() == rows + 1 && header) first = 1;
  }
  if (labels.size() - first != rows) {
    throw InputError(rows_name + " has " + counted(rows, "row") + " but " + path + " has " +
                     counted(labels.size(), "label"));
  }
  LabelCollector collector;
  for (std::size_t i = first; i < labels.size(); ++i) collector.add(std::move(labels[i]));
  return collector.take();
}

}  // namespace linkgistic
