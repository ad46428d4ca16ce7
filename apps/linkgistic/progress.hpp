// How far the reading is, on a terminal. Fits take milliseconds; it is the rows that may be many.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "context.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {

/// One line on standard error that counts rows. It shows nothing when the user is quiet, standard error is
/// no terminal, or the work is over in a moment, and it goes away with the object.
class Progress {
 public:
  Progress(const Context& context, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::size_t rows);
  void restart(std::string what);

 private:
  void clear();

  bool shown_;
  bool drawn_ = false;
  std::string what_;
  std::size_t rows_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// The rows of another stream, counted.
class CountedRows final : public ForeseenRows {
 public:
  CountedRows(ForeseenRows& rows, const Context& context) : rows_(rows), progress_(context, "reading") {}

  RowBlock next() override;
  void rewind() override;
  [[nodiscard]] std::optional<KnownRows> known_rows() const override { return rows_.known_rows(); }

 private:
  ForeseenRows& rows_;
  Progress progress_;
  int pass_ = 0;
};

}  // namespace linkgistic
