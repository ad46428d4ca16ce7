#include "report/response_words.hpp"

#include <utility>
#include <vector>

#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

bool has_units(ResponseKind kind) { return kind == ResponseKind::gaussian || kind == ResponseKind::student; }
bool has_log_odds(ResponseKind kind) {
  return kind == ResponseKind::bernoulli || kind == ResponseKind::binomial;
}

std::string label_words(const FittedMonotoneRegression& fit) {
  return column_of(fit, "y") + " = " +
         (fit.columns().contains("positive") ? fit.columns().at("positive") : "1");
}

}  // namespace

std::string mean_words(const FittedMonotoneRegression& fit) {
  const std::string y = column_of(fit, "y");
  switch (fit.options().response) {
    case ResponseKind::bernoulli:
      return "P(" + label_words(fit) + ")";
    case ResponseKind::binomial:
      return "share of " + y;
    default:
      return fit.columns().contains("exposure") ? y + " for 1 of " + fit.columns().at("exposure") : y;
  }
}

std::string link_words(const FittedMonotoneRegression& fit) {
  const std::string y = column_of(fit, "y");
  const ResponseKind kind = fit.options().response;
  if (has_units(kind)) return y;
  if (kind == ResponseKind::bernoulli) return "log odds of " + label_words(fit);
  return has_log_odds(kind) ? "log odds of " + y : "log " + y;
}

std::string noise_words(const FittedMonotoneRegression& fit) {
  const double ends[] = {fit.summary().x_lower, fit.summary().x_upper};
  const std::vector<double> noise = fit.noise(ends);
  return "smooth, " + number(noise[0]) + " at " + column_of(fit, "x") + " = " + number(ends[0]) + ", " +
         number(noise[1]) + " at " + number(ends[1]) + ", " + number(fit.noise()) +
         " in the root mean square of the rows";
}

std::string response_words(const FittedMonotoneRegression& fit) {
  const ResponseKind kind = fit.options().response;
  std::string words = name_of(response_names(), kind);
  if (!has_units(kind)) {
    words += ", the curve is the " +
             (has_log_odds(kind) ? link_words(fit) : "logarithm of the mean of " + mean_words(fit));
  }
  if (kind == ResponseKind::binomial) words += " in " + column_of(fit, "trials") + " trials";
  for (const auto& [name, rate] :
       {std::pair("guess", fit.options().guess), std::pair("lapse", fit.options().lapse)}) {
    if (rate.learned || rate.value > 0)
      words += std::string(", ") + name + " rate " + (rate.learned ? "learned" : number(rate.value));
  }
  if (fit.columns().contains("offset")) words += ", to which " + fit.columns().at("offset") + " is added";
  return words;
}

bool observes_labels(const FittedMonotoneRegression& fit) { return has_log_odds(fit.options().response); }

}  // namespace linkgistic
