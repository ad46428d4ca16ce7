// The cells of the validation.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/source.hpp>

namespace linkgistic::validation {

/// One line of the tables.
struct Cell {
  PriorKind prior = PriorKind::isgp;
  bool gaussian = true;  // else Bernoulli
  int rows = 30;
  double noise = 0.2;    // Gaussian only
  bool learned = false;  // the hyper-parameters are drawn from their priors and learned; else known

  [[nodiscard]] std::string name() const;  // such as "isgp gaussian 30 0.2 known"
};

/// Priors x likelihoods x 30, 300, 3000 rows x three levels of Gaussian noise x known, learned.
std::vector<Cell> all_cells();

}  // namespace linkgistic::validation
