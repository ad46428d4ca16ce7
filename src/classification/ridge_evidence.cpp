#include "classification/ridge_evidence.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace linkgistic {
namespace {

// The top of the parabola through three points at x = -1, 0, 1 of which the middle one is highest.
double parabola_top(double left, double middle, double right) {
  const double curvature = left - 2 * middle + right;
  return curvature < 0 ? std::clamp(0.5 * (left - right) / curvature, -0.5, 0.5) : 0;
}

}  // namespace

double ridge_evidence(const LinkgisticEm& em, const EmResult& logistic) {
  const LinkgisticEm::Scored own{logistic.selection, &logistic.beta};
  const GramRequest request{em.scores_of(std::span(&own, 1)), 0, em.scale()};
  const GramAnswer gram = em.engine().ask(request);
  const auto width = static_cast<Eigen::Index>(logistic.beta.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd hessian =
      Eigen::Map<const RowMajor>(gram.sum.data(), width, width).selfadjointView<Eigen::Upper>();
  hessian.diagonal().tail(width - 1).array() += logistic.l2;
  const Eigen::LDLT<Eigen::MatrixXd> factor(hessian);
  const double log_det = factor.vectorD().array().abs().max(1e-300).log().sum();
  return logistic.trace.back().objective +
         0.5 * (static_cast<double>(width - 1) * std::log(logistic.l2) - log_det);
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

}  // namespace linkgistic
