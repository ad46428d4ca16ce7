#include "table/labelled_rows.hpp"

#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <linkgistic/error.hpp>

#include "table/columns.hpp"
#include "table/csv_reader.hpp"
#include "table/npy_reader.hpp"
#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

// Rows as they come: kept, dropped or refused.
class Collector {
 public:
  Collector(std::string table, const LabelledColumns& columns, Missing missing)
      : table_(std::move(table)), columns_(columns), missing_(missing) {
    rows_.numbers.resize(columns.numbers.size());
  }

  // A row's label, trimmed, and numbers; NaN and an empty label are missing.
  void add(const std::string& place, std::string_view label, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isnan(numbers[i])) return lose(place, columns_.numbers[i]);
    }
    if (!columns_.label.empty()) {
      if (label.empty() || label == "NA" || label == "?") return lose(place, columns_.label);
      rows_.labels.push_back(code(label, place));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) rows_.numbers[i].push_back(numbers[i]);
    ++kept_;
  }

  LabelledRows take() {
    if (kept_ == 0) {
      throw InputError(table_ +
                       (rows_.dropped == 0 ? ": there are no rows" : ": every row has a missing value"));
    }
    return std::move(rows_);
  }

 private:
  void lose(const std::string& place, const std::string& column) {
    if (missing_ == Missing::error) {
      throw InputError(table_ + ": " + place + ", column " + in_quotes(column) + ": missing value");
    }
    ++rows_.dropped;
  }

  std::int32_t code(std::string_view label, const std::string& place) {
    if (!rows_.names.empty() && label == rows_.names[static_cast<std::size_t>(last_)]) return last_;
    const auto [it, fresh] = codes_.emplace(label, static_cast<std::int32_t>(rows_.names.size()));
    if (fresh) {
      rows_.names.emplace_back(label);
      rows_.first.push_back(place);
    }
    return last_ = it->second;
  }

  std::string table_;
  const LabelledColumns& columns_;
  Missing missing_;
  LabelledRows rows_;
  std::size_t kept_ = 0;
  std::unordered_map<std::string, std::int32_t> codes_;
  std::int32_t last_ = 0;
};

LabelledRows read_csv(std::unique_ptr<ByteSource> source, char delimiter, const LabelledColumns& columns,
                      Missing missing) {
  CsvReader reader(std::move(source), CsvOptions{.delimiter = delimiter});
  const auto find = [&](const std::string& name) {
    return find_column(reader.name(), reader.header(), name);
  };
  std::vector<std::size_t> number;
  for (const std::string& name : columns.numbers) number.push_back(find(name));
  const std::size_t label = columns.label.empty() ? 0 : find(columns.label);
  Collector rows(reader.name(), columns, missing);
  std::vector<double> values(number.size());
  while (reader.next()) {
    const std::string place = "line " + std::to_string(reader.line());
    for (std::size_t i = 0; i < number.size(); ++i) {
      const std::string_view field = reader.fields()[number[i]];
      if (parse_number(field, values[i]) == NumberKind::text) {
        throw InputError(reader.name() + ": " + place + ", column " + in_quotes(columns.numbers[i]) + ": " +
                         in_quotes(trimmed(field)) + " is not a number");
      }
    }
    rows.add(place, columns.label.empty() ? std::string_view() : trimmed(reader.fields()[label]), values);
  }
  return rows.take();
}

LabelledRows read_npy(std::unique_ptr<ByteSource> source, const LabelledColumns& columns, Missing missing) {
  NpyTable table(std::move(source), true);  // infinite scores are for the caller to judge
  std::vector<std::size_t> number;
  for (const std::string& name : columns.numbers) number.push_back(table.column(name));
  if (!columns.label.empty()) number.push_back(table.column(columns.label));
  Collector rows(table.name(), columns, missing);
  std::vector<double> values(columns.numbers.size());
  NumberBlock block;
  while (table.read(number, rows_per_block, block) > 0) {
    for (std::size_t r = 0; r < block.places.size(); ++r) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = block.columns[i][r];
      char text[32];
      std::string_view label;
      if (!columns.label.empty() && !std::isnan(block.columns.back()[r])) {
        const auto end = std::to_chars(text, text + sizeof text, block.columns.back()[r]);
        label = {text, static_cast<std::size_t>(end.ptr - text)};
      }
      rows.add("row " + std::to_string(block.places[r]), label, values);
    }
  }
  return rows.take();
}

}  // namespace

LabelledRows read_labelled_rows(std::unique_ptr<ByteSource> source, char delimiter,
                                const LabelledColumns& columns, Missing missing) {
  char start[npy_magic.size()] = {};
  const std::size_t count = source->read(start);
  source->rewind();
  if (std::string_view(start, count) == npy_magic) return read_npy(std::move(source), columns, missing);
  return read_csv(std::move(source), delimiter, columns, missing);
}

bool same_label(const std::string& a, const std::string& b) {
  if (a == b) return true;
  double x = 0, y = 0;
  return parse_number(a, x) == NumberKind::finite && parse_number(b, y) == NumberKind::finite && x == y;
}

}  // namespace linkgistic
