// An experiment of the paper (Walder and Nock, "All your loss are belong to Bayes", NeurIPS 2020): what it is
// called, how it is run, and what comes out, as plain values for the page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/page.hpp"

namespace linkgistic::repro {

struct Settings {
  bool quick = false;                           // small sizes, to see that everything works
  int threads = 0;                              // 0 = all; no number depends on it
  std::string data;                             // folder of the data sets
  std::function<bool()> stop;                   // true ends the run with Interrupted
  std::function<void(const std::string&)> say;  // what it is at
  void at(const std::string& step) const;       // says it; throws Interrupted when asked to stop
  void poll_stop() const;                       // throws it
};

/// How a claim of the paper and the numbers here go together.
enum class Finding { agrees, differs, untold };

/// What the paper says and what came out here. `why` is a sentence or two made of the numbers.
struct Claim {
  std::string claim, paper, ours;
  Finding finding = Finding::untold;
  std::string why;
  /// "Agrees: ...", "Differs: ..." or "Cannot be told: ...".
  [[nodiscard]] std::string verdict() const;
};

struct Result {
  std::vector<PageBlock> blocks;
  std::vector<Claim> claims;
};

struct Experiment {
  std::string name;  // on the command line
  std::string title;
  std::vector<std::string> sets;  // of data that must be there
  Result (*run)(const Settings&);
};

/// In the order of the page.
const std::vector<Experiment>& experiments();

/// Every definition, lemma and theorem, on draws from the library's own priors.
Result statements(const Settings& settings);
Result relation(const Settings& settings);
Result kernel(const Settings& settings);
Result regression_toy_figure(const Settings& settings);
Result zoomed_toy(const Settings& settings);
Result evidence_profiles(const Settings& settings);
Result classification_toy_figure(const Settings& settings);
Result table1(const Settings& settings);
/// The table of one image set.
Result table2(const Settings& settings, const std::string& set);
Result learning_curves(const Settings& settings, const std::string& set);
Result learned_links(const Settings& settings);

/// `value` with `digits` behind the point.
std::string fixed(double value, int digits);
/// The same as 1.2e-05.
std::string scientific(double value);
/// Evenly spaced, both ends included.
std::vector<double> grid(double lower, double upper, int points);

}  // namespace linkgistic::repro
