// The E-step of a softmax, whose links are found together.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "classification/em.hpp"
#include "numeric/parallel.hpp"
#include "solver/scaled_rows.hpp"

namespace linkgistic {
namespace {

LinkHyper bent(LinkHyper hyper, LinkBend bend) {
  hyper.v = bend.own;
  hyper.shared = bend.shared;
  return hyper;
}

// How near the mode an E-step comes, of an EM that ends when its objective changes by the share `em`. At the
// default a step could still gain a ten-millionth of the objective: of 60,000 rows about 1e-3, and the links
// are within a twentieth of a posterior standard deviation of their mode.
double mode_tolerance(double em) { return std::clamp(1e-3 * em, 1e-10, 1e-7); }

// One table a class, in all sets.
void set_tables(ScoreRequest& request, std::vector<std::shared_ptr<const LossTable>> tables) {
  for (std::size_t p = 0; p < request.problems.size(); ++p)
    request.problems[p].table = static_cast<std::int32_t>(p % tables.size());
  request.tables = std::move(tables);
}

}  // namespace

std::vector<WeightedRows> LinkgisticEm::sums_at(CellsRequest& request,
                                                std::vector<std::shared_ptr<const LossTable>> tables,
                                                double& loss) const {
  set_tables(request.of.scores, std::move(tables));
  const CellsAnswer answer = engine_.ask(request);
  loss = answer.loss;
  std::vector<WeightedRows> points(classes());
  parallel_for(classes(), options_.threads,
               [&](std::size_t k) { points[k] = weighted_rows(answer, request, k); });
  return points;
}

// The frame of the scores, with the rows' shares under the links that they have; the request gets its ranges.
LinkFrame LinkgisticEm::softmax_frame(const SoftmaxLinks& links, CellsRequest& request,
                                      const EmResult& state) const {
  std::vector<std::shared_ptr<const LossTable>> tables;
  for (const ClassLink& link : state.links) tables.push_back(table_of(link));
  std::vector<ScoreRange> ranges;
  for (std::size_t k = 0; k < classes(); ++k)
    ranges.push_back({request.range.lower[k], request.range.upper[k]});
  double loss = 0;
  LinkFrame frame = links.frame(ranges, sums_at(request, std::move(tables), loss));
  if (is_flat(frame.ranges[0])) return frame;
  for (std::size_t k = 0; k < classes(); ++k) {
    request.range.lower[k] = frame.ranges[k].lower;
    request.range.upper[k] = frame.ranges[k].upper;
  }
  return frame;
}

void LinkgisticEm::softmax_e_step(const LinkFamily& family, CellsRequest request,
                                  std::span<const double> ridge, EmResult& state) const {
  EmRecord& record = state.trace.back();
  LinkHyper hyper = family.options();
  if (state.bend) {
    state.bend->used = state.bend->next;
    hyper = bent(hyper, state.bend->used);
  }
  const SoftmaxLinks links(hyper);
  state.frame = std::make_shared<const LinkFrame>(softmax_frame(links, request, state));
  double loss = 0;
  if (is_flat(state.frame->ranges[0])) {
    state.links.assign(classes(), {});
    state.precision = nullptr;
    if (state.bend) state.bend->settled = true;
    (void)sums_at(request, {first_table_}, loss);
    record.objective = -loss;
  } else {
    const auto sums = [&](std::vector<std::shared_ptr<const LossTable>> tables, double& of_rows) {
      return sums_at(request, std::move(tables), of_rows);
    };
    SoftmaxLinkFit fit = links.fit(*state.frame, ridge, state.links, sums, mode_tolerance(options_.tolerance),
                                   options_.threads);
    state.links = fit.links;
    loss = fit.loss;
    LinkPrecision& precision = fit.precision;
    precision.rows = request.of;
    precision.joint = joint_hessian(engine_, precision, options_.threads);
    const BendEvidence evidence(precision, hyper);
    const LinkBend used{hyper.v, hyper.shared};
    // Away from a mode (the search for it may stall where a few rows are far out) the quadratic promises a
    // density that the links do not have, and more of it for other sizes.
    const double unreached = std::max(0.5, 1e-3 * std::abs(fit.objective));
    const BendEvidence::Parts parts = evidence.parts(used);
    record.objective = std::min(parts.density, fit.objective) + parts.volume;
    const bool at_mode = parts.density - fit.objective < unreached;
    constexpr std::size_t steps_before = 2;
    if (state.bend && at_mode && state.trace.size() > steps_before) {
      state.bend->next = evidence.better(used);
      state.bend->settled = state.bend->next == used;
    }
    state.precision = std::make_shared<const LinkPrecision>(std::move(precision));
  }
  std::vector<Selection> selections;
  for (std::size_t p = 0; p < request.of.scores.problems.size(); p += classes())
    selections.push_back(request.of.scores.problems[p].selection);
  const std::vector<double> weights = selection_weights(engine_, selections, engine_.shape().labels);
  record.mean_loss = loss / std::accumulate(weights.begin(), weights.end(), 0.0);
}

}  // namespace linkgistic
