// Section 2 of the paper: proper losses, canonical links, Bregman forms, margin losses, representability.
#include <algorithm>
#include <cmath>
#include <functional>

#include "loss/proper_loss.hpp"
#include "repro/statements.hpp"

namespace linkgistic::repro {
namespace {

std::vector<std::shared_ptr<const ProperLoss>> library_losses() {
  std::vector<std::shared_ptr<const ProperLoss>> all;
  for (const char* name :
       {"log", "square", "matsushita", "alpha=0.7", "alpha=3", "spherical", "cost=0.3", "beta=0.5,0.5"})
    all.push_back(make_loss(name));
  return all;
}

using PartialLoss = std::function<double(int, double)>;  // of label and probability

/// How far the expected loss at the truth lies above its least value over predictions.
double above_least(const PartialLoss& loss) {
  double most = 0;
  for (const double p : grid(0.02, 0.98, 49)) {
    const auto risk = [&](double u) { return p * loss(1, u) + (1 - p) * loss(0, u); };
    double least = risk(p);
    for (const double u : grid(0.002, 0.998, 499)) least = std::min(least, risk(u));
    most = std::max(most, risk(p) - least);
  }
  return most;
}

/// |link(u) + L'(u)| over 1 + |L'|, the derivative by differences.
double link_error(const ProperLoss& loss, const std::function<double(double)>& link) {
  constexpr double h = 1e-4;
  double most = 0;
  const auto risk = [&](double u) { return loss.bayes_risk(Probability(u)); };
  for (const double u : grid(0.05, 0.95, 37)) {
    const double slope = (8 * (risk(u + h) - risk(u - h)) - (risk(u + 2 * h) - risk(u - 2 * h))) / (12 * h);
    most = std::max(most, std::abs(link(u) + slope) / (1 + std::abs(slope)));
  }
  return most;
}

/// D_{-L}(u || v), from the Bayes risk and its link alone.
double divergence(const ProperLoss& loss, double u, double v) {
  const Probability at(v);
  const double risk_u = u <= 0 || u >= 1 ? 0 : loss.bayes_risk(Probability(u));
  return loss.bayes_risk(at) - risk_u - (u - v) * loss.link(at);
}

/// l(y, u) against both Bregman forms; with `swapped` the arguments of the first change places between
/// interior points, where its value is the regret.
double bregman_error(const ProperLoss& loss, bool swapped) {
  double most = 0;
  for (const double u : grid(0.05, 0.95, 19)) {
    const Probability at(u);
    for (const int y : {0, 1}) {
      const double value = loss.partial(y, at), nu = loss.link(at);
      most = std::max(
          {most, std::abs(divergence(loss, y, u) - value), std::abs(loss.conjugate(nu) - y * nu - value)});
    }
    const double truth = 0.3;
    const double regret =
        truth * loss.partial(1, at) + (1 - truth) * loss.partial(0, at) - loss.bayes_risk(Probability(truth));
    most = std::max(most,
                    std::abs((swapped ? divergence(loss, u, truth) : divergence(loss, truth, u)) - regret));
  }
  return most;
}

/// G(y h) with G(z) = (-L)*(-z) against the canonical loss.
double margin_error(const ProperLoss& loss) {
  double most = 0;
  for (const double h : grid(-4, 4, 81)) {
    most = std::max(most, std::abs(loss.conjugate(-h) - loss.canonical(1, h)));
    most = std::max(most, std::abs(loss.conjugate(h) - loss.canonical(0, h)));
  }
  return most;
}

struct Margin {
  std::function<double(double)> value, slope, inverse_link;  // of the margin; the link that G is proper with
};

/// Distance between x and the score of least expected margin loss where the truth is chi^-1(x), by search.
double representable_error(const Margin& margin, const std::function<double(double)>& inverse_link) {
  double most = 0;
  for (const double x : grid(-2, 2, 21)) {
    const double p = inverse_link(x);
    const auto risk = [&](double h) { return p * margin.value(h) + (1 - p) * margin.value(-h); };
    double lower = -20, upper = 20;
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    while (upper - lower > 1e-8) {
      const double left = upper - ratio * (upper - lower), right = lower + ratio * (upper - lower);
      (risk(left) < risk(right) ? upper : lower) = risk(left) < risk(right) ? right : left;
    }
    most = std::max(most, std::abs((lower + upper) / 2 - x));
  }
  return most;
}

double representing(const Margin& margin, double x) {
  return margin.slope(-x) / (margin.slope(-x) + margin.slope(x));
}

}  // namespace

std::vector<Statement> loss_statements() {
  double proper = 0, link = 0, inverse = 0, bregman = 0, swapped = 0, margin = 0;
  for (const auto& loss : library_losses()) {
    proper = std::max(proper, above_least([&](int y, double u) { return loss->partial(y, Probability(u)); }));
    link = std::max(link, link_error(*loss, [&](double u) { return loss->link(Probability(u)); }));
    for (const double u : grid(0.01, 0.99, 99))
      inverse = std::max(inverse, std::abs(loss->inverse_link(loss->link(Probability(u))).one() - u));
    bregman = std::max(bregman, bregman_error(*loss, false));
    if (loss->symmetric()) margin = std::max(margin, margin_error(*loss));
  }
  swapped = bregman_error(*make_loss("log"), true);
  const Margin logistic{[](double z) { return softplus(-z); }, [](double z) { return -sigmoid(-z); },
                        sigmoid},
      exponential{[](double z) { return std::exp(-z); }, [](double z) { return -std::exp(-z); },
                  [](double x) { return sigmoid(2 * x); }};
  double representable = 0;
  for (const Margin* one : {&logistic, &exponential}) {
    representable =
        std::max(representable, representable_error(*one, [&](double x) { return representing(*one, x); }));
    for (const double x : grid(-5, 5, 41))
      representable = std::max(representable, std::abs(representing(*one, x) - one->inverse_link(x)));
  }
  const auto matsushita = make_loss("matsushita");
  return {{"proper", "Section 2, properness", "the expected loss is least at the truth (eight losses)",
           "largest excess over the least on a grid", proper, 1e-12, "the absolute loss |y - u|",
           above_least([](int y, double u) { return std::abs(y - u); })},
          {"canonical link", "Section 2, canonical link", "the canonical link is -L'",
           "largest relative difference from the slope of the Bayes risk", link, 1e-7,
           "the log loss with the link of matsushita's",
           link_error(*make_loss("log"), [&](double u) { return matsushita->link(Probability(u)); })},
          {"inverse link", "Section 2, canonical link",
           "its inverse undoes it; for the log loss it is the sigmoid", "largest distance of probabilities",
           inverse, 1e-9, "the sigmoid for matsushita's link",
           std::abs(sigmoid(matsushita->link(Probability(0.9))) - 0.9)},
          {"bregman", "Equation lossBREG", "a proper loss is a Bregman divergence, in two dual forms",
           "largest difference of loss and divergence", bregman, 1e-9, "its arguments exchanged", swapped},
          {"margin form", "Section 2, margin losses",
           "G(z) = (-L)*(-z) is the canonical loss where the Bayes risk is symmetric", "largest difference",
           margin, 1e-9, "an asymmetric Bayes risk, cost=0.3", margin_error(*make_loss("cost=0.3"))},
          {"representable", "Equation defREP",
           "(G, \u03C7) is a proper loss where \u03C7\u207B\u00B9(x) = G'(-x)/(G'(-x) + G'(x))",
           "largest distance of the best score, by search, from x", representable, 1e-5,
           "the exponential loss with the sigmoid as its inverse link",
           representable_error(exponential, sigmoid)}};
}

}  // namespace linkgistic::repro
