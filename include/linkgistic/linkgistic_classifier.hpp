// Linkgistic regression learns a linear score z'beta and an increasing link nu from score to log odds
// together. With the identity as the link it is logistic regression. With another base loss, nu is that
// loss's canonical link of the probability, in place of the log odds. With more than two classes each class
// has its own score and link, and the probabilities are the softmax of their nu; or each class is fitted
// against the rest, or against each other class.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/feature_encoding.hpp>
#include <linkgistic/feature_rows.hpp>
#include <linkgistic/inference.hpp>
#include <linkgistic/label_encoding.hpp>
#include <linkgistic/learned_class_loss.hpp>
#include <linkgistic/learned_loss.hpp>
#include <linkgistic/progress.hpp>
#include <linkgistic/source.hpp>

namespace linkgistic {

/// The prior of the link.
enum class LinkPrior {
  none,    // the identity: logistic regression
  isgp,    // nu' = f^2, f a Gaussian process of mean zero: the integrated squared Gaussian process
  offset,  // nu' = f^2, f with a constant mean: shrinks to the identity
  gp,      // nu itself a Gaussian process: not monotone
};

enum class Standardize {
  automatic,  // on for dense numbers; off for bytes and sparse rows
  on,         // mean 0 (not for sparse rows) and variance 1
  off,        // unchanged; bytes become fractions of the greatest one
};

/// What is made of more than two classes.
enum class Multiclass {
  softmax,  // p_k = exp nu_k / sum_l exp nu_l, fitted as a whole: with straight links multinomial regression
  ovr,      // each class against the rest, the probabilities divided by their sum
  ovo,      // each pair of classes on its own rows, the probabilities coupled (docs/math.md)
};

/// What an l2 that is not given is chosen by.
enum class RidgeChoiceBy {
  cv,       // the held-out loss of logistic regression
  evidence  // that of logistic regression, by Laplace's method; for two classes
};

/// The state after an EM step; step 0 is logistic regression with a link for its scores.
struct EmStep {
  int step = 0;
  /// Log evidence of the links less the penalty of beta, over all classes; of a softmax the log joint
  /// density.
  double objective = 0;
  double mean_loss = 0;                       // training log loss per row and class; of a softmax per row
  int passes = 0;                             // number of passes over the rows
  double seconds_link = 0, seconds_beta = 0;  // not kept in the model file
};

struct LinkgisticOptions {
  LinkPrior prior = LinkPrior::offset;
  BasisKind basis = BasisKind::trig;  // nystrom: Gaussian kernels; slower, and no softmax
  Origin origin = Origin::intercept;  // shifted: not for the prior gp, and no softmax
  /// The base: a proper loss (log, square, matsushita, alpha=A, spherical, cost=C, beta=A,B; docs/losses.md).
  /// The prior shrinks to its canonical link psi, P(1) = psi^-1(nu). A bounded link needs its tail. With
  /// prior none the model is the generalised linear model with that link.
  std::string loss = "log";
  /// A softmax takes the log loss, the priors offset and none and the inference laplace; with others, classes
  /// are fitted against the rest, and the summary's warnings say so.
  Multiclass multiclass = Multiclass::softmax;
  /// The penalty (l2/2) |beta|^2 is added to the sum of losses. beta is that of the standardised features in
  /// units of log odds (times the root mean square slope of the link); the intercept is free. If empty, l2 is
  /// chosen as l2_by says. If l2 is 0 and a plane separates the rows, the coefficients stop at a mean loss of
  /// 0.001, with a warning.
  std::optional<double> l2;
  RidgeChoiceBy l2_by = RidgeChoiceBy::cv;
  /// Prior offset only: how far the link may leave the identity, in [0, 1); 0 is logistic regression. If
  /// empty, v is chosen by cross-validation, of a softmax by evidence.
  std::optional<double> v;
  /// Of a softmax: the same of the part that the links of all classes share; v is then that of each class by
  /// itself. Their sum must be below 1. If both are empty they are chosen; if one is given the other is 0.
  std::optional<double> v_shared;
  int em_iterations = 30;    // greatest number of EM steps; 0: logistic regression with a link for its scores
  double tolerance = 1e-4;   // EM ends when the relative change of the objective is smaller
  int max_passes = 500;      // greatest number of passes over the rows in each solve for beta, at least 1
  int samples = 0;           // draws of the link in the loss that beta minimises; 0: its mode alone
  int harmonics = 16;        // K, 1 to 64; the link's basis has 2K functions
  bool learn_hyper = false;  // learn decay and size of the link's prior by evidence
  /// Whether links are learned from held-out scores, those of fits that each leave a part of the rows out.
  /// With few rows, a fit's scores of its own training rows are too far apart for their labels. If empty,
  /// this is done below 20,000 rows.
  std::optional<bool> cross_fit;
  int cv = 5;  // number of parts of the cross-validation, at least 2
  Standardize standardize = Standardize::automatic;
  /// A row's weight is multiplied by the weight of its class: one given here, or with `balanced`
  /// N/(classes N_class).
  std::map<std::string, double> class_weights;
  bool balanced = false;
  /// How the posterior of the links is found. Each E-step takes its point estimate: the mode of laplace, or
  /// the mean of variational, which needs the log loss. The last posterior gives the bands. With mcmc the
  /// E-steps are variational (laplace for another base loss), the last posterior is sampled, and the final
  /// links are the means of the draws.
  Inference inference = Inference::laplace;
  int draws = 500;         // draws of each of the four chains of mcmc, at least 100
  std::uint64_t seed = 0;  // for samples, draws and the parts of cross-validation
  int threads = 0;         // 0: all
  /// Where the sums over the rows are made: cpu, cuda (the first NVIDIA GPU) or cuda:N. Without the GPU or
  /// liblinkgistic_cuda.so a fit throws a UsageError that says what is missing.
  std::string device = "cpu";
  /// A file that records the progress of the fit. If the file exists, the fit resumes from it and gives the
  /// same model as an uninterrupted run. A file of other data or options throws an InputError. Delete the
  /// file once the model is saved.
  std::string checkpoint;
  /// Polled after every pass, by one thread at a time. Returning true ends the fit with the best model so
  /// far.
  std::function<bool()> stop;
  std::function<void(const EmStep&)> on_step;           // receives each EM step
  std::function<void(const FitProgress&)> on_progress;  // receives every finished step of the whole fit

  /// Throws a UsageError that names the first invalid option, its value and the constraint.
  LINKGISTIC_API void validate() const;
};

/// A part of the cross-validation: the rows to learn from (if empty, all that are not held out) and the rows
/// to evaluate on.
struct RowPart {
  std::vector<std::size_t> train, held_out;
};

/// Labelled rows.
struct ClassificationData {
  FeatureRows rows;
  std::vector<std::int32_t> labels;        // (N): indices into class_names
  std::vector<std::string> class_names;    // (C)
  std::vector<std::string> feature_names;  // (D), or empty: x1, x2, ...
  std::vector<double> weights;             // (N), or empty: every row counts once
  FeatureEncoding encoding;                // how columns became features; the model keeps it
  std::vector<RowPart> parts;              // if empty: options.cv parts, stratified by label
};

/// Rows with labels that encode_labels takes: text, or integers of any type.
template <class Labels>
[[nodiscard]] ClassificationData labelled_rows(FeatureRows rows, const Labels& labels) {
  EncodedLabels encoded = encode_labels(labels);
  ClassificationData data;
  data.rows = std::move(rows);
  data.labels = std::move(encoded.labels);
  data.class_names = std::move(encoded.names);
  return data;
}

struct ClassSummary {
  std::string name;   // name of the positive class
  double weight = 0;  // total weight of its rows
  double log_evidence = 0;
  double smallest_eigenvalue = 1;  // that of the link's whitened Hessian; do not trust the fit near 0
  double slope = 1;                // root mean square of the link's derivative
  double score_lower = 0, score_upper = 0;
  std::string solver_stop;
  double gradient_ratio = 0;
};

struct ClassifierSummary {
  std::size_t rows = 0;  // rows with positive weight
  std::size_t columns = 0;
  double l2 = 0;
  bool l2_chosen = false;
  double v = 0;  // offset only
  bool v_chosen = false;
  bool softmax = false;  // the scores are the classes of a softmax
  /// The scores are those of pairs of classes, (0, 1), (0, 2), .., (1, 2), ..: of the second against the
  /// first.
  bool pairwise = false;
  double v_shared = 0;  // of a softmax
  bool converged = false;
  std::string stop;
  std::vector<ClassSummary> classes;  // one for each score: the second of two classes, or all, or all pairs
  std::vector<EmStep> trace;
  bool cross_fitted = false;
  /// The values tried, as (l2 or v, loss per row and class). The loss is the cross-validated log loss, or
  /// minus the log evidence: of l2, or of cross-fitted links.
  std::vector<std::pair<double, double>> l2_tried, v_tried;
  /// Of two classes whose v was chosen by evidence: that of bent links against a straight one (LinkTest).
  std::optional<double> log_bayes_factor;
  std::string posterior;         // what the posterior of the worst link is and how good, in words
  double seconds_posterior = 0;  // time of its check, or of the draws; not kept in the model file
  std::vector<std::string> warnings;
};

/// What the bands of predicted probabilities carry.
enum class BandKind {
  all,   // the uncertainty of the coefficients and of the links; of a softmax that of the links alone
  link,  // that of the links, at fixed coefficients
};

/// Which probability is predicted.
enum class ProbabilityEstimate {
  mode,      // that of the fitted link at the fitted coefficients
  marginal,  // the mean of the probability over the posterior of link and coefficients; of two classes
  plug_in,   // that of the mean of nu over the posterior of the link; of two classes
};

struct ClassPrediction {
  std::vector<double> probability;  // (N, C), rows sum to 1
  std::vector<std::size_t> label;   // (N): the most probable class
  /// Bands: of two classes (N), that of the second one's probability; of a softmax (N, C); of
  /// more classes otherwise, and of a softmax of very many (over 1,024 coordinates of links), empty.
  std::vector<double> lower, upper;
};

/// A line of the table of coefficients: estimate and interval in the units of the column, on the scale where
/// the link has unit mean slope.
struct Coefficient {
  std::string name;  // of the feature; "(intercept)" first
  double estimate = 0, error = 0;
  double z = 0, p_value = 1;  // estimate / error, and the two-sided tail of the normal distribution
  double lower = 0, upper = 0;
  /// Average marginal effect: the mean over the rows of the derivative of the probability in the feature,
  /// with its interval, which carries the uncertainty of the link. Not of the intercept.
  double effect = 0, effect_error = 0, effect_lower = 0, effect_upper = 0;
};

struct CoefficientTable {
  double interval = 0.95;
  bool robust = false;  // sandwich errors ("confidence"); otherwise the posterior's
  bool logit = false;   // the link is the logit itself: exp(estimate) is an odds ratio
  std::vector<Coefficient> rows;
};

/// The evidence of a bent link against the base's own.
struct LinkTest {
  /// log p(labels | some bent link) - log p(labels | the straight one), the values of v averaged by their
  /// prior.
  double log_bayes_factor = 0;
  double threshold = 1.5;  // above it the base's link is refused (docs/math.md, "Test of the link")
  [[nodiscard]] bool refused() const { return log_bayes_factor > threshold; }
};

struct FittedClassifierState;

/// An immutable fit, which several threads may use at once. Copies share it.
class LINKGISTIC_API FittedLinkgisticClassifier {
 public:
  explicit FittedLinkgisticClassifier(std::shared_ptr<const FittedClassifierState> state);

  [[nodiscard]] ClassPrediction predict(const FeatureRows& rows, double interval = 0.9,
                                        BandKind band = BandKind::all,
                                        ProbabilityEstimate estimate = ProbabilityEstimate::mode) const;
  /// The probabilities alone, (N, C), without the work for bands.
  [[nodiscard]] std::vector<double> probability(const FeatureRows& rows) const;
  /// Log odds of every score: (N, scores), scores = 1 for two classes, C(C-1)/2 for pairs of them, else C.
  [[nodiscard]] std::vector<double> decision_values(const FeatureRows& rows) const;
  /// The linear scores themselves, (N, scores).
  [[nodiscard]] std::vector<double> scores(const FeatureRows& rows) const;
  /// The same from linear scores (N, scores): log odds (N, scores), probabilities (N, C), predictions, whose
  /// bands are those of the links.
  [[nodiscard]] std::vector<double> decision_at(std::span<const double> scores) const;
  [[nodiscard]] std::vector<double> probability_at(std::span<const double> scores) const;
  [[nodiscard]] ClassPrediction predict_at(std::span<const double> scores, double interval = 0.9) const;
  /// Whether the bands of two classes carry the uncertainty of the coefficients. They do not in models of
  /// more than 1,024 coefficients and link coordinates, of rows that a plane separates without a ridge, of
  /// fits that were stopped and in files of older versions.
  [[nodiscard]] bool has_weight_bands() const;
  /// Whether predictions have bands.
  [[nodiscard]] bool has_bands() const;
  /// The link of one score with its band, of a softmax less the level of all: log odds, or the base's link.
  struct LinkCurve {
    std::vector<double> nu, lower, upper, slope;
  };
  [[nodiscard]] LinkCurve link(std::size_t score, std::span<const double> at, double interval = 0.9) const;

  /// The loss that one score has learned, a function of the linear score.
  [[nodiscard]] LearnedLoss learned_loss(std::size_t score = 0,
                                         SourceEstimate estimate = SourceEstimate::mode,
                                         std::uint64_t seed = 0) const;
  /// The loss that a softmax has learned, a function of all its scores; a draw is one of all links together.
  [[nodiscard]] LearnedClassLoss learned_class_loss(SourceEstimate estimate = SourceEstimate::mode,
                                                    std::uint64_t seed = 0) const;
  /// LearnedLoss::margin_lipschitz_bound of draws from the posterior of a score's link: one value a draw, the
  /// same for all if the link is the identity.
  [[nodiscard]] std::vector<double> margin_lipschitz(std::size_t score = 0, int draws = 200,
                                                     std::uint64_t seed = 0) const;

  /// (scores, D + 1): intercept first, then the coefficients of the features in their own units.
  [[nodiscard]] std::vector<double> coefficients() const;
  /// The table of coefficients of two classes; without rows where the model has no posterior of its weights
  /// (has_weight_bands).
  [[nodiscard]] CoefficientTable coefficient_table(double interval = 0.95, bool robust = false) const;
  /// The test of the link; empty where v was not chosen by evidence: for two classes below 20,000 rows it is.
  [[nodiscard]] std::optional<LinkTest> link_test() const;
  [[nodiscard]] const std::vector<std::string>& class_names() const;
  [[nodiscard]] const std::vector<std::string>& feature_names() const;
  [[nodiscard]] const FeatureEncoding& encoding() const;
  [[nodiscard]] const ClassifierSummary& summary() const;
  [[nodiscard]] const LinkgisticOptions& options() const;

  /// The model as JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static FittedLinkgisticClassifier from_json(const std::string& text, const std::string& origin);
  /// Writes the whole file or nothing.
  void save(const std::string& path) const;
  static FittedLinkgisticClassifier load(const std::string& path);

 private:
  std::shared_ptr<const FittedClassifierState> state_;
};

/// Several threads may call `fit` of one object at once, unless it has a checkpoint. A fit calls the
/// functions of its options by one thread at a time; fits at the same time may call them together.
class LINKGISTIC_API LinkgisticClassifier {
 public:
  /// Throws a UsageError for an invalid option.
  explicit LinkgisticClassifier(LinkgisticOptions options = {});

  [[nodiscard]] FittedLinkgisticClassifier fit(const ClassificationData& data) const;

 private:
  LinkgisticOptions options_;
};

}  // namespace linkgistic
