#include "model_file/model_file.hpp"

#include <utility>
#include <vector>

#include <linkgistic/version.hpp>

#include "io/byte_source.hpp"

namespace linkgistic {
namespace {

constexpr const char* format = "linkgistic-model";
constexpr int file_version = 1;

}  // namespace

nlohmann::json model_head(const std::string& kind) {
  return {{"format", format}, {"version", file_version}, {"kind", kind}, {"library", version}};
}

ModelFile parse_model(const std::string& text, const std::string& origin) {
  try {
    return check_model(nlohmann::json::parse(text), origin);
  } catch (const nlohmann::json::parse_error& e) {
    throw InputError(origin + ": this is not a model file, or it is damaged: it is not JSON at byte " +
                     std::to_string(e.byte));
  }
}

ModelFile check_model(nlohmann::json j, const std::string& origin) {
  if (!j.is_object() || j.value("format", nlohmann::json()) != format || !j.contains("kind") ||
      !j["kind"].is_string() || !j.contains("version") || !j["version"].is_number_integer()) {
    throw InputError(origin + ": this is not a linkgistic model file");
  }
  if (j["version"] != file_version) {
    throw InputError(origin + ": the model file has version " + j["version"].dump() +
                     "; this program reads version " + std::to_string(file_version));
  }
  return {std::move(j), origin};
}

std::string read_model_text(const std::string& path) {
  const auto source = open_source(path);
  std::string text;
  std::vector<char> block(1 << 16);
  for (std::size_t n = source->read(block); n > 0; n = source->read(block)) text.append(block.data(), n);
  return text;
}

}  // namespace linkgistic
