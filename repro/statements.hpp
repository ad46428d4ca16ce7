// The definitions, lemmas and theorems of the paper as checks that can fail: each is a number on draws from
// the library's priors, a bound, and the number of a planted counter-example, which must break the bound.
#pragma once

#include <string>
#include <vector>

#include "repro/experiment.hpp"

namespace linkgistic::repro {

struct Statement {
  std::string key;    // in numbers.json
  std::string where;  // in the paper
  std::string text;
  std::string measure;  // what the number is
  double value = 0;     // holds where it is at most `bound`
  double bound = 0;
  std::string planted;  // the counter-example
  double planted_value = 0;
  std::string corrected = {};  // how it is not what is printed; empty: as printed

  [[nodiscard]] bool holds() const { return value <= bound; }
  [[nodiscard]] bool sees_planted() const { return !(planted_value <= bound); }
};

std::vector<Statement> loss_statements();
std::vector<Statement> prior_statements(const Settings& settings);
std::vector<Statement> kernel_statements();
std::vector<Statement> posterior_statements(const Settings& settings);

/// The distance of the nearest source to given links against K.
struct Universality {
  PageTable table;
  Picture picture;
  std::vector<Statement> statements;
};
Universality universality(const Settings& settings);

}  // namespace linkgistic::repro
