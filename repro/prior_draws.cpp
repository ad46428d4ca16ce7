#include "repro/prior_draws.hpp"

#include <cmath>

#include "source/spectrum.hpp"

namespace linkgistic::repro {
namespace {

constexpr double draw_frequency = 0.5;  // c for t in [-1, 1]

SourceModel model_of(const DrawOptions& o) {
  const TrigSource family(o.kind, o.harmonics, draw_frequency);
  const auto& hyper = family.hyper_parameters();
  const HyperLayout at = hyper_layout(o.kind);
  Vector theta = start_theta(hyper);
  const auto set = [&](Index i, double value) {
    theta[i] = hyper[static_cast<std::size_t>(i)].to_theta(value);
  };
  const double sum = (1 - std::pow(o.a, -o.harmonics)) / (o.a - 1);
  // In t the slope of nu is `half` times as large.
  const double unit = o.kind == PriorKind::gp ? 1 : o.half;
  set(at.a, o.a);
  set(at.amplitude, o.kind == PriorKind::offset ? o.size * unit : o.size * unit / sum);
  if (at.v) set(*at.v, o.v);
  set(at.gamma, o.gamma);
  set(at.mu, o.mu);
  return family.at(theta);
}

}  // namespace

PriorDraws::PriorDraws(const DrawOptions& options) : options_(options), model_(model_of(options)) {}

PriorDraw PriorDraws::source(const Vector& g) const {
  return {g, std::make_shared<TrigCurve>(trig_coefficients(model_, model_.map->value(g), 0, options_.half))};
}

std::vector<PriorDraw> PriorDraws::draw(int count, std::uint64_t seed) const {
  RandomStream random(seed, 15);
  std::vector<PriorDraw> draws;
  for (int s = 0; s < count; ++s) draws.push_back(source(model_.prior.draw(random)));
  return draws;
}

double PriorDraws::f(const PriorDraw& draw, double x) const {
  return model_.latent(x / options_.half, draw.g) / std::sqrt(options_.half);
}

}  // namespace linkgistic::repro
