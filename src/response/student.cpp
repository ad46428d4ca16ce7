// y = nu + noise with the law of Student's t: precision alpha, d degrees of freedom. With r = y - nu, w =
// 1/(1 + alpha r^2/d) and k = (d + 1) alpha/d
//   l = log Gamma((d+1)/2) - log Gamma(d/2) - log(d pi)/2 + log(alpha)/2 + (d+1)/2 log w;
//   l' = k r w,  l'' = k (w - 2 w^2),  l''' = k (1 - 4w) w^2 2 alpha r/d.
// eta = (log alpha, log d); dw/d eta is -w (1 - w) and w (1 - w).
#include <cmath>
#include <memory>
#include <numbers>

#include "numeric/extent.hpp"
#include "numeric/normal.hpp"
#include "numeric/special.hpp"
#include "response/gaussian.hpp"
#include "response/location_quantiles.hpp"

namespace linkgistic {
namespace {

class StudentResponse final : public Response {
 public:
  [[nodiscard]] std::string_view name() const override { return "student"; }
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override {
    HyperParameter noise = GaussianResponse().hyper_parameters()[0];
    noise.meaning = "scale of {y} around the curve: about two thirds of the rows lie within it";
    noise.is_scale = false;
    constexpr double start = 8;
    return {noise,
            {.name = "freedom",
             .coordinate = Coordinate::log,
             .start = start,
             .lower = 1,
             .upper = 1e3,
             .prior_mean = std::log(start),
             .prior_sd = 1,
             .meaning = "degrees of freedom of the noise: near 1 many outliers, above 30 as good as none"}};
  }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override {
    const Parts p(y, nu, eta);
    return {p.top + (p.d + 1) / 2 * std::log(p.w), p.k * p.r * p.w, p.k * (p.w - 2 * p.w * p.w),
            p.k * (1 - 4 * p.w) * p.w * p.w * 2 * p.alpha * p.r / p.d};
  }
  [[nodiscard]] LogDensity hyper_derivative(double y, double nu, const Vector& eta, Index i) const override {
    const Parts p(y, nu, eta);
    const double w = p.w, loss = (p.d + 1) / 2 * (1 - w);
    if (i == 0) return {0.5 - loss, p.k * p.r * w * w, p.k * w * w * (3 - 4 * w), 0};
    const double spread = w * (1 - w), dk = -p.alpha / p.d;
    return {p.d / 2 * (digamma((p.d + 1) / 2) - digamma(p.d / 2) + std::log(w)) - 0.5 + loss,
            dk * p.r * w + p.k * p.r * spread, dk * (w - 2 * w * w) + p.k * (1 - 4 * w) * spread, 0};
  }

  [[nodiscard]] bool is_valid(double y) const override { return std::isfinite(y); }
  [[nodiscard]] std::string_view rule() const override { return "finite"; }
  [[nodiscard]] bool all_valid(std::span<const double> y) const override { return extent_of(y).finite; }
  [[nodiscard]] bool has_units() const override { return true; }
  [[nodiscard]] double mean(double nu, const Vector&) const override { return nu; }
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const override {
    return below((y - nu) * std::exp(eta[0] / 2), std::exp(eta[1]));
  }
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    return nu + standard_quantile(level, std::exp(eta[1])) * std::exp(-eta[0] / 2);
  }
  /// y - E nu has a law of the deviation of nu alone.
  [[nodiscard]] Vector normal_quantiles(double level, const Vector& mean, const Vector& variance,
                                        const Vector& eta) const override {
    const auto about_zero = [&](double sd) {
      return Response::normal_quantiles(level, Vector::Zero(1), Vector::Constant(1, sd * sd), eta)[0];
    };
    return mean + smooth_in_deviation(variance.cwiseSqrt(), about_zero);
  }
  [[nodiscard]] double saturated(double y, const Vector& eta) const override { return at(y, y, eta).value; }

 private:
  struct Parts {
    double alpha, d, r, w, k, top;
    Parts(double y, double nu, const Vector& eta)
        : alpha(std::exp(eta[0])),
          d(std::exp(eta[1])),
          r(y - nu),
          w(1 / (1 + alpha * r * r / d)),
          k((d + 1) * alpha / d),
          top(std::lgamma((d + 1) / 2) - std::lgamma(d / 2) - std::log(d * std::numbers::pi) / 2 +
              eta[0] / 2) {}
  };
  // P(T <= t): the tail is I_{d/(d + t^2)}(d/2, 1/2)/2.
  static double below(double t, double d) {
    const double tail = beta_share(d / 2, 0.5, d / (d + t * t)) / 2;
    return t < 0 ? tail : 1 - tail;
  }
  // Halving beyond the normal quantile, which has less in its tail.
  static double standard_quantile(double level, double d) {
    if (level == 0.5) return 0;
    const double tail = level < 0.5 ? level : 1 - level;
    double lower = 0, upper = std::fmax(-normal_quantile(tail), 1e-300);
    while (below(-upper, d) > tail && upper < 1e300) upper *= 2;
    while (upper - lower > 1e-14 * upper) {
      const double middle = (lower + upper) / 2;
      (below(-middle, d) > tail ? lower : upper) = middle;
    }
    return level < 0.5 ? -upper : upper;
  }
};

}  // namespace

std::shared_ptr<const Response> make_student_response() { return std::make_shared<StudentResponse>(); }

}  // namespace linkgistic
