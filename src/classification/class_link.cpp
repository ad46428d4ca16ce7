#include "classification/class_link.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "inference/sample_posterior.hpp"
#include "numeric/logistic.hpp"
#include "source/harmonics.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/places.hpp"
#include "source/source_curve.hpp"

namespace linkgistic {

Matrix slope_map(const Features& features) {
  const Index size = features.size();
  // f^2: Phi = (1, t, integrals of cos j theta, of sin j theta).
  if (dynamic_cast<const IntegratedHarmonics*>(&features) != nullptr)
    return Matrix::Identity(size, size).bottomRows(size - 1);
  if (dynamic_cast<const Harmonics*>(&features) == nullptr) return {};
  // d(p cos j theta + q sin j theta)/dt = pi c j (q cos j theta - p sin j theta).
  const Index n = (size - 1) / 2;
  Matrix map = Matrix::Zero(size, size);
  for (Index j = 1; j <= n; ++j) {
    const double unit = std::numbers::pi * base_frequency * static_cast<double>(j);
    map(j, n + j) = unit;
    map(n + j, j) = -unit;
  }
  return map;
}

ClassLink::ClassLink(ScoreRange range, Vector theta, SourceModel source,
                     std::shared_ptr<const Posterior> posterior, LinkFacts facts,
                     std::shared_ptr<const LinkRows> rows)
    : range_(range),
      theta_(std::move(theta)),
      source_(std::move(source)),
      posterior_(std::move(posterior)),
      facts_(facts),
      rows_(std::move(rows)),
      kappa_(posterior_->point_coefficients(*source_.map)) {}

ClassLink ClassLink::with_posterior(std::shared_ptr<const Posterior> posterior) const {
  return {range_, theta_, source_, std::move(posterior), facts_, rows_};
}

ClassLink ClassLink::moved(double factor, double shift) const {
  ClassLink result = *this;
  result.range_ = {factor * range_.lower + shift, factor * range_.upper + shift};
  result.facts_.slope /= factor;
  result.facts_.mean_margin = factor * facts_.mean_margin + shift;
  return result;
}

// t = (m - middle)/half.
std::vector<double> ClassLink::places(std::span<const double> margins) const {
  std::vector<double> t(margins.size());
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = (margins[i] - range_.middle()) / range_.half();
  return t;
}

LinkValues ClassLink::at(std::span<const double> margins, int threads) const {
  if (is_identity()) return {{margins.begin(), margins.end()}, std::vector<double>(margins.size(), 1.0)};
  SourceCurve::Points points = SourceCurve(source_.features, kappa_).at(places(margins), threads);
  points.slope /= range_.half();
  return {{points.value.begin(), points.value.end()}, {points.slope.begin(), points.slope.end()}};
}

CubicTable ClassLink::map() const {
  if (is_identity()) return {};
  const bool trig = slope_map(*source_.features).size() > 0;
  const auto harmonics =
      static_cast<std::size_t>(trig ? (source_.features->size() - 1) / 2 : source_.map->inputs() - 1);
  const std::size_t cells = table_cells(harmonics);
  const LinkValues values = at(evenly_spaced(range_.lower, range_.upper, cells + 1), 1);
  return {range_.lower, range_.upper, values.nu, values.slope};
}

Matrix ClassLink::quantiles(std::span<const double> margins, std::span<const double> levels,
                            int threads) const {
  constexpr int cells = 1024;
  const auto n_levels = static_cast<Index>(levels.size());
  if (is_identity()) {
    return Eigen::Map<const Vector>(margins.data(), static_cast<Index>(margins.size()))
        .replicate(1, n_levels);
  }
  const std::vector<double> t = places(margins);
  if (dynamic_cast<const SamplePosterior*>(posterior_.get()) == nullptr)
    return posterior_->quantiles(source_, Places(t), levels, threads);
  std::vector<double> nodes(cells + 1);
  for (int i = 0; i <= cells; ++i) nodes[static_cast<std::size_t>(i)] = 2.0 * i / cells - 1;
  std::vector<double> outside;
  for (const double x : t)
    if (std::abs(x) > 1) outside.push_back(x);
  const Matrix table = posterior_->quantiles(source_, Places(nodes), levels, threads);
  const Matrix beyond = posterior_->quantiles(source_, Places(outside), levels, threads);
  Matrix result(static_cast<Index>(t.size()), n_levels);
  Index n_outside = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (std::abs(t[i]) > 1) {
      result.row(row) = beyond.row(n_outside++);
      continue;
    }
    const KnotPlace place = place_on_grid((t[i] + 1) / 2 * cells, cells);
    const auto cell = static_cast<Index>(place.cell);
    for (Index k = 0; k < n_levels; ++k) result(row, k) = place.between(table(cell, k), table(cell + 1, k));
  }
  return result;
}

LossTable ClassLink::loss_table(const BaseLoss& base, int samples, std::uint64_t seed) const {
  if (is_identity()) return base.table();
  const double half = range_.half();
  Matrix kappa = kappa_;  // (P, draws)
  if (samples > 0) {
    const Matrix draws = posterior_->draw(samples, seed);
    kappa.resize(kappa_.size(), samples);
    for (Index s = 0; s < draws.cols(); ++s) kappa.col(s) = source_.map->value(draws.col(s));
  }

  // The step: 1/256 of the half range, to follow the harmonics, and 1/16 of a unit of log odds, to follow
  // the logistic function where they are steep; no more than 2^13 cells in all.
  std::vector<double> coarse(129);
  for (std::size_t i = 0; i < coarse.size(); ++i) coarse[i] = static_cast<double>(i) / 64 - 1;
  const SourceCurve::Points point = SourceCurve(source_.features, kappa_).at(coarse, 1);
  double steepest = 0;
  for (Index i = 0; i < point.slope.size(); ++i)
    steepest = std::max(steepest, point.slope[i] / half * base.at(point.value[i]).slope);
  const double low = range_.lower - half / 2;
  const double high = range_.upper + half / 2;
  // Margins are in single precision: a finer grid would be useless.
  const double least = std::ldexp(std::max(std::abs(low), std::abs(high)), -21);
  const double fine =
      std::clamp(std::min(half / 256, 0.0625 / std::max(steepest, 1e-9)), half / 2048, half / 256);
  const int k = std::min(static_cast<int>(std::ceil(-std::log2(fine))),
                         static_cast<int>(std::floor(-std::log2(std::max(least, 1e-300)))));
  const double h = std::ldexp(1.0, -k);

  const double first = std::floor(low / h);
  const auto nodes = static_cast<std::size_t>(std::ceil(high / h) - first) + 1;
  std::vector<double> t(nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    t[i] = ((first + static_cast<double>(i)) * h - range_.middle()) / half;
  std::vector<LossNode> loss[2] = {std::vector<LossNode>(nodes), std::vector<LossNode>(nodes)};
  const double share = 1 / static_cast<double>(kappa.cols());
  for (Index s = 0; s < kappa.cols(); ++s) {
    const SourceCurve::Points curve = SourceCurve(source_.features, kappa.col(s)).at(t, 1);
    for (std::size_t i = 0; i < nodes; ++i) {
      const BaseLoss::LogOdds t_nu = base.at(curve.value[static_cast<Index>(i)]);
      const double slope = curve.slope[static_cast<Index>(i)] / half * t_nu.slope;
      loss[0][i].value += share * softplus(t_nu.value);
      loss[0][i].slope += share * sigmoid(t_nu.value) * slope;
      loss[1][i].value += share * softplus(-t_nu.value);
      loss[1][i].slope -= share * sigmoid(-t_nu.value) * slope;
    }
  }
  return LossTable::tabulate(low, high, k, [&](int label, double m) {
    return loss[label][static_cast<std::size_t>(std::lround(m / h - first))];
  });
}

}  // namespace linkgistic
