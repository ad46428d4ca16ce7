// Data sets drawn from the model itself: hyper-parameters, source, rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inference/empirical_bayes.hpp"
#include "likelihood/data_term.hpp"
#include "prior/trig_source.hpp"

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

/// A data set with the truth it came from, ready to be fitted. Coordinates: x uniform on [-1, 1].
class Problem {
 public:
  Problem(const Cell& cell, int harmonics, std::uint64_t seed, std::uint64_t set);

  [[nodiscard]] const EmpiricalBayes& bayes() const { return *bayes_; }
  [[nodiscard]] const std::vector<bool>& learned() const { return learned_; }
  /// The Laplace fit, hyper-parameters known or learned.
  [[nodiscard]] LaplaceFit fit() const;

  [[nodiscard]] const SourceModel& source() const { return source_; }
  [[nodiscard]] const Vector& theta() const { return theta_; }
  [[nodiscard]] double truth(double x) const { return kappa_.dot(source_.features->at(x)); }

 private:
  Cell cell_;
  TrigSource family_;
  Vector theta_;  // the truth: the source's, then the likelihood's
  SourceModel source_;
  Vector kappa_;
  std::vector<bool> learned_;
  std::unique_ptr<EmpiricalBayes> bayes_;
};

}  // namespace linkgistic::validation
