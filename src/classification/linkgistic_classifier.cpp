#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <sstream>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/version.hpp>

#include "classification/data.hpp"
#include "classification/fingerprint.hpp"
#include "classification/fit.hpp"
#include "classification/fitted.hpp"
#include "classification/options.hpp"
#include "engine/cpu/instruction_set.hpp"
#include "engine/decorated_engine.hpp"
#include "engine/local_engine.hpp"
#include "inference/posterior_quality.hpp"
#include "model_file/fields_json.hpp"
#include "numeric/parallel.hpp"
#include "numeric/split_threads.hpp"
#include "numeric/stopwatch.hpp"
#include "response/proper_loss_response.hpp"
#include "table/labels.hpp"
#include "text/message.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

std::string text_of(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

void check_part(const RowPart& part, std::size_t i, std::size_t rows) {
  const std::string name = "part " + std::to_string(i + 1) + " of the cross-validation";
  if (part.held_out.empty()) throw InputError(name + " holds no row out");
  for (const auto* which : {&part.train, &part.held_out}) {
    for (const std::size_t n : *which) {
      if (n >= rows)
        throw InputError(name + " has row " + std::to_string(n) + ", and they are 0 to " +
                         std::to_string(rows - 1));
    }
  }
}

void check_data(const ClassificationData& data, const LinkgisticOptions& options) {
  const std::size_t rows = data.rows.rows();
  const auto count = [&](const char* what, std::size_t n, std::size_t expected, const char* of) {
    if (n != expected) {
      throw InputError(std::to_string(n) + " " + what + " for " + std::to_string(expected) + " " + of);
    }
  };
  if (rows == 0) throw InputError("there are no rows");
  if (data.rows.columns() == 0) throw InputError("there are no features");
  count("labels", data.labels.size(), rows, "rows");
  if (!data.weights.empty()) count("weights", data.weights.size(), rows, "rows");
  if (!data.feature_names.empty())
    count("feature names", data.feature_names.size(), data.rows.columns(), "columns");
  if (!data.encoding.columns.empty())
    count("encoded features", data.encoding.width(), data.rows.columns(), "columns");
  for (std::size_t i = 0; i < data.parts.size(); ++i) check_part(data.parts[i], i, rows);
  for (std::size_t n = 0; n < rows; ++n) {
    if (data.labels[n] < 0 || static_cast<std::size_t>(data.labels[n]) >= data.class_names.size()) {
      throw InputError("the label of row " + std::to_string(n + 1) + " is class number " +
                       std::to_string(data.labels[n]) + " of " + std::to_string(data.class_names.size()));
    }
    if (!data.weights.empty() && !(data.weights[n] >= 0 && std::isfinite(data.weights[n]))) {
      throw InputError("the weight of row " + std::to_string(n + 1) + " is " + text_of(data.weights[n]) +
                       ": it must be finite and not negative");
    }
  }
  for (const auto& entry : options.class_weights) {
    if (std::find(data.class_names.begin(), data.class_names.end(), entry.first) == data.class_names.end()) {
      throw InputError("class_weights: there is no class '" + entry.first + "'");
    }
  }
}

// (C): the weight of each class's rows. Throws an InputError unless there are two classes and all have
// weight.
std::vector<double> class_totals(const ClassificationData& data, std::span<const float> weights) {
  std::vector<double> totals(data.class_names.size());
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    totals[static_cast<std::size_t>(data.labels[n])] +=
        weights.empty() ? 1.0 : static_cast<double>(weights[n]);
  }
  std::string present;
  std::size_t n_present = 0;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!(totals[k] > 0)) continue;
    present = data.class_names[k];
    ++n_present;
  }
  if (n_present < 2) {
    throw InputError(n_present == 0
                         ? "no row has a positive weight"
                         : "every row is of class '" + present + "': there must be at least two classes");
  }
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!(totals[k] > 0)) throw InputError("class '" + data.class_names[k] + "' has no rows");
  }
  return totals;
}

std::vector<float> row_weights(const ClassificationData& data, const LinkgisticOptions& options) {
  std::vector<double> factor(data.class_names.size(), 1.0);
  std::vector<float> weights(data.weights.begin(), data.weights.end());
  if (options.balanced) {
    const std::vector<double> totals = class_totals(data, weights);
    double total = 0;
    for (const double t : totals) total += t;
    for (std::size_t k = 0; k < factor.size(); ++k) {
      factor[k] = total / (static_cast<double>(factor.size()) * totals[k]);
    }
  }
  for (std::size_t k = 0; k < factor.size(); ++k) {
    const auto it = options.class_weights.find(data.class_names[k]);
    if (it != options.class_weights.end()) factor[k] = it->second;
  }
  if (std::all_of(factor.begin(), factor.end(), [](double f) { return f == 1; })) return weights;
  if (weights.empty()) weights.assign(data.labels.size(), 1.0F);
  for (std::size_t n = 0; n < weights.size(); ++n) {
    weights[n] *= static_cast<float>(factor[static_cast<std::size_t>(data.labels[n])]);
  }
  return weights;
}

// Values in the caller's memory may be anything and are checked.
[[noreturn]] void refuse_column(const RowMatrix& matrix, std::size_t column) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const double value = matrix.at(i, column);
    if (std::isfinite(value)) continue;
    throw InputError("row " + std::to_string(i + 1) + ", column " + std::to_string(column + 1) + ": " +
                     text_of(value) + " is not a finite number");
  }
  throw InputError("column " + std::to_string(column + 1) + ": its values are too large");
}

// The greatest byte: 255 of images, 1 of indicators; 1 where all are 0.
double greatest(const DenseRows<std::uint8_t>& rows) {
  std::uint8_t most = 1;
  for (std::size_t i = 0; i < rows.rows && most < 255; ++i) {
    const std::uint8_t* row = rows.row(i);
    for (std::size_t j = 0; j < rows.columns; ++j) most = std::max(most, row[j]);
  }
  return most;
}

ColumnScale feature_scale(const FeatureRows& rows, std::span<const float> weights,
                          const LinkgisticOptions& options) {
  const RowMatrix& matrix = rows.matrix();
  const auto* bytes = std::get_if<DenseRows<std::uint8_t>>(&matrix.storage());
  const bool on = options.standardize == Standardize::on ||
                  (options.standardize == Standardize::automatic && bytes == nullptr && !matrix.is_sparse());
  if (!on) return bytes != nullptr ? uniform_scale(matrix.columns(), 1.0 / greatest(*bytes)) : ColumnScale{};
  ColumnScale scale = standardizing_scale(matrix, weights, options.threads);
  for (std::size_t j = 0; j < matrix.columns(); ++j)
    if (!(std::isfinite(scale.shift_of(j)) && std::isfinite(scale.scale_of(j)))) refuse_column(matrix, j);
  for (std::size_t j = 0; j < rows.origin().size(); ++j) scale.shift[j] += rows.origin()[j];
  return scale;
}

// A log of answers belongs to one data set, options, version and instruction set.
std::unique_ptr<AnswerLog> open_log(const ClassificationData& data, std::span<const float> weights,
                                    const LinkgisticOptions& options) {
  if (options.checkpoint.empty()) return nullptr;
  const nlohmann::json head = {{"options", fields_to_json(options)},
                               {"data", fingerprint(data, weights)},
                               {"library", version},
                               {"instructions", instruction_set()}};
  const auto refuse = [&](const std::string& text) {
    const std::string advice = "; remove it to begin anew, or name another file";
    const auto other = nlohmann::json::parse(text, nullptr, false);
    const auto differs = [&](const char* name) {
      return !other.is_object() || other.value(name, nlohmann::json()) != head[name];
    };
    if (differs("library"))
      throw InputError(options.checkpoint + ": the checkpoint is of another version of the library" + advice);
    if (differs("instructions"))
      throw InputError(options.checkpoint + ": the checkpoint is of a machine with other instructions" +
                       advice);
    for (const auto& [name, value] : head["options"].items()) {
      const auto was = other["options"].value(name, nlohmann::json());
      if (was != value) {
        throw InputError(options.checkpoint + ": the checkpoint is of a fit with " + name + " = " +
                         was.dump() + ", and this one has " + value.dump() + advice);
      }
    }
    throw InputError(options.checkpoint + ": the checkpoint is of other data (rows, labels or weights)" +
                     advice);
  };
  const std::uint64_t most =
      std::max<std::uint64_t>(std::uint64_t{256} << 20, data.rows.matrix().bytes() / 10);
  return std::make_unique<AnswerLog>(options.checkpoint, head.dump(), refuse, most);
}

RowParts row_parts(const std::vector<RowPart>& parts, std::size_t rows) {
  RowParts result(parts.size(), rows);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool others = parts[p].train.empty();
    if (others)
      for (std::size_t n = 0; n < rows; ++n) result.set_train(n, p);
    for (const std::size_t n : parts[p].train) result.set_train(n, p);
    for (const std::size_t n : parts[p].held_out) {
      if (others) result.set_train(n, p, false);
      result.set_held_out(n, p);
    }
  }
  return result;
}

// The passes over the rows are in single precision; if they overflow, there is no model.
void check_finite(const EmResult& fit, const ClassificationData& data,
                  const std::vector<std::string>& feature_names, std::span<const float> weights,
                  int threads) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool good = std::all_of(fit.beta.begin(), fit.beta.end(), finite) &&
                    std::all_of(fit.solves.begin(), fit.solves.end(),
                                [&](const ClassFit& c) { return finite(c.gradient_ratio); }) &&
                    finite(fit.trace.back().objective);
  if (good) return;
  const ColumnMoments moments = column_moments(data.rows.matrix(), weights, threads);
  std::size_t largest = 0;
  const auto size = [&](std::size_t j) { return moments.mean[j] * moments.mean[j] + moments.variance[j]; };
  for (std::size_t j = 1; j < data.rows.columns(); ++j)
    if (size(j) > size(largest)) largest = j;
  throw InputError("column " + in_quotes(feature_names[largest]) + ": its values, of size " +
                   text_of(std::sqrt(size(largest))) +
                   ", are too large for the fit, which is in single precision: divide them by a power of 10");
}

// The posteriors that the model keeps, with the words for the worst of them. A fit that was stopped keeps
// those of its E-steps.
void last_posteriors(const LinkFamily& family, const LinkgisticOptions& options,
                     std::vector<ClassLink>& links, ClassifierSummary& summary) {
  const Stopwatch clock;
  std::vector<PosteriorQuality> quality(links.size());
  std::mutex one_at_a_time;
  try {
    std::vector<ClassLink> last(links.size());
    const ThreadSplit threads = split_threads(links.size() > 1, options.threads);
    parallel_for(links.size(), threads.outer, [&](std::size_t k) {
      SamplingOptions sampling = sampling_options(options.draws, options.seed + k, threads.inner);
      if (options.stop) {
        sampling.stop = [&] {
          const std::lock_guard lock(one_at_a_time);
          return options.stop();
        };
      }
      LinkPosterior found = family.last_posterior(links[k], options.inference, sampling);
      last[k] = std::move(found.link);
      quality[k] = std::move(found.quality);
    });
    links = std::move(last);
  } catch (const Interrupted&) {
    summary.warnings.push_back("stopped before the links were sampled: their bands are those of the E-steps");
  }
  std::size_t worst = 0;
  for (std::size_t k = 1; k < quality.size(); ++k)
    if (quality[k].trouble > quality[worst].trouble) worst = k;
  summary.posterior = quality[worst].words;
  if (links.size() > 1 && !summary.posterior.empty())
    summary.posterior += ", the worst of " + std::to_string(links.size()) + " links: class '" +
                         summary.classes[worst].name + "'";
  for (std::size_t k = 0; k < quality.size(); ++k)
    for (const std::string& warning : quality[k].warnings)
      summary.warnings.push_back("class '" + summary.classes[k].name + "': " + warning);
  summary.seconds_posterior = clock.seconds();
}

std::string stop_reason(const EmResult& fit, bool interrupted) {
  if (interrupted) return "interrupted";
  if (fit.links.front().is_identity() && fit.trace.size() == 1) {
    for (const ClassFit& c : fit.solves) {
      if (c.stop != SolverStop::converged) return std::string(to_string(c.stop));
    }
  }
  return fit.converged ? "converged" : "iteration limit";
}

std::vector<std::string> solver_warnings(const ClassifierSummary& summary,
                                         const std::vector<std::size_t>& separated) {
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < summary.classes.size(); ++k) {
    const ClassSummary& c = summary.classes[k];
    const bool has_no_end = std::find(separated.begin(), separated.end(), k) != separated.end();
    if (c.solver_stop == to_string(SolverStop::pass_limit) && !has_no_end)
      warnings.push_back("class '" + c.name + "': its coefficients have not converged");
  }
  if (separated.empty()) return warnings;
  std::string names;
  for (const std::size_t k : separated)
    names += (names.empty() ? "'" : ", '") + summary.classes[k].name + "'";
  warnings.push_back((separated.size() == 1 ? "class " : "classes ") + names +
                     ": a plane separates the rows, so that without l2 the best coefficients are infinite; "
                     "they end where the mean training loss is 0.001: choose an l2");
  return warnings;
}

}  // namespace

std::optional<LinkHyper> link_hyper(const LinkgisticOptions& options, double v,
                                    const std::shared_ptr<const BaseLoss>& base) {
  if (options.prior == LinkPrior::none || (options.prior == LinkPrior::offset && !(v > 0)))
    return std::nullopt;
  LinkHyper hyper;
  hyper.kind = options.prior == LinkPrior::isgp ? PriorKind::isgp
               : options.prior == LinkPrior::gp ? PriorKind::gp
                                                : PriorKind::offset;
  hyper.harmonics = options.harmonics;
  hyper.learn = options.learn_hyper;
  hyper.v = v;
  hyper.base = base;
  const bool bounded = base->response()->has_bound();
  hyper.inference =
      options.inference != Inference::laplace && bounded ? Inference::variational : Inference::laplace;
  return hyper;
}

EncodedLabels encode_labels(std::span<const std::string> labels) {
  EncodedLabels encoded{{}, sorted_labels(labels)};
  std::map<std::string, std::int32_t> place;
  for (std::size_t k = 0; k < encoded.names.size(); ++k)
    place[encoded.names[k]] = static_cast<std::int32_t>(k);
  for (const std::string& label : labels) encoded.labels.push_back(place[label]);
  return encoded;
}

LinkgisticClassifier::LinkgisticClassifier(LinkgisticOptions options) : options_(std::move(options)) {
  options_.validate();
}

FittedLinkgisticClassifier LinkgisticClassifier::fit(const ClassificationData& data) const {
  return fit_classifier(data, options_, make_local_engine);
}

FittedLinkgisticClassifier fit_classifier(const ClassificationData& data, const LinkgisticOptions& options_,
                                          const EngineFactory& make_engine) {
  check_data(data, options_);
  const std::vector<float> weights = row_weights(data, options_);
  const std::vector<double> totals = class_totals(data, weights);
  auto state = std::make_shared<FittedClassifierState>();
  state->options = options_;
  state->options.stop = nullptr;
  state->options.on_step = nullptr;
  state->options.on_progress = nullptr;
  state->options.checkpoint.clear();
  state->base = std::make_shared<const BaseLoss>(options_.loss);
  state->class_names = data.class_names;
  state->encoding = data.encoding;
  state->feature_names = data.feature_names;
  for (std::size_t j = state->feature_names.size(); j < data.rows.columns(); ++j) {
    state->feature_names.push_back(std::to_string(j + 1).insert(0, 1, 'x'));
  }
  const TrainingRows training = training_rows(data, weights, options_);
  state->scale = feature_scale(training.rows, training.weights, options_);
  const std::unique_ptr<RowEngine> engine =
      make_engine({training.rows.matrix(), training.labels, training.weights,
                   row_parts(training.parts, training.labels.size())},
                  options_.threads);
  std::vector<std::int32_t> positive{1};
  if (totals.size() > 2) {
    positive.resize(totals.size());
    for (std::size_t k = 0; k < positive.size(); ++k) positive[k] = static_cast<std::int32_t>(k);
  }

  ProgressMonitor monitor(options_.stop, options_.on_progress);
  const std::unique_ptr<AnswerLog> log = open_log(data, weights, options_);
  std::optional<RecordedEngine> recorded;
  if (log != nullptr) recorded.emplace(*engine, *log);
  ClassifierFit result =
      fit_classes({recorded ? *recorded : *engine, stored_scale(state->scale, training.rows.origin()),
                   positive, training.parts.size(), training.cross_fit},
                  options_, state->base, monitor);
  EmResult& fit = result.em;
  check_finite(fit, data, state->feature_names, weights, options_.threads);

  ClassifierSummary& summary = state->summary;
  summary.l2 = result.l2;
  summary.l2_chosen = !options_.l2;
  summary.v = result.v;
  summary.v_chosen = options_.prior == LinkPrior::offset && !options_.v;
  summary.cross_fitted = training.cross_fit;
  summary.l2_tried = std::move(result.l2_tried);
  summary.v_tried = std::move(result.v_tried);
  summary.rows = static_cast<std::size_t>(
      weights.empty() ? static_cast<std::ptrdiff_t>(data.labels.size())
                      : std::count_if(weights.begin(), weights.end(), [](float w) { return w > 0; }));
  summary.columns = data.rows.columns();
  summary.converged = fit.converged && !result.interrupted;
  summary.stop = stop_reason(fit, result.interrupted);
  for (std::size_t i = 0; i < fit.trace.size(); ++i) summary.trace.push_back(public_step(fit.trace[i], i));
  for (std::size_t k = 0; k < positive.size(); ++k) {
    const auto label = static_cast<std::size_t>(positive[k]);
    const ScoreRange& range = fit.ranges[k];
    const LinkFacts& facts = fit.links[k].facts();
    summary.classes.push_back({data.class_names[label], totals[label], facts.log_evidence,
                               facts.smallest_eigenvalue, facts.slope, range.lower, range.upper,
                               std::string(to_string(fit.solves[k].stop)), fit.solves[k].gradient_ratio});
  }
  summary.warnings = solver_warnings(summary, result.separated);
  state->beta = std::move(fit.beta);
  state->links = std::move(fit.links);
  if (const auto hyper = link_hyper(options_, summary.v, state->base))
    last_posteriors(LinkFamily(*hyper), options_, state->links, summary);
  state->set_maps();
  return FittedLinkgisticClassifier(state);
}

}  // namespace linkgistic
