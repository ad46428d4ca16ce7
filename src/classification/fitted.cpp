#include "classification/fitted.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "classification/learned_loss_state.hpp"
#include "classification/pairs.hpp"
#include "engine/cpu/fused_pass.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/logistic.hpp"
#include "numeric/normal.hpp"
#include "numeric/parallel.hpp"
#include "numeric/quantile.hpp"
#include "numeric/uncertain.hpp"
#include "source/places.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

std::vector<float> margins_of(const FittedClassifierState& s, const FeatureRows& rows) {
  if (rows.columns() != s.feature_names.size()) {
    throw InputError("the rows have " + std::to_string(rows.columns()) + " features, the model has " +
                     std::to_string(s.feature_names.size()));
  }
  const RowView view{rows.matrix(), s.scale.about(rows.origin())};
  std::vector<float> margins = row_margins(view, s.scores(), s.beta, s.options.threads);
  const auto bad = std::find_if_not(margins.begin(), margins.end(), [](float m) { return std::isfinite(m); });
  if (bad != margins.end()) {
    const auto row = static_cast<std::size_t>(bad - margins.begin()) % rows.rows();
    throw InputError("the score of row " + std::to_string(row + 1) +
                     " is not finite: a value is not a number, or too large");
  }
  return margins;
}

const ClassLink& link_of(const FittedClassifierState& s, std::size_t score) {
  if (score < s.scores()) return s.links[score];
  throw UsageError("score = " + std::to_string(score) + ": it must be below " + std::to_string(s.scores()));
}

// Probabilities p_k of one against the rest, divided by their sum; in logarithms, so that it is never 0.
void normalise(std::span<const double> log_odds, std::span<double> probability) {
  const double total =
      log_sum(log_odds.size(), [&](std::size_t k) { return -softplus(-log_odds[k]); }).value();
  for (std::size_t k = 0; k < log_odds.size(); ++k)
    probability[k] = uncertain(std::exp(-softplus(-log_odds[k]) - total));
}

// exp nu_k / sum_l exp nu_l.
void softmax(std::span<const double> nu, std::span<double> probability) {
  const double total = log_sum(nu.size(), [&](std::size_t k) { return nu[k]; }).value();
  for (std::size_t k = 0; k < nu.size(); ++k) probability[k] = uncertain(std::exp(nu[k] - total));
}

// Log odds t to (1-p, p), from one exponential: e^-|t| / (1 + e^-|t|) is the smaller of the two.
void both_probabilities(double log_odds, std::span<double> probability) {
  const double e = std::exp(-std::abs(log_odds));
  const double larger = 1 / (1 + e);
  probability[log_odds < 0 ? 0 : 1] = uncertain(larger);
  probability[log_odds < 0 ? 1 : 0] = uncertain(e * larger);
}

// What is made of rows, of `width` values each: of the log odds (rows, scores) of a block of rows.
using RowBlockMap = void (*)(std::span<const double> log_odds, std::size_t scores, std::span<double> out);

void keep(std::span<const double> log_odds, std::size_t, std::span<double> out) {
  std::copy(log_odds.begin(), log_odds.end(), out.begin());
}

void to_probability(std::span<const double> log_odds, std::size_t scores, std::span<double> out) {
  if (scores == 1) {
    for (std::size_t n = 0; n < log_odds.size(); ++n) both_probabilities(log_odds[n], out.subspan(2 * n, 2));
    return;
  }
  for (std::size_t n = 0; n < log_odds.size(); n += scores)
    normalise(log_odds.subspan(n, scores), out.subspan(n, scores));
}

void to_softmax(std::span<const double> nu, std::size_t scores, std::span<double> out) {
  for (std::size_t n = 0; n < nu.size(); n += scores) softmax(nu.subspan(n, scores), out.subspan(n, scores));
}

void to_coupled(std::span<const double> log_odds, std::size_t scores, std::span<double> out) {
  const std::size_t rows = log_odds.size() / scores;
  for (std::size_t n = 0; n < rows; ++n) {
    const auto probability = out.subspan(n * (out.size() / rows), out.size() / rows);
    couple_pairs(log_odds.subspan(n * scores, scores), probability);
    for (double& p : probability) p = uncertain(p);
  }
}

RowBlockMap probability_map(const FittedClassifierState& s) {
  if (s.summary.pairwise) return to_coupled;
  return s.summary.softmax ? to_softmax : to_probability;
}

// score(n, k) of all rows through the links, block by block.
template <class Score>
std::vector<double> through_links(const FittedClassifierState& s, std::size_t rows, Score score,
                                  std::size_t width, RowBlockMap map) {
  constexpr std::size_t block = 4096;
  const std::size_t n_scores = s.scores();
  std::vector<double> result(rows * width);
  parallel_chunks(rows, block, s.options.threads, [&](std::size_t, std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    std::vector<double> nu(count), log_odds(count * n_scores);
    for (std::size_t k = 0; k < n_scores; ++k) {
      for (std::size_t n = 0; n < count; ++n) nu[n] = score(first + n, k);
      s.maps[k].apply(nu);
      for (std::size_t n = 0; n < count; ++n) log_odds[n * n_scores + k] = s.base->log_odds(nu[n]);
    }
    map(log_odds, n_scores, std::span(result).subspan(first * width, count * width));
  });
  return result;
}

// The same for linear scores (N, scores) from a caller.
std::vector<double> through_links(const FittedClassifierState& s, std::span<const double> scores,
                                  std::size_t width, RowBlockMap map) {
  const std::size_t n_scores = s.scores();
  if (scores.size() % n_scores != 0) {
    throw InputError("scores: " + std::to_string(scores.size()) + " numbers are not rows of " +
                     std::to_string(n_scores));
  }
  return through_links(
      s, scores.size() / n_scores, [&](std::size_t n, std::size_t k) { return scores[n * n_scores + k]; },
      width, map);
}

std::vector<double> through_links(const FittedClassifierState& s, const FeatureRows& rows, std::size_t width,
                                  RowBlockMap map) {
  const std::vector<float> margins = margins_of(s, rows);
  const std::size_t n_rows = rows.rows();
  return through_links(
      s, n_rows, [&](std::size_t n, std::size_t k) { return static_cast<double>(margins[k * n_rows + n]); },
      width, map);
}

// The source of one score.
TrigCoefficients source_of(const FittedClassifierState& s, std::size_t score, SourceEstimate estimate,
                           std::uint64_t seed) {
  const ClassLink& link = link_of(s, score);
  if (!link.is_identity())
    return estimated_source(link.source(), link.posterior(), link.range().lower, link.range().upper, estimate,
                            seed);
  // The identity over the scores it was learned on.
  const ClassSummary& summary = s.summary.classes[score];
  const double middle = (summary.score_lower + summary.score_upper) / 2;
  const double half =
      summary.score_upper > summary.score_lower ? (summary.score_upper - summary.score_lower) / 2 : 1.0;
  return {middle, half, middle, half, {}, {}, 1.0};
}

// Bands of all class probabilities of a softmax: normal about their log odds, to the quantile `level`.
template <class Score>
void add_softmax_bands(const FittedClassifierState& s, Score score, double level, ClassPrediction& p) {
  const std::size_t classes = s.class_names.size();
  const std::size_t rows = p.label.size();
  const double z = normal_quantile(level);
  p.lower.resize(rows * classes);
  p.upper.resize(rows * classes);
  parallel_chunks(rows, 256, s.options.threads, [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<double> scores(classes), sd(classes);
    for (std::size_t n = first; n < last; ++n) {
      for (std::size_t k = 0; k < classes; ++k) scores[k] = score(n, k);
      const auto at = std::span(p.probability).subspan(n * classes, classes);
      (*s.spread)(scores, at, sd);
      for (std::size_t k = 0; k < classes; ++k) {
        const double odds = std::log(at[k]) - std::log1p(-at[k]);
        p.lower[n * classes + k] = uncertain(sigmoid(odds - z * sd[k]));
        p.upper[n * classes + k] = uncertain(sigmoid(odds + z * sd[k]));
      }
    }
  });
}

// That of the second of two classes.
template <class Score>
void add_band(const FittedClassifierState& s, Score score, std::span<const double> levels,
              ClassPrediction& p) {
  std::vector<double> margins(p.label.size());
  for (std::size_t n = 0; n < margins.size(); ++n) margins[n] = score(n, 0);
  std::vector<double> nu = margins;
  s.maps[0].apply(nu);
  const Matrix band = s.links[0].quantiles(margins, levels, s.options.threads);
  for (std::size_t n = 0; n < margins.size(); ++n) {
    const auto row = static_cast<Index>(n);
    p.lower.push_back(uncertain(sigmoid(s.base->log_odds(std::min(band(row, 0), nu[n])))));
    p.upper.push_back(uncertain(sigmoid(s.base->log_odds(std::max(band(row, 1), nu[n])))));
  }
}

// That of the second of two classes, with the uncertainty of the coefficients.
void add_weight_band(const FittedClassifierState& s, const FeatureRows& rows, std::span<const float> margins,
                     double level, ClassPrediction& p) {
  const double z = normal_quantile(level);
  const ColumnScale scale = s.scale.about(rows.origin());
  p.lower.resize(rows.rows());
  p.upper.resize(rows.rows());
  parallel_chunks(rows.rows(), 256, s.options.threads, [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<double> scores(margins.begin() + static_cast<std::ptrdiff_t>(first),
                               margins.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<double> sd(scores.size());
    (*s.weight_spread)(rows.matrix(), scale, first, scores, sd);
    s.maps[0].apply(scores);
    for (std::size_t i = 0; i < sd.size(); ++i) {
      sd[i] *= std::sqrt(1 + LinkConstants::band_excess * sd[i] * std::abs(s.base->at(scores[i]).slope));
      p.lower[first + i] = uncertain(sigmoid(s.base->log_odds(scores[i] - z * sd[i])));
      p.upper[first + i] = uncertain(sigmoid(s.base->log_odds(scores[i] + z * sd[i])));
    }
  });
}

// The mean of the probability over nu ~ N(mean, sd^2), by the trapezoidal rule, which is nearly exact for it.
double marginal_probability(const BaseLoss& base, double mean, double sd) {
  constexpr double step = 0.5;
  constexpr int nodes = 12;  // to either side
  double sum = 0, total = 0;
  for (int i = -nodes; i <= nodes; ++i) {
    const double z = step * i;
    const double weight = std::exp(-z * z / 2);
    sum += weight * sigmoid(base.log_odds(mean + sd * z));
    total += weight;
  }
  return sum / total;
}

// (N, 2): other estimates than the mode.
std::vector<double> estimated(const FittedClassifierState& s, const FeatureRows& rows,
                              std::span<const float> margins, ProbabilityEstimate estimate) {
  if (s.class_names.size() != 2) throw UsageError("estimate: marginal and plug-in are those of two classes");
  const bool marginal = estimate == ProbabilityEstimate::marginal;
  if (marginal && !s.weight_spread)
    throw UsageError("estimate = marginal: the model has no posterior of its coefficients");
  const ColumnScale scale = s.scale.about(rows.origin());
  const ClassLink& link = s.links[0];
  std::vector<double> p(2 * rows.rows());
  parallel_chunks(rows.rows(), 256, s.options.threads, [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<double> scores(margins.begin() + static_cast<std::ptrdiff_t>(first),
                               margins.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<double> sd(scores.size());
    if (marginal) {
      (*s.weight_spread)(rows.matrix(), scale, first, scores, sd);
      s.maps[0].apply(scores);
    } else if (!link.is_identity()) {
      for (double& m : scores) m = (m - link.range().middle()) / link.range().half();
      const Vector kappa = link.posterior().mean_coefficients(*link.source().map);
      const Vector nu = source_values(*link.source().features, Places(scores), kappa, 1);
      std::copy(nu.begin(), nu.end(), scores.begin());
    }
    for (std::size_t i = 0; i < sd.size(); ++i) {
      const double up =
          marginal ? marginal_probability(*s.base, scores[i], sd[i]) : sigmoid(s.base->log_odds(scores[i]));
      p[2 * (first + i) + 1] = uncertain(up);
      p[2 * (first + i)] = uncertain(1 - up);
    }
  });
  return p;
}

// Labels and bands of rows with these probabilities and score(n, k).
template <class Score>
ClassPrediction with_bands(const FittedClassifierState& s, std::vector<double> probability, Score score,
                           double interval, bool band = true) {
  const auto levels = central_levels(interval);
  const std::size_t classes = s.class_names.size();
  ClassPrediction p;
  p.probability = std::move(probability);
  p.label.resize(p.probability.size() / classes);
  for (std::size_t n = 0; n < p.label.size(); ++n) {
    const auto row = std::span(p.probability).subspan(n * classes, classes);
    p.label[n] = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  if (classes == 2 && band) add_band(s, score, levels, p);
  if (s.spread) add_softmax_bands(s, score, levels[1], p);
  return p;
}

}  // namespace

FittedLinkgisticClassifier::FittedLinkgisticClassifier(std::shared_ptr<const FittedClassifierState> state)
    : state_(std::move(state)) {}

std::vector<double> FittedLinkgisticClassifier::scores(const FeatureRows& rows) const {
  const std::vector<float> margins = margins_of(*state_, rows);
  const std::size_t n_scores = state_->scores();
  std::vector<double> result(margins.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<double>(margins[i % n_scores * rows.rows() + i / n_scores]);
  }
  return result;
}

std::vector<double> FittedLinkgisticClassifier::decision_values(const FeatureRows& rows) const {
  return through_links(*state_, rows, state_->scores(), keep);
}
std::vector<double> FittedLinkgisticClassifier::decision_at(std::span<const double> scores) const {
  return through_links(*state_, scores, state_->scores(), keep);
}
std::vector<double> FittedLinkgisticClassifier::probability(const FeatureRows& rows) const {
  return through_links(*state_, rows, state_->class_names.size(), probability_map(*state_));
}
std::vector<double> FittedLinkgisticClassifier::probability_at(std::span<const double> scores) const {
  return through_links(*state_, scores, state_->class_names.size(), probability_map(*state_));
}

ClassPrediction FittedLinkgisticClassifier::predict(const FeatureRows& rows, double interval, BandKind band,
                                                    ProbabilityEstimate estimate) const {
  const std::vector<float> margins = margins_of(*state_, rows);
  const std::size_t n_rows = rows.rows();
  const auto score = [&](std::size_t n, std::size_t k) {
    return static_cast<double>(margins[k * n_rows + n]);
  };
  const bool weights = band == BandKind::all && state_->weight_spread;
  std::vector<double> probability =
      estimate == ProbabilityEstimate::mode
          ? through_links(*state_, n_rows, score, state_->class_names.size(), probability_map(*state_))
          : estimated(*state_, rows, margins, estimate);
  ClassPrediction p = with_bands(*state_, std::move(probability), score, interval, !weights);
  if (weights) add_weight_band(*state_, rows, margins, central_levels(interval)[1], p);
  return p;
}

ClassPrediction FittedLinkgisticClassifier::predict_at(std::span<const double> scores,
                                                       double interval) const {
  const std::size_t n_scores = state_->scores();
  return with_bands(
      *state_, probability_at(scores), [&](std::size_t n, std::size_t k) { return scores[n * n_scores + k]; },
      interval);
}

bool FittedLinkgisticClassifier::has_weight_bands() const { return state_->weight_spread.has_value(); }

bool FittedLinkgisticClassifier::has_bands() const {
  return state_->class_names.size() == 2 || state_->spread;
}

FittedLinkgisticClassifier::LinkCurve FittedLinkgisticClassifier::link(std::size_t score,
                                                                       std::span<const double> at,
                                                                       double interval) const {
  const auto levels = central_levels(interval);
  const ClassLink& link = link_of(*state_, score);
  LinkValues values = link.at(at, state_->options.threads);
  values.nu.assign(at.begin(), at.end());
  state_->maps[score].apply(values.nu);  // as predictions have it
  LinkCurve curve{values.nu, values.nu, values.nu, std::move(values.slope)};
  if (state_->spread) {
    const std::vector<double> sd = state_->spread->of_link(score, at);
    for (std::size_t i = 0; i < at.size(); ++i) {
      curve.lower[i] += normal_quantile(levels[0]) * sd[i];
      curve.upper[i] += normal_quantile(levels[1]) * sd[i];
    }
    return curve;
  }
  const Matrix band = link.quantiles(at, levels, state_->options.threads);
  for (std::size_t i = 0; i < at.size(); ++i) {
    curve.lower[i] = std::min(band(static_cast<Index>(i), 0), values.nu[i]);
    curve.upper[i] = std::max(band(static_cast<Index>(i), 1), values.nu[i]);
  }
  return curve;
}

LearnedLoss FittedLinkgisticClassifier::learned_loss(std::size_t score, SourceEstimate estimate,
                                                     std::uint64_t seed) const {
  if (state_->summary.softmax)
    throw UsageError("a softmax has one loss for all its classes, and none of a single score");
  return make_learned_loss(state_->options.loss, source_of(*state_, score, estimate, seed));
}

LearnedClassLoss FittedLinkgisticClassifier::learned_class_loss(SourceEstimate estimate,
                                                                std::uint64_t seed) const {
  if (!state_->summary.softmax)
    throw UsageError("only a softmax has one loss for all its classes: its scores have a loss each");
  std::vector<TrigCoefficients> sources;
  for (std::size_t k = 0; k < state_->scores(); ++k) sources.push_back(source_of(*state_, k, estimate, seed));
  return make_learned_class_loss(state_->class_names, std::move(sources));
}

std::vector<double> FittedLinkgisticClassifier::margin_lipschitz(std::size_t score, int draws,
                                                                 std::uint64_t seed) const {
  if (draws < 1) throw UsageError("draws = " + std::to_string(draws) + ": it must be at least 1");
  const LearnedLoss point = learned_loss(score);
  const ClassLink& link = link_of(*state_, score);
  std::vector<double> bounds(static_cast<std::size_t>(draws));
  if (link.is_identity()) {
    std::fill(bounds.begin(), bounds.end(), point.margin_lipschitz_bound());
    return bounds;
  }
  const Matrix g = link.posterior().draw(draws, seed);
  parallel_for(bounds.size(), state_->options.threads, [&](std::size_t i) {
    const TrigCoefficients source =
        drawn_source(link.source(), g.col(static_cast<Index>(i)), link.range().lower, link.range().upper);
    bounds[i] = make_learned_loss(state_->options.loss, source).margin_lipschitz_bound();
  });
  return bounds;
}

std::vector<double> FittedLinkgisticClassifier::coefficients() const {
  const std::size_t width = state_->feature_names.size() + 1;
  std::vector<double> result;
  for (std::size_t k = 0; k < state_->scores(); ++k) {
    const std::vector<double> raw = state_->scale.to_raw(std::span(state_->beta).subspan(k * width, width));
    result.insert(result.end(), raw.begin(), raw.end());
  }
  return result;
}

CoefficientTable FittedLinkgisticClassifier::coefficient_table(double interval, bool robust) const {
  const double z = normal_quantile(central_levels(interval)[1]);
  CoefficientTable table{
      interval, robust, state_->options.loss == "log" && state_->links[0].is_identity(), {}};
  if (!state_->errors) return table;
  const CoefficientErrors& e = *state_->errors;
  const std::vector<double> beta = coefficients();
  for (std::size_t j = 0; j < beta.size(); ++j) {
    Coefficient c;
    c.name = j == 0 ? "(intercept)" : state_->feature_names[j - 1];
    c.estimate = beta[j];
    c.error = (robust ? e.robust : e.error)[j];
    c.z = c.error > 0 ? c.estimate / c.error : 0;
    c.p_value = std::erfc(std::abs(c.z) / std::sqrt(2.0));
    c.lower = c.estimate - z * c.error;
    c.upper = c.estimate + z * c.error;
    if (j > 0) {
      c.effect = e.effect[j - 1];
      c.effect_error = (robust ? e.effect_robust : e.effect_error)[j - 1];
      c.effect_lower = c.effect - z * c.effect_error;
      c.effect_upper = c.effect + z * c.effect_error;
    }
    table.rows.push_back(std::move(c));
  }
  return table;
}

std::optional<LinkTest> FittedLinkgisticClassifier::link_test() const {
  if (!state_->summary.log_bayes_factor) return std::nullopt;
  LinkTest test;
  test.log_bayes_factor = *state_->summary.log_bayes_factor;
  return test;
}

std::string link_test_words(const FittedLinkgisticClassifier& fit) {
  const auto test = fit.link_test();
  if (!test) return "";
  const std::string base =
      fit.options().loss == "log" ? "the logit" : "the link of the loss " + fit.options().loss;
  const std::string evidence = "log Bayes factor " + number(test->log_bayes_factor, 3) + ", refused above " +
                               number(test->threshold, 3);
  return test->refused() ? "a bent link explains the labels better than " + base + " (" + evidence + ")"
                         : base + " is not refused (" + evidence + ")";
}

const std::vector<std::string>& FittedLinkgisticClassifier::class_names() const {
  return state_->class_names;
}
const std::vector<std::string>& FittedLinkgisticClassifier::feature_names() const {
  return state_->feature_names;
}
const FeatureEncoding& FittedLinkgisticClassifier::encoding() const { return state_->encoding; }
const ClassifierSummary& FittedLinkgisticClassifier::summary() const { return state_->summary; }
const LinkgisticOptions& FittedLinkgisticClassifier::options() const { return state_->options; }

std::optional<LinkHyper> link_hyper(const FittedClassifierState& state) {
  return link_hyper(state.options, state.summary.v + state.summary.v_shared, state.base);
}

std::optional<LinkHyper> link_hyper(const LinkgisticOptions& options, double v,
                                    const std::shared_ptr<const BaseLoss>& base, double shared) {
  if (options.prior == LinkPrior::none || (options.prior == LinkPrior::offset && !(v + shared > 0)))
    return std::nullopt;
  LinkHyper hyper;
  hyper.kind = options.prior == LinkPrior::isgp ? PriorKind::isgp
               : options.prior == LinkPrior::gp ? PriorKind::gp
                                                : PriorKind::offset;
  hyper.basis = options.basis;
  hyper.origin = options.origin;
  hyper.harmonics = options.harmonics;
  hyper.learn = options.learn_hyper;
  hyper.v = v;
  hyper.shared = shared;
  hyper.base = base;
  const bool bounded = base->response()->has_bound();
  hyper.inference =
      options.inference != Inference::laplace && bounded ? Inference::variational : Inference::laplace;
  return hyper;
}

}  // namespace linkgistic
