// What the fuzzers call: each target takes any bytes. An Error, which has a message for the user, is a right
// answer to bytes that cannot be used; anything else that is thrown, a sanitizer's report, a hang or more
// memory than the bytes can ask for is a finding.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linkgistic::fuzz {

struct Target {
  const char* name;  // of its folder in corpus/
  void (*run)(std::string_view bytes);
  bool is_json = false;  // bytes are also mutated as JSON
};

/// All targets; a new one is one line in targets.cpp.
const std::vector<Target>& targets();

/// Runs a target: true if it used the bytes, false if it refused them.
bool accepts(const Target& target, std::string_view bytes);

/// A rule that a target broke.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& rule) {
  if (!holds) throw Finding(rule);
}

// tables.cpp
void csv(std::string_view bytes);
void json_lines(std::string_view bytes);
void npy(std::string_view bytes);
void gzip(std::string_view bytes);
void idx(std::string_view bytes);
void libsvm(std::string_view bytes);
// arrow.cpp
void arrow(std::string_view bytes);
// models.cpp
void regression_model(std::string_view bytes);
void calibrator_model(std::string_view bytes);
void class_calibrator_model(std::string_view bytes);
void classifier_model(std::string_view bytes);
void learned_loss_model(std::string_view bytes);
void learned_class_loss_model(std::string_view bytes);
// messages.cpp
void requests(std::string_view bytes);
void answers(std::string_view bytes);
void score_messages(std::string_view bytes);

}  // namespace linkgistic::fuzz
