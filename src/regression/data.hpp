// The rows of a regression for a fit. A first pass finds their ranges. A second pass makes their moments, or
// keeps the rows if the response has no moments or the basis moves.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <linkgistic/rows.hpp>

#include "engine/grid.hpp"
#include "regression/scaling.hpp"
#include "response/gaussian_moments.hpp"
#include "response/response.hpp"

namespace linkgistic {

/// What the first pass finds, over rows of positive weight.
struct RegressionRange {
  std::size_t rows = 0;
  double x_lower = 0, x_upper = 0, y_lower = 0, y_upper = 0;
};

/// Throws InputError for an x that is not finite, a y that the response cannot have, negative weights, and
/// when no row is left.
RegressionRange find_range(RowStream& rows, const Response& response, const std::function<bool()>& stop);

/// Rows in the fit's coordinates (nu not yet turned about), as moments or one by one.
struct RegressionData {
  Scaling scaling;
  double total_weight = 0;
  double correlation = 0;                          // of x and y, 0 where it is not defined
  double u_lower = 0, u_upper = 0;                 // the range of u, where y has units
  std::shared_ptr<const GaussianMoments> moments;  // null when the rows are kept
  std::vector<double> t, u, weight;

  /// The data term for given features, of nu that falls with x if `decreasing`: u is turned about, or t where
  /// y has no units. This object must outlive what it returns.
  [[nodiscard]] std::function<std::shared_ptr<const DataTerm>(const std::shared_ptr<const Features>&)> term(
      const std::shared_ptr<const Response>& response, bool decreasing, int threads) const;
};

/// What the sums over rows are of: t and u by the scalings, moments of the features in t, or none.
struct SumsRequest {
  Scaling scaling, rough;
  std::shared_ptr<const Features> features;
};

/// The sums over some blocks of rows; they can be merged.
struct RegressionSums {
  std::array<double, 6> sums{};  // of w times 1, t, u, t^2, t u, u^2
  std::optional<GaussianMoments> moments;
};
void merge(RegressionSums& left, const RegressionSums& right);

/// The sums of a stream whose first block is number `first_block` of all rows', as complete subtrees: so rows
/// may be cut between any two blocks, and give the same bits. Rows are kept as well where `kept` is not null.
std::vector<TreeNode<RegressionSums>> partial_sums(RowStream& rows, const SumsRequest& request,
                                                   std::uint64_t first_block, int threads,
                                                   const std::function<bool()>& stop, RegressionData* kept);
/// The sum of nodes that cover all blocks, in order.
RegressionSums total_sums(std::vector<TreeNode<RegressionSums>> nodes);

/// The second pass. A Gaussian response with `fixed_features`, functions of t, leaves moments; without them,
/// and of any other response, the rows are kept.
RegressionData read_rows(RowStream& rows, const RegressionRange& range, const Response& response,
                         const std::shared_ptr<const Features>& fixed_features, int threads,
                         const std::function<bool()>& stop);

}  // namespace linkgistic
