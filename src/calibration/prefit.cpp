#include "calibration/prefit.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/newton.hpp"

namespace linkgistic {
namespace {

const double theta_mean = std::log(2.5);
constexpr double theta_precision = 4;
constexpr double zero_scale = 0.25;
constexpr double intercept_precision = 0.01;

// -log posterior in (theta, b).
class LineObjective final : public NewtonObjective {
 public:
  LineObjective(const WeightedRows& rows, const Response& response, const Zero& zero)
      : rows_(rows), response_(response), zero_(zero) {}

  [[nodiscard]] double value(const Vector& at) const override {
    const double slope = std::exp(at[0]);
    double sum = 0;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      sum += rows_.weight[n] * response_.at(rows_.y[n], slope * rows_.x[n] + at[1], {}).value;
    }
    return prior(at).value - sum;
  }

  double derivatives(const Vector& at, Vector& gradient, Matrix& hessian) const override {
    const double slope = std::exp(at[0]);
    const Vector none;
    double sum = 0;
    double g[2] = {0, 0};
    double h[3] = {0, 0, 0};
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const double d = slope * rows_.x[n];  // dx/dtheta, and its own derivative
      const LogDensity l = response_.at(rows_.y[n], d + at[1], none);
      const double w = rows_.weight[n];
      sum += w * l.value;
      g[0] += w * l.first * d;
      g[1] += w * l.first;
      h[0] += w * (l.second * d * d + l.first * d);
      h[1] += w * l.second * d;
      h[2] += w * l.second;
    }
    const Prior p = prior(at);
    gradient = p.gradient - Vector{{g[0], g[1]}};
    hessian = p.hessian - Matrix{{h[0], h[1]}, {h[1], h[2]}};
    return p.value - sum;
  }

 private:
  struct Prior {
    double value;
    Vector gradient;
    Matrix hessian;
  };
  [[nodiscard]] Prior prior(const Vector& at) const {
    const double t = at[0] - theta_mean;
    Prior p{theta_precision * t * t / 2, Vector::Zero(2), Matrix::Zero(2, 2)};
    p.gradient[0] = theta_precision * t;
    p.hessian(0, 0) = theta_precision;
    if (!zero_.known) {
      p.value += intercept_precision * at[1] * at[1] / 2;
      p.gradient[1] = intercept_precision * at[1];
      p.hessian(1, 1) = intercept_precision;
      return p;
    }
    // log(1 + (x0/scale)^2), x0 = e^theta q0 + b.
    const double d = std::exp(at[0]) * zero_.q;
    const double x0 = d + at[1];
    const double size = zero_scale * zero_scale + x0 * x0;
    const double first = 2 * x0 / size;
    const double second = 2 / size - first * first;
    p.value += std::log(size / (zero_scale * zero_scale));
    p.gradient += first * Vector{{d, 1}};
    p.hessian += second * Matrix{{d * d, d}, {d, 1}};
    p.hessian(0, 0) += first * d;
    return p;
  }

  const WeightedRows& rows_;
  const Response& response_;
  Zero zero_;
};

}  // namespace

PreFit fit_line(const WeightedRows& rows, const Response& response, const Zero& zero) {
  double total = 1, positive = 0.5;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    total += rows.weight[n];
    positive += rows.weight[n] * rows.y[n];
  }
  const LineObjective objective(rows, response, zero);
  // The Cauchy prior can make two modes: one where score 0 is even odds, one at the labels' odds.
  NewtonResult best =
      minimise_newton(objective, Vector{{theta_mean, std::log(positive / (total - positive))}});
  if (zero.known) {
    const NewtonResult other =
        minimise_newton(objective, Vector{{theta_mean, -std::exp(theta_mean) * zero.q}});
    if (other.value < best.value) best = other;
  }
  return {best.x[0], best.x[1]};
}

}  // namespace linkgistic
