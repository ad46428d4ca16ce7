// The data term of the rows of a regression: moments, measures, or the rows one by one.
#include <cmath>
#include <utility>

#include "regression/data.hpp"
#include "response/gaussian.hpp"
#include "response/pointwise_data.hpp"

namespace linkgistic {

// log p(y | nu) has w log(precision)/2 beside its square.
void RegressionData::set_precision(std::vector<double> of_rows) {
  precision = std::move(of_rows);
  log_constant = 0;
  for (std::size_t n = 0; n < precision.size(); ++n) log_constant += weight[n] * std::log(precision[n]) / 2;
}

namespace {

// The moments of rows with precisions, which weigh their squares; each counts by its weight alone.
std::shared_ptr<GaussianMoments> weighed_moments(const std::shared_ptr<const Features>& features,
                                                 const RegressionData& rows, const std::vector<double>& at,
                                                 const std::vector<double>& y, int threads) {
  std::vector<double> w(at.size()), wy(at.size());
  double square = 0;
  for (std::size_t n = 0; n < at.size(); ++n) {
    w[n] = rows.weight[n] * rows.precision[n];
    wy[n] = w[n] * y[n];
    square += wy[n] * y[n];
  }
  return std::make_shared<GaussianMoments>(features, features->sums(at, wy, w, threads), square,
                                           rows.total_weight);
}

}  // namespace

std::function<std::shared_ptr<const DataTerm>(const std::shared_ptr<const Features>&)> RegressionData::term(
    const std::shared_ptr<const Response>& response, bool decreasing, int threads) const {
  const double sign = decreasing ? -1 : 1;
  if (moments) {
    const auto turned = std::make_shared<GaussianMoments>(moments->with_y_scaled(0, sign));
    return [turned](const std::shared_ptr<const Features>&) { return turned; };
  }
  if (const auto summed = std::dynamic_pointer_cast<const SummedResponse>(response)) {
    MeasurePoints turned_a(a), turned_b(b);
    for (MeasurePoints* points : {&turned_a, &turned_b})
      for (double& value : points->x) value *= sign;
    return [this, summed, threads, turned_a = std::move(turned_a),
            turned_b = std::move(turned_b)](const std::shared_ptr<const Features>& features) {
      return std::make_shared<MeasureData>(features, summed, turned_a, turned_b, measure, threads);
    };
  }
  std::vector<double> at(t), y(u);
  for (double& value : response->has_units() ? y : at) value *= sign;
  const bool gaussian = dynamic_cast<const GaussianResponse*>(response.get()) != nullptr;
  return [this, response, gaussian, threads, at = std::move(at), y = std::move(y)](
             const std::shared_ptr<const Features>& features) -> std::shared_ptr<const DataTerm> {
    if (!gaussian) return std::make_shared<PointwiseData>(features, response, at, y, weight, threads, shift);
    if (!precision.empty()) return weighed_moments(features, *this, at, y, threads);
    auto sums = std::make_shared<GaussianMoments>(features);
    sums->add(at, y, weight, threads);
    return sums;
  };
}

}  // namespace linkgistic
