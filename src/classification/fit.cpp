#include "classification/fit.hpp"

#include <optional>
#include <tuple>

#include "classification/choice.hpp"
#include "classification/fitted.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

EmOptions em_options(const LinkgisticOptions& options, const std::shared_ptr<const BaseLoss>& base,
                     FitMonitor& monitor) {
  EmOptions em;
  em.em_iterations = options.em_iterations;
  em.max_passes = options.max_passes;
  em.samples = options.samples;
  em.tolerance = options.tolerance;
  // Without a ridge an M-step may go to longer and longer weights, which the links then take back.
  em.end_when_worse = options.l2 && !(*options.l2 > 0);
  em.base = base;
  em.seed = options.seed;
  em.threads = options.threads;
  em.stop = [&monitor] { return monitor.ask_stop(); };
  return em;
}

// Logistic regression of all rows. When the fit has been stopped it begins, and ends, where the choice of l2
// was.
EmResult first_fit(LinkgisticEm& em, double l2, const CrossValidation* validation, FitMonitor& monitor) {
  if (const json* found = monitor.checkpoint.find("first")) return em_from_json(*found, nullptr);
  const bool stopped = monitor.stopped() && validation != nullptr;
  EmResult fit = em.logistic(l2, stopped ? validation->last_beta() : std::vector<double>{});
  monitor.record("first", [&] { return em_to_json(fit); });
  return fit;
}

}  // namespace

EmStep public_step(const EmRecord& r, std::size_t step) {
  return {static_cast<int>(step), r.objective, r.mean_loss, r.passes, r.seconds_e, r.seconds_m};
}

ClassifierFit fit_classes(const TrainingRows& training, const LabelledView& data,
                          const std::vector<std::int32_t>& positive, const LinkgisticOptions& options,
                          const std::shared_ptr<const BaseLoss>& base, FitMonitor& monitor) {
  ClassifierFit result;
  const bool offset = options.prior == LinkPrior::offset;
  const bool choose_v = offset && !options.v;
  result.l2 = options.l2.value_or(0);
  result.v = offset ? options.v.value_or(0) : 0;
  result.cross_fitted = training.cross_fit;
  EmOptions settings = em_options(options, base, monitor);
  std::optional<CrossValidation> validation;
  if (!training.parts.empty()) validation.emplace(data, positive, settings, training.parts, monitor);
  bool first = true;
  settings.on_pass = [&](int pass) {
    if (first) monitor.tell("first fit", static_cast<std::size_t>(pass), 0, 0);
  };
  LinkgisticEm em(data, positive, settings);
  monitor.checkpoint.watch(
      "solver", [&] { return memory_to_json(em.memory()); },
      [&](const json& j) { em.restore(memory_from_json(j)); });

  if (!options.l2) result.l2 = validation->choose_l2();
  EmResult& fit = result.em;
  fit = first_fit(em, result.l2, validation ? &*validation : nullptr, monitor);
  first = false;
  for (std::size_t k = 0; k < positive.size(); ++k)
    if (fit.solves[k].stop == SolverStop::separated) result.separated.push_back(k);
  const auto tell_step = [&](const EmRecord& record, std::size_t step) {
    monitor.tell("em", step, static_cast<std::size_t>(options.em_iterations), record.objective);
    if (options.on_step) options.on_step(public_step(record, step));
  };
  const auto tell = [&](const EmResult& now) { tell_step(now.trace.back(), now.trace.size() - 1); };
  const auto hyper = [&](double v) { return link_hyper(options, v, base); };
  if (choose_v && !fit.interrupted && result.cross_fitted) {
    std::tie(result.v, fit) = validation->cross_fit_v(em, fit, *hyper(0.05), result.l2);
    for (std::size_t step = 0; step < fit.trace.size(); ++step) tell_step(fit.trace[step], step);
  } else {
    if (choose_v && !fit.interrupted) result.v = validation->choose_v(result.l2, *hyper(0.05));
    const auto prior = hyper(result.v);
    if (!prior || fit.interrupted) {
      tell(fit);
    } else if (result.cross_fitted) {
      fit = validation->cross_fit(em, fit, LinkFamily(*prior), result.l2, tell);
    } else {
      const LinkFamily family(*prior);
      EmResume resume;
      if (const json* found = monitor.checkpoint.find("em")) resume.begin = loop_from_json(*found, &family);
      resume.save = [&](const EmLoop& loop) { monitor.record("em", [&] { return loop_to_json(loop); }); };
      fit = em.run(fit, family, result.l2, tell, resume);
    }
  }
  if (validation) {
    result.l2_tried = validation->l2_tried();
    result.v_tried = validation->v_tried();
  }
  result.interrupted = fit.interrupted || (validation && validation->interrupted());
  return result;
}

}  // namespace linkgistic
