#include "data_options.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include <linkgistic/error.hpp>

#include "rows/missing_names.hpp"
#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {

char delimiter_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) {
    throw UsageError("--delimiter " + in_quotes(text) + ": it must be one character, or the word tab");
  }
  return text[0];
}

char decimal_of(const DataOptions& options) { return options.decimal[0]; }

std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> result;
  std::size_t first = 0;
  for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',', first)) {
    result.emplace_back(trimmed(std::string_view(names).substr(first, comma - first)));
    first = comma + 1;
  }
  result.emplace_back(trimmed(std::string_view(names).substr(first)));
  return result;
}

void add_reading(const DataOptions& options, std::map<std::string, std::string>& columns) {
  if (options.missing != DataOptions().missing) columns["missing"] = options.missing;
  if (options.na) columns["na"] = *options.na;
  if (!options.delimiter.empty()) columns["delimiter"] = options.delimiter;
  if (options.decimal != DataOptions().decimal) columns["decimal"] = options.decimal;
}

std::size_t bytes_of(const std::string& flag, const std::string& text) {
  const std::string_view units = "KMGT";
  std::string_view number = text;
  double factor = 1;
  if (!number.empty() && units.find(number.back()) != units.npos) {
    factor = std::ldexp(1.0, 10 * static_cast<int>(units.find(number.back()) + 1));
    number.remove_suffix(1);
  }
  double value = 0;
  if (parse_number(number, value) != NumberKind::finite || !(value * factor >= 1 && value * factor < 1e18))
    throw UsageError(flag + " = " + in_quotes(text) + ": it must be a size such as 500M or 2G");
  return static_cast<std::size_t>(value * factor);
}

std::optional<double> number_or_auto(const std::string& flag, const std::string& text) {
  if (text == "auto") return std::nullopt;
  double value = 0;
  if (parse_number(text, value) != NumberKind::finite) {
    throw UsageError(flag + " " + in_quotes(text) + ": it must be a number, or the word auto");
  }
  return value;
}

Rate rate_or_learn(const std::string& flag, const std::string& text) {
  if (text == "learn") return {0, true};
  double value = 0;
  if (parse_number(text, value) != NumberKind::finite)
    throw UsageError(flag + " " + in_quotes(text) + ": it must be a number, or the word learn");
  return {value, false};
}

void add_table_options(CLI::App& verb, DataOptions& options, bool required) {
  verb.add_option("file", options.file,
                  "Table: CSV with a header, NPY, JSON Lines or Parquet, also gzip; a folder or a pattern in "
                  "quotes is "
                  "all its files; - is standard input")
      ->required(required);
  add_cell_options(verb, options);
}

void add_memory_option(CLI::App& verb, DataOptions& options) {
  verb.add_option(
      "--memory", options.memory,
      "Most memory for the rows of a classifier, such as 2G; more of them go to a temporary file that "
      "is mapped. Default: half of the machine's");
}

std::size_t memory_of(const DataOptions& options) {
  return options.memory.empty() ? 0 : bytes_of("--memory", options.memory);
}

void add_cell_options(CLI::App& verb, DataOptions& options) {
  verb.add_option("--delimiter", options.delimiter,
                  "Character between the fields of a CSV file, or the word tab (default: found from the "
                  "header)");
  verb.add_option(
          "--decimal", options.decimal,
          "What stands before the decimals of the numbers of a CSV file: a comma, as in 3,14 (default: "
          "a point)")
      ->check([](const std::string& text) {
        return text == "." || text == "," ? "" : in_quotes(text) + ": it must be a point or a comma";
      });
  std::string words;
  for (const std::string& word : default_missing_words()) words += (words.empty() ? "" : ",") + word;
  verb.add_option("--na", options.na,
                  "Words that stand for a missing value, separated by commas, in place of " + words +
                      "; an empty field always does");
}

void add_response_options(CLI::App& verb, DataOptions& options, const std::string& without) {
  verb.add_option("--offset", options.offset,
                  "Column that is added to the curve, on the scale of the link" + without);
  verb.add_option(
      "--exposure", options.exposure,
      "Column that multiplies the mean: time, area, persons (poisson, negative-binomial, gamma)" + without);
  verb.add_option("--trials", options.trials,
                  "Column of the numbers of trials, of which y succeed (binomial)" + without);
}

void add_missing_option(CLI::App& verb, DataOptions& options) {
  verb.add_option("--missing", options.missing,
                  "What to do with a row with a missing value: refuse it or leave it out")
      ->check(CLI::IsMember({"error", "drop"}))
      ->capture_default_str();
}

MissingValues missing_of(const DataOptions& options) { return missing_names().at(options.missing); }

std::vector<std::string> na_of(const DataOptions& options) {
  return options.na ? split_names(*options.na) : default_missing_words();
}

std::unique_ptr<Table> open_table(const DataOptions& options) {
  const TableOptions how{delimiter_of(options.delimiter), MissingWords(na_of(options)), decimal_of(options)};
  return open_table(options.file, how);
}

TableRows open_rows(const DataOptions& options) { return make_rows(open_table(options), options); }

TableRows make_rows(std::unique_ptr<Table> table, const DataOptions& options) {
  return {std::move(table), RowColumns{options.x, options.y, options.weights}, missing_of(options)};
}

void note_dropped(const TableRows& rows, const Context& context) {
  if (rows.dropped() > 0) context.note(counted(rows.dropped(), "row") + " with a missing value left out");
}

std::string with_name(const std::string& message, const DataOptions& options) {
  const std::string name = options.file == "-" ? "stdin" : options.file;
  return message.starts_with(name) ? message : name + ": " + message;
}

}  // namespace linkgistic
