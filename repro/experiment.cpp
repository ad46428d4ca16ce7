#include "repro/experiment.hpp"

#include <cstdio>

#include <linkgistic/error.hpp>

namespace linkgistic::repro {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all{
      {"statements", "Statements of the paper, checked", {}, statements},
      {"figure-relation", "Source, canonical link and composite link", {}, relation},
      {"figure-kernel", "The trigonometric kernel", {}, kernel},
      {"figure-toy", "Regression toy: GP and ISGP", {}, regression_toy_figure},
      {"figure-zoom", "Regression toy: latent f and f\u00B2, near and far", {}, zoomed_toy},
      {"figure-evidence", "Evidence around the optimum", {}, evidence_profiles},
      {"figure-classification", "Classification toy: source and inverse link", {}, classification_toy_figure},
      {"table1", "Table 1: auto-mpg", {}, table1},
      {"table2-mnist",
       "Table 2: AUC of linear scores, MNIST",
       {"mnist"},
       [](const Settings& s) { return table2(s, "mnist"); }},
      {"table2-fmnist",
       "Table 2: AUC of linear scores, Fashion-MNIST",
       {"fmnist"},
       [](const Settings& s) { return table2(s, "fmnist"); }},
      {"curves-mnist",
       "Learning curves: MNIST",
       {"mnist"},
       [](const Settings& s) { return learning_curves(s, "mnist"); }},
      {"curves-kmnist",
       "Learning curves: KMNIST",
       {"kmnist"},
       [](const Settings& s) { return learning_curves(s, "kmnist"); }},
      {"curves-fmnist",
       "Learning curves: Fashion-MNIST",
       {"fmnist"},
       [](const Settings& s) { return learning_curves(s, "fmnist"); }},
      {"links", "Learned inverse links: Fashion-MNIST, dress", {"fmnist"}, learned_links}};
  return all;
}

void Settings::poll_stop() const {
  if (stop && stop()) throw Interrupted();
}

void Settings::at(const std::string& step) const {
  poll_stop();
  if (say) say(step);
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string scientific(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

std::string Claim::verdict() const {
  const char* word = finding == Finding::agrees    ? "Agrees: "
                     : finding == Finding::differs ? "Differs: "
                                                   : "Cannot be told: ";
  return word + why;
}

std::vector<double> grid(double lower, double upper, int points) {
  std::vector<double> result;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    result.push_back(lower * (1 - share) + upper * share);
  }
  return result;
}

}  // namespace linkgistic::repro
