#include "classification/checkpoint.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <linkgistic/error.hpp>
#include <linkgistic/version.hpp>

#include "classification/fingerprint.hpp"
#include "classification/options.hpp"
#include "engine/cpu/instruction_set.hpp"
#include "model_file/fields_json.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

std::unique_ptr<AnswerLog> open_log(const ClassificationData& data, std::span<const float> weights,
                                    const LinkgisticOptions& options,
                                    std::optional<std::uint64_t> rows_hash) {
  if (options.checkpoint.empty()) return nullptr;
  return open_log(fingerprint(data, weights, rows_hash), data.rows.matrix().bytes(), options);
}

std::unique_ptr<AnswerLog> open_log(std::uint64_t data, std::uint64_t bytes,
                                    const LinkgisticOptions& options) {
  if (options.checkpoint.empty()) return nullptr;
  const nlohmann::json head = {{"options", fields_to_json(options)},
                               {"data", data},
                               {"library", version},
                               {"instructions", instruction_set()}};
  const auto refuse = [&](const std::string& text) {
    const std::string advice = "; remove it to begin anew, or name another file";
    const auto other = nlohmann::json::parse(text, nullptr, false);
    const auto differs = [&](const char* name) {
      return !other.is_object() || other.value(name, nlohmann::json()) != head[name];
    };
    if (differs("library"))
      throw InputError(options.checkpoint + ": the checkpoint is of another version of the library" + advice);
    if (differs("instructions"))
      throw InputError(options.checkpoint + ": the checkpoint is of a machine with other instructions" +
                       advice);
    for (const auto& [name, value] : head["options"].items()) {
      const auto was = other["options"].value(name, nlohmann::json());
      if (was != value) {
        throw InputError(options.checkpoint + ": the checkpoint is of a fit with " + name + " = " +
                         was.dump() + ", and this one has " + value.dump() + advice);
      }
    }
    throw InputError(options.checkpoint + ": the checkpoint is of other data (rows, labels or weights)" +
                     advice);
  };
  const std::uint64_t most = std::max<std::uint64_t>(std::uint64_t{256} << 20, bytes / 10);
  return std::make_unique<AnswerLog>(options.checkpoint, head.dump(), refuse, most);
}

}  // namespace linkgistic
