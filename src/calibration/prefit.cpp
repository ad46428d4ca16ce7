#include "calibration/prefit.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/newton.hpp"

namespace linkgistic {
namespace {

// -log posterior in (theta, b).
class LineObjective final : public NewtonObjective {
 public:
  LineObjective(const WeightedRows& rows, const Response& response, const Zero& zero,
                const CalibrationPrior& numbers)
      : rows_(rows), response_(response), zero_(zero), prior_(numbers) {}

  [[nodiscard]] double theta_mean() const { return std::log(prior_.line_slope); }

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
    const double t = at[0] - theta_mean();
    Prior p{prior_.line_precision * t * t / 2, Vector::Zero(2), Matrix::Zero(2, 2)};
    p.gradient[0] = prior_.line_precision * t;
    p.hessian(0, 0) = prior_.line_precision;
    if (!zero_.known) {
      p.value += prior_.intercept_precision * at[1] * at[1] / 2;
      p.gradient[1] = prior_.intercept_precision * at[1];
      p.hessian(1, 1) = prior_.intercept_precision;
      return p;
    }
    // log(1 + (x0/scale)^2), x0 = e^theta q0 + b.
    const double d = std::exp(at[0]) * zero_.q;
    const double x0 = d + at[1];
    const double square = prior_.zero_scale * prior_.zero_scale;
    const double size = square + x0 * x0;
    const double first = 2 * x0 / size;
    const double second = 2 / size - first * first;
    p.value += std::log(size / square);
    p.gradient += first * Vector{{d, 1}};
    p.hessian += second * Matrix{{d * d, d}, {d, 1}};
    p.hessian(0, 0) += first * d;
    return p;
  }

  const WeightedRows& rows_;
  const Response& response_;
  Zero zero_;
  CalibrationPrior prior_;
};

}  // namespace

PreFit fit_line(const WeightedRows& rows, const Response& response, const Zero& zero,
                const CalibrationPrior& prior) {
  double total = 1, positive = 0.5;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    total += rows.weight[n];
    positive += rows.weight[n] * rows.y[n];
  }
  const LineObjective objective(rows, response, zero, prior);
  const double theta = objective.theta_mean();
  // The Cauchy prior can make two modes: one where score 0 is even odds, one at the labels' odds.
  NewtonResult best = minimise_newton(objective, Vector{{theta, std::log(positive / (total - positive))}});
  if (zero.known) {
    const NewtonResult other = minimise_newton(objective, Vector{{theta, -std::exp(theta) * zero.q}});
    if (other.value < best.value) best = other;
  }
  return {best.x[0], best.x[1]};
}

}  // namespace linkgistic
