#include "repro/all_classes.hpp"

#include <cmath>

namespace linkgistic::repro {
namespace {

struct ClassModel {
  const char* name;
  LinkPrior prior;
  Multiclass multiclass;
};

constexpr ClassModel class_models[] = {
    {"multinomial logistic regression", LinkPrior::none, Multiclass::softmax},
    {"offset-Linkgistic, one against the rest", LinkPrior::offset, Multiclass::ovr},
    {"offset-Linkgistic, a softmax", LinkPrior::offset, Multiclass::softmax}};

// Of each test row: -log p of its class, and whether that was the greatest.
struct RowOutcomes {
  std::vector<double> loss, right;
};

RowOutcomes outcomes_of(const FittedLinkgisticClassifier& fit, const ClassificationData& test) {
  const ClassPrediction p = fit.predict(test.rows);
  const std::size_t classes = fit.class_names().size();
  RowOutcomes result;
  for (std::size_t n = 0; n < test.labels.size(); ++n) {
    const auto label = static_cast<std::size_t>(test.labels[n]);
    result.loss.push_back(-std::log(p.probability[n * classes + label]));
    result.right.push_back(p.label[n] == label ? 100 : 0);
  }
  return result;
}

}  // namespace

PageTable all_classes_table(const ImageSet& set, const Settings& settings) {
  PageTable table{set.title + ", all classes together (not in the paper)",
                  {"Model", "log loss", "s.e.", "less multinomial", "s.e.", "accuracy %", "s.e.",
                   "less multinomial", "s.e.", "l2", "stop"},
                  {}};
  RowOutcomes base;
  for (const ClassModel& model : class_models) {
    LinkgisticOptions options;
    options.prior = model.prior;
    options.multiclass = model.multiclass;
    if (settings.quick) {
      options.em_iterations = 1;
      options.l2 = 10;
    }
    options.threads = settings.threads;
    options.stop = settings.stop;
    const auto fit = LinkgisticClassifier(options).fit(set.train);
    settings.poll_stop();
    const RowOutcomes own = outcomes_of(fit, set.test);
    if (base.loss.empty()) base = own;
    const std::string key = set.title + " all classes, " + model.name;
    TableRow row{model.name, {}};
    const auto add = [&](const std::string& what, const MeanError& value) {
      row.cells.emplace_back(Measure{key + " " + what, value.mean});
      row.cells.emplace_back(Measure{key + " " + what + " error", value.error});
    };
    add("log loss", mean_error(own.loss));
    add("log loss less multinomial", paired(own.loss, base.loss));
    add("accuracy", mean_error(own.right));
    add("accuracy less multinomial", paired(own.right, base.right));
    row.cells.emplace_back(Measure{key + " l2", fit.summary().l2});
    row.cells.emplace_back(fit.summary().stop);
    table.rows.push_back(std::move(row));
    settings.at(key + ": log loss " + with_error(mean_error(own.loss), 4));
  }
  return table;
}

}  // namespace linkgistic::repro
