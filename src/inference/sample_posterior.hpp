// A posterior that is a set of samples, as Markov chains give them.
#pragma once

#include "inference/posterior.hpp"

namespace linkgistic {

/// Draws in columns. Where the prior does not tell f from -f, every draw has the sign that fix_sign gives it.
struct PosteriorDraws {
  Matrix g;      // (D, S)
  Matrix theta;  // (H, S): the hyper-parameters' coordinates of each draw, the source's and then the
                 // response's; no rows where they were held
};

/// Every k-th draw, k the least that leaves at most `most`. A model keeps no more than `kept_draws`.
PosteriorDraws thinned(const PosteriorDraws& draws, Index most);
inline constexpr Index kept_draws = 1000;

class SamplePosterior final : public Posterior {
 public:
  /// At least one draw.
  explicit SamplePosterior(PosteriorDraws draws);
  [[nodiscard]] const PosteriorDraws& draws() const { return draws_; }

  /// The mean of g.
  [[nodiscard]] const Vector& estimate() const override { return mean_; }
  /// `count` columns of the set, chosen by the seed: without repetition while there are enough.
  [[nodiscard]] Matrix draw(Index count, std::uint64_t seed) const override;
  [[nodiscard]] std::string_view point_estimate() const override { return "mean"; }
  [[nodiscard]] Vector point_coefficients(const QuadraticMap& map) const override {
    return mean_coefficients(map);
  }
  [[nodiscard]] Vector mean_coefficients(const QuadraticMap& map) const override;
  [[nodiscard]] double variance(const QuadraticMap& map, const Vector& phi) const override;
  /// Empirical.
  [[nodiscard]] Matrix quantiles(const SourceModel& source, const Places& at, std::span<const double> levels,
                                 int threads) const override;
  /// Those of the mixture over the draws.
  [[nodiscard]] Matrix observation_quantiles(const SourceModel& source, const Places& at,
                                             std::span<const double> levels, const Response& response,
                                             const Vector& eta, int threads) const override;
  [[nodiscard]] Matrix linear_quantiles(const Matrix& a, std::span<const double> levels) const override;

 private:
  [[nodiscard]] Matrix coefficients(const QuadraticMap& map) const;  // (P, S)
  /// (places, levels): of(nu of all draws at a place, its row of the result).
  template <class Of>
  [[nodiscard]] Matrix at_places(const SourceModel& source, const Places& at, std::size_t levels, int threads,
                                 const Of& of) const;

  PosteriorDraws draws_;
  Vector mean_;
};

}  // namespace linkgistic
