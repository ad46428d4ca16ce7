// The classification toy, whose true source is piecewise linear; and the relation of source, canonical and
// composite link, shown on its fit.
#include <algorithm>
#include <cmath>

#include "numeric/logistic.hpp"
#include "repro/experiment.hpp"
#include "repro/toy_fit.hpp"

namespace linkgistic::repro {
namespace {

constexpr std::uint64_t toy_seed = 2;

Toy toy_of(const Settings& settings) { return classification_toy(settings.quick ? 200 : 500, toy_seed); }

ToyFit fit_toy(const Settings& settings) {
  return {toy_of(settings), PriorKind::isgp, false, settings.quick ? 12 : 32, settings.stop};
}

std::vector<double> sigmoids(std::vector<double> values) {
  for (double& value : values) value = sigmoid(value);
  return values;
}

Panel panel_of(const std::string& title, const std::string& x, const std::string& y) {
  Panel panel;
  panel.title = title;
  panel.x_label = x;
  panel.y_label = y;
  panel.legend = Legend::none;
  return panel;
}

}  // namespace

Result classification_toy_figure(const Settings& settings) {
  settings.at("ISGP");
  const Toy toy = toy_of(settings);
  const ToyFit fit = fit_toy(settings);
  const std::vector<double> x = grid(0, 100, 401);
  const ToyCurve nu = fit.nu(x);
  std::vector<double> truth, low, high;
  for (const double at : x) truth.push_back(toy.truth(at));
  const auto [least, most] = std::minmax_element(truth.begin(), truth.end());
  std::vector<double> label_place;
  for (const double y : toy.y) label_place.push_back(y > 0.5 ? *most + 1 : *least - 1);
  Figure figure;
  figure.height = 480;
  figure.share_x = true;
  Panel source, link;
  source.y_label = "\u03BD";
  source.layers.emplace_back(Band{"90 %", x, nu.lower, nu.upper, Colour::primary, 0.25});
  source.layers.emplace_back(Line{"mode", x, nu.middle, Colour::primary, 1.8});
  source.layers.emplace_back(Line{"truth", x, truth, Colour::secondary, 1.3, Dash::dashed});
  source.layers.emplace_back(Points{"labels", toy.x, label_place, Colour::data, 3, 0.3});
  link.x_label = "x";
  link.y_label = "\u03C3(\u03BD)";
  link.layers.emplace_back(Band{"90 %", x, sigmoids(nu.lower), sigmoids(nu.upper), Colour::primary, 0.25});
  link.layers.emplace_back(Line{"mode", x, sigmoids(nu.middle), Colour::primary, 1.8});
  link.layers.emplace_back(Line{"truth", x, sigmoids(truth), Colour::secondary, 1.3, Dash::dashed});
  link.layers.emplace_back(Points{"labels", toy.x, toy.y, Colour::data, 3, 0.3});
  figure.panels = {source, link};
  double inside = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (nu.lower[i] <= truth[i] && truth[i] <= nu.upper[i]) inside += 1.0 / static_cast<double>(x.size());
    largest = std::max(largest, std::abs(sigmoid(nu.middle[i]) - sigmoid(truth[i])));
  }
  Result result;
  result.blocks.emplace_back(
      Picture{figure, "Posterior of the source and of the inverse link, with the piecewise linear truth",
              "Two panels: the source with its band, and the probability it gives"});
  result.blocks.emplace_back(
      PageTable{"Against the truth",
                {"", "share of x where the truth is in the 90 % band", "largest error of the probability"},
                {{"ISGP", {Measure{"inside", inside}, Measure{"largest", largest}}}}});
  result.claims.push_back(
      {"The inferred source and inverse link follow a piecewise linear truth.", "a picture",
       "truth in the 90 % band on " + fixed(100 * inside, 0) + " % of x, probability off by at most " +
           fixed(largest, 3),
       inside >= 0.8 ? "Agrees." : "The band of this data set misses the truth more often than it should."});
  return result;
}

Result relation(const Settings& settings) {
  settings.at("links");
  const ToyFit fit = fit_toy(settings);
  const std::vector<double> x = grid(0, 100, 401);
  const std::vector<double> nu = fit.nu(x).middle, p = sigmoids(nu);
  const double mark = 0.8;
  const auto place = static_cast<std::size_t>(std::lower_bound(p.begin(), p.end(), mark) - p.begin());
  const std::size_t at = std::min(place, x.size() - 1);
  std::vector<double> u = grid(0.01, 0.99, 197), psi, chi;
  double error = 0;
  for (const double probability : u) psi.push_back(std::log(probability / (1 - probability)));
  // chi = nu^-1 o psi, by bisection.
  std::vector<double> chi_u;
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (psi[i] < nu.front() || psi[i] > nu.back()) continue;
    double lower = 0, upper = 100;
    for (int step = 0; step < 60; ++step) {
      const std::vector<double> middle{(lower + upper) / 2};
      (fit.nu(middle).middle[0] < psi[i] ? lower : upper) = middle[0];
    }
    chi_u.push_back(u[i]);
    chi.push_back((lower + upper) / 2);
    const std::vector<double> back{chi.back()};
    error = std::max(error, std::abs(sigmoid(fit.nu(back).middle[0]) - u[i]));
  }
  Figure figure;
  figure.columns = 3;
  figure.height = 230;
  Panel source = panel_of("source \u03BD", "score", "log odds");
  source.layers.emplace_back(Line{"", x, nu, Colour::primary, 1.8});
  source.layers.emplace_back(Points{"", {x[at]}, {nu[at]}, Colour::secondary, 6, 1});
  Panel canonical = panel_of("canonical link -L'", "probability", "log odds");
  canonical.layers.emplace_back(Line{"", u, psi, Colour::tertiary, 1.8});
  canonical.layers.emplace_back(Points{"", {p[at]}, {nu[at]}, Colour::secondary, 6, 1});
  Panel composite = panel_of("composite link \u03C7", "probability", "score");
  composite.layers.emplace_back(Line{"", chi_u, chi, Colour::quaternary, 1.8});
  composite.layers.emplace_back(Points{"", {p[at]}, {x[at]}, Colour::secondary, 6, 1});
  figure.panels = {source, canonical, composite};
  Result result;
  result.blocks.emplace_back(
      Paragraph{"A score goes by the source \u03BD to the canonical space (log odds, for the log loss), a "
                "probability goes there by the canonical "
                "link -L', L the conditional Bayes risk; the composite link goes from probability to score: "
                "\u03C7 = \u03BD\u207B\u00B9 \u2218 (-L'). The dot "
                "is one row in the three: its score, its log odds, its probability."});
  result.blocks.emplace_back(
      Picture{figure, "The three maps, of the classification toy's fit under the log loss",
              "Source, canonical link and composite link, with one row marked in each"});
  char text[80];
  std::snprintf(text, sizeof text, "largest |\u03C7\u207B\u00B9(\u03C7(p)) - p| = %.1e", error);
  result.claims.push_back({"\u03C7 = \u03BD\u207B\u00B9 \u2218 (-L').", "a diagram", text,
                           error < 1e-9 ? "Agrees: the diagram commutes." : "The diagram does not commute."});
  return result;
}

}  // namespace linkgistic::repro
