// The Trons: a linear score z = w.x and an increasing inverse link u, by the update w += step E (y - u(w.x))
// x. GLMTron and SlIsotron (Kakade, Kalai, Kanade & Shamir 2011), Isotron (Kalai & Sastry 2009), BregmanTron
// (Nock & Menon 2020) as we read it. docs/baselines.md says which details are our reading.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <linkgistic/feature_rows.hpp>

#include "baseline/bregman_isotonic.hpp"
#include "baseline/tron_link.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// What u is at each iteration.
enum class TronKind {
  glmtron,           // sigmoid(4 z), always
  isotron,           // isotonic regression of y on z
  slisotron,         // the same with slopes of at most 1
  bregmantron,       // nearest to the last u in its Bregman divergence, slopes in [lower, upper]
  bregmantron_label  // least squares to y, slopes in [lower, upper]
};

/// "glmtron", ... and back; a UsageError lists the names.
std::string_view to_string(TronKind kind);
TronKind tron_kind(std::string_view name);
std::span<const std::string_view> tron_names();

/// Rows are centred, and then divided by one number.
enum class TronScaling {
  spectral,    // the root of the largest eigenvalue of E x x': the least number that keeps a step of 1 stable
  largest_row  // the largest |x|, as the theory has it; never less than spectral
};

struct TronOptions {
  TronKind kind = TronKind::glmtron;
  int iterations = 100;  ///< updates of w, at least 0
  double step = 1;       ///< > 0
  SlopeBounds slopes;    ///< of the BregmanTrons; the lower one is at most half of what fits between 0 and 1
  /// Share of the rows, in [0, 0.9], that do not take part and choose the iterate by their squared error.
  /// With 0, or where they would be fewer than 10, all rows do both.
  double hold_out = 0.1;
  TronScaling scaling = TronScaling::spectral;
  double tolerance = 1e-8;  ///< ends when |change of w| <= tolerance |w|
  std::uint64_t seed = 0;   ///< of the rows held out
  int threads = 0;          ///< 0 = all
  std::function<bool()> stop;
};

/// The state before update number `iteration`.
struct TronStep {
  double train_error = 0;  ///< weighted mean of (y - u)^2
  double held_error = 0;   ///< over the rows held out; NaN without
  double lower_slope = 0;  ///< n_t of the BregmanTrons
};

enum class TronStop { iterations, converged, interrupted };
std::string_view to_string(TronStop stop);

struct TronFit {
  ColumnScale scale;         ///< raw values to x
  std::vector<double> beta;  ///< (D + 1), intercept first, of x
  TronLink link;
  int best = 0;  ///< the iterate that was kept
  std::vector<TronStep> trace;
  TronStop stop = TronStop::iterations;
  int passes = 0;  ///< reads of the data

  /// z of every row.
  [[nodiscard]] std::vector<float> scores(const FeatureRows& rows, int threads = 0) const;
  /// u(z) of every row, in [0, 1].
  [[nodiscard]] std::vector<double> predict(const FeatureRows& rows, int threads = 0) const;
};

/// `y` in {0, 1}; weights may be empty: every row counts once. InputError for lengths that differ, weights
/// that are negative or not finite, and where no row has a positive weight; UsageError for an option.
TronFit fit_tron(const FeatureRows& rows, std::span<const std::uint8_t> y, std::span<const double> weights,
                 const TronOptions& options);

}  // namespace linkgistic
