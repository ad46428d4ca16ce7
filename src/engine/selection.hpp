// Which rows take part in a problem: all, or those that a part of a cross-validation learns from or holds
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace linkgistic {

struct Selection {
  enum class Rows : std::int32_t {
    all,
    train,     // the rows that `part` learns from
    held_out,  // the rows that `part` holds out
    unheld,    // the rows that no part holds out
  };
  Rows rows = Rows::all;
  std::int32_t part = 0;

  friend bool operator==(const Selection&, const Selection&) = default;
};

/// The parts of a cross-validation: bit p of a row's words says what part p does with it.
class RowParts {
 public:
  RowParts() = default;
  RowParts(std::size_t parts, std::size_t rows)
      : parts_(parts), words_((parts + 63) / 64), train_(words_ * rows), held_out_(words_ * rows) {}

  [[nodiscard]] std::size_t size() const { return parts_; }
  /// The bits as they are stored, for engines that keep them elsewhere: (rows, words).
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] const std::vector<std::uint64_t>& train_words() const { return train_; }
  [[nodiscard]] const std::vector<std::uint64_t>& held_out_words() const { return held_out_; }
  void set_train(std::size_t row, std::size_t part, bool on = true) { set(train_, row, part, on); }
  void set_held_out(std::size_t row, std::size_t part) { set(held_out_, row, part, true); }

  [[nodiscard]] bool takes(const Selection& s, std::size_t row) const {
    const auto part = static_cast<std::size_t>(s.part);
    switch (s.rows) {
      case Selection::Rows::all:
        return true;
      case Selection::Rows::train:
        return get(train_, row, part);
      case Selection::Rows::held_out:
        return get(held_out_, row, part);
      case Selection::Rows::unheld:
        for (std::size_t w = 0; w < words_; ++w)
          if (held_out_[row * words_ + w] != 0) return false;
        return true;
    }
    return true;
  }

 private:
  [[nodiscard]] bool get(const std::vector<std::uint64_t>& words, std::size_t row, std::size_t part) const {
    return (words[row * words_ + part / 64] >> (part % 64) & 1U) != 0;
  }
  void set(std::vector<std::uint64_t>& words, std::size_t row, std::size_t part, bool on) const {
    std::uint64_t& word = words[row * words_ + part / 64];
    const std::uint64_t bit = std::uint64_t{1} << (part % 64);
    word = on ? word | bit : word & ~bit;
  }

  std::size_t parts_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> train_, held_out_;  // (rows, words)
};

}  // namespace linkgistic
