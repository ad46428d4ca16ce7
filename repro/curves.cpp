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
  std::vector<std::size_t> sizes{500, 1000, 2000, 5000, 10000, 20000, 60000};
  if (quick) sizes = {200, 400};
  if (!quick && set.train.labels.size() == 8000) sizes = {500, 1000, 2000, 4000, 8000};
  std::erase_if(sizes, [&](std::size_t size) { return size > set.train.labels.size(); });
  return sizes;
}

/// All rows are one sample, so more seeds would be the same fit.
std::size_t seeds_of(std::size_t size, const ImageSet& set, bool quick) {
  if (size >= set.train.labels.size()) return 1;
  if (quick) return 1;
  return size <= 2000 ? 5 : size <= 5000 ? 3 : 2;
}

/// metrics[metric][size][seed]
using Curve = std::vector<std::vector<std::vector<double>>>;

struct SetCurves {
  std::vector<std::size_t> sizes;
  std::vector<double> l2;                       // tuned, a size
  std::map<std::string, Curve> tuned, free_l2;  // a method
};

std::vector<double> judge(const FittedLinkgisticClassifier& fit, const ClassificationData& test) {
  const ClassScores s = class_scores(fit.decision_values(test.rows), test);
  return {s.mean.accuracy, s.class_accuracy, s.mean.log_loss};
}

SetCurves run_set(const ImageSet& set, const Settings& settings) {
  SetCurves curves;
  curves.sizes = sizes_of(set, settings.quick);
  for (const Method& method : methods) {
    for (auto* kind : {&curves.tuned, &curves.free_l2})
      (*kind)[method.name] = Curve(3, std::vector<std::vector<double>>(curves.sizes.size()));
  }
  for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
    const std::size_t size = curves.sizes[i];
    for (std::size_t seed = 0; seed < seeds_of(size, set, settings.quick); ++seed) {
      const ClassificationData train = sample_rows(set.train, size, seed);
      if (seed == 0) {
        settings.at(set.title + ", " + std::to_string(size) + " rows: ridge");
        // The optimum moves slowly with the number of rows; above 10,000 that of the size before stands.
        curves.l2.push_back(
            (size > 10000 || settings.quick) && i > 0
                ? curves.l2.back()
                : fit_linkgistic(train, LinkPrior::none, std::nullopt, settings).summary().l2);
      }
      for (const Method& method : methods) {
        settings.at(set.title + ", " + std::to_string(size) + " rows, seed " + std::to_string(seed) + ": " +
                    method.name);
        for (const bool tuned : {true, false}) {
          if (!tuned && size > 20000 && method.prior == LinkPrior::offset) continue;
          const auto values =
              judge(fit_linkgistic(train, method.prior, tuned ? curves.l2[i] : 0.0, settings), set.test);
          Curve& curve = (tuned ? curves.tuned : curves.free_l2)[method.name];
          for (std::size_t m = 0; m < 3; ++m) curve[m][i].push_back(values[m]);
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

void add_set(const ImageSet& set, const SetCurves& curves, Result& result) {
  Figure figure;
  figure.columns = 2;
  figure.height = 620;
  for (std::size_t metric = 0; metric < 3; ++metric) {
    figure.panels.push_back(panel_of(curves, curves.tuned, metric, "tuned ridge"));
    figure.panels.push_back(panel_of(curves, curves.free_l2, metric, "no ridge (the paper)"));
    figure.panels.back().log_y = metric == 2;  // unbounded where the rows are separable
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
  const auto last = [&](const char* method, std::size_t metric) {
    return mean_error(curves.tuned.at(method)[metric].back()).mean;
  };
  const double accuracy = std::min(last("ISGP", 1) - last("GP", 1), last("ISGP", 1) - last("logistic", 1));
  const double loss = std::min(last("GP", 2) - last("ISGP", 2), last("logistic", 2) - last("ISGP", 2));
  const std::string rows = std::to_string(curves.sizes.back());
  const char* verdict = accuracy >= 0 && loss >= 0 ? "ISGP is ahead of both in both: agrees."
                        : accuracy >= 0            ? "Ahead of both in accuracy only."
                        : loss >= 0                ? "Ahead of both in log loss only."
                                                   : "ISGP is not ahead of both.";
  result.claims.push_back({"ISGP dominates on " + set.title + " as the training set grows.",
                           "a picture (no numbers printed)",
                           rows + " rows, ten-class accuracy " + fixed(last("ISGP", 1), 4) + " (ISGP), " +
                               fixed(last("GP", 1), 4) + " (GP), " + fixed(last("logistic", 1), 4) +
                               " (logistic), " + fixed(last("offset", 1), 4) + " (offset); log loss " +
                               fixed(last("ISGP", 2), 4) + ", " + fixed(last("GP", 2), 4) + ", " +
                               fixed(last("logistic", 2), 4) + ", " + fixed(last("offset", 2), 4),
                           verdict});
}

}  // namespace

Result learning_curves(const Settings& settings) {
  Result result;
  result.blocks.emplace_back(Paragraph{
      "One-vs-rest over ten classes, pixels as fractions of 255. The tuned ridge is chosen by "
      "cross-validated logistic regression on the first sample of "
      "each size (above 10,000 rows: that of the size before) and serves all methods. Offset "
      "prior: v = 0.05, and without a ridge only up to 20,000 rows. Without a ridge, rows that a plane "
      "separates have no finite "
      "solution: the weights grow until the solver ends, and the log loss of a wrong row with them."});
  for (const char* name : {"mnist", "kmnist", "fmnist"}) {
    ImageSet set = read_images(settings.data, name);
    if (settings.quick) set.test = sample_rows(set.test, 2000, 1);
    add_set(set, run_set(set, settings), result);
  }
  return result;
}

}  // namespace linkgistic::repro
