#include "progress.hpp"

#include <utility>

#include "text/utf8.hpp"

namespace linkgistic {
namespace {

constexpr std::chrono::milliseconds between_updates{200};

std::string with_commas(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace

Progress::Progress(const Context& context, std::string what)
    : shown_(!context.quiet && on_terminal()),
      what_(std::move(what)),
      next_(std::chrono::steady_clock::now() + between_updates) {}

Progress::~Progress() { clear(); }

void Progress::add(std::size_t rows) {
  rows_ += rows;
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now < next_) return;
  next_ = now + between_updates;
  drawn_ = true;
  print_error("\r\x1b[K" + visible(what_) + ": " + with_commas(rows_) + " rows");
}

void Progress::restart(std::string what) {
  what_ = std::move(what);
  rows_ = 0;
}

void Progress::clear() {
  if (drawn_) print_error("\r\x1b[K");
  drawn_ = false;
}

RowBlock CountedRows::next() {
  const RowBlock block = rows_.next();
  progress_.add(block.size());
  return block;
}

void CountedRows::rewind() {
  rows_.rewind();
  progress_.restart("reading, pass " + std::to_string(++pass_));
}

}  // namespace linkgistic
