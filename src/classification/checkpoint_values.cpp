// The states of EM as values of a checkpoint: arrays as their bytes.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <linkgistic/error.hpp>

#include "classification/checkpoint.hpp"
#include "model_file/posterior_file.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

template <class T>
json to_bytes(const T* values, std::size_t count) {
  std::vector<std::uint8_t> bytes(count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
  return json::binary(std::move(bytes));
}

template <class T>
json to_bytes(const std::vector<T>& values) {
  return to_bytes(values.data(), values.size());
}

template <class T>
std::vector<T> from_bytes(const json& j) {
  const auto& bytes = j.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Vector vector_from(const json& j) {
  const auto values = from_bytes<double>(j);
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

json saved_link(const ClassLink& link) {
  if (link.is_identity()) return nullptr;
  const LinkFacts& f = link.facts();
  const Vector& theta = link.theta();
  const LinkRows& rows = *link.rows();
  return {{"range", {link.range().lower, link.range().upper}},
          {"theta", to_bytes(theta.data(), static_cast<std::size_t>(theta.size()))},
          {"posterior", posterior_to_json(link.posterior())},
          {"rows",
           {to_bytes(rows.t), to_bytes(rows.y), to_bytes(rows.weight), to_bytes(rows.share), rows.half,
            rows.ridge}},
          {"facts", {f.log_evidence, f.smallest_eigenvalue, f.slope, f.mean_nu, f.mean_margin}},
          {"newton_iterations", f.newton_iterations}};
}

ClassLink restored_link(const json& j, const LinkFamily* family) {
  if (j.is_null()) return {};
  if (family == nullptr) throw InputError("a link is learned where the prior allows none");
  const auto facts = j.at("facts").get<std::vector<double>>();
  const Vector theta = vector_from(j.at("theta"));
  const SourceModel source = family->source(theta);
  const json& rows = j.at("rows");
  auto seen = std::make_shared<LinkRows>(
      LinkRows{from_bytes<double>(rows.at(0)), from_bytes<double>(rows.at(1)), from_bytes<double>(rows.at(2)),
               from_bytes<double>(rows.at(3)), rows.at(4).get<double>(), rows.at(5).get<double>()});
  return {
      {j.at("range").at(0).get<double>(), j.at("range").at(1).get<double>()},
      theta,
      source,
      posterior_from_json(j.at("posterior"), source),
      {facts.at(0), facts.at(1), facts.at(2), facts.at(3), facts.at(4), j.at("newton_iterations").get<int>()},
      std::move(seen)};
}

}  // namespace

json memory_to_json(const SolverMemory& memory) {
  json factors = json::array();
  for (const auto& f : memory.factors) {
    if (!f) {
      factors.push_back(nullptr);
    } else {
      factors.push_back({{"rows", to_bytes(f->sample.rows)},
                         {"weights", to_bytes(f->sample.weights)},
                         {"ridge", f->ridge}});
    }
  }
  return factors;
}

SolverMemory memory_from_json(const json& j) {
  SolverMemory memory;
  for (const json& f : j) {
    if (f.is_null()) {
      memory.factors.emplace_back();
    } else {
      memory.factors.emplace_back(
          SolverMemory::Factor{{from_bytes<std::uint64_t>(f.at("rows")), from_bytes<float>(f.at("weights"))},
                               f.at("ridge").get<double>()});
    }
  }
  return memory;
}

json em_to_json(const EmResult& state) {
  json links = json::array(), solves = json::array(), trace = json::array();
  for (const ClassLink& link : state.links) links.push_back(saved_link(link));
  for (const ClassFit& c : state.solves) {
    solves.push_back({c.loss, c.objective, c.gradient_ratio, c.iterations, static_cast<int>(c.stop)});
  }
  for (const EmRecord& r : state.trace) {
    trace.push_back({r.objective, r.mean_loss, r.passes, r.seconds_e, r.seconds_m});
  }
  return {{"beta", to_bytes(state.beta)},
          {"margins", to_bytes(state.margins)},
          {"links", links},
          {"solves", solves},
          {"trace", trace},
          {"converged", state.converged}};
}

EmResult em_from_json(const json& j, const LinkFamily* family) {
  EmResult state;
  state.beta = from_bytes<double>(j.at("beta"));
  state.margins = from_bytes<float>(j.at("margins"));
  for (const json& link : j.at("links")) state.links.push_back(restored_link(link, family));
  for (const json& c : j.at("solves")) {
    state.solves.push_back({c.at(0).get<double>(), c.at(1).get<double>(), c.at(2).get<double>(),
                            c.at(3).get<int>(), static_cast<SolverStop>(c.at(4).get<int>())});
  }
  for (const json& r : j.at("trace")) {
    state.trace.push_back({r.at(0).get<double>(), r.at(1).get<double>(), r.at(2).get<int>(),
                           r.at(3).get<double>(), r.at(4).get<double>()});
  }
  state.converged = j.at("converged").get<bool>();
  return state;
}

json loop_to_json(const EmLoop& loop) {
  // Nearly always the last state is the best one.
  const bool same = loop.state.trace.back().objective >= loop.best_objective();
  return {{"state", em_to_json(loop.state)},
          {"best", same ? json(nullptr) : em_to_json(loop.best)},
          {"converged", loop.best.converged},
          {"steps", loop.steps},
          {"finished", loop.finished}};
}

EmLoop loop_from_json(const json& j, const LinkFamily* family) {
  EmLoop loop;
  loop.state = em_from_json(j.at("state"), family);
  loop.best = j.at("best").is_null() ? loop.state : em_from_json(j.at("best"), family);
  loop.best.converged = j.at("converged").get<bool>();
  loop.steps = j.at("steps").get<int>();
  loop.finished = j.at("finished").get<bool>();
  return loop;
}

}  // namespace linkgistic
