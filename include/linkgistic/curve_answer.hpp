// A number that is read off a fitted curve, with its interval.
#pragma once

namespace linkgistic {

/// NaN where it is not reached within the data: a curve is not continued to find it.
struct CurveAnswer {
  double estimate = 0, lower = 0, upper = 0;
};

/// A number that follows from a curve: of its mean, for an exposure of 1.
enum class Functional {
  slope,       // of the mean at x
  difference,  // of the means at two x, the second less the first
  ratio,       // of the means at two x, the second by the first; they are positive
  area,        // under the mean, between two x
};

}  // namespace linkgistic
