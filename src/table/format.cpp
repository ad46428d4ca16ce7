#include "table/format.hpp"

#include <algorithm>
#include <array>

// The formats in the order in which a file is tried; `npy` stands for the constant npy_format.
#define LINKGISTIC_FORMATS(FORMAT) \
  FORMAT(npy)                      \
  FORMAT(parquet)                  \
  FORMAT(idx)                      \
  FORMAT(libsvm)                   \
  FORMAT(json_lines)               \
  FORMAT(csv)

namespace linkgistic {

#define LINKGISTIC_DECLARE(format) extern const Format format##_format;
#define LINKGISTIC_ADDRESS(format) &format##_format,
LINKGISTIC_FORMATS(LINKGISTIC_DECLARE)
namespace {
const Format* const formats[] = {LINKGISTIC_FORMATS(LINKGISTIC_ADDRESS)};
}
#undef LINKGISTIC_DECLARE
#undef LINKGISTIC_ADDRESS

bool FileStart::named(std::initializer_list<std::string_view> endings) const {
  return std::any_of(endings.begin(), endings.end(), [this](auto ending) { return name.ends_with(ending); });
}

const Format& format_of(ByteSource& source) {
  std::array<char, 1 << 16> bytes;
  const std::size_t count = source.read(bytes);
  source.rewind();
  FileStart start{source.name(), {bytes.data(), count}, count < bytes.size()};
  if (start.name.ends_with(".gz")) start.name.remove_suffix(3);
  return **std::find_if(std::begin(formats), std::end(formats) - 1,
                        [&](const Format* format) { return format->matches(start); });
}

}  // namespace linkgistic
