// The rows of a regression as a fit needs them: their ranges by a first pass, their moments by a second.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <linkgistic/rows.hpp>

#include "regression/scaling.hpp"
#include "response/gaussian_moments.hpp"

namespace linkgistic {

/// What the first pass finds, over rows of positive weight.
struct RegressionRange {
  std::size_t rows = 0;
  double x_lower = 0, x_upper = 0, y_lower = 0, y_upper = 0;
};

/// Throws InputError for values that are not finite, negative weights, and when no row is left.
RegressionRange find_range(RowStream& rows, const std::function<bool()>& stop);

/// Rows in the fit's coordinates (y_scale still positive), as moments and, if asked for, one by one.
struct RegressionData {
  Scaling scaling;
  double total_weight = 0;
  double correlation = 0;  // of x and y, 0 where it is not defined
  std::shared_ptr<const GaussianMoments> moments;
  std::vector<double> t, u, weight;  // only when kept
};

/// The second pass. `features` are in t.
RegressionData read_moments(RowStream& rows, const RegressionRange& range,
                            std::shared_ptr<const Features> features, bool keep_rows, int threads,
                            const std::function<bool()>& stop);

}  // namespace linkgistic
