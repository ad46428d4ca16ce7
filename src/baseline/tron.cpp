// One iteration is two reads of the rows: margins, then the gradient of given residuals. GLMTron, whose link
// is known beforehand, has both from one.
#include "baseline/tron.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

#include "baseline/lipschitz_isotonic.hpp"
#include "baseline/pava.hpp"
#include "baseline/sorted_rows.hpp"
#include "baseline/tron_rows.hpp"
#include "engine/cpu/fused_pass.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr std::array<std::string_view, 5> names{"glmtron", "isotron", "slisotron", "bregmantron",
                                                "bregmantron_label"};

void check(const TronOptions& o) {
  const auto refuse = [](const std::string& name, double value, const char* constraint) {
    throw UsageError(name + " = " + std::to_string(value) + ": it must be " + constraint);
  };
  if (o.iterations < 0) refuse("iterations", o.iterations, "at least 0");
  if (!(o.step > 0 && std::isfinite(o.step))) refuse("step", o.step, "positive and finite");
  if (!(o.slopes.lower > 0)) refuse("lower slope", o.slopes.lower, "positive");
  if (!(o.slopes.upper >= o.slopes.lower && std::isfinite(o.slopes.upper)))
    refuse("upper slope", o.slopes.upper, "finite and at least the lower one");
  if (!(o.hold_out >= 0 && o.hold_out <= 0.9)) refuse("hold_out", o.hold_out, "between 0 and 0.9");
  if (!(o.tolerance >= 0)) refuse("tolerance", o.tolerance, "at least 0");
}

std::vector<float> row_weights(std::size_t rows, std::size_t labels, std::span<const double> weights) {
  if (labels != rows)
    throw InputError(std::to_string(labels) + " labels for " + std::to_string(rows) + " rows");
  if (!weights.empty() && weights.size() != rows)
    throw InputError(std::to_string(weights.size()) + " weights for " + std::to_string(rows) + " rows");
  std::vector<float> result(rows, 1.0F);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i])))
      throw InputError("row " + std::to_string(i + 1) + ": the weight is negative or not finite");
    result[i] = static_cast<float>(weights[i]);
  }
  if (std::none_of(result.begin(), result.end(), [](float w) { return w > 0; }))
    throw InputError("no row has a positive weight");
  return result;
}

class Tron {
 public:
  Tron(const FeatureRows& rows, std::span<const std::uint8_t> y, std::vector<float> weights,
       const TronOptions& options)
      : options_(options),
        parts_(hold_out(weights, options.hold_out, options.seed)),
        y_(y),
        view_{rows.matrix(), {}} {
    scale_rows(weights);
    fit_.scale = view_.scale.about(negative(rows.origin()));
    labels_.assign(y.begin(), y.end());
    total_ = std::accumulate(parts_.train.begin(), parts_.train.end(), 0.0);
    beta_.assign(view_.rows.columns() + 1, 0.0);
  }

  TronFit run() {
    double least = std::numeric_limits<double>::infinity();
    for (int t = 0;; ++t) {
      std::vector<double> gradient =
          options_.kind == TronKind::glmtron ? logistic_pass() : std::vector<double>{};
      if (gradient.empty()) {
        margins_ = row_margins(view_, 1, beta_, options_.threads);
        ++fit_.passes;
        // A BregmanTron begins with the logistic link and no scores to fit it to.
        const bool fitted_first = options_.kind == TronKind::isotron || options_.kind == TronKind::slisotron;
        if (t > 0 || fitted_first) fit_link();
      }
      const std::vector<double> p = link_(margins_, options_.threads);
      record(p);
      const TronStep& now = fit_.trace.back();
      const double error = parts_.held.empty() ? now.train_error : now.held_error;
      if (error < least) {
        least = error;
        fit_.best = t;
        fit_.beta = beta_;
        fit_.link = link_;
      }
      if (t == options_.iterations) break;
      if (options_.stop && options_.stop()) {
        fit_.stop = TronStop::interrupted;
        break;
      }
      if (gradient.empty()) gradient = residual_pass(p);
      if (!update(gradient)) {
        fit_.stop = TronStop::converged;
        break;
      }
    }
    return std::move(fit_);
  }

 private:
  static std::vector<double> negative(std::span<const double> values) {
    std::vector<double> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), std::negate<>());
    return result;
  }

  // x = (raw - mean) scale, one scale for all columns.
  void scale_rows(std::span<const float> weights) {
    view_.scale.shift = column_moments(view_.rows, weights, options_.threads).mean;
    const double largest = largest_row(view_, weights, options_.threads);
    double unit = largest;
    ++fit_.passes;
    if (largest > 0 && options_.scaling == TronScaling::spectral)
      unit = std::sqrt(largest_eigenvalue(view_, weights, largest, options_.threads));
    view_.scale.scale.assign(view_.rows.columns(), unit > 0 ? 1 / unit : 0.0);
  }

  // Margins, and sum_n w_n (y_n - sigmoid(4 z_n)) x_n from the same read.
  std::vector<double> logistic_pass() {
    std::vector<double> steep = beta_;
    for (double& b : steep) b *= TronLink::steepness;
    margins_.resize(labels_.size());
    const PassClass one_class{1, &LossTable::logistic()};
    float* const margins = margins_.data();
    PassResult result = fused_pass({&view_, labels_, parts_.train}, std::span(&one_class, 1), steep,
                                   std::span(&margins, 1), options_.threads);
    ++fit_.passes;
    for (float& m : margins_) m /= static_cast<float>(TronLink::steepness);
    for (double& g : result.gradient) g = -g;
    return std::move(result.gradient);
  }

  // sum_n w_n (y_n - p_n) x_n: residuals as weights of a loss of slope 1.
  std::vector<double> residual_pass(std::span<const double> p) {
    static const LossTable line = LossTable::tabulate(-1, 1, 0, [](int, double m) {
      return LossNode{m, 1.0};
    });
    std::vector<float> residual(p.size());
    for (std::size_t i = 0; i < p.size(); ++i)
      residual[i] = static_cast<float>(static_cast<double>(parts_.train[i]) * (y_[i] - p[i]));
    const PassClass one_class{1, &line};
    ++fit_.passes;
    return fused_pass({&view_, labels_, residual}, std::span(&one_class, 1), beta_, {}, options_.threads)
        .gradient;
  }

  // w += step E (y - u) x; false when w no longer moves.
  bool update(std::span<const double> gradient) {
    double change = 0;
    double size = 0;
    for (std::size_t j = 0; j < beta_.size(); ++j) {
      const double d = options_.step * gradient[j] / total_;
      beta_[j] += d;
      change += d * d;
      size += beta_[j] * beta_[j];
    }
    return change > options_.tolerance * options_.tolerance * size;
  }

  // The training rows, ties of z merged.
  SortedRows sorted_scores() const {
    const std::vector<double> z(margins_.begin(), margins_.end());
    const std::vector<double> y(y_.begin(), y_.end());
    const std::vector<double> w(parts_.train.begin(), parts_.train.end());
    return sort_rows({z, y, w}, options_.threads);
  }

  void fit_link() {
    SortedRows rows = sorted_scores();
    if (options_.kind == TronKind::isotron) {
      link_ = TronLink(fit_isotonic({rows.x, rows.y, rows.weight}, {true, options_.threads}));
      return;
    }
    if (options_.kind == TronKind::slisotron) {
      std::vector<double> v = lipschitz_isotonic(rows.x, rows.y, rows.weight, {0, 1});
      link_ = TronLink(PiecewiseLinear(std::move(rows.x), std::move(v)));
      return;
    }
    slopes_ = options_.slopes;
    const double range = rows.x.back() - rows.x.front();
    if (range > 0) slopes_.lower = std::min(slopes_.lower, 0.5 / range);
    std::vector<double> v =
        options_.kind == TronKind::bregmantron
            ? bregman_isotonic(rows.x, rows.weight, link_, slopes_)
            : lipschitz_isotonic(rows.x, rows.y, rows.weight, {slopes_.lower, slopes_.upper, 0, 1});
    link_ = TronLink(PiecewiseLinear(std::move(rows.x), std::move(v)), TronLink::Outside::logistic);
  }

  void record(std::span<const double> p) {
    const auto error = [&](std::span<const float> weights) {
      double sum = 0;
      double total = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const double w = static_cast<double>(weights[i]);
        sum += w * (y_[i] - p[i]) * (y_[i] - p[i]);
        total += w;
      }
      return sum / total;  // NaN for no rows
    };
    fit_.trace.push_back({error(parts_.train), error(parts_.held), slopes_.lower});
  }

  const TronOptions& options_;
  HoldOut parts_;
  std::span<const std::uint8_t> y_;
  std::vector<std::int32_t> labels_;
  RowView view_;
  double total_ = 0;          // weight of the training rows
  SlopeBounds slopes_{0, 0};  // of the last fit
  std::vector<double> beta_;
  std::vector<float> margins_;
  TronLink link_;
  TronFit fit_;
};

}  // namespace

std::string_view to_string(TronKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::span<const std::string_view> tron_names() { return names; }

TronKind tron_kind(std::string_view name) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it != names.end()) return static_cast<TronKind>(it - names.begin());
  throw UsageError("tron = " + std::string(name) + ": it must be one of " + joined(names));
}

std::string_view to_string(TronStop stop) {
  constexpr std::string_view words[] = {"iteration limit", "converged", "interrupted"};
  return words[static_cast<std::size_t>(stop)];
}

std::vector<float> TronFit::scores(const FeatureRows& rows, int threads) const {
  if (rows.columns() + 1 != beta.size())
    throw InputError("the rows have " + std::to_string(rows.columns()) + " features, the fit has " +
                     std::to_string(beta.size() - 1));
  return row_margins({rows.matrix(), scale.about(rows.origin())}, 1, beta, threads);
}

std::vector<double> TronFit::predict(const FeatureRows& rows, int threads) const {
  return link(scores(rows, threads), threads);
}

TronFit fit_tron(const FeatureRows& rows, std::span<const std::uint8_t> y, std::span<const double> weights,
                 const TronOptions& options) {
  check(options);
  return Tron(rows, y, row_weights(rows.rows(), y.size(), weights), options).run();
}

}  // namespace linkgistic
