#include <linkgistic/error.hpp>

#include "target.hpp"

namespace linkgistic::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all{
      {"csv", csv},
      {"json_lines", json_lines},
      {"npy", npy},
      {"gzip", gzip},
      {"idx", idx},
      {"libsvm", libsvm},
      {"arrow", arrow},
      {"regression_model", regression_model, true},
      {"calibrator_model", calibrator_model, true},
      {"class_calibrator_model", class_calibrator_model, true},
      {"classifier_model", classifier_model, true},
      {"learned_loss_model", learned_loss_model, true},
      {"learned_class_loss_model", learned_class_loss_model, true},
      {"requests", requests},
      {"answers", answers},
      {"score_messages", score_messages},
  };
  return all;
}

bool accepts(const Target& target, std::string_view bytes) {
  try {
    target.run(bytes);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace linkgistic::fuzz
