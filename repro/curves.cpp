// Learning curves: mean one-vs-rest accuracy, ten-class accuracy and log loss against the number of training
// rows, five samples a size; gains of the learned links at each size with their errors.
#include <algorithm>
#include <cmath>

#include "classification/data.hpp"
#include "repro/departures.hpp"
#include "repro/images.hpp"
#include "repro/platt.hpp"

namespace linkgistic::repro {
namespace {

enum class Kind { ours, platt, printed };

struct Series {
  const char* name;
  Kind kind;
  LinkPrior prior;
  bool tuned;  // ridge by cross-validation, or none
  Colour colour;
};

// In the order of the tables; gains name them.
constexpr Series series[] = {
    {"logistic", Kind::ours, LinkPrior::none, true, Colour::reference},
    {"logistic, Platt", Kind::platt, LinkPrior::none, true, Colour::quaternary},
    {"GP", Kind::ours, LinkPrior::gp, true, Colour::tertiary},
    {"ISGP", Kind::ours, LinkPrior::isgp, true, Colour::primary},
    {"offset", Kind::ours, LinkPrior::offset, true, Colour::secondary},
    {"logistic, no ridge", Kind::ours, LinkPrior::none, false, Colour::reference},
    {"logistic, Platt, no ridge", Kind::platt, LinkPrior::none, false, Colour::quaternary},
    {"ISGP, no ridge", Kind::ours, LinkPrior::isgp, false, Colour::secondary},
    {"GP as printed", Kind::printed, LinkPrior::gp, false, Colour::tertiary},
    {"ISGP as printed", Kind::printed, LinkPrior::isgp, false, Colour::primary}};
constexpr std::size_t series_count = std::size(series);

struct Gain {
  const char *one, *over;
};
constexpr Gain gains[] = {{"ISGP", "logistic"},
                          {"ISGP", "logistic, Platt"},
                          {"ISGP", "GP"},
                          {"offset", "logistic"},
                          {"ISGP, no ridge", "logistic, no ridge"},
                          {"ISGP, no ridge", "logistic, Platt, no ridge"},
                          {"ISGP as printed", "logistic, no ridge"},
                          {"ISGP as printed", "GP as printed"}};

constexpr const char* metric_names[] = {"binary accuracy", "ten-class accuracy", "log loss"};
constexpr std::size_t metric_count = std::size(metric_names);

std::size_t place_of(const std::string& name) {
  return static_cast<std::size_t>(
      std::find_if(std::begin(series), std::end(series), [&](const Series& s) { return name == s.name; }) -
      std::begin(series));
}

std::vector<std::size_t> sizes_of(const ImageSet& set, bool quick) {
  if (quick) return {100, 200};
  std::vector<std::size_t> sizes{500, 2000, 6000, 25000};
  std::erase_if(sizes, [&](std::size_t size) { return size >= set.train.labels.size(); });
  sizes.push_back(set.train.labels.size());
  return sizes;
}

/// All rows are one sample: more would be the same fit.
std::size_t samples_of(std::size_t size, const ImageSet& set, bool quick) {
  if (size >= set.train.labels.size()) return 1;
  return quick ? 2 : 5;
}

/// One sample: each series' metrics, and of the test rows whether they are right and their loss.
struct Sample {
  std::vector<ClassScores> scores;  // (series); empty where the series is not run
};

struct SetCurves {
  std::vector<std::size_t> sizes;
  std::vector<double> l2;                    // tuned, a size
  std::vector<std::vector<Sample>> samples;  // (size, sample)
};

/// k(0,0) of GP as printed, the best of three on the test rows at the largest size.
double tuned_gp_size(const ImageSet& set, const Settings& settings) {
  double best = -1, size = 1;
  for (const double tried : {1.0, 10.0, 100.0}) {
    const auto fit = fit_printed(set.train, set.test.rows, printed_options(LinkPrior::gp, tried, settings));
    const double accuracy = class_scores(fit.log_odds, set.test).class_accuracy;
    settings.at(set.title + ", GP as printed, k(0,0) = " + fixed(tried, 0) + ": ten-class accuracy " +
                fixed(accuracy, 4));
    if (accuracy > best) best = accuracy, size = tried;
    if (settings.quick) break;
  }
  return size;
}

/// A Platt scale stands beside ours where ours is cross-fitted.
bool is_run(const Series& one, std::size_t rows) { return one.kind != Kind::platt || rows < few_rows; }

Sample run_sample(const ClassificationData& train, const ImageSet& set, double l2, double gp_size,
                  const std::string& at, const Settings& settings) {
  Sample sample;
  sample.scores.resize(series_count);
  std::optional<FittedLinkgisticClassifier> logistic;  // the one before, which a Platt scale is of
  for (std::size_t i = 0; i < series_count; ++i) {
    const Series& one = series[i];
    if (!is_run(one, train.labels.size())) continue;
    std::vector<double> log_odds;
    if (one.kind == Kind::printed) {
      log_odds = fit_printed(train, set.test.rows,
                             printed_options(one.prior, one.prior == LinkPrior::gp ? gp_size : 1, settings))
                     .log_odds;
    } else if (one.kind == Kind::platt) {
      log_odds = platt_log_odds(*logistic, train, set.test.rows, settings);
    } else {
      const auto fit = fit_linkgistic(train, one.prior, one.tuned ? l2 : 0.0, settings);
      log_odds = fit.decision_values(set.test.rows);
      if (one.prior == LinkPrior::none) logistic = fit;
    }
    sample.scores[i] = class_scores(log_odds, set.test);
    settings.at(at + ", " + one.name + ": ten-class accuracy " + fixed(sample.scores[i].class_accuracy, 4) +
                ", log loss " + fixed(sample.scores[i].mean.log_loss, 5));
  }
  return sample;
}

SetCurves run_set(const ImageSet& set, const Settings& settings) {
  SetCurves curves;
  curves.sizes = sizes_of(set, settings.quick);
  curves.l2.resize(curves.sizes.size());
  curves.samples.resize(curves.sizes.size());
  const double gp_size = tuned_gp_size(set, settings);
  for (std::size_t i = curves.sizes.size(); i-- > 0;) {
    const std::size_t size = curves.sizes[i];
    for (std::size_t seed = 0; seed < samples_of(size, set, settings.quick); ++seed) {
      const ClassificationData train = sample_rows(set.train, size, seed);
      const std::string at =
          set.title + ", " + std::to_string(size) + " rows, sample " + std::to_string(seed);
      if (seed == 0) {
        settings.at(at + ": ridge");
        curves.l2[i] = fit_linkgistic(train, LinkPrior::none, std::nullopt, settings).summary().l2;
      }
      curves.samples[i].push_back(run_sample(train, set, curves.l2[i], gp_size, at, settings));
    }
  }
  return curves;
}

double metric_of(const ClassScores& scores, std::size_t metric) {
  return metric == 0 ? scores.mean.accuracy : metric == 1 ? scores.class_accuracy : scores.mean.log_loss;
}

/// One number a sample; empty where the series is not run at this size.
std::vector<double> values_of(const std::vector<Sample>& samples, std::size_t one, std::size_t metric) {
  std::vector<double> values;
  for (const Sample& sample : samples)
    if (!sample.scores[one].row_loss.empty()) values.push_back(metric_of(sample.scores[one], metric));
  return values;
}

/// The gain of one series over another: over samples, or, of one sample, over test rows. Log loss counts
/// downwards. Of binary accuracy there are no rows to pair, so its single sample has no error.
std::optional<MeanError> gain_of(const std::vector<Sample>& samples, const Gain& gain, std::size_t metric) {
  const std::size_t a = place_of(gain.one), b = place_of(gain.over);
  const std::vector<double> one = values_of(samples, a, metric), over = values_of(samples, b, metric);
  if (one.empty() || over.empty()) return std::nullopt;
  const bool loss = metric == 2;
  if (one.size() > 1) return loss ? paired(over, one) : paired(one, over);
  const ClassScores &x = samples.front().scores[a], &y = samples.front().scores[b];
  return loss ? paired(y.row_loss, x.row_loss) : paired(x.right, y.right);
}

Panel panel_of(const SetCurves& curves, bool tuned, std::size_t metric) {
  Panel panel;
  panel.x_label = "training rows";
  panel.y_label = metric_names[metric];
  panel.log_x = true;
  panel.log_y = metric == 2 && !tuned;  // logistic regression is an order above the others
  for (std::size_t s = 0; s < series_count; ++s) {
    if (series[s].tuned != tuned) continue;
    std::vector<double> x, middle, lower, upper;
    for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
      const std::vector<double> values = values_of(curves.samples[i], s, metric);
      if (values.empty()) continue;
      const MeanError mean = mean_error(values);
      x.push_back(static_cast<double>(curves.sizes[i]));
      middle.push_back(mean.mean);
      lower.push_back(mean.mean - mean.error);
      upper.push_back(mean.mean + mean.error);
    }
    panel.layers.emplace_back(Band{"", x, lower, upper, series[s].colour, 0.2});
    panel.layers.emplace_back(Line{series[s].name, x, middle, series[s].colour, 1.6});
  }
  return panel;
}

/// Whether a learned link dominates as the rows grow, judged at the two largest sizes by ten-class accuracy,
/// the paper's measure.
Claim claim_of(const ImageSet& set, const SetCurves& curves, const Gain& gain) {
  std::string accuracy, loss;
  Side last[2] = {Side::level, Side::level};
  const std::size_t sizes = curves.sizes.size();
  for (std::size_t i = 0; i < sizes; ++i) {
    const auto right = gain_of(curves.samples[i], gain, 1), down = gain_of(curves.samples[i], gain, 2);
    if (!right || !down) continue;
    const std::string size = (accuracy.empty() ? "" : ", ") + std::to_string(curves.sizes[i]) + " rows ";
    accuracy += size + with_error({100 * right->mean, 100 * right->error}, 2);
    loss += size + with_error(*down, 4);
    if (i + 2 >= sizes) last[i + 2 - sizes] = side_of(*right);
  }
  const auto both = [&](Side side) { return last[0] == side && last[1] == side; };
  const bool agrees = both(Side::above), below = last[0] == Side::below || last[1] == Side::below;
  const bool in_paper = series[place_of(gain.one)].prior != LinkPrior::offset &&
                        series[place_of(gain.over)].kind != Kind::platt;
  return {std::string(gain.one) + " is ahead of " + gain.over + " on " + set.title +
              " as the training set grows.",
          in_paper ? "a picture of the accuracy: ISGP dominates" : "not in the paper",
          "gain in ten-class accuracy (%): " + accuracy + "; in log loss: " + loss,
          agrees  ? Finding::agrees
          : below ? Finding::differs
                  : Finding::untold,
          agrees  ? "the accuracy is higher at the two largest sizes, by more than two standard errors."
          : below ? "the accuracy is lower at one of the two largest sizes, by more than two standard errors."
                  : "at one of the two largest sizes the accuracies are level within two standard errors."};
}

PageTable values_table(const ImageSet& set, const SetCurves& curves) {
  PageTable table{set.title + ": mean over samples with standard errors",
                  {"Rows", "Samples", "Method", "Ridge", "binary accuracy", "s.e.", "ten-class accuracy",
                   "s.e.", "log loss", "s.e."},
                  {}};
  for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
    for (std::size_t s = 0; s < series_count; ++s) {
      if (values_of(curves.samples[i], s, 0).empty()) continue;
      const std::string key = set.name + " " + std::to_string(curves.sizes[i]) + " " + series[s].name + " ";
      TableRow row{std::to_string(curves.sizes[i]),
                   {std::to_string(curves.samples[i].size()), series[s].name,
                    series[s].tuned ? fixed(curves.l2[i], 1) : "none"}};
      for (std::size_t m = 0; m < metric_count; ++m) {
        const MeanError mean = mean_error(values_of(curves.samples[i], s, m));
        row.cells.emplace_back(Measure{key + metric_names[m], mean.mean});
        row.cells.emplace_back(Measure{key + metric_names[m] + " error", mean.error});
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

PageTable gains_table(const ImageSet& set, const SetCurves& curves) {
  PageTable table{set.title + ": gains, paired; errors over samples, at all rows over test rows",
                  {"Rows", "Gain of", "over", "ten-class accuracy", "s.e.", "log loss, down by", "s.e."},
                  {}};
  for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
    for (const Gain& gain : gains) {
      const auto right = gain_of(curves.samples[i], gain, 1), loss = gain_of(curves.samples[i], gain, 2);
      if (!right || !loss) continue;
      const std::string key =
          set.name + " " + std::to_string(curves.sizes[i]) + " " + gain.one + " over " + gain.over + " ";
      table.rows.push_back({std::to_string(curves.sizes[i]),
                            {gain.one, gain.over, Measure{key + "accuracy", right->mean},
                             Measure{key + "accuracy error", right->error}, Measure{key + "loss", loss->mean},
                             Measure{key + "loss error", loss->error}}});
    }
  }
  return table;
}

}  // namespace

Result learning_curves(const Settings& settings, const std::string& name) {
  ImageSet set = read_images(settings.data, name);
  if (settings.quick) {
    set.train = sample_rows(set.train, 200, 0);
    set.test = sample_rows(set.test, 1000, 1);
  }
  const SetCurves curves = run_set(set, settings);
  Result result;
  result.blocks.emplace_back(Paragraph{
      "One-vs-rest over ten classes, pixels as fractions of 255. The tuned ridge is chosen by "
      "cross-validated "
      "logistic regression on the first sample of each size and serves all methods. Without a ridge, rows "
      "that "
      "a plane separates have no finite solution: the solver ends where the mean training loss is 0.001, or "
      "after 200 passes, and wrong test rows cost logistic regression a lot. Below 20,000 rows our links are "
      "learned from held-out scores; so logistic regression with a Platt scale from held-out scores stands "
      "beside them there. Errors are over samples of training rows at common test rows; all rows are one "
      "sample, and its errors are over test rows."});
  if (!set.note.empty()) result.blocks.emplace_back(Warning{set.note});
  result.blocks.emplace_back(linkgistic_settings(printed_options(LinkPrior::isgp, 1, settings),
                                                 our_options(LinkPrior::isgp, std::nullopt, settings),
                                                 "by cross-validation, or none"));
  Figure figure;
  figure.columns = 2;
  figure.height = 720;
  for (std::size_t metric = 0; metric < metric_count; ++metric) {
    for (const bool tuned : {true, false}) {
      figure.panels.push_back(panel_of(curves, tuned, metric));
      if (metric == 0) figure.panels.back().title = tuned ? "tuned ridge" : "no ridge (the paper)";
      if (metric > 0) figure.panels.back().legend = Legend::none;  // as above
    }
  }
  result.blocks.emplace_back(
      Picture{figure, set.title + ": mean over samples with a standard error to either side",
              "Accuracy and log loss of ten fits against the number of training rows"});
  result.blocks.emplace_back(gains_table(set, curves));
  result.blocks.emplace_back(values_table(set, curves));
  for (const Gain& gain : gains) {
    const std::string over = gain.over;
    // Platt scales are not run at the largest sizes of the large sets; their gains are in the table.
    if (over.find("Platt") == std::string::npos || curves.sizes.back() < few_rows)
      result.claims.push_back(claim_of(set, curves, gain));
  }
  return result;
}

}  // namespace linkgistic::repro
