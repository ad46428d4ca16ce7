#include "classification/source_file.hpp"

#include <linkgistic/error.hpp>

#include "model_file/json_values.hpp"

namespace linkgistic {

nlohmann::json source_to_json(const TrigCoefficients& c) {
  return {{"middle", c.middle}, {"half", c.half}, {"constant", c.constant},      {"line", c.line},
          {"cosine", c.cosine}, {"sine", c.sine}, {"slope_bound", c.slope_bound}};
}

TrigCoefficients source_from_json(const nlohmann::json& j) {
  const auto numbers = [](const nlohmann::json& values) {
    const Vector v = to_vector(values);
    check_moderate(v, "a source");
    return v;
  };
  const auto number = [&](const char* name) { return numbers(nlohmann::json::array({j.at(name)}))[0]; };
  const double half = number("half");
  if (!(half > 1e-70)) throw InputError("the range of a source is too narrow");
  return {number("middle"),
          half,
          number("constant"),
          number("line"),
          to_std(numbers(j.at("cosine"))),
          to_std(numbers(j.at("sine"))),
          number("slope_bound")};
}

}  // namespace linkgistic
