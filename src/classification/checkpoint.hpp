// The finished work of a fit in a file, from which a later fit of the same data with the same options goes on
// to the same result. The file is CBOR, so numbers keep all their bits, and is replaced as a whole: whatever
// moment the process ends at, it holds the state after some finished unit of work.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/em.hpp"

namespace linkgistic {

class Checkpoint {
 public:
  /// None: nothing is found and nothing written.
  Checkpoint() = default;
  /// Reads `path` where it is. A checkpoint of another identity {"options": {...}, "data": ...,
  /// "library": ...}, or a file
  /// that is none, is an InputError.
  Checkpoint(std::string path, nlohmann::json identity);

  [[nodiscard]] bool enabled() const { return !path_.empty(); }
  /// What the file has in a slot, or null.
  [[nodiscard]] const nlohmann::json* find(const std::string& slot) const;
  void erase(const std::string& slot) { slots_.erase(slot); }
  /// A slot whose value is taken anew at every write; `restore` gets the one that the file has.
  void watch(const std::string& slot, std::function<nlohmann::json()> save,
             const std::function<void(const nlohmann::json&)>& restore);
  /// Puts a value into a slot and writes the file.
  void record(const std::string& slot, const std::function<nlohmann::json()>& value);

 private:
  std::string path_;
  nlohmann::json identity_;
  nlohmann::json slots_ = nlohmann::json::object();
  std::map<std::string, std::function<nlohmann::json()>> watched_;
};

/// Tells data apart: a hash of rows, labels, names and the rows' final weights.
std::uint64_t fingerprint(const ClassificationData& data, std::span<const float> weights);

nlohmann::json memory_to_json(const SolverMemory& memory);
SolverMemory memory_from_json(const nlohmann::json& j);

/// All of a state. `family` is that of the links, if any is learned.
nlohmann::json em_to_json(const EmResult& state);
EmResult em_from_json(const nlohmann::json& j, const LinkFamily* family);
nlohmann::json loop_to_json(const EmLoop& loop);
EmLoop loop_from_json(const nlohmann::json& j, const LinkFamily* family);

}  // namespace linkgistic
