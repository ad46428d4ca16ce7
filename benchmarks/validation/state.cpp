#include "validation/state.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

namespace linkgistic::validation {
namespace {

using nlohmann::json;

json to_json(const CellResult& r) {
  json j{{"converged", r.converged}, {"median_ess", r.median_ess}, {"divergences", r.divergences.sums()}};
  for (const auto& [name, m] : r.methods) {
    j["methods"][name] = {m.coverage.sums(), m.width.sums(), m.square_error.sums(), m.milliseconds.sums()};
  }
  for (const auto& [name, counts] : r.ranks) j["ranks"][name] = counts;
  return j;
}

CellResult from_json(const json& j) {
  using Sums = std::array<double, 3>;
  CellResult r;
  r.converged = j.at("converged");
  r.median_ess = j.at("median_ess");
  r.divergences = Mean::of(j.at("divergences").get<Sums>());
  for (const auto& [name, m] : j.at("methods").items()) {
    r.methods[name] = {Mean::of(m[0].get<Sums>()), Mean::of(m[1].get<Sums>()), Mean::of(m[2].get<Sums>()),
                       Mean::of(m[3].get<Sums>())};
  }
  if (j.contains("ranks")) {
    for (const auto& [name, counts] : j.at("ranks").items()) r.ranks[name] = counts.get<RankCounts>();
  }
  return r;
}

}  // namespace

State::State(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {
  if (path_.empty()) return;
  std::ifstream in(path_);
  for (std::string line; std::getline(in, line);) {
    const json j = json::parse(line, nullptr, false);
    if (j.is_discarded()) continue;  // a line that was being written when the run was broken off
    if (j.at("key") != key_)
      throw InputError(path_ + ": holds cells of other options: " + j.at("key").get<std::string>());
    results_[j.at("cell")] = from_json(j.at("result"));
    seconds_ += j.at("seconds").get<double>();
  }
}

const CellResult* State::find(const Cell& cell) const {
  const auto it = results_.find(cell.name());
  return it == results_.end() ? nullptr : &it->second;
}

void State::add(const CellResult& result) {
  if (path_.empty()) return;
  std::ofstream out(path_, std::ios::app);
  const json line{
      {"key", key_}, {"cell", result.cell.name()}, {"seconds", spent_}, {"result", to_json(result)}};
  if (!(out << line.dump() << std::endl)) throw InputError(path_ + ": cannot be written");
}

}  // namespace linkgistic::validation
