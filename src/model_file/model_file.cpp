#include "model_file/model_file.hpp"

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <linkgistic/version.hpp>

#include "io/byte_source.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr const char* format = "linkgistic-model";
constexpr int file_version = 1;

/// Refuses an object with two values of one key, of which a reader would take either.
class KeysOnce {
 public:
  struct Twice {
    std::string key;
  };

  bool operator()(int /*depth*/, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key && !open_.back().insert(value.get<std::string>()).second)
      throw Twice{value.get<std::string>()};
    return true;
  }

 private:
  std::vector<std::set<std::string>> open_;
};

}  // namespace

nlohmann::json model_head(const std::string& kind) {
  return {{"format", format}, {"version", file_version}, {"kind", kind}, {"library", version}};
}

std::string model_text(const nlohmann::json& content) {
  try {
    return content.dump(1) + "\n";
  } catch (const nlohmann::json::type_error&) {
    throw InputError("a name of a column or a class is not text in UTF-8, which model files are");
  }
}

ModelFile parse_model(const std::string& text, const std::string& origin) {
  const std::string damaged = origin + ": this is not a model file, or it is damaged: ";
  try {
    KeysOnce once;
    return check_model(nlohmann::json::parse(text, std::ref(once)), origin);
  } catch (const nlohmann::json::parse_error& e) {
    throw InputError(damaged + "it is not JSON at byte " + std::to_string(e.byte));
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError(damaged + "it has a number that is too large");
  } catch (const KeysOnce::Twice& twice) {
    throw InputError(damaged + "it has the key " + in_quotes(twice.key) + " twice in one object");
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
