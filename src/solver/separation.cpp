#include "solver/separation.hpp"

#include <vector>

namespace linkgistic {

bool is_separated(const LabelledView& data, const PassClass& one_class, std::span<const float> margins,
                  double mean_loss) {
  if (mean_loss > separated_loss) return false;
  for (std::size_t n = 0; n < margins.size(); ++n) {
    const bool positive = data.labels[n] == one_class.label;
    const bool counts = data.weights.empty() || data.weights[n] > 0;
    if (counts && !(positive ? margins[n] > 0 : margins[n] < 0)) return false;
  }
  return true;
}

double separated_length(const LabelledView& data, const PassClass& one_class, std::span<const float> margins,
                        double total_weight) {
  const std::vector<float> zero(margins.size());
  double lower = 0;
  double upper = 1;
  for (int i = 0; i < 40; ++i) {
    const double c = (lower + upper) / 2;
    const double loss = loss_along(zero, margins, c, data.labels, data.weights, one_class, 1).value;
    (loss > separated_loss * total_weight ? lower : upper) = c;
  }
  return upper;
}

}  // namespace linkgistic
