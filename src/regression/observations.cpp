// Where new observations of a fitted regression lie, and how rows that were observed do.
#include <cmath>
#include <map>

#include <linkgistic/error.hpp>

#include "regression/fit.hpp"
#include "regression/fit_rows.hpp"
#include "regression/fitted.hpp"
#include "regression/noise.hpp"

namespace linkgistic {
namespace {

// Rows by their number of trials; one group for a response without trials.
std::map<double, std::vector<std::size_t>> by_trials(const Response& response, const RowBlock& rows) {
  std::map<double, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows.size(); ++i)
    groups[response.takes_trials() && !rows.trials.empty() ? rows.trials[i] : 1].push_back(i);
  for (const auto& [trials, members] : groups) {
    if (trials > 0 && std::isfinite(trials) && trials == std::floor(trials)) continue;
    throw InputError("trials is " + std::to_string(trials) + " in row " +
                     std::to_string(members.front() + 1) + ": it must be a positive whole number");
  }
  return groups;
}

Places some(const Places& at, const std::vector<std::size_t>& members) {
  Places part;
  part.lower = at.lower;
  part.upper = at.upper;
  for (const std::size_t i : members) {
    part.inside.push_back(at.inside[i]);
    part.beyond.push_back(at.beyond[i]);
    if (!at.shift.empty()) part.shift.push_back(at.shift[i]);
  }
  return part;
}

std::shared_ptr<const Response> of_trials(const FittedRegressionState& s, double trials) {
  return s.response->takes_trials() ? regression_response(s.options, trials) : s.response;
}

// Of noise that varies: the noise at a place is as uncertain as its curve is there. In the fit's coordinates.
Matrix noisy_quantiles(const FittedRegressionState& s, const Places& at, std::span<const double> levels) {
  const auto& gaussian = dynamic_cast<const GaussianPosterior&>(*s.posterior);
  const NormalValues nu = gaussian.normal_at(s.source, at, s.options.threads);
  const NormalValues noise = s.noise->at(at, s.options.threads);
  const double log_variance = -s.eta()[0];
  Matrix result(nu.mean.size(), static_cast<Index>(levels.size()));
  for (Index i = 0; i < result.rows(); ++i)
    for (Index k = 0; k < result.cols(); ++k)
      result(i, k) = noisy_quantile(levels[static_cast<std::size_t>(k)], nu.mean[i], nu.variance[i],
                                    log_variance + noise.mean[i], noise.variance[i]);
  return result;
}

}  // namespace

Matrix observation_quantiles(const FittedRegressionState& s, const RowBlock& rows, const Places& at,
                             std::span<const double> levels) {
  const Vector eta = s.eta();
  Matrix result(static_cast<Index>(at.size()), static_cast<Index>(levels.size()));
  for (const auto& [trials, members] : by_trials(*s.response, rows)) {
    const auto response = of_trials(s, trials);
    const bool all = members.size() == at.size();
    Matrix found = s.noise ? noisy_quantiles(s, at, levels)
                           : s.posterior->observation_quantiles(s.source, all ? at : some(at, members),
                                                                levels, *response, eta, s.options.threads);
    if (s.response->takes_trials()) found /= trials;
    for (std::size_t i = 0; i < members.size(); ++i)
      result.row(static_cast<Index>(members[i])) = found.row(static_cast<Index>(i));
  }
  if (!s.response->has_units()) return result;
  for (Index i = 0; i < result.rows(); ++i) {
    const double offset = rows.offset.empty() ? 0 : rows.offset[static_cast<std::size_t>(i)];
    for (Index k = 0; k < result.cols(); ++k) result(i, k) = s.scaling.to_y(result(i, k)) + offset;
  }
  return result;
}

RowScores FittedMonotoneRegression::score_rows(const RowBlock& rows) const {
  const FittedRegressionState& s = *state_;
  std::size_t row = 0;
  RowBlock checked = rows;
  const std::vector<double> ones(s.response->takes_trials() && rows.trials.empty() ? rows.size() : 0, 1.0);
  if (!ones.empty()) checked.trials = ones;
  check_rows(checked, *s.response, row);
  const Places where = places(s, rows);
  const auto eta_at = s.eta_at(where);
  const Vector nu = source_values(*s.source.features, where, s.posterior->point_coefficients(*s.source.map),
                                  s.options.threads);
  RowScores scores;
  for (auto* column : {&scores.log_density, &scores.deviance, &scores.below, &scores.at_most})
    column->resize(rows.size());
  const bool units = s.response->has_units(), turned = s.scaling.y_scale < 0;
  for (const auto& [trials, members] : by_trials(*s.response, rows)) {
    const auto response = of_trials(s, trials);
    for (const std::size_t i : members) {
      const double offset = units && !rows.offset.empty() ? rows.offset[i] : 0;
      const double y = units ? (rows.y[i] - offset - s.scaling.y_shift) / s.scaling.y_scale : rows.y[i];
      const double at = nu[static_cast<Index>(i)];
      const Vector eta = eta_at(i);
      scores.log_density[i] =
          response->at(y, at, eta).value - (units ? std::log(std::abs(s.scaling.y_scale)) : 0);
      scores.deviance[i] = response->deviance(y, at, eta);
      const double at_most = response->probability_below(y, at, eta);
      const double below = response->is_whole() ? response->probability_below(y - 1, at, eta) : at_most;
      scores.at_most[i] = turned ? 1 - below : at_most;
      scores.below[i] = turned ? 1 - at_most : below;
    }
  }
  return scores;
}

}  // namespace linkgistic
