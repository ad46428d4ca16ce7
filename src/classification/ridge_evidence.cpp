#include "classification/ridge_evidence.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// The top of the parabola through three points at x = -1, 0, 1 of which the middle one is highest.
double parabola_top(double left, double middle, double right) {
  const double curvature = left - 2 * middle + right;
  return curvature < 0 ? std::clamp(0.5 * (left - right) / curvature, -0.5, 0.5) : 0;
}

// The evidence of a fit, and the total variance of its features, each row by the curvature of its loss.
struct FitEvidence {
  double value = 0;
  double variance = 0;
};

FitEvidence evidence_of(const LinkgisticEm& em, const EmResult& logistic) {
  const LinkgisticEm::Scored own{logistic.selection, &logistic.beta};
  const GramRequest request{em.scores_of(std::span(&own, 1)), 0, em.scale()};
  const GramAnswer gram = em.engine().ask(request);
  const auto width = static_cast<Eigen::Index>(logistic.beta.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd hessian =
      Eigen::Map<const RowMajor>(gram.sum.data(), width, width).selfadjointView<Eigen::Upper>();
  FitEvidence result;
  for (Eigen::Index j = 1; j < width && hessian(0, 0) > 0; ++j) {
    const double mean = hessian(0, j) / hessian(0, 0);
    result.variance += std::max(hessian(j, j) / hessian(0, 0) - mean * mean, 0.0);
  }
  hessian.diagonal().tail(width - 1).array() += logistic.l2;
  const double log_det = SignedCholesky(hessian).log_absolute_determinant();
  result.value = logistic.trace.back().objective +
                 0.5 * (static_cast<double>(width - 1) * std::log(logistic.l2) - log_det);
  return result;
}

}  // namespace

double ridge_evidence(const LinkgisticEm& em, const EmResult& logistic) {
  return evidence_of(em, logistic).value;
}

RidgeChoice choose_ridge_by_evidence(LinkgisticEm& em, ProgressMonitor& monitor) {
  constexpr int strongest = 6;
  constexpr int weakest = -8;
  constexpr int steps_without_gain = 2;
  RidgeChoice choice;
  EmResult fit;
  std::vector<double> evidence;
  std::size_t best = 0;
  const auto total = static_cast<std::size_t>(strongest - weakest) + 1;
  monitor.tell("l2", 0, total, 0);
  for (int i = strongest; i >= weakest; --i) {
    fit.l2 = std::pow(10.0, i / 2.0);
    EmResult* one = &fit;
    em.logistic(std::span(&one, 1));
    if (monitor.ask_stop()) {
      choice.interrupted = true;
      break;
    }
    evidence.push_back(ridge_evidence(em, fit));
    choice.tried.emplace_back(fit.l2, -evidence.back() / fit.weight);
    if (evidence.back() > evidence[best]) best = evidence.size() - 1;
    monitor.tell("l2", evidence.size(), total, choice.tried.back().second);
    if (evidence.size() - 1 - best >= steps_without_gain) break;
  }
  if (evidence.empty()) return choice;
  double step = 0;
  if (best > 0 && best + 1 < evidence.size())
    step = parabola_top(evidence[best - 1], evidence[best], evidence[best + 1]);
  choice.l2 = choice.tried[best].first * std::pow(10.0, -step / 2);
  return choice;
}

RidgeSpread ridge_spread(LinkgisticEm& em, const EmResult& logistic, ProgressMonitor& monitor) {
  constexpr int most_steps = 4;
  constexpr double improbable = 6;  // below the best, in logarithms
  constexpr double sigma = 1.5;
  std::vector<double> log_weight;
  RidgeSpread spread;
  const double variance = std::max(evidence_of(em, logistic).variance, 1e-300);
  const auto add = [&](const EmResult& fit) {
    const double log_sigma = 0.5 * std::log(variance / fit.l2);
    log_weight.push_back(evidence_of(em, fit).value - 0.5 * std::pow(log_sigma - std::log(sigma), 2));
    spread.move.push_back(fit.beta);
    for (std::size_t j = 0; j < fit.beta.size(); ++j) spread.move.back()[j] -= logistic.beta[j];
    return log_weight.back();
  };
  double best = add(logistic);
  for (const double step : {std::sqrt(10.0), 1 / std::sqrt(10.0)}) {
    EmResult fit = logistic;
    for (int i = 0; i < most_steps && !monitor.ask_stop(); ++i) {
      fit.l2 *= step;
      EmResult* one = &fit;
      em.logistic(std::span(&one, 1));
      if (fit.interrupted) break;
      const double at = add(fit);
      best = std::max(best, at);
      if (at < best - improbable) break;
    }
  }
  double total = 0;
  for (const double w : log_weight) total += std::exp(w - best);
  for (const double w : log_weight) spread.weight.push_back(std::exp(w - best) / total);
  return spread;
}

}  // namespace linkgistic
