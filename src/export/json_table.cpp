// JSON: the numbers of a portable model, with names that say how they are used.
#include <nlohmann/json.hpp>

#include "export/writers.hpp"

namespace linkgistic {
namespace {

nlohmann::ordered_json bend_json(const std::optional<ScoreBend>& bend) {
  if (!bend) return nullptr;
  return {{"end", bend->end}, {"margin", bend->margin}};
}

const char* output_name(PortableOutput output) {
  switch (output) {
    case PortableOutput::value:
      return "value";
    case PortableOutput::two_classes:
      return "log odds of the second class";
    case PortableOutput::softmax:
      return "softmax";
    case PortableOutput::one_against_rest:
      break;
  }
  return "log odds of each class, probabilities divided by their sum";
}

}  // namespace

std::string json_text(const PortableModel& model) {
  nlohmann::ordered_json j{{"format", "linkgistic-table"},
                           {"version", 1},
                           {"kind", model.kind},
                           {"features", model.features},
                           {"classes", model.classes},
                           {"output", output_name(model.output)},
                           {"feature_is_probability", model.probability},
                           {"bend_below", bend_json(model.below)},
                           {"bend_above", bend_json(model.above)},
                           {"scores", nlohmann::ordered_json::array()}};
  const std::size_t width = model.features.size() + 1;
  for (std::size_t k = 0; k < model.scores(); ++k) {
    const PortableCurve& curve = model.curves[k];
    const auto first = model.coefficients.begin() + static_cast<std::ptrdiff_t>(k * width);
    nlohmann::ordered_json axis = nullptr;
    if (!curve.axis.edges.empty()) axis = {{"edges", curve.axis.edges}};
    j["scores"].push_back(
        {{"intercept", *first},
         {"coefficients", std::vector<double>(first + 1, first + static_cast<std::ptrdiff_t>(width))},
         {"axis", axis},
         {"lower", curve.lower},
         {"upper", curve.upper},
         {"slope_below", curve.slope_below},
         {"slope_above", curve.slope_above},
         {"cubics", curve.cells}});
  }
  return j.dump() + "\n";
}

}  // namespace linkgistic
