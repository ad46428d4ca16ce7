// The learned inverse links of Fashion-MNIST's class 3 (dress) against the rest: logistic, GP and ISGP.
#include <algorithm>
#include <cmath>

#include "numeric/logistic.hpp"
#include "repro/departures.hpp"
#include "repro/images.hpp"

namespace linkgistic::repro {

Result learned_links(const Settings& settings) {
  ImageSet set = read_images(settings.data, "fmnist");
  if (settings.quick) set.train = sample_rows(set.train, 2000, 0);
  const ClassificationData train = binary_task(set.train, {3}), test = binary_task(set.test, {3});
  settings.at("links: ridge");
  const double l2 = fit_linkgistic(train, LinkPrior::none, std::nullopt, settings).summary().l2;
  Figure figure;
  figure.height = 560;
  PageTable table{
      "Dress against the rest",
      {"Method", "AUC", "log loss", "least slope of the link", "largest distance from the logistic curve"},
      {}};
  double least_isgp = 0, far_isgp = 0;
  std::vector<double> loss;
  const struct {
    const char* name;
    LinkPrior prior;
    Colour colour;
  } methods[] = {{"logistic", LinkPrior::none, Colour::quaternary},
                 {"GP", LinkPrior::gp, Colour::tertiary},
                 {"ISGP", LinkPrior::isgp, Colour::primary}};
  for (const auto& method : methods) {
    settings.at(std::string("links: ") + method.name);
    const auto fit = fit_linkgistic(train, method.prior, l2, settings);
    const ClassSummary& range = fit.summary().classes.front();
    const std::vector<double> x = grid(range.score_lower, range.score_upper, 601);
    const auto link = fit.link(0, x);
    std::vector<double> p, lower, upper, logistic;
    double least = link.slope.front(), far = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      p.push_back(sigmoid(link.nu[i]));
      lower.push_back(sigmoid(link.lower[i]));
      upper.push_back(sigmoid(link.upper[i]));
      logistic.push_back(sigmoid(x[i]));
      least = std::min(least, link.slope[i]);
      far = std::max(far, std::abs(p.back() - logistic.back()));
    }
    Panel panel;
    panel.title = method.name;
    panel.x_label = "linear score";
    panel.y_label = "P(dress)";
    panel.layers.emplace_back(Line{"logistic curve", x, logistic, Colour::reference, 1.2, Dash::dashed});
    panel.layers.emplace_back(Band{"90 %", x, lower, upper, method.colour, 0.25});
    panel.layers.emplace_back(Line{"inverse link", x, p, method.colour, 1.8});
    figure.panels.push_back(panel);
    const BinaryMetrics m = class_scores(fit.decision_values(test.rows), test).mean;
    const std::string key = method.name;
    loss.push_back(m.log_loss);
    table.rows.push_back({method.name,
                          {Measure{key + " auc", m.auc}, Measure{key + " log loss", m.log_loss},
                           Measure{key + " slope", least}, Measure{key + " distance", far}}});
    if (method.prior == LinkPrior::isgp) least_isgp = least, far_isgp = far;
  }
  Result result;
  PageTable options =
      linkgistic_settings({}, our_options(LinkPrior::isgp, l2, settings),
                          "l2 = " + fixed(l2, 1) + ", by cross-validated logistic regression");
  options.head.erase(options.head.begin() + 2);  // nothing is run as printed here
  for (TableRow& row : options.rows) row.cells.erase(row.cells.begin() + 1);
  result.blocks.emplace_back(options);
  result.blocks.emplace_back(Picture{figure,
                                     "Inverse links with 90 % bands over the range of the training scores",
                                     "Three panels: logistic regression, GP and ISGP"});
  result.blocks.emplace_back(table);
  result.claims.push_back(
      {"The learned inverse link of class 3 differs from the logistic curve, and the ISGP's is monotone.",
       "a picture",
       "largest distance " + fixed(far_isgp, 3) + ", least slope " + fixed(least_isgp, 4) + "; log loss " +
           fixed(loss[0], 4) + " (logistic), " + fixed(loss[1], 4) + " (GP), " + fixed(loss[2], 4) +
           " (ISGP)",
       least_isgp < 0 || far_isgp < 0.01 ? Finding::differs : Finding::agrees,
       least_isgp < 0              ? "the ISGP link falls somewhere."
       : far_isgp < 0.01           ? "it is monotone, but hardly different from the logistic curve."
       : loss[2] <= loss[0] + 1e-4 ? "and the log loss is no worse than logistic regression's."
                                   : "in shape, though the log loss is worse than logistic regression's."});
  return result;
}

}  // namespace linkgistic::repro
