// Data sets drawn from the model itself: hyper-parameters, source, rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inference/learn.hpp"
#include "response/data_term.hpp"
#include "source/trig_source.hpp"
#include "validation/cell.hpp"

namespace linkgistic::validation {

/// A data set with the truth it came from, ready to be fitted. Coordinates: x uniform on [-1, 1].
class DrawnProblem {
 public:
  DrawnProblem(const Cell& cell, int harmonics, std::uint64_t seed, std::uint64_t set);

  [[nodiscard]] const Problem& inference() const { return *problem_; }
  [[nodiscard]] const LearnOptions& learning() const { return learning_; }
  /// The Laplace fit, hyper-parameters known or learned.
  [[nodiscard]] LaplaceFit fit() const;

  [[nodiscard]] const SourceModel& source() const { return source_; }
  [[nodiscard]] const Vector& theta() const { return theta_; }
  [[nodiscard]] double truth(double x) const { return kappa_.dot(source_.features->at(x)); }

 private:
  Cell cell_;
  int harmonics_;
  double slope_ = 0;  // of Gaussian data, by least squares
  TrigSource family_;
  Vector theta_;  // the truth: the source's, then the response's
  SourceModel source_;
  Vector kappa_;
  std::unique_ptr<Problem> problem_;
  LearnOptions learning_;
};

}  // namespace linkgistic::validation
