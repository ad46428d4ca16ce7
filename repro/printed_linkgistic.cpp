#include "repro/printed_linkgistic.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <linkgistic/error.hpp>

#include "classification/em.hpp"
#include "classification/scale.hpp"
#include "engine/cpu/fused_pass.hpp"
#include "engine/local_engine.hpp"
#include "numeric/interpolate.hpp"
#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "source/source_curve.hpp"

namespace linkgistic::repro {
namespace {

constexpr std::size_t table_points = 2049;

LinkHyper hyper_of(const PrintedLinkgisticOptions& options) {
  LinkHyper hyper;
  hyper.kind = options.prior == LinkPrior::gp ? PriorKind::gp : PriorKind::isgp;
  hyper.harmonics = options.harmonics;
  hyper.a = options.a;
  hyper.size = options.size;
  hyper.gamma = options.gamma;
  hyper.mu = options.mu;
  hyper.hold_size = true;
  hyper.curvature_floor = options.curvature_floor;
  return hyper;
}

/// The link over some scores: log odds of the mean probability over draws, and the spread of nu.
struct Marginal {
  std::vector<double> log_odds;
  double deviation = 0;  // the greatest over the scores
};

Marginal marginal(const ClassLink& link, const std::vector<double>& scores, int samples, std::uint64_t seed) {
  if (link.is_identity()) return {scores, 0};
  std::vector<double> t;
  for (const double m : scores) t.push_back((m - link.range().middle()) / link.range().half());
  const Matrix draws = link.posterior().draw(samples, seed);
  const auto count = static_cast<Index>(scores.size());
  Vector one = Vector::Zero(count), zero = one, sum = one, square = one;
  for (Index s = 0; s < draws.cols(); ++s) {
    const Vector nu =
        SourceCurve(link.source().features, link.source().map->value(draws.col(s))).values(t, 1);
    one += nu.unaryExpr([](double v) { return sigmoid(v); });
    zero += nu.unaryExpr([](double v) { return sigmoid(-v); });
    sum += nu;
    square += nu.cwiseAbs2();
  }
  Marginal result;
  const auto n = static_cast<double>(draws.cols());
  for (Index i = 0; i < count; ++i) {
    result.log_odds.push_back(std::log(std::max(one[i], 1e-300)) - std::log(std::max(zero[i], 1e-300)));
    result.deviation =
        std::max(result.deviation, std::sqrt(std::max(square[i] / n - sum[i] * sum[i] / (n * n), 0.0)));
  }
  return result;
}

/// EM without a ridge and without changes of scale: E-steps at the rows' own scores, M-steps over draws.
EmResult run_em(LinkgisticEm& em, const LinkFamily& family, const PrintedLinkgisticOptions& options) {
  EmResult last;
  const std::vector<double> no_ridge(em.classes(), 0.0);
  const auto e_step = [&](EmResult& state) {
    const LinkgisticEm::Scored own{state.selection, &state.beta};
    em.e_step(family, std::span(&own, 1), state.ranges, no_ridge, state);
  };
  const auto m_step = [&](int step, std::span<EmResult* const> states) { em.m_step(step, states); };
  const EmResult best =
      iterate({em.logistic(options.l2)}, em.options(), e_step, m_step, [&](const EmResult& state) {
        last = state;
      }).front();
  if (best.interrupted || (options.stop && options.stop())) throw Interrupted();
  last.stop = best.stop;
  return last;
}

}  // namespace

PrintedLinkgistic fit_printed(const ClassificationData& train, const FeatureRows& test,
                              const PrintedLinkgisticOptions& options) {
  std::vector<std::int32_t> positive{1};
  if (train.class_names.size() > 2) {
    positive.clear();
    for (std::size_t k = 0; k < train.class_names.size(); ++k)
      positive.push_back(static_cast<std::int32_t>(k));
  }
  const auto engine = make_local_engine({train.rows.matrix(), train.labels, {}, {}}, options.threads);
  const ColumnScale scale = feature_scale(*engine, train.rows, {});
  EmOptions em_options;
  em_options.em_iterations = options.em_iterations;
  em_options.samples = options.samples;
  em_options.tolerance = options.tolerance;
  em_options.threads = options.threads;
  em_options.stop = options.stop;
  LinkgisticEm em(*engine, scale.about(train.rows.origin()), positive, em_options);
  const EmResult fit = run_em(em, LinkFamily(hyper_of(options)), options);

  const std::size_t classes = positive.size(), rows = test.rows();
  const RowView view{test.matrix(), scale.about(test.origin())};
  const std::vector<float> margins = row_margins(view, classes, fit.beta, options.threads);
  PrintedLinkgistic result;
  result.log_odds.resize(rows * classes);
  result.of_mode.resize(rows * classes);
  result.steps = static_cast<int>(fit.trace.size()) - 1;
  result.stop = fit.converged() ? "converged" : "at the limit of EM steps";
  std::vector<double> deviation(classes);
  parallel_for(classes, options.threads, [&](std::size_t k) {
    const std::vector<double> scores(margins.begin() + static_cast<std::ptrdiff_t>(k * rows),
                                     margins.begin() + static_cast<std::ptrdiff_t>((k + 1) * rows));
    const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
    const std::vector<double> knots = evenly_spaced(*least, std::max(*most, *least + 1e-6), table_points);
    const Marginal table = marginal(fit.links[k], knots, 4 * options.samples, 1000 + k);
    const PiecewiseLinear curve(knots, table.log_odds);
    const LinkValues mode = fit.links[k].at(scores, 1);
    deviation[k] = table.deviation;
    for (std::size_t n = 0; n < rows; ++n) {
      result.log_odds[n * classes + k] = curve(scores[n]);
      result.of_mode[n * classes + k] = mode.nu[n];
    }
  });
  for (std::size_t k = 0; k < classes; ++k) {
    result.least_eigenvalue = std::min(result.least_eigenvalue, fit.links[k].facts().smallest_eigenvalue);
    result.largest_deviation = std::max(result.largest_deviation, deviation[k]);
  }
  return result;
}

}  // namespace linkgistic::repro
