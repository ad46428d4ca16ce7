// A label, or the number y of successes in m trials, with guesses and lapses: of one trial
//   mu = g + d p,  1 - mu = l + d q,  d = 1 - g - l,  p = 1/(1 + e^-nu),  q = 1 - p,
// the psychometric function of forced choice, and log p(y) = y log mu + (m - y) log(1 - mu) + log (m over y).
// With mu' = d p q, mu'' = d p q (q - p), mu''' = d p q (1 - 6 p q) and v_k = mu^(k)/mu
//   (log mu)' = v_1,  (log mu)'' = v_2 - v_1^2,  (log mu)''' = v_3 - 3 v_1 v_2 + 2 v_1^3,
// and log(1 - mu) is log mu at -nu with g and l exchanged. A rate r that is learned has the coordinate
// log(r/(1-r)); dmu/dg = q and dmu/dl = -p.
#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "numeric/logistic.hpp"
#include "response/bernoulli.hpp"
#include "response/responses.hpp"

namespace linkgistic {
namespace {

// log(floor + d p) and its derivatives; `ceiling` is the other rate.
LogDensity log_rate(double nu, double floor, double ceiling) {
  const double d = 1 - floor - ceiling;
  if (floor == 0) {  // log d + log p, which does not underflow
    LogDensity l = BernoulliResponse().at(1, nu, {});
    l.value += std::log(d);
    return l;
  }
  const double p = sigmoid(nu), q = sigmoid(-nu), mu = floor + d * p;
  const double v1 = d * p * q / mu, v2 = v1 * (q - p), v3 = v1 * (1 - 6 * p * q);
  return {std::log(mu), v1, v2 - v1 * v1, v3 - 3 * v1 * v2 + 2 * v1 * v1 * v1};
}

// The derivative of value, first and second in the floor (`by_floor`), or in the other rate: h = dmu/drate.
LogDensity log_rate_derivative(double nu, double floor, double ceiling, bool by_floor) {
  const double d = 1 - floor - ceiling;
  const double p = sigmoid(nu), q = sigmoid(-nu), mu = floor + d * p;
  const double h = (by_floor ? q : -p) / mu;
  const double h1 = -p * q / mu, h2 = h1 * (q - p);  // of both, since q' = -p'
  const double v1 = d * p * q / mu, v2 = v1 * (q - p);
  return {h, h1 - h * v1, h2 - 2 * h1 * v1 - h * v2 + 2 * h * v1 * v1, 0};
}

class ForcedChoice final : public Response {
 public:
  ForcedChoice(double trials, bool labels, const Rate& guess, const Rate& lapse)
      : trials_(trials),
        labels_(labels),
        guess_(guess),
        lapse_(lapse),
        plain_(labels ? named_response("bernoulli") : make_binomial_response(trials)) {}
  [[nodiscard]] std::string_view name() const override { return plain_->name(); }
  [[nodiscard]] Link link() const override { return Link::logit; }
  [[nodiscard]] bool takes_trials() const override { return !labels_; }
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override {
    std::vector<HyperParameter> learned;
    for (const auto& [name, rate, other, meaning] :
         {std::tuple("guess", guess_, lapse_, "probability of {y} where the curve is lowest"),
          std::tuple("lapse", lapse_, guess_, "probability of a failure where the curve is highest")}) {
      if (!rate.learned) continue;
      // Rates are small: nine tenths of the weak prior lie from .004 to .1.
      constexpr double start = 0.02, most = 0.25;
      const double upper = other.learned ? most : std::min(most, (1 - other.value) / 2);
      learned.push_back({.name = name,
                         .coordinate = Coordinate::logit,
                         .start = std::min(start, upper / 2),
                         .lower = 1e-4,
                         .upper = upper,
                         .prior_mean = std::log(start / (1 - start)),
                         .prior_sd = 1,
                         .meaning = meaning});
    }
    return learned;
  }

  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override {
    const auto [g, l] = rates(eta);
    LogDensity sum = {plain_->saturated(y, {}) - greatest(y), 0, 0, 0};  // log (m over y)
    if (y > 0) add(y, log_rate(nu, g, l), 1, sum);
    if (y < trials_) add(trials_ - y, log_rate(-nu, l, g), -1, sum);
    return sum;
  }
  [[nodiscard]] LogDensity hyper_derivative(double y, double nu, const Vector& eta, Index i) const override {
    const auto [g, l] = rates(eta);
    const bool of_guess = guess_.learned && i == 0;
    LogDensity sum;
    if (y > 0) add(y, log_rate_derivative(nu, g, l, of_guess), 1, sum);
    if (y < trials_) add(trials_ - y, log_rate_derivative(-nu, l, g, !of_guess), -1, sum);
    const double rate = of_guess ? g : l, slope = rate * (1 - rate);
    return {slope * sum.value, slope * sum.first, slope * sum.second, 0};
  }

  [[nodiscard]] bool is_valid(double y) const override { return plain_->is_valid(y); }
  [[nodiscard]] std::string_view rule() const override { return plain_->rule(); }
  [[nodiscard]] bool is_whole() const override { return true; }
  /// A share at an end of the mean, or beyond it, is moved within by half of a row, at most by a tenth.
  [[nodiscard]] double centre(double sum, double weight) const override {
    const auto [g, l] = rates(start_theta(hyper_parameters()));
    const double share = (sum / weight - g) / (1 - g - l), least = std::min(0.1, 0.5 / weight);
    const double inside = std::clamp(share, least, 1 - least);
    return std::log(inside / (1 - inside));
  }
  [[nodiscard]] MeanRange mean_range(const Vector& eta) const override {
    const auto [g, l] = rates(eta);
    return {g, 1 - l};
  }
  [[nodiscard]] double mean(double nu, const Vector& eta) const override {
    const auto [g, l] = rates(eta);
    return g + (1 - g - l) * sigmoid(nu);
  }
  // The law is that of the plain response at the log odds of mu.
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const override {
    return plain_->probability_below(y, odds(nu, eta), {});
  }
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    return plain_->quantile(level, odds(nu, eta), {});
  }
  [[nodiscard]] double saturated(double y, const Vector& eta) const override {
    const auto [lower, upper] = mean_range(eta);
    const double share = std::clamp(y / trials_, lower, upper);
    if (share == y / trials_) return plain_->saturated(y, {});
    return plain_->at(y, std::log(share / (1 - share)), {}).value;
  }

 private:
  struct Rates {
    double guess, lapse;
  };
  [[nodiscard]] Rates rates(const Vector& eta) const {
    Index next = 0;
    const double guess = guess_.learned ? sigmoid(eta[next++]) : guess_.value;
    return {guess, lapse_.learned ? sigmoid(eta[next]) : lapse_.value};
  }
  [[nodiscard]] double odds(double nu, const Vector& eta) const {
    const auto [g, l] = rates(eta);
    return log_rate(nu, g, l).value - log_rate(-nu, l, g).value;
  }
  // Of y log mu + (m - y) log(1 - mu), over all mu.
  [[nodiscard]] double greatest(double y) const {
    const auto part = [this](double k) { return k > 0 ? k * std::log(k / trials_) : 0; };
    return part(y) + part(trials_ - y);
  }
  // So many times a term, of an argument with this sign.
  static void add(double times, const LogDensity& term, double sign, LogDensity& sum) {
    sum.value += times * term.value;
    sum.first += times * sign * term.first;
    sum.second += times * term.second;
    sum.third += times * sign * term.third;
  }

  double trials_;
  bool labels_;
  Rate guess_, lapse_;
  std::shared_ptr<const Response> plain_;
};

}  // namespace

std::shared_ptr<const Response> make_forced_choice(double trials, bool labels, const Rate& guess,
                                                   const Rate& lapse) {
  return std::make_shared<ForcedChoice>(trials, labels, guess, lapse);
}

}  // namespace linkgistic
