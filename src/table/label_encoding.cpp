#include <map>

#include <linkgistic/label_encoding.hpp>

#include "table/labels.hpp"

namespace linkgistic {

EncodedLabels encode_labels(std::span<const std::string> labels) {
  EncodedLabels encoded{{}, sorted_labels(labels)};
  std::map<std::string, std::int32_t> place;
  for (std::size_t k = 0; k < encoded.names.size(); ++k)
    place[encoded.names[k]] = static_cast<std::int32_t>(k);
  for (const std::string& label : labels) encoded.labels.push_back(place[label]);
  return encoded;
}

}  // namespace linkgistic
