#include "model/classifier_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t parts_of_rows = 5;

// (N): the part that a row is held out in.
std::vector<std::size_t> stratified_parts(std::span<const std::int32_t> labels, std::uint64_t seed) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(seed, 0x5b17);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::map<std::int32_t, std::size_t> next;
  std::vector<std::size_t> part(labels.size());
  for (const std::size_t n : order) part[n] = next[labels[n]]++ % parts_of_rows;
  return part;
}

// Whether the sum of a is below that of b by more than its standard error, the rows' differences taken as
// independent.
bool surely_less(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  double square = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    sum += b[n] - a[n];
    square += (b[n] - a[n]) * (b[n] - a[n]);
  }
  return sum > 0 && sum * sum > square;
}

}  // namespace

CrossValidation::CrossValidation(const LabelledView& data, std::vector<std::int32_t> positive,
                                 const EmOptions& options, bool every_row)
    : data_(data), positive_(std::move(positive)), options_(options), many_(data.rows() > few_rows) {
  const std::vector<std::size_t> part = stratified_parts(data.labels, options.seed);
  parts_.resize(many_ && !every_row ? 1 : parts_of_rows);
  EmOptions part_options = options;
  if (!many_) part_options.threads = 1;
  // Differences of held-out losses need no more digits.
  part_options.gradient_tolerance = std::max(options.gradient_tolerance, 1e-3);
  part_options.em_iterations = std::min(options.em_iterations, 4);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& p = parts_[i];
    p.weights.resize(data.rows());
    for (std::size_t n = 0; n < data.rows(); ++n) {
      const float w = data.weights.empty() ? 1.0F : data.weights[n];
      p.weights[n] = part[n] == i ? 0.0F : w;
      if (part[n] == i && w > 0) p.held_out.push_back(n);
    }
  }
  parallel_for(parts_.size(), many_ ? 1 : options.threads, [&](std::size_t i) {
    LabelledView view = data_;
    view.weights = parts_[i].weights;
    parts_[i].em = std::make_unique<LinkgisticEm>(view, positive_, part_options);
  });
}

// (N): weighted loss of each held-out row, summed over classes; 0 of rows that are in no part.
template <class Fit>
std::vector<double> CrossValidation::held_out_losses(const Fit& fit) {
  std::vector<double> losses(data_.rows());
  parallel_for(parts_.size(), many_ ? 1 : options_.threads, [&](std::size_t i) {
    Part& p = parts_[i];
    const EmResult result = fit(p);
    for (std::size_t k = 0; k < positive_.size(); ++k) {
      std::vector<double> m;
      for (const std::size_t n : p.held_out)
        m.push_back(static_cast<double>(result.margins[k * data_.rows() + n]));
      const std::vector<double> nu = result.links[k].at(m, 1).nu;
      for (std::size_t j = 0; j < m.size(); ++j) {
        const std::size_t n = p.held_out[j];
        const double w = data_.weights.empty() ? 1.0 : static_cast<double>(data_.weights[n]);
        losses[n] += w * softplus(data_.labels[n] == positive_[k] ? -nu[j] : nu[j]);
      }
    }
  });
  return losses;
}

double CrossValidation::mean(const std::vector<double>& losses) const {
  double weight = 0;
  for (const Part& p : parts_) {
    for (const std::size_t n : p.held_out)
      weight += data_.weights.empty() ? 1.0 : static_cast<double>(data_.weights[n]);
  }
  return std::accumulate(losses.begin(), losses.end(), 0.0) /
         (weight * static_cast<double>(positive_.size()));
}

double CrossValidation::choose_l2() {
  // Half decades from strong to weak; two steps without gain end the path.
  double best = 0;
  std::size_t since = 0;
  for (int i = 6; i >= -6 && since < 2 && !stopped(); --i) {
    const double l2 = std::pow(10.0, i / 2.0);
    const std::vector<double> losses = held_out_losses([&](Part& p) {
      p.logistic = p.em->logistic(l2, p.logistic.beta);
      return p.logistic;
    });
    const double loss = mean(losses);
    const bool better = l2_tried_.empty() || loss < best;
    if (better) best = loss;
    since = better ? 0 : since + 1;
    l2_tried_.emplace_back(l2, loss);
  }
  if (l2_tried_.empty()) return 1;
  return std::min_element(l2_tried_.begin(), l2_tried_.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

double CrossValidation::choose_v(double l2, const LinkHyper& hyper) {
  const std::vector<double> identity = held_out_losses([&](Part& p) {
    p.logistic = p.em->logistic(l2, p.logistic.beta);
    return p.logistic;
  });
  v_tried_ = {{0.0, mean(identity)}};
  double best = 0;
  double best_loss = v_tried_[0].second;
  for (const double v : {0.01, 0.05, 0.2, 0.6}) {
    if (stopped()) break;
    LinkHyper trial = hyper;
    trial.v = v;
    const LinkFamily family(trial);
    const std::vector<double> losses =
        held_out_losses([&](Part& p) { return p.em->run(p.logistic, family, l2); });
    const double loss = mean(losses);
    v_tried_.emplace_back(v, loss);
    if (loss < best_loss && surely_less(losses, identity)) {
      best_loss = loss;
      best = v;
    }
  }
  return best;
}

EmResult CrossValidation::cross_fit(LinkgisticEm& em, const EmResult& logistic, const LinkFamily& family,
                                    double l2, const std::function<void(const EmResult&)>& on_step) {
  parallel_for(parts_.size(), many_ ? 1 : options_.threads, [&](std::size_t i) {
    parts_[i].logistic = parts_[i].em->logistic(l2, parts_[i].logistic.beta);
  });
  std::vector<EmResult> parts;
  for (const Part& p : parts_) parts.push_back(p.logistic);
  const std::size_t rows = data_.rows();
  const auto link = [&](EmResult& state) {
    std::vector<float> margins = state.margins;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const std::size_t n : parts_[i].held_out) {
        for (std::size_t k = 0; k < positive_.size(); ++k)
          margins[k * rows + n] = parts[i].margins[k * rows + n];
      }
    }
    em.e_step(family, margins, std::vector<double>(positive_.size()), state);
    for (EmResult& part : parts) {
      part.links = state.links;
      move_to_unit_slope(part);
    }
    move_to_unit_slope(state);
  };
  const auto solve = [&](int step, EmResult& state) {
    em.m_step(l2, step, state);
    parallel_for(parts.size(), many_ ? 1 : options_.threads,
                 [&](std::size_t i) { parts_[i].em->m_step(l2, step, parts[i]); });
    for (const EmResult& part : parts) state.interrupted = state.interrupted || part.interrupted;
  };
  return iterate(logistic, options_, link, solve, on_step);
}

std::pair<double, EmResult> CrossValidation::cross_fit_v(LinkgisticEm& em, const EmResult& logistic,
                                                         LinkHyper hyper, double l2) {
  const std::vector<double> identity = held_out_losses([&](Part& p) {
    p.logistic = p.em->logistic(l2, p.logistic.beta);
    return p.logistic;
  });
  const double unit = std::accumulate(identity.begin(), identity.end(), 0.0) / mean(identity);
  // The first stands for 0, with the same free intercept nu0 as the others. log v ~ N(log .05, 2^2) a priori.
  std::pair<double, EmResult> best{0.0, logistic};
  double most = 0;
  for (const double v : {1e-4, 0.01, 0.05, 0.2, 0.6}) {
    if (stopped()) break;
    hyper.v = v;
    EmResult fit = cross_fit(em, logistic, LinkFamily(hyper), l2);
    double objective = fit.trace.front().objective;
    for (const EmRecord& r : fit.trace) objective = std::max(objective, r.objective);
    objective -= std::pow(std::log(v / 0.05) / 2, 2) / 2;
    const bool first = v_tried_.empty();
    v_tried_.emplace_back(first ? 0.0 : v, -objective / unit);
    if (first) {
      most = objective;
    } else if (objective > most) {
      most = objective;
      best = {v, std::move(fit)};
    }
  }
  return best;
}

}  // namespace linkgistic
