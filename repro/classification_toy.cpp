// The classification toy, whose true source is piecewise linear; and the relation of source, canonical and
// composite link, shown on its fit.
#include <algorithm>
#include <cmath>

#include "loss/composite_loss.hpp"
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

/// The score with the least expected loss p l(1, x) + (1 - p) l(0, x), by golden section: it knows neither
/// link.
double best_score(const CompositeLoss& loss, double p, double lower, double upper) {
  const auto risk = [&](double x) { return p * loss.at(1, x).value + (1 - p) * loss.at(0, x).value; };
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  while (upper - lower > 1e-7) {
    const double left = upper - ratio * (upper - lower), right = lower + ratio * (upper - lower);
    (risk(left) < risk(right) ? upper : lower) = risk(left) < risk(right) ? right : left;
  }
  return (lower + upper) / 2;
}

/// The largest distance between p and the probability that the diagram of one loss gives to the best score
/// under another.
double relation_error(const CompositeLoss& diagram, const CompositeLoss& judged,
                      const std::vector<double>& p) {
  double largest = 0;
  for (const double probability : p) {
    const double x = best_score(judged, probability, -50, 150);
    largest = std::max(largest, std::abs(diagram.inverse_link(x).one() - probability));
  }
  return largest;
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
       inside >= 0.8 ? Finding::agrees : Finding::differs,
       inside >= 0.8 ? "the truth lies in the band nearly everywhere."
                     : "the band of this data set misses the truth more often than it should."});
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
  const CompositeLoss loss(make_loss("log"), fit.source());
  std::vector<double> u, psi, chi_u, chi;
  for (const double probability : grid(0.01, 0.99, 197)) {
    u.push_back(probability);
    psi.push_back(loss.base().link(Probability(probability)));
    const double score = loss.link(Probability(probability));
    if (score < x.front() || score > x.back()) continue;
    chi_u.push_back(probability);
    chi.push_back(score);
  }
  // The same fit under a base whose canonical link is another: the diagram of one does not commute with the
  // source of the other.
  const CompositeLoss other(make_loss("matsushita"), fit.source());
  const double error = relation_error(loss, loss, chi_u), planted = relation_error(loss, other, chi_u);
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
  result.blocks.emplace_back(
      PageTable{"The score of least expected loss, by search, and \u03C7 of the diagram",
                {"Source and loss", "largest |\u03C7\u207B\u00B9(search) - p|"},
                {{"both of the log loss", {Measure{"relation error", error}}},
                 {"planted: the loss of another canonical link", {Measure{"relation planted", planted}}}}});
  const bool commutes = error<1e-5, seen = planted> 1e-3;
  result.claims.push_back({"\u03C7 = \u03BD\u207B\u00B9 \u2218 (-L').", "a diagram",
                           "a search for the score of least expected learned loss finds p again to " +
                               scientific(error) + "; with a loss of another canonical link it is off by " +
                               fixed(planted, 3),
                           commutes && seen ? Finding::agrees : Finding::differs,
                           !commutes ? "the diagram does not commute."
                           : seen    ? "the diagram commutes, and the check sees one that does not."
                                     : "the check does not see a wrong diagram."});
  return result;
}

}  // namespace linkgistic::repro
