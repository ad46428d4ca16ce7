#include "regression/data.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

#include "numeric/extent.hpp"
#include "numeric/parallel.hpp"
#include "numeric/special.hpp"
#include "regression/fit_rows.hpp"
#include "response/gaussian.hpp"

namespace linkgistic {
namespace {

// Makes them of a block.
struct BlockScaler : FitRows {
  int threads = 1;

  void scale(const RowBlock& block, const SumsRequest& request) {
    for (auto* column : {&t, &u, &weight}) column->resize(block.size());
    parallel_chunks(block.size(), chunk, threads, [&](std::size_t, std::size_t first, std::size_t last) {
      const Scaling scaling = request.scaling, rough = request.rough;
      for (std::size_t i = first; i < last; ++i) t[i] = scaling.to_t(block.x[i]);
      for (std::size_t i = first; i < last; ++i) u[i] = (block.y[i] - rough.y_shift) / rough.y_scale;
      for (std::size_t i = first; i < last; ++i) weight[i] = block.weight.empty() ? 1.0 : block.weight[i];
    });
  }

  // Of w times 1, t, u, t^2, t u, u^2, chunk by chunk.
  [[nodiscard]] std::array<double, 6> sums() const {
    std::vector<std::array<double, 6>> parts((t.size() + chunk - 1) / chunk);
    parallel_chunks(t.size(), chunk, threads, [&](std::size_t part, std::size_t first, std::size_t last) {
      parts[part] = sums_of(first, last);
    });
    std::array<double, 6> result{};
    for (const auto& part : parts)
      for (std::size_t k = 0; k < result.size(); ++k) result[k] += part[k];
    return result;
  }

  // Four rows are added side by side: one after the other each would wait for the one before.
  [[nodiscard]] std::array<double, 6> sums_of(std::size_t first, std::size_t last) const {
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
    std::size_t i = first;
    for (; i + lanes <= last; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, i + lane);
    for (; i < last; ++i) add(0, i);
    std::array<double, 6> result{};
    for (std::size_t k = 0; k < result.size(); ++k)
      result[k] = (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
    return result;
  }

  // w u in place of u.
  void weigh() {
    parallel_chunks(u.size(), chunk, threads, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) u[i] *= weight[i];
    });
  }

  // w a and w b in place of u and w, with their sums; cells take them up where there are cells. Correlations
  // are those of a/b with the weight b, or of log b where a is constant.
  void measure(const RowBlock& block, const SummedResponse& response, std::size_t cells,
               RegressionSums& own) {
    const CellGrid grid(-1, 1, std::max<std::size_t>(cells, 1));
    if (cells > 0) own.cells.resize(2 * cells);
    FitRows measures{t, u, weight, {block.offset.begin(), block.offset.end()}};
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double w = weight[i];
      const RowMeasures m = response.measures(block.y[i], block.exposure.empty() ? 1 : block.exposure[i],
                                              block.trials.empty() ? 1 : block.trials[i]);
      own.measure.weight += w;
      own.measure.constant += w * m.constant;
      own.measure.scaled += w * m.scaled;
      own.a += w * m.a;
      own.b += w * m.b;
      if (cells > 0) {
        grid.add(t[i], w * m.a, 0, own.cells.data());
        grid.add(t[i], w * m.b, 1, own.cells.data());
      } else {
        measures.u[i] = w * m.a;
        measures.weight[i] = w * m.b;
      }
      u[i] = response.sign() > 0 ? m.a / m.b : std::log(m.b);
      weight[i] *= response.sign() > 0 ? m.b : 1;
    }
    own.sums = sums();
    own.weight = own.measure.weight;
    if (cells == 0) own.kept.push_back(std::move(measures));
  }

  // Rows of trials as labels 1 and 0, the numbers of successes and failures in their weights; `ways` gets sum
  // w log (m over y).
  void unfold(const RowBlock& block, double& ways) {
    const FitRows rows = static_cast<const FitRows&>(*this);
    for (auto* column : {&t, &u, &weight, &shift}) column->clear();
    for (std::size_t i = 0; i < rows.t.size(); ++i) {
      const double y = block.y[i], m = block.trials[i], w = rows.weight[i];
      ways += w * (log_factorial(m) - log_factorial(y) - log_factorial(m - y));
      for (const double label : {1.0, 0.0}) {
        const double times = label == 1 ? y : m - y;
        if (times == 0) continue;
        t.push_back(rows.t[i]);
        u.push_back(label);
        weight.push_back(w * times);
        if (!rows.shift.empty()) shift.push_back(rows.shift[i]);
      }
    }
  }

  // Counts for their exposures, in place of themselves.
  void expose(const RowBlock& block) {
    if (block.exposure.empty()) return;
    for (std::size_t i = 0; i < t.size(); ++i) {
      u[i] /= block.exposure[i];
      weight[i] *= block.exposure[i];
    }
  }

 private:
  static constexpr std::size_t chunk = 8192;  // rows
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
  PreparedRows prepared;
  try {
    for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
      ask(stop);
      check_rows(block, response, row);
      const RowBlock used = prepared.of(block, response);
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

std::vector<TreeNode<RegressionSums>> partial_sums(RowStream& rows, const Response& response,
                                                   const SumsRequest& request, std::uint64_t first_block,
                                                   int threads, const std::function<bool()>& stop) {
  SumsTree tree(merge);
  std::shared_ptr<const Features> features;
  if (request.features) features = std::make_shared<IntegratedHarmonics>(*request.features);
  const auto* summed = request.rows_kept ? nullptr : dynamic_cast<const SummedResponse*>(&response);
  PreparedRows prepared;
  BlockScaler scaled;
  scaled.threads = threads;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next(), ++first_block) {
    ask(stop);
    const RowBlock used = prepared.of(block, response);
    scaled.scale(used, request);
    RegressionSums own;
    if (summed != nullptr) {
      scaled.measure(used, *summed, used.offset.empty() ? request.cells : 0, own);
    } else {
      own.weight = std::accumulate(scaled.weight.begin(), scaled.weight.end(), 0.0);
      if (!features) {
        scaled.shift.assign(used.offset.begin(), used.offset.end());  // of log odds
        if (!used.trials.empty()) scaled.unfold(used, own.measure.constant);
        own.kept.push_back(scaled);
        for (const double exposure : used.exposure) own.kept.back().shift.push_back(std::log(exposure));
        scaled.expose(used);
      }
      own.sums = scaled.sums();
      if (features) {
        scaled.weigh();
        own.moments.emplace(features, features->sums(scaled.t, scaled.u, scaled.weight, threads), own.sums[5],
                            own.sums[0]);
      }
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
  left.weight += right.weight;
  left.measure.weight += right.measure.weight;
  left.measure.constant += right.measure.constant;
  left.measure.scaled += right.measure.scaled;
  left.a += right.a;
  left.b += right.b;
  for (std::size_t i = 0; i < left.cells.size(); ++i)
    for (std::size_t k = 0; k < left.cells[i].size(); ++k) left.cells[i][k] += right.cells[i][k];
  if (left.moments) left.moments->add(*right.moments);
  left.kept.insert(left.kept.end(), std::make_move_iterator(right.kept.begin()),
                   std::make_move_iterator(right.kept.end()));
}

namespace {

// Kept blocks as one.
FitRows joined_rows(std::vector<FitRows>& blocks) {
  FitRows all;
  for (FitRows& block : blocks) {
    const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(all.t, block.t);
    append(all.u, block.u);
    append(all.weight, block.weight);
    append(all.shift, block.shift);
    block = {};
  }
  return all;
}

// The measures of a SummedResponse, from cells or rows; nu is counted from `base`.
void take_measures(RegressionSums& sums, std::size_t cells, double base, RegressionData& data) {
  data.measure = sums.measure;
  if (!sums.cells.empty()) {
    const WeightedRows points = CellGrid(-1, 1, cells).rows(sums.cells);
    for (std::size_t i = 0; i < points.size(); ++i)
      (points.y[i] == 0 ? data.a : data.b).add(points.x[i], points.weight[i], base);
    return;
  }
  const FitRows rows = joined_rows(sums.kept);
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    const double shift = base + (rows.shift.empty() ? 0 : rows.shift[i]);
    if (rows.u[i] != 0) data.a.add(rows.t[i], rows.u[i], shift);
    data.b.add(rows.t[i], rows.weight[i], shift);
  }
  data.b.merge_ties();
}

// Centre and scale that outliers do not move: median and quartiles; a scale of 0 where half of the values are
// one.
std::pair<double, double> robust_scale(const RegressionData& data) {
  std::vector<std::size_t> order(data.u.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return data.u[i] < data.u[j]; });
  // The mean of the first value with at least this share of the weight and of the first with more.
  const auto quantile = [&](double share) {
    double sum = 0;
    const double wanted = share * data.total_weight, rounding = 1e-12 * data.total_weight;
    std::size_t n = 0;
    while (n + 1 < order.size() && (sum += data.weight[order[n]]) < wanted - rounding) ++n;
    const bool even = n + 1 < order.size() && sum <= wanted + rounding;
    return (data.u[order[n]] + data.u[order[even ? n + 1 : n]]) / 2;
  };
  constexpr double quartiles = 1.349;  // of a normal law, apart, in standard deviations
  return {quantile(0.5), (quantile(0.75) - quantile(0.25)) / quartiles};
}

struct Spread {
  double mean = 0, sd = 1, correlation = 0;
};

Spread spread_of(const std::array<double, 6>& sums) {
  const auto& [sw, st, su, stt, stu, suu] = sums;
  Spread s;
  s.mean = su / sw;
  const double variance = suu / sw - s.mean * s.mean;
  const double var_t = stt / sw - (st / sw) * (st / sw);
  // Below rounding the y are one value.
  if (!(variance > 1e-28)) return s;
  s.sd = std::sqrt(variance);
  if (var_t > 1e-28) s.correlation = (stu / sw - st / sw * s.mean) / std::sqrt(var_t * variance);
  return s;
}

// The same of rows whose outliers are brought to three scales from the centre.
Spread robust_spread(const RegressionData& data, const Spread& plain) {
  const auto [centre, scale] = robust_scale(data);
  if (!(scale > 1e-14)) return plain;
  BlockScaler rows;
  rows.t = data.t;
  rows.u = data.u;
  rows.weight = data.weight;
  for (double& u : rows.u) u = std::clamp((u - centre) / scale, -3.0, 3.0);
  return {centre, scale, spread_of(rows.sums()).correlation};
}

}  // namespace

RegressionData read_rows(RegressionEngine& rows, const RegressionRange& range, const Response& response,
                         const std::optional<IntegratedHarmonics>& fixed_features, std::size_t cells,
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

  const auto* summed = dynamic_cast<const SummedResponse*>(&response);
  const bool gaussian = dynamic_cast<const GaussianResponse*>(&response) != nullptr;
  // Those who hold the rows may know the response by its name alone, without its rates.
  SumsRequest request{data.scaling, rough, {}, 0, summed == nullptr};
  if (gaussian) request.features = fixed_features;
  if (summed != nullptr && range.rows > 2 * cells) request.cells = cells;
  RegressionSums sums = rows.sums(request, stop);
  if (!std::isfinite(sums.sums[0]) || !std::isfinite(sums.weight))
    throw InputError("the weights are too large: their sum is not finite");
  data.total_weight = sums.weight;
  Spread spread = spread_of(sums.sums);
  if (summed != nullptr) {
    data.correlation = spread.correlation;
    data.scaling.y_shift = summed->centre(sums.a, sums.b);
    take_measures(sums, cells, data.scaling.y_shift, data);
    return data;
  }
  FitRows kept = joined_rows(sums.kept);
  data.t = std::move(kept.t);
  data.u = std::move(kept.u);
  data.weight = std::move(kept.weight);
  data.shift = std::move(kept.shift);
  if (!response.has_units()) {
    data.correlation = spread.correlation;
    data.log_constant = sums.measure.constant;
    data.scaling.y_shift = response.centre(sums.sums[2], sums.sums[0]);
    data.shift.resize(data.t.size(), 0.0);
    for (double& shift : data.shift) shift += data.scaling.y_shift;
    return data;
  }
  if (!gaussian) spread = robust_spread(data, spread);
  data.correlation = spread.correlation;
  data.scaling.y_shift = rough.y_shift + rough.y_scale * spread.mean;
  data.scaling.y_scale = rough.y_scale * spread.sd;
  data.u_lower = (-1 - spread.mean) / spread.sd;  // by the first scaling y is in [-1, 1]
  data.u_upper = (1 - spread.mean) / spread.sd;
  if (sums.moments)
    data.moments = std::make_shared<GaussianMoments>(sums.moments->with_y_scaled(spread.mean, 1 / spread.sd));
  for (double& value : data.u) value = (value - spread.mean) / spread.sd;
  return data;
}

}  // namespace linkgistic
