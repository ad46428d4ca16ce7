#include "regression/data.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <linkgistic/error.hpp>

#include "numeric/extent.hpp"
#include "response/gaussian.hpp"
#include "response/pointwise_data.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

void check(double value, bool good, const char* name, std::size_t row, std::string_view rule = "be finite") {
  if (!good) {
    throw InputError(std::string(name) + " is " + shortest(value) + " in row " + std::to_string(row + 1) +
                     ": it must " + std::string(rule));
  }
}

// Throws for the first row of a block that cannot be used, if there is one; `row` is the block's first, and
// afterwards the one past its last or the bad one.
void check_rows(const RowBlock& block, const Response& response, std::size_t& row) {
  const Extent weight = extent_of(block.weight);
  if (extent_of(block.x).finite && response.all_valid(block.y) && weight.finite && !(weight.lower < 0)) {
    row += block.size();
    return;
  }
  const std::string rule = "be " + std::string(response.rule());
  for (std::size_t i = 0; i < block.size(); ++i, ++row) {
    check(block.x[i], std::isfinite(block.x[i]), "x", row);
    check(block.y[i], response.is_valid(block.y[i]), "y", row, rule);
    if (block.weight.empty()) continue;
    check(block.weight[i], std::isfinite(block.weight[i]), "weight", row);
    check(block.weight[i], block.weight[i] >= 0, "weight", row, "not be negative");
  }
}

// The rows of a block that have a weight.
class WeighingRows {
 public:
  /// What it returns is valid until the next call.
  RowBlock of(const RowBlock& block) {
    if (std::find(block.weight.begin(), block.weight.end(), 0.0) == block.weight.end()) return block;
    x_.clear();
    y_.clear();
    weight_.clear();
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (block.weight[i] == 0) continue;
      x_.push_back(block.x[i]);
      y_.push_back(block.y[i]);
      weight_.push_back(block.weight[i]);
    }
    return {x_, y_, weight_};
  }

 private:
  std::vector<double> x_, y_, weight_;
};

// Makes them of a block.
struct BlockScaler : FitRows {
  void scale(const RowBlock& block, const SumsRequest& request) {
    for (auto* column : {&t, &u, &weight}) column->resize(block.size());
    const Scaling scaling = request.scaling, rough = request.rough;
    for (std::size_t i = 0; i < block.size(); ++i) t[i] = scaling.to_t(block.x[i]);
    for (std::size_t i = 0; i < block.size(); ++i) u[i] = (block.y[i] - rough.y_shift) / rough.y_scale;
    if (block.weight.empty()) {
      std::fill(weight.begin(), weight.end(), 1.0);
    } else {
      std::copy(block.weight.begin(), block.weight.end(), weight.begin());
    }
  }

  // Of w times 1, t, u, t^2, t u, u^2. Four rows are added side by side: one after the other each would wait
  // for the one before.
  [[nodiscard]] std::array<double, 6> sums() const {
    constexpr std::size_t lanes = 4;
    double sum[6][lanes] = {};
    const auto add = [&](std::size_t lane, std::size_t i) {
      const double w = weight[i], wt = w * t[i], wu = w * u[i];
      sum[0][lane] += w;
      sum[1][lane] += wt;
      sum[2][lane] += wu;
      sum[3][lane] += wt * t[i];
      sum[4][lane] += wt * u[i];
      sum[5][lane] += wu * u[i];
    };
    std::size_t i = 0;
    for (; i + lanes <= t.size(); i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, i + lane);
    for (; i < t.size(); ++i) add(0, i);
    std::array<double, 6> result{};
    for (std::size_t k = 0; k < result.size(); ++k)
      result[k] = (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
    return result;
  }

  // w u in place of u.
  void weigh() {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] *= weight[i];
  }
};

// Half of the width of an interval, or 1 where it has none.
double half_width(double lower, double upper) {
  const double half = upper / 2 - lower / 2;
  return half > 0 ? half : 1.0;
}

using SumsTree = TreeSum<RegressionSums, void (*)(RegressionSums&, RegressionSums&)>;

void ask(const std::function<bool()>& stop) {
  if (stop && stop()) throw Interrupted();
}

}  // namespace

void merge(RegressionRange& left, const RegressionRange& right) {
  left.rows += right.rows;
  left.x_lower = std::min(left.x_lower, right.x_lower);
  left.x_upper = std::max(left.x_upper, right.x_upper);
  left.y_lower = std::min(left.y_lower, right.y_lower);
  left.y_upper = std::max(left.y_upper, right.y_upper);
  left.read += right.read;
  if (right.bad_row < left.bad_row) {
    left.bad_row = right.bad_row;
    left.reason = right.reason;
  }
}

RegressionRange partial_range(RowStream& rows, const Response& response, std::uint64_t first_row,
                              const std::function<bool()>& stop) {
  RegressionRange range;
  std::size_t row = first_row;
  WeighingRows weighing;
  try {
    for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
      ask(stop);
      check_rows(block, response, row);
      const RowBlock used = weighing.of(block);
      const Extent x = extent_of(used.x), y = extent_of(used.y);
      RegressionRange of_block;
      of_block.rows = used.size();
      of_block.x_lower = x.lower, of_block.x_upper = x.upper;
      of_block.y_lower = y.lower, of_block.y_upper = y.upper;
      merge(range, of_block);
    }
  } catch (const InputError& error) {
    range.bad_row = row;
    range.reason = error.what();
  }
  range.read = row - first_row;
  return range;
}

RegressionRange find_range(RegressionEngine& rows, const std::function<bool()>& stop) {
  RegressionRange range = rows.range(stop);
  if (!range.reason.empty()) throw InputError(range.reason);
  if (range.rows == 0) throw InputError(range.read == 0 ? "there are no rows" : "every row has weight 0");
  return range;
}

std::vector<TreeNode<RegressionSums>> partial_sums(RowStream& rows, const SumsRequest& request,
                                                   std::uint64_t first_block, int threads,
                                                   const std::function<bool()>& stop) {
  SumsTree tree(merge);
  std::shared_ptr<const Features> features;
  if (request.features) features = std::make_shared<IntegratedHarmonics>(*request.features);
  WeighingRows weighing;
  BlockScaler scaled;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next(), ++first_block) {
    ask(stop);
    scaled.scale(weighing.of(block), request);
    RegressionSums own{scaled.sums(), {}, {}};
    if (features) {
      scaled.weigh();
      own.moments.emplace(features, features->sums(scaled.t, scaled.u, scaled.weight, threads), own.sums[5],
                          own.sums[0]);
    } else {
      own.kept.push_back(scaled);
    }
    tree.push({0, first_block, std::move(own)});
  }
  return tree.take_nodes();
}

RegressionSums total_sums(std::vector<TreeNode<RegressionSums>> nodes) {
  SumsTree tree(merge);
  for (auto& node : nodes) tree.push(std::move(node));
  return tree.take_total();
}

void merge(RegressionSums& left, RegressionSums& right) {
  for (std::size_t i = 0; i < left.sums.size(); ++i) left.sums[i] += right.sums[i];
  if (left.moments) left.moments->add(*right.moments);
  left.kept.insert(left.kept.end(), std::make_move_iterator(right.kept.begin()),
                   std::make_move_iterator(right.kept.end()));
}

RegressionData read_rows(RegressionEngine& rows, const RegressionRange& range, const Response& response,
                         const std::optional<IntegratedHarmonics>& fixed_features,
                         const std::function<bool()>& stop) {
  RegressionData data;
  data.scaling.x_middle = range.x_lower / 2 + range.x_upper / 2;
  data.scaling.x_half = half_width(range.x_lower, range.x_upper);
  // First by the range, which no value can overflow, then by mean and standard deviation of the result.
  // Numbers below 1e-300 keep a scale that can be multiplied and divided by.
  Scaling rough;
  if (response.has_units()) {
    rough.y_shift = range.y_lower / 2 + range.y_upper / 2;
    rough.y_scale = std::max(half_width(range.y_lower, range.y_upper), 1e-300);
  }

  SumsRequest request{data.scaling, rough, {}};
  if (dynamic_cast<const GaussianResponse*>(&response) != nullptr) request.features = fixed_features;
  RegressionSums sums = rows.sums(request, stop);
  for (FitRows& block : sums.kept) {
    data.t.insert(data.t.end(), block.t.begin(), block.t.end());
    data.u.insert(data.u.end(), block.u.begin(), block.u.end());
    data.weight.insert(data.weight.end(), block.weight.begin(), block.weight.end());
    block = {};
  }
  const auto& [sw, st, su, stt, stu, suu] = sums.sums;
  if (!std::isfinite(sw)) throw InputError("the weights are too large: their sum is not finite");
  data.total_weight = sw;
  const double mean = su / sw;
  const double variance = suu / sw - mean * mean;
  const double var_t = stt / sw - (st / sw) * (st / sw);
  // Below rounding the y are one value.
  const bool constant = !(variance > 1e-28);
  const double sd = constant ? 1.0 : std::sqrt(variance);
  if (!constant && var_t > 1e-28)
    data.correlation = (stu / sw - st / sw * mean) / std::sqrt(var_t * variance);
  if (!response.has_units()) return data;
  data.scaling.y_shift = rough.y_shift + rough.y_scale * mean;
  data.scaling.y_scale = rough.y_scale * sd;
  data.u_lower = (-1 - mean) / sd;  // by the first scaling y is in [-1, 1]
  data.u_upper = (1 - mean) / sd;
  if (sums.moments)
    data.moments = std::make_shared<GaussianMoments>(sums.moments->with_y_scaled(mean, 1 / sd));
  for (double& value : data.u) value = (value - mean) / sd;
  return data;
}

std::function<std::shared_ptr<const DataTerm>(const std::shared_ptr<const Features>&)> RegressionData::term(
    const std::shared_ptr<const Response>& response, bool decreasing, int threads) const {
  const double sign = decreasing ? -1 : 1;
  if (moments) {
    const auto turned = std::make_shared<GaussianMoments>(moments->with_y_scaled(0, sign));
    return [turned](const std::shared_ptr<const Features>&) { return turned; };
  }
  std::vector<double> at(t), y(u);
  for (double& value : response->has_units() ? y : at) value *= sign;
  const bool gaussian = dynamic_cast<const GaussianResponse*>(response.get()) != nullptr;
  return [this, response, gaussian, threads, at = std::move(at), y = std::move(y)](
             const std::shared_ptr<const Features>& features) -> std::shared_ptr<const DataTerm> {
    if (!gaussian) return std::make_shared<PointwiseData>(features, response, at, y, weight, threads);
    auto sums = std::make_shared<GaussianMoments>(features);
    sums->add(at, y, weight, threads);
    return sums;
  };
}

}  // namespace linkgistic
