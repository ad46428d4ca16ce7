// Learning curves: mean one-vs-rest accuracy, ten-class accuracy and log loss against the number of training
// rows, for the tuned ridge and for none.
#include <algorithm>
#include <cmath>
#include <map>

#include "repro/images.hpp"

namespace linkgistic::repro {
namespace {

struct Method {
  const char* name;
  LinkPrior prior;
  Colour colour;
};
constexpr Method methods[] = {{"logistic", LinkPrior::none, Colour::reference},
                              {"GP", LinkPrior::gp, Colour::tertiary},
                              {"ISGP", LinkPrior::isgp, Colour::primary},
                              {"offset", LinkPrior::offset, Colour::secondary}};
constexpr const char* metric_names[] = {"binary accuracy", "ten-class accuracy", "log loss"};

std::vector<std::size_t> sizes_of(const ImageSet& set, bool quick) {
  if (quick) return {200, 400};
  std::vector<std::size_t> sizes{500, 2000, 6000, 25000, 60000};
  std::erase_if(sizes, [&](std::size_t size) { return size >= set.train.labels.size(); });
  sizes.push_back(set.train.labels.size());
  return sizes;
}

/// All rows are one sample, so more seeds would be the same fit.
std::size_t seeds_of(std::size_t size, const ImageSet& set, bool quick) {
  if (size >= set.train.labels.size()) return 1;
  if (quick) return 1;
  return size <= 2000 ? 3 : 2;
}

/// metrics[metric][size][seed]
using Curve = std::vector<std::vector<std::vector<double>>>;

struct SetCurves {
  std::vector<std::size_t> sizes;
  std::vector<double> l2;                               // tuned, a size
  std::map<std::string, Curve> tuned, free_l2;          // a method
  std::map<std::string, ClassScores> last, last_no_l2;  // a method, of the most rows
};

SetCurves run_set(const ImageSet& set, const Settings& settings) {
  SetCurves curves;
  curves.sizes = sizes_of(set, settings.quick);
  for (const Method& method : methods) {
    for (auto* kind : {&curves.tuned, &curves.free_l2})
      (*kind)[method.name] = Curve(3, std::vector<std::vector<double>>(curves.sizes.size()));
  }
  curves.l2.resize(curves.sizes.size());
  for (std::size_t i = curves.sizes.size(); i-- > 0;) {
    const std::size_t size = curves.sizes[i];
    const bool largest = i + 1 == curves.sizes.size();
    for (std::size_t seed = 0; seed < seeds_of(size, set, settings.quick); ++seed) {
      const ClassificationData train = sample_rows(set.train, size, seed);
      if (seed == 0) {
        settings.at(set.title + ", " + std::to_string(size) + " rows: ridge");
        curves.l2[i] = settings.quick && !largest
                           ? curves.l2[i + 1]
                           : fit_linkgistic(train, LinkPrior::none, std::nullopt, settings).summary().l2;
      }
      for (const Method& method : methods) {
        for (const bool tuned : {true, false}) {
          const auto fit = fit_linkgistic(train, method.prior, tuned ? curves.l2[i] : 0.0, settings);
          ClassScores scores = class_scores(fit.decision_values(set.test.rows), set.test);
          settings.at(set.title + ", " + std::to_string(size) + " rows, seed " + std::to_string(seed) +
                      (tuned ? ", tuned ridge, " : ", no ridge, ") + method.name + ": ten-class accuracy " +
                      fixed(scores.class_accuracy, 4) + ", log loss " + fixed(scores.mean.log_loss, 5));
          Curve& curve = (tuned ? curves.tuned : curves.free_l2)[method.name];
          curve[0][i].push_back(scores.mean.accuracy);
          curve[1][i].push_back(scores.class_accuracy);
          curve[2][i].push_back(scores.mean.log_loss);
          if (largest) (tuned ? curves.last : curves.last_no_l2)[method.name] = std::move(scores);
        }
      }
    }
  }
  return curves;
}

Panel panel_of(const SetCurves& curves, const std::map<std::string, Curve>& kind, std::size_t metric,
               const std::string& title) {
  Panel panel;
  panel.title = title;
  panel.x_label = "training rows";
  panel.y_label = metric_names[metric];
  panel.log_x = true;
  for (const Method& method : methods) {
    std::vector<double> x, middle, lower, upper;
    for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
      const auto& values = kind.at(method.name)[metric][i];
      if (values.empty()) continue;
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      x.push_back(static_cast<double>(curves.sizes[i]));
      middle.push_back(mean_error(values).mean);
      lower.push_back(*least);
      upper.push_back(*most);
    }
    panel.layers.emplace_back(Band{"", x, lower, upper, method.colour, 0.2});
    panel.layers.emplace_back(Line{method.name, x, middle, method.colour, 1.6});
  }
  return panel;
}

/// The mean over test rows of a - b, with its standard error, rows being paired.
MeanError paired(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) difference[n] = a[n] - b[n];
  return mean_error(difference);
}

/// A gain with its standard error, in words: ahead, behind, or level within one standard error.
std::string gain_text(const MeanError& gain, int digits) {
  const char* word = gain.mean > gain.error ? "ahead" : gain.mean < -gain.error ? "behind" : "level";
  return std::string(word) + " (" + fixed(gain.mean, digits) + " \u00B1 " + fixed(gain.error, digits) + ")";
}

Claim claim_of(const ImageSet& set, const SetCurves& curves, bool tuned) {
  const auto& of = tuned ? curves.last : curves.last_no_l2;
  const ClassScores& isgp = of.at("ISGP");
  std::string accuracy, loss, verdict = "ISGP against ";
  for (const Method& method : methods) {
    const ClassScores& other = of.at(method.name);
    const std::string end = accuracy.empty() ? "" : ", ";
    accuracy += end + fixed(other.class_accuracy, 4) + " " + method.name;
    loss += end + fixed(other.mean.log_loss, 5) + " " + method.name;
    if (method.prior == LinkPrior::isgp || method.prior == LinkPrior::offset) continue;
    verdict += std::string(method.name) + ": accuracy " + gain_text(paired(isgp.right, other.right), 4) +
               ", log loss " + gain_text(paired(other.row_loss, isgp.row_loss), 5) +
               (method.prior == LinkPrior::none ? "; against " : ".");
  }
  return {
      "ISGP dominates on " + set.title + " as the training set grows" +
          (tuned ? "; ridge tuned." : "; no ridge, as in the paper."),
      "a picture (no numbers printed)",
      std::to_string(curves.sizes.back()) + " rows, ten-class accuracy " + accuracy + "; log loss " + loss,
      verdict};
}

void add_set(const ImageSet& set, const SetCurves& curves, Result& result) {
  Figure figure;
  figure.columns = 2;
  figure.height = 660;
  for (std::size_t metric = 0; metric < 3; ++metric) {
    figure.panels.push_back(panel_of(curves, curves.tuned, metric, "tuned ridge"));
    figure.panels.push_back(panel_of(curves, curves.free_l2, metric, "no ridge (the paper)"));
    figure.panels.back().log_y = metric == 2;  // logistic regression is an order above the others
    if (metric == 0) continue;
    for (std::size_t i = figure.panels.size() - 2; i < figure.panels.size(); ++i) {
      figure.panels[i].legend = Legend::none;  // as above
      figure.panels[i].title.clear();
    }
  }
  if (!set.note.empty()) result.blocks.emplace_back(Warning{set.note});
  result.blocks.emplace_back(
      Picture{figure, set.title + ": mean over seeds, from the least to the greatest",
              "Accuracy and log loss of four methods against the number of training rows"});
  PageTable table{set.title + ", mean over seeds",
                  {"Rows", "Ridge", "Method", "binary accuracy", "ten-class accuracy", "log loss"},
                  {}};
  for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
    for (const bool tuned : {true, false}) {
      for (const Method& method : methods) {
        const Curve& curve = (tuned ? curves.tuned : curves.free_l2).at(method.name);
        if (curve[0][i].empty()) continue;
        const std::string key =
            set.name + " " + std::to_string(curves.sizes[i]) + (tuned ? " tuned " : " free ") + method.name;
        TableRow row{std::to_string(curves.sizes[i]), {fixed(tuned ? curves.l2[i] : 0, 1), method.name}};
        for (std::size_t m = 0; m < 3; ++m)
          row.cells.emplace_back(Measure{key + " " + metric_names[m], mean_error(curve[m][i]).mean});
        table.rows.push_back(row);
      }
    }
  }
  result.blocks.emplace_back(table);
  for (const bool tuned : {true, false}) result.claims.push_back(claim_of(set, curves, tuned));
}

}  // namespace

Result learning_curves(const Settings& settings, const std::string& name) {
  Result result;
  result.blocks.emplace_back(Paragraph{
      "One-vs-rest over ten classes, pixels as fractions of 255. The tuned ridge is chosen by "
      "cross-validated logistic regression on the first sample of "
      "each size and serves all methods. Offset "
      "prior: v = 0.05. Without a ridge, rows that a plane separates have no finite solution: the solver "
      "ends "
      "where the mean training loss is 0.001, or after 200 passes, and wrong test rows cost logistic "
      "regression a lot. A link learned from held-out rows does not mend the order of the scores, but does "
      "mend their size. Differences of methods in the verdicts are means over test rows with the standard "
      "error of the paired difference; level is within one standard error."});
  ImageSet set = read_images(settings.data, name);
  if (settings.quick) set.test = sample_rows(set.test, 2000, 1);
  add_set(set, run_set(set, settings), result);
  return result;
}

}  // namespace linkgistic::repro
