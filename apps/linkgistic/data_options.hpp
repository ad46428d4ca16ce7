// The flags that say which table to read and how, the same for every verb that reads one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <linkgistic/response.hpp>

#include "context.hpp"
#include "table/row_stream.hpp"
#include "table/table.hpp"

namespace linkgistic {

struct DataOptions {
  std::string file;
  std::string x, y, weights;             // names of columns
  std::string offset, exposure, trials;  // the same for a regression
  std::string positive;                  // the label of y whose probability a regression has
  std::string score, label;              // the same for calibrators; label: for classifiers too
  std::string labels;                    // a file of labels, for classifiers
  std::string delimiter;
  std::string decimal = ".";
  std::string missing = "error";
  std::string memory;             // most bytes of rows that are held
  std::optional<std::string> na;  // words that stand for a missing value; not given: the default ones
};

/// The table itself, --delimiter, --decimal and --na.
void add_table_options(CLI::App& verb, DataOptions& options, bool required = true);
/// --offset, --exposure and --trials, of a regression.
void add_response_options(CLI::App& verb, DataOptions& options, const std::string& without);
/// --missing error|drop.
void add_missing_option(CLI::App& verb, DataOptions& options);

/// The character that --delimiter names; 0: found from the header.
char delimiter_of(const std::string& text);

/// The character that --decimal names.
char decimal_of(const DataOptions& options);

/// "a,b,c" cut at its commas.
std::vector<std::string> split_names(const std::string& names);
/// Adds to the names of columns, which a model keeps, how the table was read: "missing", "delimiter",
/// "decimal".
void add_reading(const DataOptions& options, std::map<std::string, std::string>& columns);
/// The number that a flag has; "auto" is empty, anything else a UsageError.
std::optional<double> number_or_auto(const std::string& flag, const std::string& text);

/// The value of a flag that is a number or `learn`; anything else is a UsageError.
Rate rate_or_learn(const std::string& flag, const std::string& text);

/// The bytes that a flag has: a number, perhaps with K, M, G or T (powers of 1024); anything else is a
/// UsageError.
std::size_t bytes_of(const std::string& flag, const std::string& text);

/// --memory, of what holds the rows of a classifier.
void add_memory_option(CLI::App& verb, DataOptions& options);
/// What it says; 0: the default.
std::size_t memory_of(const DataOptions& options);

/// --delimiter, --decimal and --na.
void add_cell_options(CLI::App& verb, DataOptions& options);

/// What --missing says.
MissingValues missing_of(const DataOptions& options);
/// The words of --na.
std::vector<std::string> na_of(const DataOptions& options);

/// Opens the table; a pipe or a terminal is read to its end here, and may be interrupted.
std::unique_ptr<Table> open_table(const DataOptions& options);
/// The columns x, y and weights of the table, and the same of one that is open.
TableRows open_rows(const DataOptions& options);
TableRows make_rows(std::unique_ptr<Table> table, const DataOptions& options);
/// Says how many rows were left out, if any.
void note_dropped(const TableRows& rows, const Context& context);

/// "cars.csv: message", unless the message begins with the name of the table.
std::string with_name(const std::string& message, const DataOptions& options);

}  // namespace linkgistic
