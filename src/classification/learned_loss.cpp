// The learned loss and its file, kind "learned loss" (docs/model_file.md).
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/learned_loss.hpp>

#include "classification/file.hpp"
#include "classification/learned_loss_state.hpp"
#include "classification/source_file.hpp"
#include "inference/sample_posterior.hpp"
#include "model_file/model_file.hpp"
#include "source/nystrom_basis.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* learned_loss_kind = "learned loss";
constexpr int grid_points = 2001;

template <class F>
void over_range(const TrigCoefficients& c, F&& f) {
  for (int i = 0; i < grid_points; ++i) f(c.middle + c.half * (2.0 * i / (grid_points - 1) - 1));
}

Probability inside(double u, const char* what) {
  if (!(u > 0 && u < 1))
    throw UsageError(std::string(what) + ": the probability " + shortest(u) + " must be between 0 and 1");
  return Probability(u);
}

// sup |phi|^2: cos^2 + sin^2 = 1 a harmonic; on the Nystrom basis |phi(x)|^2 is at most k(x, x) = 1.
double square_of_basis(const Basis& basis) {
  if (const auto* nystrom = dynamic_cast<const NystromBasis*>(&basis))
    return nystrom->has_constant() ? 2.0 : 1.0;
  const Index harmonics = (basis.size() + 1) / 2;
  return static_cast<double>(harmonics);
}

// sup |phi|^2 |w|^2, or (|w|^2 + tr Sigma) sup |phi|^2 for the mean of f^2.
double lemma_bound(const SourceModel& source, const Vector& g, double variance) {
  return square_of_basis(*source.basis) * (g.head(source.basis->size()).squaredNorm() + variance);
}

// The sum of the variances of the weights.
double weight_variance(const Posterior& posterior, Index weights) {
  if (const auto* gaussian = dynamic_cast<const GaussianPosterior*>(&posterior))
    return gaussian->factor().topRows(weights).squaredNorm();
  const Matrix w = dynamic_cast<const SamplePosterior&>(posterior).draws().g.topRows(weights);
  return (w.colwise() - posterior.estimate().head(weights)).squaredNorm() / static_cast<double>(w.cols());
}

}  // namespace

TrigCoefficients estimated_source(const SourceModel& source, const Posterior& posterior, double lower,
                                  double upper, SourceEstimate estimate, std::uint64_t seed) {
  if (estimate == SourceEstimate::sample)
    return drawn_source(source, posterior.draw(1, seed).col(0), lower, upper);
  // The mode stands for the point estimate, which may be the mean.
  const bool mean = estimate == SourceEstimate::mean ||
                    (estimate == SourceEstimate::mode && posterior.point_estimate() == "mean");
  if (!mean) return drawn_source(source, posterior.estimate(), lower, upper);
  const double half = (upper - lower) / 2;
  TrigCoefficients c =
      trig_coefficients(source, posterior.mean_coefficients(*source.map), (lower + upper) / 2, half);
  if (source.basis) {
    const double variance = weight_variance(posterior, source.basis->size());
    c.slope_bound = lemma_bound(source, posterior.estimate(), variance) / half;
  }
  return c;
}

TrigCoefficients drawn_source(const SourceModel& source, const Vector& g, double lower, double upper) {
  const double half = (upper - lower) / 2;
  TrigCoefficients c = trig_coefficients(source, source.map->value(g), (lower + upper) / 2, half);
  if (source.basis) c.slope_bound = lemma_bound(source, g, 0) / half;
  return c;
}

LearnedLoss make_learned_loss(const std::string& base, TrigCoefficients coefficients) {
  auto loss = make_loss(base);
  auto source = std::make_shared<const TrigCurve>(std::move(coefficients));
  bool increasing = true;
  // f^2 is 0 where f is 0, and rounding may make the slope slightly negative there.
  over_range(source->coefficients(), [&](double x) {
    increasing = increasing && source->at(x).first >= -1e-12 * source->slope_bound();
  });
  CompositeLoss composite(std::move(loss), source);
  return LearnedLoss(std::make_shared<const LearnedLossState>(
      LearnedLossState{base, std::move(source), std::move(composite), increasing}));
}

LearnedLoss::LearnedLoss(std::shared_ptr<const LearnedLossState> state) : state_(std::move(state)) {}

LearnedLoss LearnedLoss::canonical(const std::string& base) { return make_learned_loss(base, {}); }

LearnedLoss::Values LearnedLoss::at(int y, double x) const {
  const CompositeLoss::Values v = state_->loss.at(y, x);
  return {v.value, v.gradient, v.curvature};
}

void LearnedLoss::at(std::span<const std::uint8_t> y, std::span<const double> x, std::span<double> value,
                     std::span<double> gradient, std::span<double> curvature) const {
  const auto fits = [&](std::size_t size) { return size == 0 || size == x.size(); };
  if (y.size() != x.size() || !fits(value.size()) || !fits(gradient.size()) || !fits(curvature.size()))
    throw InputError("learned loss: labels, scores and results differ in length");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Values v = at(y[i], x[i]);
    if (!value.empty()) value[i] = v.value;
    if (!gradient.empty()) gradient[i] = v.gradient;
    if (!curvature.empty()) curvature[i] = v.curvature;
  }
}

double LearnedLoss::information(double x) const {
  const Source::Values nu = state_->source->at(x);
  const Probability p = state_->loss.base().inverse_link(nu.value);
  // dp/dx = nu'/w(p)
  const double slope = nu.first / state_->loss.base().weight(p);
  const double variance = p.one() * p.zero();
  return variance > 0 ? slope * slope / variance : 0.0;
}

double LearnedLoss::inverse_link(double x) const { return state_->loss.inverse_link(x).one(); }
double LearnedLoss::log_odds(double x) const { return state_->loss.inverse_link(x).logit(); }

double LearnedLoss::link(double u) const {
  if (!state_->increasing) throw UsageError("the source is not increasing: it has no inverse");
  return state_->loss.link(inside(u, "link"));
}

double LearnedLoss::weight(double u) const { return state_->loss.weight(inside(u, "weight")); }

LearnedLoss::SourceValues LearnedLoss::source(double x) const {
  const Source::Values v = state_->source->at(x);
  return {v.value, v.first, v.second};
}

bool LearnedLoss::increasing() const { return state_->increasing; }
double LearnedLoss::lipschitz_bound() const { return state_->loss.lipschitz_bound(); }
double LearnedLoss::lipschitz_on(double from, double to) const {
  return state_->loss.lipschitz_on(from, to, grid_points);
}
double LearnedLoss::margin_lipschitz_bound() const {
  return state_->loss.margin_lipschitz_on(score_lower(), score_upper());
}
const std::string& LearnedLoss::base() const { return state_->base; }

double LearnedLoss::score_lower() const {
  const TrigCoefficients& c = state_->source->coefficients();
  return c.middle - c.half;
}

double LearnedLoss::score_upper() const {
  const TrigCoefficients& c = state_->source->coefficients();
  return c.middle + c.half;
}

std::string LearnedLoss::to_json() const {
  json j = model_head(learned_loss_kind);
  j["base"] = state_->base;
  j["source"] = source_to_json(state_->source->coefficients());
  return model_text(j);
}

LearnedLoss learned_loss_from(const ModelFile& file) {
  return read_model(file, learned_loss_kind, [](const json& j) {
    return make_learned_loss(j.at("base").get<std::string>(), source_from_json(j.at("source")));
  });
}

LearnedLoss LearnedLoss::from_json(const std::string& text, const std::string& origin) {
  return learned_loss_from(parse_model(text, origin));
}

void LearnedLoss::save(const std::string& path) const { save_model(*this, path); }

LearnedLoss LearnedLoss::load(const std::string& path) { return from_json(read_model_text(path), path); }

}  // namespace linkgistic
