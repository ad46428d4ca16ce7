#include "regression/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <linkgistic/error.hpp>

#include "response/gaussian.hpp"
#include "response/pointwise_data.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

void check(double value, bool good, const char* name, std::size_t row, std::string_view rule = "finite") {
  if (!good) {
    throw InputError(std::string(name) + " is " + shortest(value) + " in row " + std::to_string(row + 1) +
                     ": it must be " + std::string(rule));
  }
}

double weight_of(const RowBlock& block, std::size_t i, std::size_t row) {
  if (block.weight.empty()) return 1;
  check(block.weight[i], std::isfinite(block.weight[i]), "weight", row);
  if (block.weight[i] < 0) {
    throw InputError("weight is " + shortest(block.weight[i]) + " in row " + std::to_string(row + 1) +
                     ": it must not be negative");
  }
  return block.weight[i];
}

// Half of the width of an interval, or 1 where it has none.
double half_width(double lower, double upper) {
  const double half = upper / 2 - lower / 2;
  return half > 0 ? half : 1.0;
}

void ask(const std::function<bool()>& stop) {
  if (stop && stop()) throw Interrupted();
}

}  // namespace

RegressionRange find_range(RowStream& rows, const Response& response, const std::function<bool()>& stop) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  RegressionRange range{0, infinity, -infinity, infinity, -infinity};
  std::size_t row = 0;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
    ask(stop);
    for (std::size_t i = 0; i < block.size(); ++i, ++row) {
      check(block.x[i], std::isfinite(block.x[i]), "x", row);
      check(block.y[i], response.is_valid(block.y[i]), "y", row, response.rule());
      if (weight_of(block, i, row) == 0) continue;
      ++range.rows;
      range.x_lower = std::min(range.x_lower, block.x[i]);
      range.x_upper = std::max(range.x_upper, block.x[i]);
      range.y_lower = std::min(range.y_lower, block.y[i]);
      range.y_upper = std::max(range.y_upper, block.y[i]);
    }
  }
  if (range.rows == 0) throw InputError(row == 0 ? "there are no rows" : "every row has weight 0");
  return range;
}

std::vector<TreeNode<RegressionSums>> partial_sums(RowStream& rows, const SumsRequest& request,
                                                   std::uint64_t first_block, int threads,
                                                   const std::function<bool()>& stop, RegressionData* kept) {
  TreeSum<RegressionSums, void (*)(RegressionSums&, const RegressionSums&)> tree(merge);
  std::vector<double> t, u, weight;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next(), ++first_block) {
    ask(stop);
    t.clear();
    u.clear();
    weight.clear();
    RegressionSums own;
    auto& [sw, st, su, stt, stu, suu] = own.sums;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double w = block.weight.empty() ? 1.0 : block.weight[i];
      if (w == 0) continue;
      const double ti = request.scaling.to_t(block.x[i]);
      const double ui = (block.y[i] - request.rough.y_shift) / request.rough.y_scale;
      t.push_back(ti);
      u.push_back(ui);
      weight.push_back(w);
      sw += w;
      st += w * ti;
      su += w * ui;
      stt += w * ti * ti;
      stu += w * ti * ui;
      suu += w * ui * ui;
    }
    if (request.features) own.moments.emplace(request.features).add(t, u, weight, threads);
    tree.push({0, first_block, std::move(own)});
    if (kept == nullptr) continue;
    kept->t.insert(kept->t.end(), t.begin(), t.end());
    kept->u.insert(kept->u.end(), u.begin(), u.end());
    kept->weight.insert(kept->weight.end(), weight.begin(), weight.end());
  }
  return tree.take_nodes();
}

RegressionSums total_sums(std::vector<TreeNode<RegressionSums>> nodes) {
  TreeSum<RegressionSums, void (*)(RegressionSums&, const RegressionSums&)> tree(merge);
  for (auto& node : nodes) tree.push(std::move(node));
  return tree.take_total();
}

void merge(RegressionSums& left, const RegressionSums& right) {
  for (std::size_t i = 0; i < left.sums.size(); ++i) left.sums[i] += right.sums[i];
  if (left.moments) left.moments->add(*right.moments);
}

RegressionData read_rows(RowStream& rows, const RegressionRange& range, const Response& response,
                         const std::shared_ptr<const Features>& fixed_features, int threads,
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

  const bool keeps = !fixed_features || dynamic_cast<const GaussianResponse*>(&response) == nullptr;
  const SumsRequest request{data.scaling, rough, keeps ? nullptr : fixed_features};
  const auto nodes = partial_sums(rows, request, 0, threads, stop, keeps ? &data : nullptr);
  const RegressionSums sums = total_sums(nodes);
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
