// The fit of a classifier from its data to the object that the caller holds: checks, weights, scale, engine,
// EM, posteriors, summary.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/checkpoint.hpp"
#include "classification/checks.hpp"
#include "classification/data.hpp"
#include "classification/ending.hpp"
#include "classification/facts.hpp"
#include "classification/fit.hpp"
#include "classification/fitted.hpp"
#include "classification/names.hpp"
#include "classification/pairs.hpp"
#include "classification/posterior.hpp"
#include "classification/scale.hpp"
#include "classification/weights.hpp"
#include "engine/decorated_engine.hpp"
#include "engine/make_engine.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/progress_monitor.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

LinkgisticClassifier::LinkgisticClassifier(LinkgisticOptions options) : options_(std::move(options)) {
  options_.validate();
}

FittedLinkgisticClassifier LinkgisticClassifier::fit(const ClassificationData& data) const {
  return fit_classifier(data, options_, engine_on(options_.device));
}

namespace {

// What keeps the classes of these options from a softmax, or empty.
std::string no_softmax(const LinkgisticOptions& options) {
  std::string why;
  if (options.loss != "log") why = "the loss " + options.loss;
  if (options.prior == LinkPrior::isgp || options.prior == LinkPrior::gp)
    why = "the prior " + std::string(name_of(link_prior_names(), options.prior));
  if (options.inference != Inference::laplace)
    why = "the inference " + std::string(name_of(inference_names(), options.inference));
  if (options.basis != BasisKind::trig)
    why = "the basis " + std::string(name_of(basis_names(), options.basis));
  if (options.origin != Origin::intercept)
    why = "the origin " + std::string(name_of(origin_names(), options.origin));
  if (options.samples > 0) why = "an M-step over samples";
  if (options.learn_hyper) why = "learned hyper-parameters";
  return why;
}

}  // namespace

bool fits_pairs(std::size_t classes, const LinkgisticOptions& options) {
  const bool pairwise = classes > 2 && options.multiclass == Multiclass::ovo;
  if (pairwise && classes > most_paired_classes)
    throw InputError("multiclass = ovo: " + std::to_string(classes) + " classes are more than " +
                     std::to_string(most_paired_classes) + "; softmax and ovr take them");
  return pairwise;
}

FittedLinkgisticClassifier fit_classifier(const ClassificationData& data, const LinkgisticOptions& options,
                                          const EngineFactory& make_engine,
                                          std::optional<std::uint64_t> rows_hash) {
  check_data(data, options);
  const std::vector<float> weights = row_weights(data, options);
  const TrainingRows training = training_rows(data, weights, options);
  const RowMatrix& matrix = training.rows.matrix();
  TrainingFacts facts;
  facts.class_names = data.class_names;
  facts.feature_names = data.feature_names;
  facts.encoding = data.encoding;
  facts.totals = class_totals(data, weights);
  facts.rows = static_cast<std::size_t>(
      weights.empty() ? static_cast<std::ptrdiff_t>(data.labels.size())
                      : std::count_if(weights.begin(), weights.end(), [](float w) { return w > 0; }));
  facts.bytes = std::holds_alternative<DenseRows<std::uint8_t>>(matrix.storage());
  facts.origin = training.rows.origin();
  facts.pivot = moment_pivot(matrix);
  facts.parts = training.parts.size();
  facts.cross_fit = training.cross_fit;
  for (const std::int32_t label : training.small_classes)
    facts.small_classes.emplace_back(label,
                                     std::count(training.labels.begin(), training.labels.end(), label));
  RowParts parts = row_parts(training.parts, training.labels.size());
  if (fits_pairs(facts.totals.size(), options))
    parts = pair_parts(parts, training.labels, facts.totals.size());
  const std::unique_ptr<RowEngine> engine =
      make_engine({matrix, training.labels, training.weights, std::move(parts)}, options.threads);
  const std::unique_ptr<AnswerLog> log = open_log(data, weights, options, rows_hash);
  return fit_by_engine(facts, *engine, options, log.get(),
                       [&](std::size_t column) { refuse_column(matrix, column); });
}

FittedLinkgisticClassifier fit_by_engine(const TrainingFacts& facts, RowEngine& engine,
                                         const LinkgisticOptions& options_, AnswerLog* log,
                                         const std::function<void(std::size_t)>& refuse_column_of_rows) {
  if (options_.l2_by == RidgeChoiceBy::evidence && !options_.l2 && facts.class_names.size() > 2)
    throw UsageError("l2_by = evidence: it is for two classes, and there are " +
                     std::to_string(facts.class_names.size()));
  const std::vector<double>& totals = facts.totals;
  auto state = std::make_shared<FittedClassifierState>();
  state->options = options_;
  state->options.stop = nullptr;
  state->options.on_step = nullptr;
  state->options.on_progress = nullptr;
  state->options.checkpoint.clear();
  state->base = std::make_shared<const BaseLoss>(options_.loss);
  state->class_names = facts.class_names;
  state->encoding = facts.encoding;
  state->feature_names = facts.feature_names;
  for (std::size_t j = state->feature_names.size(); j < engine.shape().columns; ++j) {
    state->feature_names.push_back(std::to_string(j + 1).insert(0, 1, 'x'));
  }
  ClassifierSummary& summary = state->summary;
  summary.pairwise = fits_pairs(totals.size(), options_);
  state->scale = feature_scale(engine, facts, options_, refuse_column_of_rows);
  const std::vector<ClassPair> pairs = class_pairs(summary.pairwise ? totals.size() : 2);
  std::vector<std::int32_t> positive;
  if (totals.size() == 2 || summary.pairwise) {
    for (const ClassPair& pair : pairs) positive.push_back(static_cast<std::int32_t>(pair.second));
  } else {
    positive.resize(totals.size());
    for (std::size_t k = 0; k < positive.size(); ++k) positive[k] = static_cast<std::int32_t>(k);
  }

  const bool wanted = positive.size() > 1 && options_.multiclass == Multiclass::softmax;
  summary.softmax = wanted && no_softmax(options_).empty();
  ProgressMonitor monitor(options_.stop, options_.on_progress);
  std::optional<RecordedEngine> recorded;
  Recall recall;
  if (log != nullptr) {
    recorded.emplace(engine, *log);
    recall = [log](std::string_view question, const auto& work) { return log->recall(question, work); };
  }
  ClassifierFit result =
      fit_classes({recorded ? *recorded : engine, state->scale.about(facts.origin), positive, facts.parts,
                   facts.cross_fit, summary.softmax, summary.pairwise, recall},
                  options_, state->base, monitor);
  EmResult& fit = result.em;
  check_finite(fit, engine, facts, state->feature_names);

  summary.l2 = result.l2;
  summary.l2_chosen = !options_.l2;
  summary.v = result.v;
  summary.v_shared = result.v_shared;
  summary.v_chosen =
      options_.prior == LinkPrior::offset && !options_.v && !(summary.softmax && options_.v_shared);
  summary.cross_fitted = facts.cross_fit;
  if (result.v_by_evidence && result.v_tried.size() > 1) {
    const auto log_joint = [&](std::size_t i) { return -result.v_tried[i].second * result.weight; };
    summary.log_bayes_factor =
        log_sum(result.v_tried.size() - 1, [&](std::size_t i) { return log_joint(i + 1); }).value() -
        log_joint(0);
  }
  summary.l2_tried = result.l2_tried;
  summary.v_tried = result.v_tried;
  summary.rows = facts.rows;
  summary.columns = engine.shape().columns;
  summary.converged = fit.converged() && !result.interrupted;
  summary.stop = stop_reason(fit, result.interrupted);
  for (std::size_t i = 0; i < fit.trace.size(); ++i) summary.trace.push_back(public_step(fit.trace[i], i));
  for (std::size_t k = 0; k < positive.size(); ++k) {
    const auto label = static_cast<std::size_t>(positive[k]);
    const ScoreRange& range = fit.ranges[k];
    const LinkFacts& link = fit.links[k].facts();
    std::string name = facts.class_names[label];
    if (summary.pairwise) name += " against " + facts.class_names[pairs[k].first];
    summary.classes.push_back({std::move(name), totals[label], link.log_evidence, link.smallest_eigenvalue,
                               link.slope, range.lower, range.upper,
                               std::string(to_string(fit.solves[k].stop)), fit.solves[k].gradient_ratio});
  }
  summary.warnings = row_warnings(facts, options_);
  for (std::string& warning : solver_warnings(summary, result.separated))
    summary.warnings.push_back(std::move(warning));
  for (std::string& warning : search_warnings(fit, result.interrupted))
    summary.warnings.push_back(std::move(warning));
  if (wanted && !summary.softmax)
    summary.warnings.push_back("each class is fitted against the rest: a softmax does not take " +
                               no_softmax(options_));
  state->beta = std::move(fit.beta);
  state->links = std::move(fit.links);
  if (summary.softmax) {
    state->joint =
        fit.precision && !result.interrupted && joint_posterior(*fit.precision, state->links, summary);
  } else if (const auto hyper = link_hyper(*state)) {
    last_posteriors(LinkFamily(*hyper), options_, monitor, recall, state->links, summary);
  }
  if (positive.size() == 1 && !result.interrupted)
    posterior_of_weights(result, recorded ? *recorded : engine, state->scale.about(facts.origin), positive[0],
                         *state);
  state->set_maps();
  return FittedLinkgisticClassifier(state);
}

}  // namespace linkgistic
