// Columns of Arrow's C data interface as numbers and text. What a producer promises is checked as far as the
// interface lets a reader see: lengths, offsets, numbers of buffers and children, indices of dictionaries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/arrow_abi.hpp"

namespace linkgistic {

/// How the values of a column are stored.
enum class ArrowStore {
  nothing,  // all are null
  truth,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  half,
  single,
  number,
  decimal,
  text,
  long_text,
  text_view,
};

struct ArrowType {
  ArrowStore store = ArrowStore::nothing;
  int scale = 0, bits = 128;  // of decimals

  [[nodiscard]] bool is_text() const { return store >= ArrowStore::text; }
};

struct ArrowField {
  std::string name;
  ArrowType type;                         // of the values, or of the numbers of a dictionary's entries
  std::optional<ArrowType> entries = {};  // of the dictionary

  [[nodiscard]] bool is_text() const { return entries ? entries->is_text() : type.is_text(); }
};

/// The columns of a schema, which is a struct of them. An InputError, which begins with `origin`, names the
/// column whose type is neither numbers nor text (lists, structs, times, ...).
std::vector<ArrowField> arrow_fields(const ArrowSchema& schema, const std::string& origin);

/// Values of one type.
class ArrowValues {
 public:
  ArrowValues() = default;
  /// `where` begins the message of the InputError for an array that cannot be.
  ArrowValues(const ArrowArray& array, const ArrowType& type, const std::string& where);

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(length_); }
  [[nodiscard]] bool is_null(std::size_t row) const {
    if (type_.store == ArrowStore::nothing) return true;
    const std::uint64_t bit = static_cast<std::uint64_t>(offset_) + row;
    return valid_ != nullptr && (valid_[bit / 8] >> (bit % 8) & 1) == 0;
  }
  [[nodiscard]] bool has_nulls() const { return valid_ != nullptr || type_.store == ArrowStore::nothing; }
  /// Of a number that is not null.
  [[nodiscard]] double number(std::size_t row) const;
  /// Numbers first .. first + count - 1 as doubles, `step` apart; what null ones become is not said.
  template <class Out>
  void copy(std::size_t first, std::size_t count, Out* out, std::size_t step) const;
  /// Of a text that is not null.
  [[nodiscard]] std::string_view text(std::size_t row) const;
  [[nodiscard]] const ArrowType& type() const { return type_; }

 private:
  template <class T>
  [[nodiscard]] T at(std::size_t row) const;
  void check_text(const ArrowArray& array, const std::string& where) const;
  [[noreturn]] static void fail(const std::string& where, const std::string& what);

  ArrowType type_;
  std::int64_t length_ = 0, offset_ = 0;
  const std::uint8_t* valid_ = nullptr;
  const void* values_ = nullptr;         // numbers, views, or offsets of text
  const char* characters_ = nullptr;     // of text
  const void* const* pieces_ = nullptr;  // of views
};

/// One column of a record batch: its values, or those that its dictionary has for them.
class ArrowColumn {
 public:
  ArrowColumn(const ArrowArray& array, const ArrowField& field, const std::string& where);

  [[nodiscard]] bool has_nulls() const { return values_.has_nulls() || (coded_ && entries_.has_nulls()); }
  [[nodiscard]] bool is_null(std::size_t row) const {
    return values_.is_null(row) || (coded_ && entries_.is_null(entry(row)));
  }
  [[nodiscard]] bool is_text() const { return source().type().is_text(); }
  [[nodiscard]] double number(std::size_t row) const { return source().number(coded_ ? entry(row) : row); }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    return source().text(coded_ ? entry(row) : row);
  }
  /// The values without a dictionary, or null.
  [[nodiscard]] const ArrowValues* plain() const { return coded_ ? nullptr : &values_; }

 private:
  [[nodiscard]] const ArrowValues& source() const { return coded_ ? entries_ : values_; }
  [[nodiscard]] std::size_t entry(std::size_t row) const {
    return static_cast<std::size_t>(values_.number(row));
  }

  ArrowValues values_, entries_;
  bool coded_ = false;
};

/// The columns of a record batch, of fields that are not wanted none.
std::vector<std::optional<ArrowColumn>> arrow_columns(const ArrowArray& batch,
                                                      const std::vector<ArrowField>& fields,
                                                      const std::vector<bool>& wanted,
                                                      const std::string& origin);

}  // namespace linkgistic
