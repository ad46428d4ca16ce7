// The learned loss of many classes and its file, kind "learned class loss" (docs/model_file.md).
#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/learned_class_loss.hpp>

#include "classification/file.hpp"
#include "classification/learned_loss_state.hpp"
#include "classification/source_file.hpp"
#include "model_file/model_file.hpp"
#include "numeric/log_sum.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* learned_class_loss_kind = "learned class loss";

// The classes of one row: links and what follows from them.
class RowClasses {
 public:
  explicit RowClasses(const LearnedClassLossState& state) : state_(state), nu_(state.sources.size()) {}

  void set(std::span<const double> scores) {
    for (std::size_t k = 0; k < nu_.size(); ++k) nu_[k] = state_.sources[k].at(scores[k]);
    total_ = log_sum(nu_.size(), [&](std::size_t k) { return nu_[k].value; }).value();
  }
  [[nodiscard]] double log_p(std::size_t k) const { return nu_[k].value - total_; }
  [[nodiscard]] double p(std::size_t k) const { return std::exp(log_p(k)); }
  [[nodiscard]] const Source::Values& nu(std::size_t k) const { return nu_[k]; }

 private:
  const LearnedClassLossState& state_;
  std::vector<Source::Values> nu_;
  double total_ = 0;
};

// The number of rows that scores fill.
std::size_t rows_of(std::span<const double> scores, std::size_t classes) {
  if (scores.size() % classes != 0)
    throw InputError("learned loss: " + std::to_string(scores.size()) + " scores are not rows of " +
                     std::to_string(classes));
  return scores.size() / classes;
}

// f(classes of the row, k) for all rows and classes.
template <class F>
std::vector<double> each_class(const LearnedClassLossState& state, std::span<const double> scores, F&& f) {
  const std::size_t classes = state.sources.size();
  const std::size_t rows = rows_of(scores, classes);
  RowClasses row(state);
  std::vector<double> result;
  result.reserve(scores.size());
  for (std::size_t n = 0; n < rows; ++n) {
    row.set(scores.subspan(n * classes, classes));
    for (std::size_t k = 0; k < classes; ++k) result.push_back(f(row, k));
  }
  return result;
}

}  // namespace

LearnedClassLoss make_learned_class_loss(std::vector<std::string> class_names,
                                         std::vector<TrigCoefficients> sources) {
  if (sources.size() < 2 || sources.size() != class_names.size())
    throw InputError("a loss of classes needs two or more, and a source for each");
  auto state = std::make_shared<LearnedClassLossState>();
  state->class_names = std::move(class_names);
  for (TrigCoefficients& c : sources) state->sources.emplace_back(std::move(c));
  return LearnedClassLoss(std::move(state));
}

LearnedClassLoss::LearnedClassLoss(std::shared_ptr<const LearnedClassLossState> state)
    : state_(std::move(state)) {}

LearnedClassLoss LearnedClassLoss::canonical(std::vector<std::string> class_names) {
  if (class_names.size() < 2) throw UsageError("class_names: there must be two or more");
  const std::size_t classes = class_names.size();
  return make_learned_class_loss(std::move(class_names), std::vector<TrigCoefficients>(classes));
}

void LearnedClassLoss::at(std::span<const std::int32_t> labels, std::span<const double> scores,
                          std::span<double> value, std::span<double> gradient,
                          std::span<double> hessian) const {
  const std::size_t classes = state_->sources.size();
  const std::size_t rows = rows_of(scores, classes);
  const auto fits = [](std::size_t size, std::size_t wanted) { return size == 0 || size == wanted; };
  if (labels.size() != rows || !fits(value.size(), rows) || !fits(gradient.size(), scores.size()) ||
      !fits(hessian.size(), scores.size() * classes))
    throw InputError("learned loss: labels, scores and results differ in length");
  RowClasses row(*state_);
  for (std::size_t n = 0; n < rows; ++n) {
    const auto y = static_cast<std::size_t>(labels[n]);
    if (labels[n] < 0 || y >= classes)
      throw InputError("learned loss: the label of row " + std::to_string(n + 1) + " is " +
                       std::to_string(labels[n]) + ", and there are classes 0 to " +
                       std::to_string(classes - 1));
    row.set(scores.subspan(n * classes, classes));
    if (!value.empty()) value[n] = -row.log_p(y);
    for (std::size_t k = 0; k < classes; ++k) {
      const Source::Values& nu = row.nu(k);
      const double residual = row.p(k) - (k == y ? 1 : 0);
      if (!gradient.empty()) gradient[n * classes + k] = residual * nu.first;
      for (std::size_t l = 0; l < classes && !hessian.empty(); ++l)
        hessian[(n * classes + k) * classes + l] =
            (k == l ? row.p(k) * (1 - row.p(k)) : -row.p(k) * row.p(l)) * nu.first * row.nu(l).first +
            (k == l ? residual * nu.second : 0);
    }
  }
}

std::vector<double> LearnedClassLoss::information(std::span<const double> scores) const {
  return each_class(*state_, scores, [](const RowClasses& row, std::size_t k) {
    const double slope = row.nu(k).first;
    return row.p(k) * (1 - row.p(k)) * slope * slope;
  });
}

std::vector<double> LearnedClassLoss::probability(std::span<const double> scores) const {
  return each_class(*state_, scores, [](const RowClasses& row, std::size_t k) { return row.p(k); });
}

std::vector<double> LearnedClassLoss::log_probability(std::span<const double> scores) const {
  return each_class(*state_, scores, [](const RowClasses& row, std::size_t k) { return row.log_p(k); });
}

std::vector<double> LearnedClassLoss::link(std::span<const double> probability) const {
  const std::size_t classes = state_->sources.size();
  const std::size_t rows = rows_of(probability, classes);
  std::vector<double> scores;
  scores.reserve(probability.size());
  for (std::size_t n = 0; n < rows; ++n) {
    const auto p = probability.subspan(n * classes, classes);
    double mean = 0;
    for (const double one : p) {
      if (!(one > 0 && one < 1))
        throw UsageError("link: the probability " + shortest(one) + " of row " + std::to_string(n + 1) +
                         " must be between 0 and 1");
      mean += std::log(one) / static_cast<double>(classes);
    }
    for (std::size_t k = 0; k < classes; ++k)
      scores.push_back(invert_source(state_->sources[k], std::log(p[k]) - mean));
  }
  return scores;
}

LearnedLoss::SourceValues LearnedClassLoss::source(std::size_t label, double score) const {
  const Source::Values v = state_->sources.at(label).at(score);
  return {v.value, v.first, v.second};
}

const std::vector<std::string>& LearnedClassLoss::class_names() const { return state_->class_names; }

double LearnedClassLoss::score_lower(std::size_t label) const {
  const TrigCoefficients& c = state_->sources.at(label).coefficients();
  return c.middle - c.half;
}

double LearnedClassLoss::score_upper(std::size_t label) const {
  const TrigCoefficients& c = state_->sources.at(label).coefficients();
  return c.middle + c.half;
}

std::string LearnedClassLoss::to_json() const {
  json j = model_head(learned_class_loss_kind);
  j["class_names"] = state_->class_names;
  j["sources"] = json::array();
  for (const TrigCurve& source : state_->sources)
    j["sources"].push_back(source_to_json(source.coefficients()));
  return model_text(j);
}

LearnedClassLoss learned_class_loss_from(const ModelFile& file) {
  return read_model(file, learned_class_loss_kind, [](const json& j) {
    std::vector<TrigCoefficients> sources;
    for (const json& source : j.at("sources")) sources.push_back(source_from_json(source));
    return make_learned_class_loss(j.at("class_names").get<std::vector<std::string>>(), std::move(sources));
  });
}

LearnedClassLoss LearnedClassLoss::from_json(const std::string& text, const std::string& origin) {
  return learned_class_loss_from(parse_model(text, origin));
}

void LearnedClassLoss::save(const std::string& path) const { save_model(*this, path); }

LearnedClassLoss LearnedClassLoss::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic
