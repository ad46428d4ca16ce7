#include "table/arrow_cells.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

std::optional<ArrowType> arrow_type(std::string_view format) {
  static const std::unordered_map<std::string_view, ArrowStore> simple = {
      {"n", ArrowStore::nothing},   {"b", ArrowStore::truth},  {"c", ArrowStore::int8},
      {"C", ArrowStore::uint8},     {"s", ArrowStore::int16},  {"S", ArrowStore::uint16},
      {"i", ArrowStore::int32},     {"I", ArrowStore::uint32}, {"l", ArrowStore::int64},
      {"L", ArrowStore::uint64},    {"e", ArrowStore::half},   {"f", ArrowStore::single},
      {"g", ArrowStore::number},    {"u", ArrowStore::text},   {"U", ArrowStore::long_text},
      {"vu", ArrowStore::text_view}};
  if (const auto found = simple.find(format); found != simple.end()) return ArrowType{found->second};
  int precision = 0, scale = 0, bits = 128;
  if (!format.starts_with("d:")) return std::nullopt;
  const int read = std::sscanf(std::string(format).c_str(), "d:%d,%d,%d", &precision, &scale, &bits);
  if (read < 2 || (bits != 32 && bits != 64 && bits != 128) || std::abs(scale) > 38) return std::nullopt;
  return ArrowType{ArrowStore::decimal, scale, bits};
}

std::string shown_type(std::string_view format) {
  const auto begins = [&](std::string_view with) { return format.starts_with(with); };
  if (begins("td")) return "dates";
  if (begins("ts") || begins("tt") || begins("tD") || begins("ti")) return "times";
  if (begins("+l") || begins("+L") || begins("+w") || begins("+v")) return "lists";
  if (begins("+s") || begins("+m")) return "structs";
  if (format == "z" || format == "Z" || format == "vz" || begins("w:")) return "binary values";
  return "values of Arrow's type '" + std::string(format.substr(0, 20)) + "'";
}

ArrowType required_type(const ArrowSchema& schema, const std::string& where) {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  const auto type = arrow_type(format);
  if (!type) throw InputError(where + " has " + shown_type(format) + ", neither numbers nor text");
  return *type;
}

std::string column_place(const std::string& origin, const std::string& name) {
  return origin + ": column " + in_quotes(name);
}

bool is_index(ArrowStore store) { return store >= ArrowStore::int8 && store <= ArrowStore::uint64; }

// A number of 16 bits: sign, 5 bits of exponent, 10 of fraction.
double half_number(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

__extension__ using Int128 = __int128;

// A text of a view: 4 bytes of length, then the text itself if it has at most 12, else 4 bytes of its
// beginning, the piece and the place in it.
struct TextView {
  std::int32_t length;
  char start[4];
  std::int32_t piece, place;
};

}  // namespace

void ArrowValues::fail(const std::string& where, const std::string& what) {
  throw InputError(where + ": the Arrow array is damaged: " + what);
}

ArrowValues::ArrowValues(const ArrowArray& array, const ArrowType& type, const std::string& where)
    : type_(type), length_(array.length), offset_(array.offset) {
  constexpr std::int64_t most = std::int64_t{1} << 48;
  if (length_ < 0 || offset_ < 0 || length_ > most || offset_ > most)
    fail(where, "its length or offset cannot be");
  if (type.store == ArrowStore::nothing) return;
  const bool views = type.store == ArrowStore::text_view;
  const std::int64_t buffers = type.is_text() ? 3 : 2;
  if (views ? array.n_buffers < buffers : array.n_buffers != buffers)
    fail(where, "it has " + std::to_string(array.n_buffers) + " buffers");
  if (array.buffers == nullptr) fail(where, "it has no buffers");
  if (array.null_count != 0) valid_ = static_cast<const std::uint8_t*>(array.buffers[0]);
  if (array.null_count > 0 && valid_ == nullptr) fail(where, "it counts nulls and does not say which");
  values_ = array.buffers[1];
  if (values_ == nullptr && length_ > 0) fail(where, "it has no values");
  if (!type.is_text() || length_ == 0) return;
  if (views) {
    pieces_ = array.buffers + 2;
  } else {
    characters_ = static_cast<const char*>(array.buffers[2]);
  }
  check_text(array, where);
}

template <class T>
T ArrowValues::at(std::size_t row) const {
  T value;  // the buffers of a damaged producer need not be aligned
  std::memcpy(&value,
              static_cast<const char*>(values_) + (static_cast<std::size_t>(offset_) + row) * sizeof(T),
              sizeof(T));
  return value;
}

void ArrowValues::check_text(const ArrowArray& array, const std::string& where) const {
  if (type_.store == ArrowStore::text_view) {
    const std::int64_t pieces = array.n_buffers - 3;
    const auto* sizes = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
    if (pieces > 0 && sizes == nullptr) fail(where, "the sizes of its text are not there");
    for (std::size_t r = 0; r < size(); ++r) {
      if (is_null(r)) continue;
      const auto view = at<TextView>(r);
      if (view.length < 0) fail(where, "a text has a negative length");
      if (view.length <= 12) continue;
      if (view.piece < 0 || view.piece >= pieces || view.place < 0 || pieces_[view.piece] == nullptr ||
          std::int64_t{view.place} + view.length > sizes[view.piece])
        fail(where, "a text lies beyond its buffer");
    }
    return;
  }
  const bool wide = type_.store == ArrowStore::long_text;
  std::int64_t before = wide ? at<std::int64_t>(0) : at<std::int32_t>(0);
  if (before < 0) fail(where, "the place of a text is negative");
  for (std::size_t r = 1; r <= size(); ++r) {
    const std::int64_t next = wide ? at<std::int64_t>(r) : at<std::int32_t>(r);
    if (next < before) fail(where, "a text has a negative length");
    before = next;
  }
  if (before > 0 && characters_ == nullptr) fail(where, "the text is not there");
}

double ArrowValues::number(std::size_t row) const {
  double value = 0;
  copy(row, 1, &value, 1);
  return value;
}

template <class Out>
void ArrowValues::copy(std::size_t first, std::size_t count, Out* out, std::size_t step) const {
  const auto each = [&]<class T>(T) {
    for (std::size_t r = 0; r < count; ++r) out[r * step] = static_cast<Out>(at<T>(first + r));
  };
  switch (type_.store) {
    case ArrowStore::truth:
      for (std::size_t r = 0; r < count; ++r) {
        const std::size_t bit = static_cast<std::size_t>(offset_) + first + r;
        out[r * step] = static_cast<Out>(static_cast<const std::uint8_t*>(values_)[bit / 8] >> (bit % 8) & 1);
      }
      break;
    case ArrowStore::half:
      for (std::size_t r = 0; r < count; ++r)
        out[r * step] = static_cast<Out>(half_number(at<std::uint16_t>(first + r)));
      break;
    case ArrowStore::decimal:
      for (std::size_t r = 0; r < count; ++r) {
        const double whole = type_.bits == 32   ? static_cast<double>(at<std::int32_t>(first + r))
                             : type_.bits == 64 ? static_cast<double>(at<std::int64_t>(first + r))
                                                : static_cast<double>(at<Int128>(first + r));
        const double power = std::pow(10.0, std::abs(type_.scale));
        out[r * step] = static_cast<Out>(type_.scale >= 0 ? whole / power : whole * power);
      }
      break;
    case ArrowStore::int8:
      return each(std::int8_t{});
    case ArrowStore::uint8:
      return each(std::uint8_t{});
    case ArrowStore::int16:
      return each(std::int16_t{});
    case ArrowStore::uint16:
      return each(std::uint16_t{});
    case ArrowStore::int32:
      return each(std::int32_t{});
    case ArrowStore::uint32:
      return each(std::uint32_t{});
    case ArrowStore::int64:
      return each(std::int64_t{});
    case ArrowStore::uint64:
      return each(std::uint64_t{});
    case ArrowStore::single:
      return each(float{});
    case ArrowStore::number:
      return each(double{});
    default:
      for (std::size_t r = 0; r < count; ++r) out[r * step] = Out{};
  }
}
template void ArrowValues::copy(std::size_t, std::size_t, double*, std::size_t) const;
template void ArrowValues::copy(std::size_t, std::size_t, float*, std::size_t) const;
template void ArrowValues::copy(std::size_t, std::size_t, std::uint8_t*, std::size_t) const;

std::string_view ArrowValues::text(std::size_t row) const {
  if (type_.store == ArrowStore::text_view) {
    const auto* view =
        static_cast<const char*>(values_) + (static_cast<std::size_t>(offset_) + row) * sizeof(TextView);
    const auto head = at<TextView>(row);
    if (head.length <= 12) return {view + 4, static_cast<std::size_t>(head.length)};
    return {static_cast<const char*>(pieces_[head.piece]) + head.place,
            static_cast<std::size_t>(head.length)};
  }
  const bool wide = type_.store == ArrowStore::long_text;
  const std::int64_t first = wide ? at<std::int64_t>(row) : at<std::int32_t>(row);
  const std::int64_t last = wide ? at<std::int64_t>(row + 1) : at<std::int32_t>(row + 1);
  return first == last ? std::string_view()
                       : std::string_view(characters_ + first, static_cast<std::size_t>(last - first));
}

ArrowColumn::ArrowColumn(const ArrowArray& array, const ArrowField& field, const std::string& where)
    : values_(array, field.type, where), coded_(field.entries.has_value()) {
  if (!coded_) return;
  if (array.dictionary == nullptr)
    throw InputError(where + ": the Arrow array is damaged: it has no dictionary");
  entries_ = ArrowValues(*array.dictionary, *field.entries, where);
  for (std::size_t r = 0; r < values_.size(); ++r) {
    if (values_.is_null(r)) continue;
    const double at = values_.number(r);
    if (!(at >= 0 && at < static_cast<double>(entries_.size())))
      throw InputError(where + ": the Arrow array is damaged: row " + std::to_string(r + 1) +
                       " of a batch is beyond its dictionary");
  }
}

std::vector<ArrowField> arrow_fields(const ArrowSchema& schema, const std::string& origin) {
  if (schema.format == nullptr || std::string_view(schema.format) != "+s")
    throw InputError(origin + ": is one Arrow array without names, not a table of columns");
  if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr))
    throw InputError(origin + ": the Arrow schema is damaged: its columns are not there");
  std::vector<ArrowField> fields;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* child = schema.children[i];
    if (child == nullptr) throw InputError(origin + ": the Arrow schema is damaged: a column is not there");
    ArrowField field;
    field.name = child->name == nullptr ? "" : child->name;
    const std::string where = column_place(origin, field.name);
    field.type = required_type(*child, where);
    if (child->dictionary != nullptr) {
      field.entries = required_type(*child->dictionary, where);
      if (!is_index(field.type.store) || child->dictionary->dictionary != nullptr)
        throw InputError(where + ": the Arrow schema is damaged: its dictionary cannot be");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::vector<std::optional<ArrowColumn>> arrow_columns(const ArrowArray& batch,
                                                      const std::vector<ArrowField>& fields,
                                                      const std::vector<bool>& wanted,
                                                      const std::string& origin) {
  const auto fail = [&](const std::string& what) {
    throw InputError(origin + ": an Arrow record batch is damaged: " + what);
  };
  if (batch.n_children != static_cast<std::int64_t>(fields.size()))
    fail("it has " + std::to_string(batch.n_children) + " columns, and the schema " +
         std::to_string(fields.size()));
  if (batch.length < 0 || batch.offset < 0) fail("its length or offset is negative");
  if (batch.null_count > 0) fail("it has null rows");
  if (batch.n_children > 0 && batch.children == nullptr) fail("its columns are not there");
  std::vector<std::optional<ArrowColumn>> columns(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!wanted[i]) continue;
    const ArrowArray* child = batch.children[i];
    const std::string where = column_place(origin, fields[i].name);
    if (child == nullptr) fail("column " + in_quotes(fields[i].name) + " is not there");
    if (child->length < batch.length || child->length - batch.length < batch.offset)
      fail("column " + in_quotes(fields[i].name) + " has " + std::to_string(child->length) +
           " rows, and the batch " + std::to_string(batch.length));
    ArrowArray own = *child;  // a view of the rows of the batch
    own.offset += batch.offset;
    own.length = batch.length;
    columns[i].emplace(own, fields[i], where);
  }
  return columns;
}

}  // namespace linkgistic
