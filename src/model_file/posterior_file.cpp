#include "model_file/posterior_file.hpp"

#include <algorithm>
#include <string>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "model_file/json_values.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

std::shared_ptr<const Posterior> samples_from_json(const json& j, Index dimension) {
  PosteriorDraws draws;
  draws.g = columns_from_json(j.at("draws"), dimension, "posterior.draws");
  const Index count = draws.g.cols();
  if (count == 0) throw InputError("posterior.draws is empty");
  check_moderate(draws.g, "the posterior");
  if (j.contains("theta")) {
    const json& theta = j.at("theta");
    const auto rows = theta.empty() ? Index{0} : static_cast<Index>(theta.at(0).size());
    draws.theta = columns_from_json(theta, rows, "posterior.theta");
    if (draws.theta.cols() != count) throw InputError("posterior.theta has the wrong size");
  }
  return std::make_shared<SamplePosterior>(std::move(draws));
}

// A factor of Cholesky's; others are written whole.
bool is_lower(const Matrix& factor) {
  for (Index j = 1; j < factor.cols(); ++j)
    if ((factor.col(j).head(std::min(j, factor.rows())).array() != 0).any()) return false;
  return true;
}

}  // namespace

json posterior_to_json(const Posterior& posterior) {
  if (const auto* samples = dynamic_cast<const SamplePosterior*>(&posterior)) {
    json j = {{"kind", "samples"}, {"draws", columns_to_json(samples->draws().g)}};
    if (samples->draws().theta.size() > 0) j["theta"] = columns_to_json(samples->draws().theta);
    return j;
  }
  const auto& gaussian = dynamic_cast<const GaussianPosterior&>(posterior);
  json j = {{"mode", to_std(gaussian.estimate())}};
  if (is_lower(gaussian.factor())) {
    j["factor"] = lower_to_json(gaussian.factor());
  } else {
    j["columns"] = columns_to_json(gaussian.factor());
  }
  if (const auto* variational = dynamic_cast<const VariationalPosterior*>(&posterior)) {
    j["kind"] = "variational";
    j["spread"] = columns_to_json(variational->spread());
  }
  return j;
}

std::shared_ptr<const Posterior> posterior_from_json(const json& j, const SourceModel& source) {
  const std::string kind = j.value("kind", "laplace");
  const Index n = source.dimension();
  if (kind == "samples") return samples_from_json(j, n);
  if (kind != "laplace" && kind != "variational") {
    throw InputError("posterior.kind '" + kind + "' is not known");
  }
  const Vector mode = to_vector(j.at("mode"));
  if (mode.size() != n) throw InputError("posterior.mode has the wrong size");
  const auto free = static_cast<Index>(source.prior.free_coordinates().size());
  Matrix factor = j.contains("columns") ? columns_from_json(j.at("columns"), n, "posterior.columns")
                                        : lower_from_json(j.at("factor"), n, free, "posterior.factor");
  check_moderate(mode, "the posterior");
  check_moderate(factor, "the posterior");
  if (kind == "variational") {
    Matrix spread = columns_from_json(j.at("spread"), source.map->outputs(), "posterior.spread");
    return std::make_shared<VariationalPosterior>(mode, std::move(factor), std::move(spread));
  }
  return std::make_shared<GaussianPosterior>(mode, std::move(factor));
}

}  // namespace linkgistic
