#include "classification/choice.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "numeric/log_sum.hpp"

namespace linkgistic {
namespace {

// The most that one held-out row may lose: a part without a row of some class has scores of any size for it.
constexpr double most_loss = 30;
constexpr double v_choices[] = {0.01, 0.05, 0.2, 0.6};
// Differences of held-out losses need no more digits or steps than these.
constexpr double part_tolerance = 1e-3;
constexpr int part_iterations = 4;

// The posterior probability from which on a link is taken for straight. A bend that is not needed costs
// little, for its prior shrinks to the straight link; one that is missing costs much
// (benchmarks/study_link_choice.cpp).
constexpr double surely_straight = 0.9;

// Log prior probabilities of 0 and of the choices: a straight link is as probable as a bent one, and of bent
// ones log v ~ N(log .05, 2^2).
std::vector<double> v_prior() {
  std::vector<double> result{std::log(0.5)};
  for (const double v : v_choices) result.push_back(-std::pow(std::log(v / 0.05) / 2, 2) / 2);
  const auto bent = std::span(result).subspan(1);
  const double total = log_sum(bent.size(), [&](std::size_t i) { return bent[i]; }).value();
  for (double& p : bent) p += std::log(0.5) - total;
  return result;
}

EmResult interrupted_fit(EmResult fit) {
  fit.interrupted = true;
  return fit;
}

// Whether the sum of losses of set s is below that of the first by more than its standard error, the rows'
// differences taken as independent and a weight of 2 as the row twice.
bool surely_less(const HeldOutAnswer& held_out, std::size_t s) {
  const double gain = held_out.loss[0] - held_out.loss[s];
  return gain > 0 && gain * gain > held_out.squared_difference[s];
}

}  // namespace

CrossValidation::CrossValidation(LinkgisticEm& em, std::size_t parts, ProgressMonitor& monitor)
    : em_(em), parts_(parts), monitor_(monitor) {
  for (std::size_t i = 0; i < parts; ++i) {
    parts_[i].selection = {Selection::Rows::train, static_cast<std::int32_t>(i)};
    parts_[i].least_tolerance = part_tolerance;
  }
}

bool CrossValidation::cut_short() {
  interrupted_ = interrupted_ || monitor_.ask_stop();
  return interrupted_;
}

void CrossValidation::solve_parts(double l2) {
  std::vector<EmResult*> fits;
  for (EmResult& p : parts_) {
    p.l2 = l2;
    fits.push_back(&p);
  }
  em_.logistic(fits);
}

// The losses of candidates, every row under the part that holds it out.
HeldOutAnswer CrossValidation::held_out(std::span<const Fits* const> candidates) const {
  std::vector<LinkgisticEm::Scored> scored;
  HeldOutRequest request;
  std::vector<std::shared_ptr<const LossTable>> tables;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    for (const EmResult& fit : *candidates[c]) {
      scored.push_back({{Selection::Rows::held_out, fit.selection.part}, &fit.beta});
      const std::size_t sets = em_.options().softmax ? 1 : fit.links.size();
      request.candidate.insert(request.candidate.end(), sets, static_cast<std::uint32_t>(c));
      for (const ClassLink& link : fit.links) tables.push_back(em_.table_of(link));
    }
  }
  request.scores = em_.scores_of(scored);
  for (std::size_t p = 0; p < tables.size(); ++p) {
    auto& sent = request.scores.tables;
    auto place = std::find(sent.begin(), sent.end(), tables[p]);
    if (place == sent.end()) place = sent.insert(place, tables[p]);
    request.scores.problems[p].table = static_cast<std::int32_t>(place - sent.begin());
  }
  request.candidates = static_cast<std::uint32_t>(candidates.size());
  request.most_loss = most_loss;
  return em_.engine().ask(request);
}

// Logistic regressions with these ridges in the same passes, starting from the last one; false when they are
// stopped.
bool CrossValidation::tries_ridges(std::span<const double> l2) {
  std::vector<Fits> sets(l2.size(), parts_);
  std::vector<EmResult*> fits;
  for (std::size_t i = 0; i < l2.size(); ++i) {
    for (EmResult& p : sets[i]) {
      p.l2 = l2[i];
      fits.push_back(&p);
    }
  }
  em_.logistic(fits);
  parts_ = sets.back();
  if (monitor_.stopped()) return false;
  std::vector<const Fits*> views;
  for (const Fits& set : sets) views.push_back(&set);
  const HeldOutAnswer losses = held_out(views);
  for (std::size_t i = 0; i < l2.size(); ++i) l2_tried_.emplace_back(l2[i], losses.loss[i] / losses.weight);
  if (em_.options().softmax) std::move(sets.begin(), sets.end(), std::back_inserter(fits_tried_));
  return true;
}

// The best l2, or of a softmax the strongest that is not surely worse: at most a decade stronger.
double CrossValidation::chosen_l2() {
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto best = static_cast<std::size_t>(std::min_element(l2_tried_.begin(), l2_tried_.end(), less) -
                                             l2_tried_.begin());
  std::size_t chosen = best;
  constexpr std::size_t most_steps = 2;
  while (chosen > 0 && best - chosen < most_steps && best < fits_tried_.size()) {
    const Fits* const both[] = {&fits_tried_[chosen - 1], &fits_tried_[best]};
    if (surely_less(held_out(both), 1)) break;
    --chosen;
  }
  fits_tried_.clear();
  return l2_tried_[chosen].first;
}

double CrossValidation::choose_l2() {
  // Half decades from strong to weak; two steps without gain end the path. Where a pass is bound by memory,
  // some of them go together.
  constexpr int strongest = 6;
  constexpr int weakest = -6;
  const std::size_t together = std::max<std::size_t>(1, 4 / (parts_.size() * em_.classes()));
  monitor_.tell("l2", 0, strongest - weakest + 1, 0);
  for (int i = strongest; i >= weakest;) {
    if (cut_short()) break;
    std::vector<double> l2;
    for (; l2.size() < together && i >= weakest; --i) l2.push_back(std::pow(10.0, i / 2.0));
    if (!tries_ridges(l2)) {
      interrupted_ = true;
      break;
    }
    monitor_.tell("l2", l2_tried_.size(), strongest - weakest + 1, l2_tried_.back().second);
    // Values tried beyond the end of the path are discarded, as if they had been tried one after the other.
    for (std::size_t n = l2_tried_.size() - l2.size() + 1; n <= l2_tried_.size(); ++n) {
      const auto end = l2_tried_.begin() + static_cast<std::ptrdiff_t>(n);
      const auto least = std::min_element(l2_tried_.begin(), end,
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
      if (end - least <= 2) continue;
      l2_tried_.erase(end, l2_tried_.end());
      return chosen_l2();
    }
  }
  return l2_tried_.empty() ? 1 : chosen_l2();
}

double CrossValidation::choose_v(double l2, const LinkHyper& hyper, bool cross_fit) {
  double best = 0;
  double best_loss = 0;
  monitor_.tell("v", 0, std::size(v_choices) + 1, 0);
  solve_parts(l2);
  if (cut_short()) return best;
  const Fits* const identity = &parts_;
  const HeldOutAnswer logistic = held_out(std::span(&identity, 1));
  best_loss = logistic.loss[0] / logistic.weight;
  v_tried_ = {{0.0, best_loss}};
  monitor_.tell("v", v_tried_.size(), std::size(v_choices) + 1, best_loss);
  for (const double v : v_choices) {
    if (cut_short()) break;
    LinkHyper trial = hyper;
    trial.v = v;
    const Fits fits = bent_parts(trial, cross_fit);
    if (monitor_.stopped()) {
      interrupted_ = true;
      break;
    }
    const Fits* const both[] = {&parts_, &fits};
    const HeldOutAnswer losses = held_out(both);
    const double loss = losses.loss[1] / losses.weight;
    v_tried_.emplace_back(v, loss);
    if (loss < best_loss && surely_less(losses, 1)) {
      best_loss = loss;
      best = v;
    }
    monitor_.tell("v", v_tried_.size(), std::size(v_choices) + 1, loss);
  }
  return best;
}

// The parts under links that know nothing of the rows they hold out.
CrossValidation::Fits CrossValidation::bent_parts(const LinkHyper& hyper, bool cross_fit) {
  const LinkFamily family(hyper);
  if (!cross_fit) return em_.run(parts_, family, std::min(em_.options().em_iterations, part_iterations));
  Fits fits = parts_;
  std::vector<EmResult*> states;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    std::vector<LinkgisticEm::Scored> others;
    for (std::size_t j = 0; j < parts_.size(); ++j)
      if (j != i || parts_.size() == 1)
        others.push_back({{Selection::Rows::held_out, parts_[j].selection.part}, &parts_[j].beta});
    em_.e_step(family, others, {}, std::vector<double>(em_.classes()), fits[i]);
    move_to_unit_slope(fits[i]);
    states.push_back(&fits[i]);
  }
  em_.m_step(1, states);
  return fits;
}

EmResult CrossValidation::cross_fit(const EmResult& logistic, const LinkFamily& family,
                                    const std::function<void(const EmResult&)>& on_step) {
  solve_parts(logistic.l2);
  if (cut_short()) return interrupted_fit(logistic);
  Fits parts = parts_;
  const auto link_once = [&](EmResult& state) {
    std::vector<LinkgisticEm::Scored> scored = {{{Selection::Rows::unheld, 0}, &state.beta}};
    for (const EmResult& part : parts)
      scored.push_back({{Selection::Rows::held_out, part.selection.part}, &part.beta});
    em_.e_step(family, scored, {}, std::vector<double>(em_.classes()), state);
    for (EmResult& part : parts) {
      part.links = state.links;
      move_to_unit_slope(part);
    }
    move_to_unit_slope(state);
  };
  // Without a ridge the scores may have any length, but the prior expects links of slope near 1.
  const auto link = [&](EmResult& state) {
    for (int i = 0; i < (logistic.l2 > 0 ? 1 : 4); ++i) link_once(state);
  };
  const auto solve = [&](int step, std::span<EmResult* const> states) {
    std::vector<EmResult*> all(states.begin(), states.end());
    for (EmResult& part : parts) all.push_back(&part);
    em_.m_step(step, all);
  };
  return iterate({logistic}, em_.options(), link, solve, on_step).front();
}

std::pair<double, EmResult> CrossValidation::cross_fit_v(const EmResult& logistic, LinkHyper hyper) {
  // It stands for 0, with the same free intercept nu0 as the others.
  constexpr double stands_for_zero = 1e-4;
  std::pair<double, EmResult> best{0.0, logistic};
  monitor_.tell("v", 0, std::size(v_choices) + 1, 0);
  solve_parts(logistic.l2);
  if (cut_short()) return best;
  const Fits* const identity = &parts_;
  const double unit = held_out(std::span(&identity, 1)).weight;
  const std::vector<double> prior = v_prior();
  double straight = 0;
  std::vector<double> bent;  // log joint probabilities
  while (v_tried_.size() <= std::size(v_choices) && !cut_short()) {
    const std::size_t i = v_tried_.size();
    hyper.v = i == 0 ? stands_for_zero : v_choices[i - 1];
    EmResult fit = cross_fit(logistic, LinkFamily(hyper));
    double joint = fit.trace.front().objective;
    for (const EmRecord& r : fit.trace) joint = std::max(joint, r.objective);
    joint += prior[i];
    v_tried_.emplace_back(i == 0 ? 0.0 : hyper.v, -joint / unit);
    interrupted_ = interrupted_ || fit.interrupted;
    if (i == 0) {
      straight = joint;
    } else {
      if (bent.empty() || joint > *std::max_element(bent.begin(), bent.end()))
        best = {hyper.v, std::move(fit)};
      bent.push_back(joint);
    }
    monitor_.tell("v", v_tried_.size(), std::size(v_choices) + 1, v_tried_.back().second);
  }
  const double all_bent = log_sum(bent.size(), [&](std::size_t i) { return bent[i]; }).value();
  if (bent.empty() || straight - all_bent > std::log(surely_straight / (1 - surely_straight)))
    best = {0.0, logistic};
  return best;
}

}  // namespace linkgistic
