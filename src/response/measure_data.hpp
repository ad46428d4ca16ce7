// The log likelihood of rows of a SummedResponse from the two measures they leave: points of the measure b,
// each with its shift of nu, and the sums of a. Rows may be the points themselves; cells stand for any number
// of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "response/data_term.hpp"
#include "response/summed_response.hpp"
#include "source/features.hpp"

namespace linkgistic {

/// Points x with the weights of a measure, and what is added to nu there; no shifts: nothing.
struct MeasurePoints {
  std::vector<double> x, weight, shift;
  [[nodiscard]] std::size_t size() const { return x.size(); }
  void add(double at, double w, double shifted);
  /// Equal points as one.
  void merge_ties();
};

/// The sums of rows, each with its weight w.
struct MeasureSums {
  double weight = 0;    // w
  double constant = 0;  // w constant
  double scaled = 0;    // w scaled
};

class MeasureData final : public DataTerm {
 public:
  MeasureData(std::shared_ptr<const Features> features, std::shared_ptr<const SummedResponse> response,
              const MeasurePoints& a, MeasurePoints b, const MeasureSums& sums, int threads);

  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override;
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override;
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override;
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override;

  [[nodiscard]] QuadraticBound quadratic_bound(const Vector& kappa_mean, const Matrix& kappa_covariance,
                                               const Vector& eta) const override;

 private:
  // nu + shift at the points of b.
  [[nodiscard]] Vector arguments(const Vector& kappa) const;
  // sign sum a z - sum b B(z) + scaled constants, given the sum of b B.
  [[nodiscard]] double core(const Vector& kappa, double partition) const {
    return linear_.dot(kappa) - partition + sums_.scaled;
  }

  std::shared_ptr<const Features> features_;
  std::shared_ptr<const SummedResponse> response_;
  MeasurePoints b_;
  MeasureSums sums_;  // with sign sum a shift in `scaled`
  Vector linear_;     // (P): sign sum a Phi
  Matrix phi_;        // (P, points), where it is small: chains ask for many gradients
  int threads_;
};

}  // namespace linkgistic
