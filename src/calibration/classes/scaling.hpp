// Temperature, vector and matrix scaling: eta = M s + b of the centred logarithms s of the claimed
// probabilities, p = softmax(eta). The temperature t is the likelihood's; M - t I and b have Gaussian priors,
// the diagonal, the rest and b each with its own, in units of t.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "calibration/classes/rows.hpp"

namespace linkgistic {

/// A map of claims to probabilities.
struct ClassScaling {
  std::vector<double> matrix;  // (C, C + 1): b_k, then M_k
  double floor = 0;            // probabilities below it count as it
  double even = 0;             // the share of 1/C in the probabilities: no label is impossible

  auto fields() { return std::tie(matrix, floor, even); }
};

/// How strongly M and b are held, in numbers of rows: times C for the diagonal and b, times C (C - 1) for the
/// rest. 0 for the strength of a part holds it.
struct ClassScalingStrength {
  bool diagonal = true, rest = true;  // which parts are free
  double strength = 2;
};

/// For each part of the rows (those of another part, -1: all) and each strength a scaling, part by part.
std::vector<ClassScaling> fit_scalings(const ClassRows& rows, std::span<const int> part,
                                       std::span<const int> wanted_parts,
                                       std::span<const ClassScalingStrength> strengths, int threads);

/// (N, C): probabilities at log odds (N, C) of each class against the others.
std::vector<double> scaled(const ClassScaling& scaling, std::span<const double> log_odds,
                           std::size_t classes);

}  // namespace linkgistic
