// Reference values from an independent float64 autodiff implementation of the model (explicit psi matrices).
#pragma once

#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "response/bernoulli.hpp"
#include "response/gaussian.hpp"
#include "response/pointwise_data.hpp"
#include "source/trig_source.hpp"

namespace linkgistic::oracle {

inline Vector vector_of(const nlohmann::json& j) {
  const auto values = j.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

inline nlohmann::json load() {
  std::ifstream in(LINKGISTIC_TEST_DATA "/oracle.json");
  return nlohmann::json::parse(in);
}

/// One case of the file as our objects.
struct Case {
  nlohmann::json json;
  TrigSource family;
  SourceModel source;
  Vector eta;
  std::unique_ptr<PointwiseData> data;

  explicit Case(const nlohmann::json& j)
      : json(j),
        family(j["prior"] == "gp" ? PriorKind::gp : PriorKind::isgp, j["M"].get<int>() / 2,
               j["c"].get<double>()),
        source(family.at(vector_of(j["theta"]).head(4))) {
    const bool gaussian = j["lik"] == "gaussian";
    if (gaussian) eta = vector_of(j["theta"]).tail(1);
    std::shared_ptr<const Response> response;
    if (gaussian) {
      response = std::make_shared<GaussianResponse>();
    } else {
      response = std::make_shared<BernoulliResponse>();
    }
    const auto x = j["x"].get<std::vector<double>>();
    const auto y = j["y"].get<std::vector<double>>();
    data = std::make_unique<PointwiseData>(source.features, response, x, y, std::span<const double>{}, 1);
  }
  [[nodiscard]] std::string name() const {
    return json["prior"].get<std::string>() + " " + json["lik"].get<std::string>() +
           " M=" + std::to_string(json["M"].get<int>());
  }
};

inline std::vector<Case> cases() {
  const nlohmann::json file = load();
  std::vector<Case> result;
  for (const auto& j : file["cases"]) result.emplace_back(j);
  if (result.size() != 8) throw std::runtime_error("oracle.json should have eight cases");
  return result;
}

}  // namespace linkgistic::oracle
