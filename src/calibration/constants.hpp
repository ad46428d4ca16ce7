// The numbers of the calibrator that no theorem gives: those of its prior, for which
// benchmarks/calibration/tune.py searches, and those of its numerics.
#pragma once

#include <array>
#include <cstddef>

namespace linkgistic {

/// Chosen on the tuning half of benchmarks/calibration; tune.py there repeats the search, by the mean log
/// loss of the test rows. docs/math.md, "Calibration", has the model that they are of. Model files hold none
/// of them: with another period, or another prior of the bands, a file means something else.
struct CalibrationPrior {
  // The warp (score_warp.hpp).
  double warp_knots = 40;           // of the ranks: more would follow the gaps of one sample
  double asinh_width_share = 0.3;   // of the weight is within one width of the centre
  double asinh_least_width = 0.02;  // in standard deviations, for where most scores are one number

  // The pre-fit x = e^theta q + b (prefit.hpp).
  double line_slope = 2.5;    // median of e^theta: one standard deviation of the scores is odds of 12
  double line_precision = 4;  // of theta: a factor of e^(1/2) either way is usual
  double zero_scale = 0.25;   // Cauchy, of x at the score 0: most classifiers mean even odds, some do not
  double intercept_precision = 0.01;  // of b where no score is 0: next to no prior, 10 is usual

  // The sources nu (source.hpp).
  double period = 2.1;  // in ranges of x: the scores fill half of it, as in the other models, less a little
  double decay = 1.3;   // of the harmonics' variances
  double constant_variance = 0.02;  // of a_0
  double slope_variance = 0.08;     // of the slope of gp: that of a_0^2 to first order, 4 constant_variance
  double level_sd = 0.5;            // of nu0 about the pre-fit
  std::array<double, 3> offset_sizes{0.02, 0.1, 0.4};  // v: nearly the line, bent, wherever the data are
  std::array<double, 3> isgp_sizes{0.5, 1, 2};         // about E f^2 = 1, the slope of the pre-fit
  std::array<double, 3> gp_sizes{0.1, 0.4, 1.6};
  double evidence_floor = 1;  // of the whitened Hessian's eigenvalues, as everywhere (docs/math.md, "Guard")

  // What the scores claim (fitted.hpp).
  double claim_share = 0.4;  // the prior weight of all claims together
  std::array<double, 3> blurs{0, 0.005, 0.03};

  // The bands (posterior.hpp): chosen by study_calibration_coverage on seeds from 100000 on.
  double rough_constant_square = 0.5;
  double rough_constant_variance = 0.3;
  double rough_decay = 1.6;
  double rough_size = 1;
  double rough_level_sd = 1;
};

/// The least slope of the log odds in q: where f vanishes nu is flat, and rounding could give distinct scores
/// the same probability. It moves the probability of a score one standard deviation off by at most 3e-4.
inline constexpr double calibration_tilt = 1e-3;

/// Weights are held above this, so that their logarithm is finite.
inline constexpr double least_weight = 1e-300;

/// What trades time for accuracy, or decides when to warn.
struct CalibrationNumerics {
  // The point (calibrator.cpp).
  static constexpr std::size_t cells = 192;  // of the compressed rows: 16 a wave of the highest harmonic
  static constexpr std::size_t rows_for_gp = 500;  // below it a curve that is not monotone is not fitted
  static constexpr double much_better = 6;         // in log evidence: odds of 400
  static constexpr double reversed = 4;            // standard errors of the area below 1/2: never by chance
  static constexpr double weight_to_warn = 0.01;   // of a component that did not converge
  static constexpr double least_length = 1;        // of the pre-fit's log odds: a flat line has no range

  // The chains of the bands (posterior.cpp).
  static constexpr int chains = 4;
  static constexpr int warmup = 200;
  static constexpr int thinning = 2;              // draws for each that is kept
  static constexpr int start_draws = 12;          // of the prior, as starting points: there are several modes
  static constexpr std::size_t chain_cells = 48;  // four a wave, at most four places in each
  static constexpr double least_range = 1e-3;     // of t, for a single distinct score
  static constexpr double decimals =
      1e7;  // of the draws: far below their spread, half of the model file's digits
  static constexpr double acceptance = 0.9;  // above the usual 0.8: fewer paths diverge with short steps
  static constexpr double acceptance_at_walls =
      0.98;  // the ends of a bounded link, where the likelihood is steep

  // The tables of the draws (draws.cpp): cells over the scores, nodes beyond them (e^(i/5) - 1)/20 ranges
  // away, from 1/90 to 700.
  static constexpr int inner_cells = 128;
  static constexpr int outer_nodes = 48;
  static constexpr double outer_growth = 0.2;
};

}  // namespace linkgistic
