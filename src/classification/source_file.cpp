#include "classification/source_file.hpp"

#include "model_file/json_values.hpp"

namespace linkgistic {

nlohmann::json source_to_json(const TrigCoefficients& c) {
  return {{"middle", c.middle}, {"half", c.half}, {"constant", c.constant},      {"line", c.line},
          {"cosine", c.cosine}, {"sine", c.sine}, {"slope_bound", c.slope_bound}};
}

TrigCoefficients source_from_json(const nlohmann::json& j) {
  const auto number = [&](const char* name) { return to_vector(nlohmann::json::array({j.at(name)}))[0]; };
  return {number("middle"),
          number("half"),
          number("constant"),
          number("line"),
          to_std(to_vector(j.at("cosine"))),
          to_std(to_vector(j.at("sine"))),
          number("slope_bound")};
}

}  // namespace linkgistic
