// The smooth calibration error of Blasiok and Nakkiran, "Smooth ECE: principled reliability diagrams via
// kernel smoothing" (2023).
#pragma once

#include <span>

namespace linkgistic {

/// With r_i = w_i (y_i - p_i) / sum w and K_s the Gaussian kernel of width s reflected at 0 and 1,
///   E(s) = integral over t in [0, 1] of |sum_i r_i K_s(t, p_i)|,
/// which does not increase in s; the smooth calibration error is the s with E(s) = s, or E(s) at the least
/// width, 0.001, where that is smaller.
///
/// The reflected kernel is that of heat flow on [0, 1], exp(-(k pi s)^2 / 2) on cos(k pi t): residuals are
/// spread over a grid by cubic B-splines, whose own filter is divided out, and every width costs one Fourier
/// transform. Within 1e-5 of the sum over rows.
double smooth_ece(std::span<const double> probability, std::span<const double> residual);

}  // namespace linkgistic
