// Gaussian noise: the log likelihood is quadratic in kappa, so a few sums over the rows replace
// the rows for every kappa and every noise. One pass over the data makes them.
#pragma once

#include <memory>
#include <span>
#include <tuple>

#include "response/data_term.hpp"
#include "source/features.hpp"

namespace linkgistic {

class GaussianMoments final : public DataTerm {
 public:
  /// Moments that are read from bytes; no row can be added to them, but other moments can.
  GaussianMoments();
  explicit GaussianMoments(std::shared_ptr<const Features> features);
  /// Of rows with sum w y Phi and sum w Phi Phi', sum w y^2 and sum w.
  GaussianMoments(std::shared_ptr<const Features> features, FeatureSums sums, double y_square, double total);

  /// Adds a block of rows; an empty weight counts every row once.
  void add(std::span<const double> x, std::span<const double> y, std::span<const double> weight, int threads);
  /// Adds the moments of other rows, of the same features.
  void add(const GaussianMoments& other);
  /// The moments of the same rows with (y - shift) factor in place of y. The first feature must be 1.
  [[nodiscard]] GaussianMoments with_y_scaled(double shift, double factor) const;

  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override;
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override;
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override;
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override;

  [[nodiscard]] QuadraticBound quadratic_bound(const Vector& kappa_mean, const Matrix& kappa_covariance,
                                               const Vector& eta) const override;
  [[nodiscard]] QuadraticBound quadratic_bound_derivative(const Vector& eta, Index i) const override;
  [[nodiscard]] bool is_quadratic() const override { return true; }

  auto fields() { return std::tie(gram_, y_phi_, y_square_, total_); }

 private:
  struct Cache;
  // The square completed: sum w (y - nu)^2 = rest + |root kappa - centre|^2, never below zero. kappa . gram
  // kappa would be rounding, of either sign, where kappa is large and its terms cancel, and a search for the
  // noise, or for the prior's size, would follow it. Eigenvalues below the rounding of the largest are raised
  // to it: there the error is a penalty.
  struct Square {
    Matrix root;    // (P, P)
    Vector centre;  // (P): root' centre = sum w y Phi
    Matrix gram;    // (P, P): root' root
    double rest = 0;
  };
  [[nodiscard]] const Square& square() const;                     // computed on first use
  [[nodiscard]] Vector residual(const Vector& kappa) const;       // centre - root kappa
  [[nodiscard]] double squared_error(const Vector& kappa) const;  // sum w (y - nu)^2
  [[nodiscard]] QuadraticBound bound(double alpha, double log_norm) const;

  std::shared_ptr<const Features> features_;
  Matrix gram_;          // sum w Phi Phi'
  Vector y_phi_;         // sum w y Phi
  double y_square_ = 0;  // sum w y^2
  double total_ = 0;     // sum w
  std::shared_ptr<Cache> cache_;
};

}  // namespace linkgistic
