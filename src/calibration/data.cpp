#include "calibration/data.hpp"

#include <utility>

namespace linkgistic {
namespace {

// A row for each label that a place has.
PointwiseData as_rows(const std::shared_ptr<const Features>& features,
                      const std::shared_ptr<const Response>& response, const LabelCounts& counts) {
  std::vector<double> x, y, weight;
  for (std::size_t n = 0; n < counts.x.size(); ++n) {
    for (const int label : {0, 1}) {
      const double w = label == 0 ? counts.negative[n] : counts.positive[n];
      if (!(w > 0)) continue;
      x.push_back(counts.x[n]);
      y.push_back(label);
      weight.push_back(w);
    }
  }
  return {features, response, x, y, weight, 1};
}

}  // namespace

CalibrationData::CalibrationData(const std::shared_ptr<const Features>& features,
                                 const std::shared_ptr<const Response>& response, LossTable table,
                                 LabelCounts counts)
    : PointwiseData(as_rows(features, response, counts)),
      table_(std::move(table)),
      counts_(std::move(counts)) {
  phi_.resize(features->size(), static_cast<Index>(counts_.x.size()));
  for (Index n = 0; n < phi_.cols(); ++n) {
    features->evaluate(counts_.x[static_cast<std::size_t>(n)], phi_.col(n));
  }
}

DataGradient CalibrationData::gradient(const Vector& kappa, const Vector& /*eta*/, bool /*eta_asked*/) const {
  static thread_local Vector nu;
  nu.noalias() = phi_.transpose() * kappa;
  DataGradient result;
  for (Index n = 0; n < nu.size(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    double first = 0;
    for (const int label : {0, 1}) {
      const double w = label == 0 ? counts_.negative[i] : counts_.positive[i];
      if (!(w > 0)) continue;
      const LossNode loss = table_.at(label, nu[n]);
      result.value -= w * loss.value;
      first -= w * loss.slope;
    }
    nu[n] = first;
  }
  result.kappa.noalias() = phi_ * nu;
  return result;
}

}  // namespace linkgistic
