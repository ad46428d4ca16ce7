#include "table/cell_writer.hpp"

#include <cmath>
#include <limits>

#include <linkgistic/error.hpp>

#include "table/labels.hpp"
#include "text/print_number.hpp"
#include "text/utf8.hpp"

namespace linkgistic {

CellWriter::CellWriter(const Table& table, const MissingWords& missing, std::span<const ColumnRequest> asked,
                       CellBlock& block)
    : table_(table),
      missing_(missing),
      asked_(asked),
      block_(block),
      numbers_stand_for_themselves_(!missing.has_numbers()) {
  block.columns.resize(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    block.columns[i].type = asked[i].type;
    if (asked[i].type == CellType::text) numbers_stand_for_themselves_ = false;
  }
}

void CellWriter::put(std::size_t i, double value) {
  if (std::isnan(value)) return put_missing(i);
  if (std::isinf(value)) return put_unusual(i, shortest(value), NumberKind::infinite, value);
  if (block_.columns[i].type != CellType::text) return put_number(i, value);
  put_text(i, canonical_label(value));
}

void CellWriter::put_missing(std::size_t i) {
  CellColumn& column = block_.columns[i];
  ++block_.missing;
  if (column.type == CellType::text) return column.add_text({});
  column.numbers.push_back(std::numeric_limits<double>::quiet_NaN());
}

bool CellWriter::forget_rows(std::size_t before) {
  for (CellColumn& column : block_.columns) {
    if (column.numbers.size() > before) column.numbers.resize(before);
  }
  return false;
}

void CellWriter::put_text(std::size_t i, std::string_view text) {
  if (missing_.has(text)) return put_missing(i);
  if (!is_utf8(text)) refuse_bytes(i);
  block_.columns[i].add_text(text);
}

// What is not a finite number: `text` as it stands, without blanks at its ends.
void CellWriter::put_unusual(std::size_t i, std::string_view text, NumberKind kind, double value) {
  CellColumn& column = block_.columns[i];
  const bool infinite = kind == NumberKind::infinite;
  if (kind == NumberKind::nan || missing_.has(text)) return put_missing(i);
  if (column.type == CellType::text) return put_text(i, text);
  if (column.type == CellType::score && infinite) return column.numbers.push_back(value);
  if (column.type != CellType::either) {
    fail(i, in_quotes(text) + (infinite ? " is not finite" : " is not a number"));
  }
  if (!is_utf8(text)) refuse_bytes(i);
  block_.words.push_back({block_.rows() - 1, i, std::string(text), infinite});
  column.numbers.push_back(std::numeric_limits<double>::infinity());
}

void CellWriter::refuse(std::size_t i, double value) const {
  const bool weight = block_.columns[i].type == CellType::weight;
  if (weight && value < 0) fail(i, "a weight must not be negative");
  fail(i, shortest(value) + " is too large: " + (weight ? weight_rule : feature_rule));
}

void CellWriter::refuse_bytes(std::size_t i) const {
  fail(i, "the text is not in UTF-8; convert the file, as with iconv -f latin1 -t utf-8");
}

void CellWriter::fail(std::size_t i, const std::string& what) const {
  throw InputError(table_.where(block_.places.back(), asked_[i].column) + ": " + what);
}

}  // namespace linkgistic
