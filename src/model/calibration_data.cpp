#include "model/calibration_data.hpp"

#include <utility>

namespace linkgistic {

CalibrationData::CalibrationData(const Features& features, std::shared_ptr<const Likelihood> likelihood,
                                 LossTable table, LabelCounts counts)
    : likelihood_(std::move(likelihood)), table_(std::move(table)), counts_(std::move(counts)) {
  phi_.resize(features.size(), static_cast<Index>(counts_.x.size()));
  for (Index n = 0; n < phi_.cols(); ++n) {
    features.evaluate(counts_.x[static_cast<std::size_t>(n)], phi_.col(n));
  }
}

LogDensity CalibrationData::at(std::size_t n, double nu, const Vector& eta) const {
  LogDensity sum{};
  for (const int label : {0, 1}) {
    const double w = label == 0 ? counts_.negative[n] : counts_.positive[n];
    if (!(w > 0)) continue;
    const LogDensity l = likelihood_->at(label, nu, eta);
    sum.value += w * l.value;
    sum.first += w * l.first;
    sum.second += w * l.second;
    sum.third += w * l.third;
  }
  return sum;
}

double CalibrationData::value(const Vector& kappa, const Vector& eta) const {
  const Vector nu = phi_.transpose() * kappa;
  double sum = 0;
  for (Index n = 0; n < nu.size(); ++n) sum += at(static_cast<std::size_t>(n), nu[n], eta).value;
  return sum;
}

DataDerivatives CalibrationData::derivatives(const Vector& kappa, const Vector& eta) const {
  const Vector nu = phi_.transpose() * kappa;
  Vector first(nu.size()), second(nu.size());
  DataDerivatives result;
  for (Index n = 0; n < nu.size(); ++n) {
    const LogDensity l = at(static_cast<std::size_t>(n), nu[n], eta);
    result.value += l.value;
    first[n] = l.first;
    second[n] = l.second;
  }
  result.gradient = phi_ * first;
  const Matrix weighted = phi_ * second.asDiagonal();
  result.curvature = weighted * phi_.transpose();
  return result;
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

Vector CalibrationData::third(const Vector& kappa, const Vector& eta, const Matrix& t) const {
  Vector r = phi_.transpose() * kappa;
  const Matrix turned = t * phi_;
  for (Index n = 0; n < r.size(); ++n) {
    r[n] = at(static_cast<std::size_t>(n), r[n], eta).third * phi_.col(n).dot(turned.col(n));
  }
  return phi_ * r;
}

DataDerivatives CalibrationData::hyper_derivatives(const Vector& kappa, const Vector& /*eta*/,
                                                   Index /*i*/) const {
  return {0, Vector::Zero(kappa.size()), Matrix::Zero(kappa.size(), kappa.size())};
}

}  // namespace linkgistic
