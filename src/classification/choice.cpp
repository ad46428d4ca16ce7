#include "classification/choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

// Of one held-out row: a part without a row of some class has scores of any size for it.
constexpr double most_loss = 30;
constexpr double v_choices[] = {0.01, 0.05, 0.2, 0.6};

EmResult interrupted_fit(EmResult fit) {
  fit.interrupted = true;
  return fit;
}

double weight_of(const LabelledView& data, std::size_t n) {
  return data.weights.empty() ? 1.0 : static_cast<double>(data.weights[n]);
}

// Whether the sum of weighted losses a is below that of b by more than its standard error, the rows'
// differences taken as independent and a weight of 2 as the row twice.
bool surely_less(const LabelledView& data, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  double square = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double w = weight_of(data, n);
    if (!(w > 0)) continue;
    sum += b[n] - a[n];
    square += (b[n] - a[n]) * (b[n] - a[n]) / w;
  }
  return sum > 0 && sum * sum > square;
}

}  // namespace

CrossValidation::CrossValidation(const LabelledView& data, std::vector<std::int32_t> positive,
                                 const EmOptions& options, const std::vector<RowPart>& parts,
                                 FitMonitor& monitor)
    : data_(data),
      positive_(std::move(positive)),
      options_(options),
      many_(data.rows() > few_rows),
      parts_(parts.size()),
      monitor_(monitor) {
  EmOptions part_options = options;
  if (!many_) part_options.threads = 1;
  // Differences of held-out losses need no more digits.
  part_options.gradient_tolerance = std::max(options.gradient_tolerance, 1e-3);
  part_options.em_iterations = std::min(options.em_iterations, 4);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& p = parts_[i];
    const bool others = parts[i].train.empty();
    p.weights.assign(data.rows(), others ? 1.0F : 0.0F);
    for (const std::size_t n : parts[i].train) p.weights[n] = 1;
    for (const std::size_t n : parts[i].held_out) {
      if (others) p.weights[n] = 0;
      if (weight_of(data, n) > 0) p.held_out.push_back(n);
    }
    for (std::size_t n = 0; n < data.weights.size(); ++n) p.weights[n] *= data.weights[n];
  }
  parallel_for(parts_.size(), many_ ? 1 : options.threads, [&](std::size_t i) {
    LabelledView view = data_;
    view.weights = parts_[i].weights;
    parts_[i].em = std::make_unique<LinkgisticEm>(view, positive_, part_options);
  });
  monitor_.checkpoint.watch(
      "parts", [this] { return parts_to_json(); }, [this](const json& j) { restore_parts(j); });
}

json CrossValidation::parts_to_json() const {
  json parts = json::array();
  for (const Part& p : parts_) {
    parts.push_back({{"logistic", em_to_json(p.logistic)}, {"solver", memory_to_json(p.em->memory())}});
  }
  return parts;
}

void CrossValidation::restore_parts(const json& j) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].logistic = em_from_json(j.at(i).at("logistic"), nullptr);
    parts_[i].em->restore(memory_from_json(j.at(i).at("solver")));
  }
}

bool CrossValidation::cut_short() {
  interrupted_ = interrupted_ || monitor_.ask_stop();
  return interrupted_;
}

void CrossValidation::solve_parts(double l2) {
  parallel_for(parts_.size(), many_ ? 1 : options_.threads, [&](std::size_t i) {
    parts_[i].logistic = parts_[i].em->logistic(l2, parts_[i].logistic.beta);
  });
}

// (N): weighted loss of each held-out row, summed over classes and parts; 0 of rows that are in no part.
template <class Fit>
std::vector<double> CrossValidation::held_out_losses(const Fit& fit) {
  std::vector<std::vector<double>> of_part(parts_.size());
  parallel_for(parts_.size(), many_ ? 1 : options_.threads, [&](std::size_t i) {
    Part& p = parts_[i];
    of_part[i].resize(p.held_out.size());
    const EmResult& result = fit(p);
    for (std::size_t k = 0; k < positive_.size(); ++k) {
      std::vector<double> m;
      for (const std::size_t n : p.held_out)
        m.push_back(static_cast<double>(result.margins[k * data_.rows() + n]));
      const std::vector<double> nu = result.links[k].at(m, 1).nu;
      for (std::size_t j = 0; j < m.size(); ++j) {
        const bool label = data_.labels[p.held_out[j]] == positive_[k];
        of_part[i][j] += std::min(options_.base->log_loss(label, nu[j]), most_loss);
      }
    }
  });
  std::vector<double> losses(data_.rows());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (std::size_t j = 0; j < of_part[i].size(); ++j) {
      const std::size_t n = parts_[i].held_out[j];
      losses[n] += weight_of(data_, n) * of_part[i][j];
    }
  }
  return losses;
}

double CrossValidation::mean(const std::vector<double>& losses) const {
  double weight = 0;
  for (const Part& p : parts_)
    for (const std::size_t n : p.held_out) weight += weight_of(data_, n);
  return std::accumulate(losses.begin(), losses.end(), 0.0) /
         (weight * static_cast<double>(positive_.size()));
}

double CrossValidation::choose_l2() {
  // Half decades from strong to weak; two steps without gain end the path.
  constexpr int strongest = 6;
  constexpr int weakest = -6;
  const auto best = [&] {
    return std::min_element(l2_tried_.begin(), l2_tried_.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  if (const json* found = monitor_.checkpoint.find("l2")) found->get_to(l2_tried_);
  for (int i = strongest - static_cast<int>(l2_tried_.size()); i >= weakest; --i) {
    if (!l2_tried_.empty() && l2_tried_.end() - best() > 2) break;
    if (cut_short()) break;
    const double l2 = std::pow(10.0, i / 2.0);
    solve_parts(l2);
    if (monitor_.stopped()) {
      interrupted_ = true;
      break;
    }
    l2_tried_.emplace_back(l2, mean(held_out_losses([](Part& p) -> const EmResult& { return p.logistic; })));
    monitor_.record("l2", [&] { return json(l2_tried_); });
    monitor_.tell("l2", l2_tried_.size(), strongest - weakest + 1, l2_tried_.back().second);
  }
  return l2_tried_.empty() ? 1 : best()->first;
}

double CrossValidation::choose_v(double l2, const LinkHyper& hyper) {
  double best = 0;
  double best_loss = 0;
  const auto record = [&] {
    monitor_.record("v", [&] { return json{{"tried", v_tried_}, {"best", best}, {"best_loss", best_loss}}; });
    monitor_.tell("v", v_tried_.size(), std::size(v_choices) + 1, v_tried_.back().second);
  };
  const json* found = monitor_.checkpoint.find("v");
  if (found == nullptr) solve_parts(l2);
  const std::vector<double> identity = held_out_losses([](Part& p) -> const EmResult& { return p.logistic; });
  if (found != nullptr) {
    found->at("tried").get_to(v_tried_);
    found->at("best").get_to(best);
    found->at("best_loss").get_to(best_loss);
  } else if (!cut_short()) {
    best_loss = mean(identity);
    v_tried_ = {{0.0, best_loss}};
    record();
  }
  while (v_tried_.size() <= std::size(v_choices) && !cut_short()) {
    const double v = v_choices[v_tried_.size() - 1];
    LinkHyper trial = hyper;
    trial.v = v;
    const LinkFamily family(trial);
    const std::vector<double> losses =
        held_out_losses([&](Part& p) { return p.em->run(p.logistic, family, l2); });
    if (monitor_.stopped()) {
      interrupted_ = true;
      break;
    }
    const double loss = mean(losses);
    v_tried_.emplace_back(v, loss);
    if (loss < best_loss && surely_less(data_, losses, identity)) {
      best_loss = loss;
      best = v;
    }
    record();
  }
  return best;
}

EmResult CrossValidation::cross_fit(LinkgisticEm& em, const EmResult& logistic, const LinkFamily& family,
                                    double l2, const std::function<void(const EmResult&)>& on_step) {
  EmResume resume;
  std::vector<EmResult> parts;
  if (const json* found = monitor_.checkpoint.find("em")) {
    resume.begin = loop_from_json(*found, &family);
    for (const json& part : found->at("parts")) parts.push_back(em_from_json(part, &family));
  } else {
    solve_parts(l2);
    if (cut_short()) return interrupted_fit(logistic);
    for (const Part& p : parts_) parts.push_back(p.logistic);
  }
  resume.save = [&](const EmLoop& loop) {
    monitor_.record("em", [&] {
      json j = loop_to_json(loop);
      for (const EmResult& part : parts) j["parts"].push_back(em_to_json(part));
      return j;
    });
  };
  const std::size_t rows = data_.rows();
  const auto link_once = [&](EmResult& state) {
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
  // Without a ridge the scores may have any length; the prior is of links whose slope is near 1.
  const auto link = [&](EmResult& state) {
    for (int i = 0; i < (l2 > 0 ? 1 : 4); ++i) link_once(state);
  };
  const auto solve = [&](int step, EmResult& state) {
    em.m_step(l2, step, state);
    parallel_for(parts.size(), many_ ? 1 : options_.threads,
                 [&](std::size_t i) { parts_[i].em->m_step(l2, step, parts[i]); });
    for (const EmResult& part : parts) state.interrupted = state.interrupted || part.interrupted;
  };
  return iterate(logistic, options_, link, solve, on_step, resume);
}

std::pair<double, EmResult> CrossValidation::cross_fit_v(LinkgisticEm& em, const EmResult& logistic,
                                                         LinkHyper hyper, double l2) {
  // The first stands for 0, with the same free intercept nu0 as the others. log v ~ N(log .05, 2^2) a priori.
  constexpr double stands_for_zero = 1e-4;
  std::pair<double, EmResult> best{0.0, logistic};
  double most = 0;
  double unit = 0;  // weight of the rows times classes
  const auto record = [&] {
    monitor_.record("v", [&] {
      return json{{"tried", v_tried_},
                  {"most", most},
                  {"unit", unit},
                  {"best", best.first},
                  {"fit", best.first > 0 ? em_to_json(best.second) : json(nullptr)}};
    });
  };
  const json* found = monitor_.checkpoint.find("v");
  if (found == nullptr) {
    solve_parts(l2);
    if (cut_short()) return best;
    const std::vector<double> identity =
        held_out_losses([](Part& p) -> const EmResult& { return p.logistic; });
    unit = std::accumulate(identity.begin(), identity.end(), 0.0) / mean(identity);
    record();
  } else {
    found->at("tried").get_to(v_tried_);
    found->at("most").get_to(most);
    found->at("unit").get_to(unit);
    const LinkFamily family(hyper);
    if (!found->at("fit").is_null()) {
      best = {found->at("best").get<double>(), em_from_json(found->at("fit"), &family)};
    }
  }
  while (v_tried_.size() <= std::size(v_choices) && !cut_short()) {
    const bool first = v_tried_.empty();
    hyper.v = first ? stands_for_zero : v_choices[v_tried_.size() - 1];
    EmResult fit = cross_fit(em, logistic, LinkFamily(hyper), l2);
    double objective = fit.trace.front().objective;
    for (const EmRecord& r : fit.trace) objective = std::max(objective, r.objective);
    objective -= std::pow(std::log(hyper.v / 0.05) / 2, 2) / 2;
    v_tried_.emplace_back(first ? 0.0 : hyper.v, -objective / unit);
    interrupted_ = interrupted_ || fit.interrupted;
    if (first || objective > most) {
      most = objective;
      if (!first) best = {hyper.v, std::move(fit)};
    }
    monitor_.checkpoint.erase("em");
    record();
    monitor_.tell("v", v_tried_.size(), std::size(v_choices) + 1, v_tried_.back().second);
  }
  return best;
}

}  // namespace linkgistic
