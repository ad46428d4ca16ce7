// The rows of a regression for a fit. A first pass finds their ranges. A second pass makes their moments
// (Gaussian), or the cells of their two measures (SummedResponse, of many rows), or keeps the rows.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <linkgistic/rows.hpp>

#include "engine/compression.hpp"
#include "engine/grid.hpp"
#include "regression/scaling.hpp"
#include "response/gaussian_moments.hpp"
#include "response/measure_data.hpp"
#include "response/response.hpp"
#include "source/integrated_harmonics.hpp"

namespace linkgistic {

/// What the first pass finds, over rows of positive weight.
struct RegressionRange {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  std::size_t rows = 0;
  double x_lower = infinity, x_upper = -infinity, y_lower = infinity, y_upper = -infinity;
  std::uint64_t read = 0;  // rows of any weight
  // The first row, from 0, that a fit cannot use, and the reason.
  std::uint64_t bad_row = std::numeric_limits<std::uint64_t>::max();
  std::string reason;

  auto fields() { return std::tie(rows, x_lower, x_upper, y_lower, y_upper, read, bad_row, reason); }
};
/// The order makes no difference.
void merge(RegressionRange& left, const RegressionRange& right);

/// The range of a stream whose first row is number `first_row` of all, up to the first one that is bad: an x
/// that is not finite, a y that the response cannot have, a weight that is negative or not finite.
RegressionRange partial_range(RowStream& rows, const Response& response, std::uint64_t first_row,
                              const std::function<bool()>& stop);

/// Rows in the fit's coordinates (nu not yet turned about), as moments or one by one.
struct RegressionData {
  Scaling scaling;
  double total_weight = 0;
  double correlation = 0;                          // of x and y, 0 where it is not defined
  double u_lower = 0, u_upper = 0;                 // the range of u, where y has units
  std::shared_ptr<const GaussianMoments> moments;  // null when the rows are kept
  MeasurePoints a, b;                              // the measures of a SummedResponse
  MeasureSums measure;
  std::vector<double> t, u, weight, shift;  // the rows of any other
  std::vector<double> precision;            // of each row, as a multiple of the response's; empty: 1
  double log_constant = 0;                  // of the rows' log likelihood, which the data term leaves out

  void set_precision(std::vector<double> of_rows);

  /// The data term for given features, of nu that falls with x if `decreasing`: u is turned about, or t where
  /// y has no units. This object must outlive what it returns.
  [[nodiscard]] std::function<std::shared_ptr<const DataTerm>(const std::shared_ptr<const Features>&)> term(
      const std::shared_ptr<const Response>& response, bool decreasing, int threads) const;
};

/// What the sums over rows are of: t and u by the scalings, moments of the features in t; without features
/// the rows themselves are kept, or their measures in so many cells if the response has measures without
/// shifts.
struct SumsRequest {
  Scaling scaling, rough;
  std::optional<IntegratedHarmonics> features;
  std::uint64_t cells = 0;
  bool rows_kept = false;  // one by one, also of a response with measures

  auto fields() { return std::tie(scaling, rough, features, cells, rows_kept); }
};

/// Rows of positive weight w in the fit's coordinates: u and w with what is added to nu. Of a SummedResponse
/// u is w a and the weight w b.
struct FitRows {
  std::vector<double> t, u, weight, shift;

  auto fields() { return std::tie(t, u, weight, shift); }
};

/// The sums over some blocks of rows; they can be merged.
struct RegressionSums {
  std::array<double, 6>
      sums{};           // of w times 1, t, u, t^2, t u, u^2; of counts and shares u is one per exposure
  double weight = 0;    // of the rows as they came
  MeasureSums measure;  // of a SummedResponse
  double a = 0, b = 0;  // its measures in all
  std::optional<GaussianMoments> moments;
  std::vector<CellMoments> cells;  // of a and b
  std::vector<FitRows> kept;       // blocks in order

  auto fields() { return std::tie(sums, weight, measure, a, b, moments, cells, kept); }
};
/// The kept rows of `right` move.
void merge(RegressionSums& left, RegressionSums& right);

/// The sums of a stream whose first block is number `first_block` of all rows', as complete subtrees: so rows
/// may be cut between any two blocks, and give the same bits.
std::vector<TreeNode<RegressionSums>> partial_sums(RowStream& rows, const Response& response,
                                                   const SumsRequest& request, std::uint64_t first_block,
                                                   int threads, const std::function<bool()>& stop);
/// The sum of nodes that cover all blocks, in order.
RegressionSums total_sums(std::vector<TreeNode<RegressionSums>> nodes);

/// Rows of a regression answer with ranges and sums, wherever they are held (engine.hpp). `stop` is called
/// between blocks; where it is true, Interrupted is thrown.
class RegressionEngine {
 public:
  virtual ~RegressionEngine() = default;
  virtual RegressionRange range(const std::function<bool()>& stop) = 0;
  virtual RegressionSums sums(const SumsRequest& request, const std::function<bool()>& stop) = 0;
};

/// The first pass. Throws an InputError for the first bad row, and when no row is left.
RegressionRange find_range(RegressionEngine& rows, const std::function<bool()>& stop);

/// The second pass. A Gaussian response with `fixed_features`, functions of t, leaves moments; a
/// SummedResponse its measures, in `cells` cells if there are more than twice as many rows; of any other
/// response the rows are kept, those of trials as two labels with their numbers as weights.
RegressionData read_rows(RegressionEngine& rows, const RegressionRange& range, const Response& response,
                         const std::optional<IntegratedHarmonics>& fixed_features, std::size_t cells,
                         const std::function<bool()>& stop);

}  // namespace linkgistic
