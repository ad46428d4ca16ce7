#include "regression/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "numeric/normal.hpp"
#include "regression/fit.hpp"
#include "regression/prior.hpp"
#include "response/responses.hpp"
#include "table/row_stream.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// Turns end where the bound rises by less: a hundredth of a nat tells no two models apart.
constexpr double least_rise = 0.01;
constexpr int most_turns = 60;
// A noise that is known less well than by two rows has the law of two: below, the law has no mean.
constexpr double least_halves = 1;

// The noise of rows whose curve has squared residuals e on average: w, t are those of the rows.
class NoiseFit {
 public:
  NoiseFit(const MonotoneRegressionOptions& options, const RegressionData& rows, const Vector& squares,
           ProgressMonitor& monitor)
      : options_(noise_options(options)), rows_(rows), squares_(squares) {
    const auto gamma = named_response("gamma");
    MemoryRows stream(rows.t, {squares_.data(), rows.t.size()}, rows.weight);
    fit_ = learn_rows(options_, gamma, stream, data_, range_, monitor);
    at_rows_ = fit_->source_at(rows.t).mean;
    double sum = 0;
    for (std::size_t n = 0; n < rows.t.size(); ++n) sum += rows.weight[n] * std::exp(row(n));
    level_ = std::log(sum / rows.total_weight);
  }

  /// What the turns see of it: log p(squares) less E log p(y | curve, noise), both under the curve that the
  /// squares are of. With shape 1/2 and mean sigma^2 the density of an amount e is that of a normal residual
  /// times e^-1/2.
  [[nodiscard]] double bound_part() const {
    double part = fit_->objective();
    for (std::size_t n = 0; n < rows_.t.size(); ++n) {
      const double e = squares_[static_cast<Index>(n)], zeta = data_.scaling.y_shift + row(n);
      part +=
          rows_.weight[n] / 2 * (std::log(e) + std::log(2 * std::numbers::pi) + zeta + e * std::exp(-zeta));
    }
    return part;
  }
  /// Precisions of the rows in units of that of all: exp(level - nu), E 1/sigma^2 under the law of
  /// noisy_quantile.
  [[nodiscard]] std::vector<double> precisions() const {
    std::vector<double> result(rows_.t.size());
    for (std::size_t n = 0; n < result.size(); ++n) result[n] = std::exp(level_ - row(n));
    return result;
  }
  [[nodiscard]] std::shared_ptr<const NoiseCurve> curve() const {
    const auto state = fit_->state(range_);
    auto curve = std::make_shared<NoiseCurve>();
    curve->theta = state->theta.head(state->theta.size() - state->eta().size());
    curve->source = state->source;
    curve->posterior = std::dynamic_pointer_cast<const GaussianPosterior>(state->posterior);
    curve->level = level_;
    return curve;
  }

 private:
  [[nodiscard]] double row(std::size_t n) const { return at_rows_[static_cast<Index>(n)]; }

  MonotoneRegressionOptions options_;
  const RegressionData& rows_;
  Vector squares_;
  RegressionData data_;
  RegressionRange range_;
  std::unique_ptr<RegressionFit> fit_;
  Vector at_rows_;  // nu
  double level_ = 0;
};

// A curve with the noise that its rows were weighed by.
struct Turn {
  RegressionData data;  // what follows refers to it
  std::unique_ptr<NoiseFit> noise;
  std::unique_ptr<RegressionFit> curve;
  double bound = 0;
};

std::unique_ptr<Turn> next_turn(const RegressionFit& curve, ProgressMonitor& monitor) {
  auto turn = std::make_unique<Turn>();
  turn->data = curve.data();
  turn->noise = std::make_unique<NoiseFit>(curve.options(), turn->data, curve.squared_residuals(), monitor);
  turn->data.set_precision(turn->noise->precisions());
  turn->curve = std::make_unique<RegressionFit>(curve, turn->data);
  turn->bound = turn->curve->bound() + turn->noise->bound_part();
  return turn;
}

}  // namespace

Vector NoiseCurve::values(const Places& places, int threads) const {
  const Vector nu =
      source.features->values(places.inside, posterior->point_coefficients(*source.map), threads);
  return nu.array() - level;
}

NormalValues NoiseCurve::at(const Places& places, int threads) const {
  NormalValues values = posterior->normal_at(source, Places(places.inside), threads);
  values.mean.array() -= level;
  return values;
}

MonotoneRegressionOptions noise_options(const MonotoneRegressionOptions& options) {
  MonotoneRegressionOptions noise;
  noise.response = ResponseKind::gamma;
  noise.prior = PriorKind::gp;
  noise.harmonics = options.harmonics;
  noise.fixed = {{"shape", 0.5}};
  noise.seed = options.seed;
  noise.threads = options.threads;
  return noise;
}

std::shared_ptr<FittedRegressionState> with_smooth_noise(const RegressionFit& constant,
                                                         const RegressionRange& range,
                                                         ProgressMonitor& monitor) {
  std::unique_ptr<Turn> best = next_turn(constant, monitor);
  std::vector<double> bounds{best->bound};
  bool converged = false, interrupted = false;
  try {
    while (!converged && static_cast<int>(bounds.size()) < most_turns) {
      auto next = next_turn(*best->curve, monitor);
      bounds.push_back(next->bound);
      converged = next->bound < best->bound + least_rise;
      // Evidences of modes are not exact: a turn that does not raise the bound is taken back.
      if (next->bound >= best->bound) best = std::move(next);
    }
  } catch (const Interrupted&) {
    interrupted = true;
  }
  auto state = best->curve->state(range);
  state->noise = best->noise->curve();
  RegressionSummary& s = state->summary;
  s.log_evidence += best->bound - best->curve->bound();
  s.bounds = std::move(bounds);
  if (!converged && !interrupted) {
    s.converged = false;
    s.stop = "curve and noise did not converge in " + std::to_string(most_turns) + " turns";
    s.warnings.push_back(s.stop);
  }
  return state;
}

double noisy_quantile(double level, double mean, double variance, double log_noise,
                      double log_noise_variance) {
  const double z = normal_quantile(level);
  // zeta = log_noise + x has the density exp(-k (x + e^-x)) but for a constant.
  const double k = std::fmax(1 / log_noise_variance, least_halves), sd = 1 / std::sqrt(k);
  const double middle = std::sqrt(variance + std::exp(log_noise));
  if (z == 0 || !(sd > 1e-9)) return mean + z * middle;
  // The trapezoidal rule in x; to the right the density falls as slowly as e^-kx.
  constexpr int steps = 4, first = -4 * steps, last = 12 * steps;
  double weight[last - first + 1], size[last - first + 1], total = 0;
  for (int i = first; i <= last; ++i) {
    const double x = sd * i / steps;
    total += weight[i - first] = std::exp(-k * (x + std::expm1(-x)));
    size[i - first] = std::sqrt(variance + std::exp(log_noise + x));
  }
  const auto below = [&](double y) {
    double sum = 0;
    for (int i = 0; i <= last - first; ++i) sum += weight[i] * normal_cdf(y / size[i]);
    return sum / total;
  };
  const double ends[] = {z * size[0], z * size[last - first]};
  double lower = std::min(ends[0], ends[1]), upper = std::max(ends[0], ends[1]);
  // Far out in the tails of few degrees of freedom rounding is coarser than that.
  for (int halved = 0; halved < 200 && upper - lower > 1e-9 * middle; ++halved) {
    const double y = (lower + upper) / 2;
    (below(y) < level ? lower : upper) = y;
  }
  return mean + (lower + upper) / 2;
}

}  // namespace linkgistic
