#include "table/joined_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include <linkgistic/error.hpp>

#include "table/cell_writer.hpp"
#include "table/format.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr unsigned place_bits = 40;  // of a row in its file; the bits above are the file
constexpr std::size_t not_there = std::numeric_limits<std::size_t>::max();

struct TableFile {
  std::string path;
  const char* place_word = "line";
  bool keys = false;                // its columns are the keys that some line has
  std::vector<std::size_t> column;  // (columns): where each is in the file; empty: in its own place
};

// The first column of `some` that `all` has not.
const std::string* first_beyond(const ColumnNames& some, const ColumnNames& all) {
  for (const std::string& name : some.names())
    if (!all.has(name)) return &name;
  return nullptr;
}

class JoinedTable final : public Table {
 public:
  JoinedTable(std::string name, std::vector<std::string> files, const TableOptions& options,
              std::pair<std::size_t, std::size_t> read)
      : Table(std::move(name), options, "row"), options_(options), read_(read), file_(read.first) {
    std::vector<ColumnNames> names;
    for (std::string& path : files) {
      const std::unique_ptr<Table> table = open(path);
      files_.push_back({std::move(path), table->place_word(), keys_, {}});
      names.push_back(table->columns());
    }
    set_columns(all_names(names));
    for (std::size_t f = 0; f < files_.size(); ++f) match(names[0], names[f], files_[f]);
  }

  void rewind() override {
    table_.reset();
    file_ = read_.first;
  }

  [[nodiscard]] std::optional<KnownColumn> known_column(std::size_t column) const override {
    std::optional<KnownColumn> all;
    for (const TableFile& file : files_) {
      const std::size_t at = file.column.empty() ? column : file.column[column];
      if (at == not_there) return std::nullopt;
      const auto own = open_table(open_source(file.path), options_)->known_column(at);
      if (!own) return std::nullopt;
      if (!all) all = KnownColumn{0, own->lower, own->upper};
      all->rows += own->rows;
      all->lower = std::min(all->lower, own->lower);
      all->upper = std::max(all->upper, own->upper);
    }
    return all;
  }

  [[nodiscard]] std::string place(std::size_t place) const override {
    const TableFile& file = file_of(place);
    return file.path + " " + file.place_word + " " + std::to_string(in_file(place));
  }
  [[nodiscard]] std::string where(std::size_t place, std::size_t column) const override {
    const TableFile& file = file_of(place);
    return file.path + ": " + file.place_word + " " + std::to_string(in_file(place)) + ", column " +
           in_quotes(columns()[column]);
  }

 private:
  [[nodiscard]] const TableFile& file_of(std::size_t place) const { return files_[place >> place_bits]; }
  static std::size_t in_file(std::size_t place) { return place & ((std::size_t{1} << place_bits) - 1); }

  std::unique_ptr<Table> open(const std::string& path) {
    std::unique_ptr<ByteSource> source = open_source(path);
    keys_ = format_of(*source).columns_are_keys;
    return open_table(std::move(source), options_);
  }

  // Those of the first file, then keys that later ones of JSON Lines add.
  [[nodiscard]] std::vector<std::string> all_names(const std::vector<ColumnNames>& names) const {
    std::vector<std::string> all = names[0].names();
    std::unordered_set<std::string> known(all.begin(), all.end());
    for (std::size_t f = 1; f < names.size(); ++f)
      for (const std::string& name : names[f].names())
        if (files_[f].keys && files_[0].keys && known.insert(name).second) all.push_back(name);
    return all;
  }

  void match(const ColumnNames& first, const ColumnNames& own, TableFile& file) const {
    const std::string& other = files_[0].path;
    if (const std::string* name = first_beyond(own, columns()))
      throw InputError(file.path + ": has a column " + in_quotes(*name) + ", which " + other + " has not");
    if (const std::string* name = first_beyond(first, own); name != nullptr && !file.keys)
      throw InputError(file.path + ": has no column " + in_quotes(*name) + ", which " + other + " has");
    if (own.names() == columns().names()) return;
    if (own.size() != first.size() && !file.keys)
      throw InputError(file.path + ": has " + counted(own.size(), "column") + ", and " + other + " has " +
                       std::to_string(first.size()));
    for (const std::string& name : columns().names())
      file.column.push_back(own.has(name) ? own.find(name) : not_there);
  }

  std::size_t read_rows(std::span<const ColumnRequest> asked, std::size_t most_rows,
                        CellWriter& out) override {
    for (; file_ < read_.second; ++file_, table_.reset()) {
      if (table_ == nullptr) table_ = open(files_[file_].path);
      if (const std::size_t rows = read_file(asked, most_rows, out)) return rows;
    }
    return 0;
  }

  // The next rows of the open file.
  std::size_t read_file(std::span<const ColumnRequest> asked, std::size_t most_rows, CellWriter& out) {
    const std::vector<std::size_t>& column = files_[file_].column;
    std::vector<ColumnRequest> own;
    for (const ColumnRequest& request : asked) {
      const std::size_t at = column.empty() ? request.column : column[request.column];
      if (at != not_there) own.push_back({at, request.type});
    }
    if (own.size() < asked.size()) return read_some(asked, own, most_rows, out);
    CellBlock& block = out.block();
    const std::size_t before = block.rows();
    const std::size_t rows = table_->read(own, most_rows, block);
    for (std::size_t r = before; r < block.rows(); ++r) block.places[r] = placed(block.places[r]);
    return rows;
  }

  [[nodiscard]] std::size_t placed(std::size_t place) const { return file_ << place_bits | place; }

  // The same where the file lacks some of the columns.
  std::size_t read_some(std::span<const ColumnRequest> asked, std::span<const ColumnRequest> own,
                        std::size_t most_rows, CellWriter& out) {
    CellBlock part;
    const std::size_t rows = table_->read(own, most_rows, part);
    auto word = part.words.begin();
    for (std::size_t r = 0; r < rows; ++r) {
      out.begin_row(placed(part.places[r]));
      std::size_t k = 0;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (files_[file_].column[asked[i].column] == not_there) {
          out.put_missing(i);
          continue;
        }
        const CellColumn& cells = part.columns[k];
        if (cells.is_missing(r)) {
          out.put_missing(i);
        } else if (cells.type == CellType::text) {
          out.put(i, cells.text(r));
        } else if (word != part.words.end() && word->row == r && word->column == k) {
          out.put(i, (word++)->text);
        } else {
          out.put(i, cells.numbers[r]);
        }
        ++k;
      }
    }
    return rows;
  }

  TableOptions options_;
  std::vector<TableFile> files_;
  bool keys_ = false;  // of the file that was opened last
  std::unique_ptr<Table> table_;
  std::pair<std::size_t, std::size_t> read_;  // files
  std::size_t file_;                          // that is read now
};

}  // namespace

std::unique_ptr<Table> join_tables(std::string name, std::vector<std::string> files,
                                   const TableOptions& options) {
  const std::size_t count = files.size();
  return join_tables(std::move(name), std::move(files), options, {0, count});
}

std::unique_ptr<Table> join_tables(std::string name, std::vector<std::string> files,
                                   const TableOptions& options, std::pair<std::size_t, std::size_t> read) {
  return std::make_unique<JoinedTable>(std::move(name), std::move(files), options, read);
}

}  // namespace linkgistic
