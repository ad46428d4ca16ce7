#include "classification/coefficient_errors.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/logistic.hpp"

namespace linkgistic {
namespace {

// P(1 | nu) and its first two derivatives.
struct Response2 {
  double p = 0, first = 0, second = 0;
};

double first_derivative(const BaseLoss& base, double nu) {
  const BaseLoss::LogOdds t = base.at(nu);
  return sigmoid(t.value) * sigmoid(-t.value) * t.slope;
}

Response2 response_at(const BaseLoss& base, double nu) {
  constexpr double h = 1e-5;
  return {sigmoid(base.log_odds(nu)), first_derivative(base, nu),
          (first_derivative(base, nu + h) - first_derivative(base, nu - h)) / (2 * h)};
}

// Functions of the score whose sums over the rows, also times the features, are needed. q functions each:
// the derivatives in g of dp/dm, and the products of the slope's and of nu's with the information U.
enum Place : Index { dp, ddp, u_slope_bend, u, u_slope, u_slope_square, in_g };

struct Sums {
  Matrix features;  // (D + 1, 6 + 3 q): sum w z b
  double weight = 0;
};

Sums sums_over_rows(const WeightProblem& problem, const LinkPlace& link) {
  InformationRequest request = information_request(problem);
  const std::vector<double> nodes = score_nodes(problem, request, link);
  const Index q = link.size();
  const double h = 1e-4 * std::max(nodes.back() - nodes.front(), 1e-6);
  std::vector<double> left = nodes, right = nodes;
  for (double& m : left) m -= h;
  for (double& m : right) m += h;
  const LinkTangents at = link_tangents(link, nodes);
  const LinkTangents below = link_tangents(link, left);
  const LinkTangents above = link_tangents(link, right);
  const Vector bend = (above.slope - below.slope) / (2 * h);
  const Matrix turn = (above.psi - below.psi) / (2 * h);  // of nu' in g
  for (Index i = 0; i < at.nu.size(); ++i) {
    const Response2 r = response_at(problem.base, at.nu[i]);
    const double slope = at.slope[i];
    const double share = problem.base.information(at.nu[i]);
    std::vector<double>& values = request.functions[0].values;
    values.insert(values.end(), {1, r.first * slope, r.second * slope * slope + r.first * bend[i],
                                 share * slope * bend[i], share, share * slope, share * slope * slope});
    for (Index k = 0; k < q; ++k) values.push_back(r.second * at.psi(k, i) * slope + r.first * turn(k, i));
    for (Index k = 0; k < q; ++k) values.push_back(share * slope * turn(k, i));
    for (Index k = 0; k < q; ++k) values.push_back(share * at.psi(k, i));
  }
  request.functions[0].count = static_cast<std::uint32_t>(1 + in_g + 3 * q);
  request.functions.push_back(request.functions[0]);
  const Matrix all = information_matrix(problem, request);
  const auto width = static_cast<Index>(problem.beta.size());
  return {all.topRightCorner(width, all.cols() - width), all(0, 0)};
}

// sum_n w_n s_n s_n', s_n the gradient of the loss of row n.
Matrix squared_gradients(const WeightProblem& problem, const LinkPlace& link) {
  InformationRequest request = information_request(problem);
  const std::vector<double> nodes = score_nodes(problem, request, link);
  const LinkTangents at = link_tangents(link, nodes);
  request.functions.push_back(request.functions[0]);
  for (const int label : {0, 1}) {
    ScoreFunctions& f = request.functions[static_cast<std::size_t>(label)];
    f.count = static_cast<std::uint32_t>(link.size() + 1);
    for (Index i = 0; i < at.nu.size(); ++i) {
      const BaseLoss::LogOdds t = problem.base.at(at.nu[i]);
      const double residual = (label == 1 ? -sigmoid(-t.value) : sigmoid(t.value)) * t.slope;
      f.values.push_back(residual * at.slope[i]);
      for (Index k = 0; k < link.size(); ++k) f.values.push_back(residual * at.psi(k, i));
    }
  }
  return information_matrix(problem, request);
}

}  // namespace

bool CoefficientErrors::all_finite() const {
  for (const auto* numbers : {&error, &robust, &effect, &effect_error, &effect_robust})
    if (!std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); }))
      return false;
  return true;
}

CoefficientErrors coefficient_errors(const WeightProblem& problem, const WeightPosterior& posterior,
                                     const ColumnScale& raw) {
  const LinkPlace& link = posterior.link;
  const Index q = link.size();
  const auto width = static_cast<Index>(problem.beta.size());
  const Index size = width + q;
  const Sums sums = sums_over_rows(problem, link);
  const Matrix& s = sums.features;
  // Derivatives in (beta, g) of log s, of A and of the mean of nu.
  Vector slope(size), effect(size), level(size);
  slope << s.col(u_slope_bend), s.block(0, in_g + q, 1, q).transpose();
  slope /= s(0, u_slope_square);
  effect << s.col(ddp), s.block(0, in_g, 1, q).transpose();
  effect /= sums.weight;
  level << s.col(u_slope), s.block(0, in_g + 2 * q, 1, q).transpose();
  level /= s(0, u);
  const double mean_effect = s(0, dp) / sums.weight;
  const Matrix gradients = squared_gradients(problem, link);
  const Matrix& root = posterior.root;
  const auto error = [&](const Vector& h) { return (root.transpose() * h).norm(); };
  const auto robust = [&](const Vector& h) {
    const Vector v = root * (root.transpose() * h);
    return std::sqrt(std::max(v.dot(gradients * v), 0.0));
  };
  CoefficientErrors result;
  Vector intercept = level;
  for (Index j = 1; j < width; ++j) {
    const auto column = static_cast<std::size_t>(j - 1);
    const double beta = problem.beta[static_cast<std::size_t>(j)];
    const double unit = raw.scale_of(column);
    Vector h = beta * slope;
    h[j] += 1;
    // The intercept is what is left of the mean of nu: that of the features, in their own units.
    intercept -= (s(j, u) / s(0, u) + raw.shift_of(column) * unit) * h;
    if (result.error.empty()) {
      result.error.push_back(0);
      result.robust.push_back(0);
    }
    result.error.push_back(unit * error(h));
    result.robust.push_back(unit * robust(h));
    Vector a = beta * effect;
    a[j] += mean_effect;
    result.effect.push_back(mean_effect * beta * unit);
    result.effect_error.push_back(unit * error(a));
    result.effect_robust.push_back(unit * robust(a));
  }
  result.error.resize(static_cast<std::size_t>(width));
  result.robust.resize(static_cast<std::size_t>(width));
  result.error[0] = error(intercept);
  result.robust[0] = robust(intercept);
  return result;
}

}  // namespace linkgistic
