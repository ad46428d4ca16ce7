// Monotone regression with credible bands: y = nu(x) + noise, nu smooth and increasing (or decreasing); or
// any response of linkgistic/response.hpp, whose mean is a function of nu(x).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/curve_answer.hpp>
#include <linkgistic/export.hpp>
#include <linkgistic/inference.hpp>
#include <linkgistic/progress.hpp>
#include <linkgistic/response.hpp>
#include <linkgistic/rows.hpp>
#include <linkgistic/source.hpp>

namespace linkgistic {

struct MonotoneRegressionOptions {
  ResponseKind response = ResponseKind::gaussian;
  NoiseKind noise = NoiseKind::constant;  // of the response gaussian
  /// Rates of bernoulli and binomial: the probability is guess + (1 - guess - lapse) / (1 + e^-nu), each in
  /// [0, 1) and together below 1.
  Rate guess = {}, lapse = {};
  PriorKind prior = PriorKind::offset;
  BasisKind basis = BasisKind::trig;
  Origin origin = Origin::intercept;               // isgp and offset only
  int harmonics = 16;                              // K, 1 to 128; the basis has 2K functions
  SpectrumKind spectrum = SpectrumKind::analytic;  // of the basis trig; a fit keeps the one that was chosen
  Direction direction = Direction::automatic;      // automatic: the sign of the covariance, or the better
                                                   // evidence when that is weak
  /// Another shape than the direction alone says: with curvature, or both. Its words and that of `direction`
  /// exclude each other. Convex and concave alone may fall and rise: there is no `inverse` then.
  Shape shape = Shape::automatic;
  /// Hyper-parameters held at these values, in the units of the data; the others are learned. Names: a, b
  /// (isgp, gp), v, scale (offset), gamma, mu, and of the response noise (a standard deviation; student: a
  /// scale), freedom (student), dispersion (negative_binomial), shape (gamma).
  std::map<std::string, double> fixed;
  Inference inference = Inference::laplace;
  int draws = 1000;            // draws of each of the four Markov chains of mcmc, at least 100
  double curvature_floor = 1;  // the guard of the Laplace evidence, in (0, 1]: docs/math.md, "Guard"
  bool profiles = false;       // also evaluate the evidence around the optimum, along each hyper-parameter
  std::uint64_t seed = 0;      // for the starting points and the posterior draws
  int threads = 0;             // 0: all
  /// Polled between blocks of rows, modes and draws, by one thread at a time. Returning true ends the fit
  /// with the best model so far, or throws Interrupted if there is none yet.
  std::function<bool()> stop;
  std::function<void(const FitProgress&)> on_progress;  // receives the steps of the fit

  /// Throws a UsageError that names the first invalid option, its value and the constraint.
  LINKGISTIC_API void validate() const;
};

/// A curve with its band at each x; the ends of a band need not be monotone.
struct Curve {
  std::vector<double> estimate, lower, upper;
  /// Its former name.
  [[deprecated("it is called estimate")]] [[nodiscard]] const std::vector<double>& mean() const {
    return estimate;
  }
};

struct Prediction {
  std::vector<double> estimate;              // the mode, or the mean (RegressionSummary::point_estimate)
  std::vector<double> lower, upper;          // credible band of nu(x)
  std::vector<double> obs_lower, obs_upper;  // predictive band of an observation at x
  /// Its former name.
  [[deprecated("it is called estimate")]] [[nodiscard]] const std::vector<double>& mean() const {
    return estimate;
  }
};

/// Point estimates and quantiles at each x, for any kind of posterior.
struct Distribution {
  std::vector<double> mean, median;
  /// The curve at the most probable coordinates (laplace) or at their means (variational). For draws, the
  /// half-sample mode at each x: the middle of the shortest half of the shortest half, and so on.
  std::vector<double> mode;
  std::vector<std::vector<double>> quantiles;  // for each level, at each x
};

/// How the rows of a table do under a fit, its hyper-parameters held at their estimate.
struct RowScores {
  std::vector<double> log_density;     // of y at the point estimate
  std::vector<double> deviance;        // twice the distance of that to the greatest over all means
  std::vector<double> below, at_most;  // P(new y < y) and P(new y <= y) at the point estimate
};

struct HyperValue {
  std::string name;
  double value = 0;  // in the units of the data
  bool learned = false;
};

/// The evidence along one hyper-parameter, the others held at the optimum.
struct EvidenceProfile {
  std::string name;
  std::vector<double> values;  // in the units of the data
  std::vector<double> log_evidence;
};

struct RegressionSummary {
  std::size_t rows = 0;  // rows with positive weight
  double total_weight = 0;
  double x_lower = 0, x_upper = 0;
  bool decreasing = false;
  std::string point_estimate;  // "mode" (laplace) or "mean": which point of the posterior the estimate is
  std::string posterior;       // what the posterior is and how good, in words
  double pareto_k = 0;  // laplace and variational: below 0.5 close to the exact posterior, above 0.7 not
  std::vector<HyperValue> hyper_parameters;
  double log_evidence = 0;  // for y in its own units; variational: a lower bound; mcmc: that of laplace
  double smallest_eigenvalue = 0;  // that of the whitened Hessian; 1: the prior; do not trust the fit near 0
  int floored = 0;                 // curvature eigenvalues raised to the floor
  /// Of spectrum = automatic: the log evidences of all spectra, with the weak priors of the hyper-parameters,
  /// by their names. Not kept in the model file.
  std::map<std::string, double> spectra;
  bool converged = false;
  std::string stop;
  int evaluations = 0;
  /// Of noise = smooth: the bound of the log evidence after each turn of curve and noise, with the weak
  /// priors of the hyper-parameters.
  std::vector<double> bounds;
  std::vector<double> trace;  // log evidence plus log hyper-prior at each evaluation, for standardised y
  std::vector<std::string> warnings;
  double seconds_data = 0, seconds_search = 0, seconds_posterior = 0;  // not kept in the model file
};

struct FittedRegressionState;

/// An immutable fit, which several threads may use at once. Copies share it.
class LINKGISTIC_API FittedMonotoneRegression {
 public:
  explicit FittedMonotoneRegression(std::shared_ptr<const FittedRegressionState> state);

  /// Estimate and bands at x, on the scale of the mean (for an exposure of 1, one trial). Outside the range
  /// of the training data nu continues with the slope it has at the edge.
  [[nodiscard]] Prediction predict(std::span<const double> x, double interval = 0.9) const;
  /// The same for rows with offsets, exposures or trials; their y and weights are not looked at. On the scale
  /// of the mean that for the row's exposure, and of binomial rows the share of successes, its observation in
  /// the row's trials.
  [[nodiscard]] Prediction predict_rows(const RowBlock& rows, double interval = 0.9,
                                        PredictionScale scale = PredictionScale::mean) const;
  /// Their point estimate alone.
  [[nodiscard]] std::vector<double> estimate_rows(const RowBlock& rows,
                                                  PredictionScale scale = PredictionScale::mean) const;
  /// The likelihood of rows with their y.
  [[nodiscard]] RowScores score_rows(const RowBlock& rows) const;
  /// The point estimate alone.
  [[nodiscard]] std::vector<double> estimate(std::span<const double> x) const;
  [[deprecated("it is called estimate")]] [[nodiscard]] std::vector<double> predict_mean(
      std::span<const double> x) const {
    return estimate(x);
  }
  /// nu at x under `count` posterior draws: result[s][n]. Draws are monotone, except under the gp prior.
  [[nodiscard]] std::vector<std::vector<double>> sample(std::span<const double> x, int count,
                                                        std::uint64_t seed = 0) const;
  /// Median and quantiles of `count` posterior draws. They cover less than the band of `predict`; use that
  /// one (docs/math.md, "Fitted regression").
  [[nodiscard]] Curve draw_band(std::span<const double> x, double interval = 0.9, int count = 1000,
                                std::uint64_t seed = 0) const;
  /// The latent f under the same draws: their nu' is +-f^2.
  [[nodiscard]] std::vector<std::vector<double>> sample_latent(std::span<const double> x, int count,
                                                               std::uint64_t seed = 0) const;
  /// Mean, median, mode and the quantiles at these levels, each between 0 and 1.
  [[nodiscard]] Distribution distribution(std::span<const double> x, Quantity of,
                                          std::span<const double> levels) const;
  /// dnu/dx, on the scale of the link; of a shape with curvature its band is that of the slope itself.
  [[nodiscard]] Curve derivative(std::span<const double> x, double interval = 0.9) const;
  /// The latent f with nu' = +-f^2, or nu'' = +-f^2 of a shape with curvature. Throws UsageError for the gp
  /// prior, which has none.
  [[nodiscard]] Curve latent(std::span<const double> x, double interval = 0.9) const;
  /// x at which the mean, for an exposure of 1, is `level`: of binomial rows a share, of others a value of y.
  /// The interval is where the band of the curve holds the level. UsageError for a curve that is not monotone
  /// and for a level that no mean can have.
  [[nodiscard]] CurveAnswer inverse(double level, double interval = 0.9) const;
  /// x at which this share of the change of the mean from the least to the greatest x of the data is reached:
  /// 0.5 is the dose with half of the effect.
  [[nodiscard]] CurveAnswer inverse_share(double share, double interval = 0.9) const;
  /// A number that follows from the mean at one x (slope) or two, within the data.
  [[nodiscard]] CurveAnswer functional(Functional which, std::span<const double> x,
                                       double interval = 0.9) const;
  /// x at which the mean changes fastest, from `count` draws.
  [[nodiscard]] CurveAnswer steepest(double interval = 0.9, int count = 1000, std::uint64_t seed = 0) const;
  /// x of an unknown sample, each x of the range of the data as likely before its readings, which are new
  /// observations at one x (exposure 1, one trial): the median of its posterior. An end is NaN where the
  /// sample may lie beyond the data.
  [[nodiscard]] CurveAnswer unknown(std::span<const double> readings, double interval = 0.9) const;
  /// The least x at which an observation can be told from one at the least x of the data, the blank: of
  /// readings of the blank at most this share is taken for more, and of readings at the limit at most this
  /// share for the blank (Currie's limit of detection). The interval is that of 400 draws of the curve.
  [[nodiscard]] CurveAnswer detection_limit(double error = 0.05, double interval = 0.9) const;
  /// The least x that one observation tells with this relative standard deviation: the spread of observations
  /// there (half of their central 68 %) over the slope of the mean is at most `share` x.
  [[nodiscard]] CurveAnswer quantification_limit(double share = 0.1, double interval = 0.9) const;
  /// E nu(x) under the posterior. With the Laplace posterior it exceeds the mode by the integral of Var f and
  /// is the worse estimate in measurements.
  [[nodiscard]] std::vector<double> posterior_mean(std::span<const double> x) const;

  [[nodiscard]] double noise() const;  // standard deviation (smooth noise: the scale that `noise(x)` is a
                                       // multiple of); student: the scale; NaN of a response without one
  /// The same at each x; beyond the data that of the edge. It is one number but for noise = smooth, whose
  /// estimate this is.
  [[nodiscard]] std::vector<double> noise(std::span<const double> x) const;
  [[nodiscard]] double log_evidence() const;
  [[nodiscard]] const RegressionSummary& summary() const;
  [[nodiscard]] const MonotoneRegressionOptions& options() const;
  [[nodiscard]] const std::vector<EvidenceProfile>& profiles() const;

  /// Names that the model keeps: "x", "y" and, if there are any, "weight", "offset", "exposure", "trials".
  /// The program adds how it read the table if a flag was given: "missing", "na", "delimiter", "decimal".
  [[nodiscard]] const std::map<std::string, std::string>& columns() const;
  [[nodiscard]] FittedMonotoneRegression with_columns(std::map<std::string, std::string> columns) const;

  /// The model as JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static FittedMonotoneRegression from_json(const std::string& text, const std::string& origin);
  /// Writes the whole file or nothing.
  void save(const std::string& path) const;
  static FittedMonotoneRegression load(const std::string& path);

 private:
  std::shared_ptr<const FittedRegressionState> state_;
};

/// Several threads may call `fit` of one object at once, each with its own stream. A fit calls the functions
/// of its options by one thread at a time; fits at the same time may call them together.
class LINKGISTIC_API MonotoneRegression {
 public:
  /// Throws a UsageError for an invalid option.
  explicit MonotoneRegression(MonotoneRegressionOptions options = {});

  /// x and y are finite and have the same length; weights are not negative, or absent. A weight of 2 is the
  /// same as the row twice, and a weight of 0 leaves the row out.
  [[nodiscard]] FittedMonotoneRegression fit(std::span<const double> x, std::span<const double> y,
                                             std::span<const double> weight = {}) const;
  /// The same with the columns of any response.
  [[nodiscard]] FittedMonotoneRegression fit_rows(const RowBlock& rows) const;
  /// Makes two passes over the stream in constant memory (nystrom, student, negative_binomial, smooth noise,
  /// rates of guesses and lapses and offsets of log odds keep the rows).
  [[nodiscard]] FittedMonotoneRegression fit(RowStream& rows) const;

 private:
  MonotoneRegressionOptions options_;
};

}  // namespace linkgistic
