#include "classification/fit.hpp"

#include <optional>
#include <tuple>

#include "classification/choice.hpp"
#include "classification/fitted.hpp"
#include "classification/ridge_evidence.hpp"
#include "classification/weight_posterior.hpp"
#include "engine/decorated_engine.hpp"

namespace linkgistic {
namespace {

EmOptions em_options(const LinkgisticOptions& options, const std::shared_ptr<const BaseLoss>& base,
                     bool softmax, ProgressMonitor& monitor) {
  EmOptions em;
  em.em_iterations = options.em_iterations;
  em.max_passes = options.max_passes;
  em.samples = options.samples;
  em.tolerance = options.tolerance;
  // Without a ridge an M-step may lengthen the weights more and more; the links then compensate for it.
  em.end_when_worse = options.l2 && !(*options.l2 > 0);
  em.softmax = softmax;
  em.base = base;
  em.seed = options.seed;
  em.threads = options.threads;
  em.stop = [&monitor] { return monitor.ask_stop(); };
  return em;
}

// Logistic regression of all rows. After a stop it keeps the coefficients that the choice of l2 has reached.
EmResult first_fit(LinkgisticEm& em, double l2, const CrossValidation* validation, bool stopped) {
  EmResult fit;
  fit.l2 = l2;
  if (stopped && validation != nullptr) fit.beta = validation->last_beta();
  EmResult* one = &fit;
  em.logistic(std::span(&one, 1));
  return fit;
}

// Whether the Gram matrix of the rows is cheap enough for a few ridges.
bool is_cheap(const RowsShape& shape) {
  constexpr double most = 2e9;
  const auto width = static_cast<double>(shape.columns + 1);
  return shape.columns < most_weights && static_cast<double>(shape.rows) * width * width < most;
}

}  // namespace

EmStep public_step(const EmRecord& r, std::size_t step) {
  return {static_cast<int>(step), r.objective, r.mean_loss, r.passes, r.seconds_e, r.seconds_m};
}

ClassifierFit fit_classes(const ClassifierProblem& problem, const LinkgisticOptions& options,
                          const std::shared_ptr<const BaseLoss>& base, ProgressMonitor& monitor) {
  ClassifierFit result;
  const bool offset = options.prior == LinkPrior::offset;
  const bool choose_v = offset && problem.parts > 0 && !options.v && !(problem.softmax && options.v_shared);
  const bool cross_fit = problem.cross_fit && problem.parts > 0;
  // One score: the evidence chooses. Those of several that are one against the rest are no likelihood.
  const bool by_evidence = choose_v && cross_fit && problem.positive.size() == 1;
  result.l2 = options.l2.value_or(0);
  result.v = offset ? options.v.value_or(0) : 0;
  result.v_shared = offset && problem.softmax ? options.v_shared.value_or(0) : 0;
  bool first = false;
  std::size_t before = 0;
  CountedEngine engine(problem.engine, [&](std::size_t passes) {
    if (first) monitor.tell("first fit", passes - before, 0, 0);
    if (!first) before = passes;
  });
  EmOptions steps = em_options(options, base, problem.softmax, monitor);
  if (problem.pairwise) steps.pairs = problem.parts;
  steps.recall = problem.recall;
  LinkgisticEm em(engine, problem.scale, problem.positive, steps);
  std::optional<CrossValidation> validation;
  if (problem.parts > 0) validation.emplace(em, problem.parts, monitor);

  RidgeChoice ridge;
  if (!options.l2 && options.l2_by == RidgeChoiceBy::evidence) {
    ridge = choose_ridge_by_evidence(em, monitor);
    result.l2 = ridge.l2;
  } else if (!options.l2) {
    result.l2 = validation ? validation->choose_l2() : l2_of_few_rows;
  }
  EmResult& fit = result.em;
  first = true;
  fit = first_fit(em, result.l2, validation ? &*validation : nullptr, monitor.stopped());
  first = false;
  for (std::size_t k = 0; k < problem.positive.size(); ++k)
    if (fit.solves[k].stop == SolverStop::separated) result.separated.push_back(k);
  const EmResult logistic = fit;
  const auto tell_step = [&](const EmRecord& record, std::size_t step) {
    monitor.tell("em", step, static_cast<std::size_t>(options.em_iterations), record.objective);
    if (options.on_step) options.on_step(public_step(record, step));
  };
  const auto tell = [&](const EmResult& now) { tell_step(now.trace.back(), now.trace.size() - 1); };
  const auto hyper = [&](double v) { return link_hyper(options, v, base, result.v_shared); };
  if (by_evidence && !fit.interrupted) {
    std::tie(result.v, fit) = validation->cross_fit_v(fit, *hyper(0.05));
    for (std::size_t step = 0; step < fit.trace.size(); ++step) tell_step(fit.trace[step], step);
  } else {
    const bool choose_bend = choose_v && problem.softmax;
    if (choose_v && !problem.softmax && !fit.interrupted)
      result.v = validation->choose_v(result.l2, *hyper(0.05), cross_fit);
    const auto prior = hyper(choose_bend ? 0.05 : result.v);
    if (choose_bend) {
      // Of very many classes each has few rows for a bend of its own, and their E-steps would take long.
      constexpr std::size_t most_own = 30;
      fit.bend = BendSearch{{}, {problem.positive.size() <= most_own ? 0.1 : 0.0, 0.03}};
    }
    if (!prior || fit.interrupted || (problem.cross_fit && !cross_fit)) {
      tell(fit);
    } else if (cross_fit) {
      fit = validation->cross_fit(fit, LinkFamily(*prior), tell);
    } else {
      fit = em.run({fit}, LinkFamily(*prior), options.em_iterations, tell).front();
    }
    if (fit.bend) {
      result.v = fit.bend->used.own;
      result.v_shared = fit.bend->used.shared;
    }
  }
  if (validation) {
    result.l2_tried = validation->l2_tried();
    result.v_tried = validation->v_tried();
  }
  if (!ridge.tried.empty()) result.l2_tried = ridge.tried;
  result.v_by_evidence = by_evidence;
  result.weight = logistic.weight;
  if (!options.l2 && problem.positive.size() == 1 && !fit.interrupted && !logistic.interrupted &&
      is_cheap(engine.shape()))
    result.ridges = ridge_spread(em, logistic, monitor);
  result.interrupted = fit.interrupted || ridge.interrupted || (validation && validation->interrupted());
  return result;
}

}  // namespace linkgistic
