#include <linkgistic/missing_values.hpp>

namespace linkgistic {

const std::vector<std::string>& default_missing_words() {
  static const std::vector<std::string> words{"NA", "N/A", "NaN", "null", "NULL", "None", "?", "."};
  return words;
}

}  // namespace linkgistic
