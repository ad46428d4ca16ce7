// One Laplace fit and one evidence gradient, Bernoulli likelihood; the input and output of
// laplace_vs_torch.py.
//
//   bench_laplace INPUT.json
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>

#include <nlohmann/json.hpp>

#include "inference/laplace.hpp"
#include "response/bernoulli.hpp"
#include "response/pointwise_data.hpp"
#include "source/trig_source.hpp"

int main(int argc, char** argv) {
  using namespace linkgistic;
  using Clock = std::chrono::steady_clock;
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_laplace INPUT.json\n");
    return 2;
  }
  std::ifstream in(argv[1]);
  const auto input = nlohmann::json::parse(in);
  const auto x = input.at("x").get<std::vector<double>>();
  const auto y = input.at("y").get<std::vector<double>>();
  const auto start = input.at("start").get<std::vector<double>>();
  const auto& h = input.at("theta");
  const Vector theta{{std::log(h.at("a").get<double>() - 1), std::log(h.at("b").get<double>()),
                      std::log(h.at("gamma").get<double>()), h.at("mu").get<double>()}};
  const TrigSource family(PriorKind::isgp, input.at("harmonics").get<int>(), input.at("c").get<double>());

  const auto begin = Clock::now();
  const SourceModel source = family.at(theta);
  const PointwiseData data(source.features, std::make_shared<BernoulliResponse>(), x, y, {}, 0);
  const LogJoint joint(source, data, Vector());
  const Mode mode =
      find_mode(joint, Eigen::Map<const Vector>(start.data(), static_cast<Index>(start.size())));
  const auto middle = Clock::now();
  const Evidence evidence = laplace_evidence_gradient(joint, mode, 1e-300);
  const auto end = Clock::now();

  const Vector nu = source.features->values(x, source.map->value(mode.g), 1);
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  const nlohmann::json output{
      {"seconds", seconds(begin, end)},
      {"seconds_mode", seconds(begin, middle)},
      {"seconds_gradient", seconds(middle, end)},
      {"log_evidence", evidence.value},
      {"gradient", std::vector<double>(evidence.gradient.begin(), evidence.gradient.end())},
      {"nu", std::vector<double>(nu.begin(), nu.end())},
      {"iterations", mode.iterations}};
  std::printf("%s\n", output.dump().c_str());
}
