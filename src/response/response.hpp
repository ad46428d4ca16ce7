// What a row's y is, given the source's value nu there: its density with three derivatives, its own
// hyper-parameters, its units, and where a new observation lies. A new one is one small file
// (docs/likelihoods.md).
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numeric/types.hpp"
#include "source/hyper_parameter.hpp"

namespace linkgistic {

/// l = log p(y | nu) and its derivatives in nu.
struct LogDensity {
  double value = 0, first = 0, second = 0, third = 0;
};

/// constant + linear nu - precision nu^2 / 2.
struct QuadraticDensity {
  double constant = 0, linear = 0, precision = 0;
};

/// The function of the mean of y that nu is.
enum class Link { identity, logit, log };

/// The ends of a mean whose link is the logit.
struct MeanRange {
  double lower = 0, upper = 1;
};

class Response {
 public:
  virtual ~Response() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Link link() const { return Link::identity; }
  /// Whether rows may have an exposure, which multiplies the mean, and whether they have numbers of trials.
  [[nodiscard]] virtual bool takes_exposure() const { return false; }
  [[nodiscard]] virtual bool takes_trials() const { return false; }
  /// Hyper-parameters of the response itself; eta below are their coordinates.
  [[nodiscard]] virtual std::vector<HyperParameter> hyper_parameters() const { return {}; }
  [[nodiscard]] virtual LogDensity at(double y, double nu, const Vector& eta) const = 0;
  /// Derivative in eta_i of value, first and second (third is not used).
  [[nodiscard]] virtual LogDensity hyper_derivative(double /*y*/, double /*nu*/, const Vector& /*eta*/,
                                                    Index /*i*/) const {
    return {};
  }

  /// A lower bound of `at(y, nu, eta).value` for every nu: the one of its family with the greatest mean when
  /// E nu^2 = square. Empty if no such bound is known.
  [[nodiscard]] virtual std::optional<QuadraticDensity> quadratic_bound(double /*y*/, double /*square*/,
                                                                        const Vector& /*eta*/) const {
    return std::nullopt;
  }
  /// Derivative of the bound in eta_i, its place of contact held.
  [[nodiscard]] virtual QuadraticDensity quadratic_bound_derivative(double /*y*/, const Vector& /*eta*/,
                                                                    Index /*i*/) const {
    return {};
  }
  /// Whether a quadratic bound is known: the variational Gaussian needs one.
  [[nodiscard]] bool has_bound() const {
    return quadratic_bound(0, 1, start_theta(hyper_parameters())).has_value();
  }

  /// Whether y can be observed, and the rule in words: "it must be ...".
  [[nodiscard]] virtual bool is_valid(double y) const = 0;
  [[nodiscard]] virtual std::string_view rule() const = 0;
  /// Whether each of many y can be observed.
  [[nodiscard]] virtual bool all_valid(std::span<const double> y) const {
    return std::all_of(y.begin(), y.end(), [this](double value) { return is_valid(value); });
  }
  /// Whether nu has the units of y and (y - shift)/scale is as good a y: a fit then standardises it.
  /// Otherwise nu is a pure number.
  [[nodiscard]] virtual bool has_units() const { return false; }
  /// Whether y is a whole number.
  [[nodiscard]] virtual bool is_whole() const { return false; }

  /// The constant nu that fits rows of this total weight with this sum of y, moved a little from the ends; of
  /// a response without units. Of a log link none at all are as half of one.
  [[nodiscard]] virtual double centre(double sum, double weight) const;

  /// Where the link is the logit, the mean is lower + (upper - lower)/(1 + e^-nu).
  [[nodiscard]] virtual MeanRange mean_range(const Vector& /*eta*/) const { return {}; }
  /// E(y | nu), increasing in nu.
  [[nodiscard]] virtual double mean(double nu, const Vector& eta) const = 0;
  /// P(a new observation <= y | nu).
  [[nodiscard]] virtual double probability_below(double y, double nu, const Vector& eta) const = 0;
  /// The least y with probability_below(y) >= level, 0 < level < 1.
  [[nodiscard]] virtual double quantile(double level, double nu, const Vector& eta) const = 0;
  /// The same of the mixture over nu ~ N(mean_i, variance_i), for each i.
  [[nodiscard]] virtual Vector normal_quantiles(double level, const Vector& mean, const Vector& variance,
                                                const Vector& eta) const;
  /// The same of the mixture over nu_s with eta in the column s, all s as likely.
  [[nodiscard]] virtual double mixture_quantile(double level, const Vector& nu, const Matrix& eta) const;

  /// The greatest log p(y | nu) over nu.
  [[nodiscard]] virtual double saturated(double y, const Vector& eta) const = 0;
  /// Twice the distance of the log density to its greatest value.
  [[nodiscard]] double deviance(double y, double nu, const Vector& eta) const {
    return 2 * (saturated(y, eta) - at(y, nu, eta).value);
  }
};

}  // namespace linkgistic
