// Linkgistic regression.
#include <linkgistic/linkgistic_classifier.hpp>

#include "bindings.hpp"
#include "choice.hpp"
#include "progress.hpp"
#include "rows.hpp"

namespace linkgistic::python {
namespace {

const Setters<LinkgisticOptions>& setters() {
  using O = LinkgisticOptions;
  static const Setters<O> table{
      {"prior", choice(&O::prior, link_prior_names())},
      {"loss", field(&O::loss)},
      {"l2", field(&O::l2)},
      {"v", field(&O::v)},
      {"em_iterations", field(&O::em_iterations)},
      {"tolerance", field(&O::tolerance)},
      {"samples", field(&O::samples)},
      {"harmonics", field(&O::harmonics)},
      {"learn_hyper", field(&O::learn_hyper)},
      {"cross_fit", field(&O::cross_fit)},
      {"cv", field(&O::cv)},
      {"standardize", choice(&O::standardize, standardize_names())},
      {"class_weights", field(&O::class_weights)},
      {"balanced", field(&O::balanced)},
      {"inference", choice(&O::inference, inference_names())},
      {"draws", field(&O::draws)},
      {"seed", field(&O::seed)},
      {"threads", field(&O::threads)},
      {"checkpoint", field(&O::checkpoint)},
  };
  return table;
}

nb::dict words(const LinkgisticOptions& o) {
  nb::dict d;
  d["prior"] = name_of(link_prior_names(), o.prior);
  d["loss"] = o.loss;
  d["l2"] = o.l2;
  d["v"] = o.v;
  d["em_iterations"] = o.em_iterations;
  d["tolerance"] = o.tolerance;
  d["samples"] = o.samples;
  d["harmonics"] = o.harmonics;
  d["learn_hyper"] = o.learn_hyper;
  d["cross_fit"] = o.cross_fit;
  d["cv"] = o.cv;
  d["standardize"] = name_of(standardize_names(), o.standardize);
  d["class_weights"] = o.class_weights;
  d["balanced"] = o.balanced;
  d["inference"] = name_of(inference_names(), o.inference);
  d["draws"] = o.draws;
  d["seed"] = o.seed;
  d["threads"] = o.threads;
  d["checkpoint"] = o.checkpoint;
  return d;
}

nb::dict step_dict(const EmStep& step) {
  nb::dict d;
  d["step"] = step.step;
  d["objective"] = step.objective;
  d["mean_loss"] = step.mean_loss;
  d["passes"] = step.passes;
  return d;
}

using IndexArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Parts = std::vector<std::pair<IndexArray, IndexArray>>;  // to learn from, to judge by

std::vector<RowPart> row_parts(const Parts& given) {
  std::vector<RowPart> parts;
  const auto numbers = [](const IndexArray& rows) {
    std::vector<std::size_t> result;
    for (const std::int64_t row : std::span(rows.data(), rows.size())) {
      if (row < 0) throw nb::value_error("cv: a row has a negative number");
      result.push_back(static_cast<std::size_t>(row));
    }
    return result;
  };
  for (const auto& [train, held_out] : given) {
    if (train.size() == 0) throw nb::value_error("cv: a part has no rows to learn from");
    parts.push_back({numbers(train), numbers(held_out)});
  }
  return parts;
}

// The fit, and whether Ctrl-C ended it.
std::pair<FittedLinkgisticClassifier, bool> fit(nb::handle x, const LabelArray& labels,
                                                const std::vector<std::string>& class_names,
                                                const std::vector<std::string>& feature_names,
                                                const std::optional<DoubleArray>& medians,
                                                const std::optional<DoubleArray>& weight, const Parts& parts,
                                                const nb::dict& given, const nb::object& on_progress) {
  if (medians && medians->size() != feature_names.size())
    throw nb::value_error("medians: one a feature name is expected");
  LinkgisticOptions options = read_options(setters(), given);
  FitWatch watch(on_progress);
  watch.attach(options);
  const LinkgisticClassifier classifier(options);
  ClassificationData data;
  data.rows = feature_rows(x, options.threads);
  data.labels.assign(labels.data(), labels.data() + labels.size());
  data.class_names = class_names;
  data.feature_names = feature_names;
  data.parts = row_parts(parts);
  for (const std::string& name : feature_names) {
    ColumnEncoding column;
    column.name = name;
    column.median = medians ? values(*medians)[data.encoding.columns.size()] : 0;
    data.encoding.columns.push_back(std::move(column));
  }
  const std::span<const double> w = values(weight);
  data.weights.assign(w.begin(), w.end());
  return watch.run([&] { return classifier.fit(data); });
}

nb::tuple predict(const FittedLinkgisticClassifier& model, nb::handle x, double interval) {
  const FeatureRows rows = feature_rows(x, model.options().threads);
  ClassPrediction p;
  {
    const nb::gil_scoped_release others;
    p = model.predict(rows, interval);
  }
  return nb::make_tuple(to_numpy(std::move(p.probability), model.class_names().size()),
                        to_numpy(std::move(p.lower)), to_numpy(std::move(p.upper)));
}

// (N, scores) of one of the two kinds of scores.
template <auto method>
Numbers score_table(const FittedLinkgisticClassifier& model, nb::handle x) {
  const FeatureRows rows = feature_rows(x, model.options().threads);
  std::vector<double> result;
  {
    const nb::gil_scoped_release others;
    result = (model.*method)(rows);
  }
  const std::size_t classes = model.class_names().size();
  return to_numpy(std::move(result), classes == 2 ? 1 : classes);
}

Numbers probability(const FittedLinkgisticClassifier& model, nb::handle x) {
  const FeatureRows rows = feature_rows(x, model.options().threads);
  std::vector<double> result;
  {
    const nb::gil_scoped_release others;
    result = model.probability(rows);
  }
  return to_numpy(std::move(result), model.class_names().size());
}

// Of linear scores: (N, scores), or (N, C) with `of_classes`.
template <auto method, bool of_classes>
Numbers table_at(const FittedLinkgisticClassifier& model, const DoubleArray& scores) {
  std::vector<double> result;
  {
    const nb::gil_scoped_release others;
    result = (model.*method)(values(scores));
  }
  const std::size_t classes = model.class_names().size();
  return to_numpy(std::move(result), classes == 2 && !of_classes ? 1 : classes);
}

nb::tuple link(const FittedLinkgisticClassifier& model, std::size_t score, const DoubleArray& at,
               double interval) {
  auto c = model.link(score, values(at), interval);
  return nb::make_tuple(to_numpy(std::move(c.nu)), to_numpy(std::move(c.lower)), to_numpy(std::move(c.upper)),
                        to_numpy(std::move(c.slope)));
}

nb::dict summary(const FittedLinkgisticClassifier& model) {
  const ClassifierSummary& s = model.summary();
  nb::list trace, classes;
  for (const EmStep& step : s.trace) trace.append(step_dict(step));
  for (const ClassSummary& c : s.classes) {
    nb::dict one;
    one["name"] = c.name;
    one["score_lower"] = c.score_lower;
    one["score_upper"] = c.score_upper;
    one["slope"] = c.slope;
    one["log_evidence"] = c.log_evidence;
    one["smallest_eigenvalue"] = c.smallest_eigenvalue;
    classes.append(one);
  }
  nb::dict d;
  d["rows"] = s.rows;
  d["columns"] = s.columns;
  d["l2"] = s.l2;
  d["v"] = s.v;
  d["converged"] = s.converged;
  d["stop"] = s.stop;
  d["classes"] = classes;
  d["trace"] = trace;
  d["l2_tried"] = s.l2_tried;
  d["v_tried"] = s.v_tried;
  d["posterior"] = s.posterior;
  d["warnings"] = s.warnings;
  return d;
}

}  // namespace

void add_classifier(nb::module_& m) {
  using Fit = FittedLinkgisticClassifier;
  m.def(
      "classifier_defaults", [] { return words({}); },
      "Every option of Linkgistic regression, at its default.");
  add_parameters(m, "classifier_parameters", &classifier_parameters);
  m.def("fit_classifier", &fit, nb::arg("x"), nb::arg("labels"), nb::arg("class_names"),
        nb::arg("feature_names"), nb::arg("medians").none(), nb::arg("weight").none(), nb::arg("parts"),
        nb::arg("options"), nb::arg("on_progress").none());
  nb::class_<Fit> type(m, "Classifier", "A fitted Linkgistic regression.");
  type.def("predict", &predict, nb::arg("x"), nb::arg("interval") = 0.9)
      .def("decision_values", &score_table<&Fit::decision_values>, nb::arg("x"))
      .def("scores", &score_table<&Fit::scores>, nb::arg("x"))
      .def("link", &link, nb::arg("score"), nb::arg("at"), nb::arg("interval") = 0.9)
      .def_prop_ro(
          "coefficients",
          [](const Fit& f) { return to_numpy(f.coefficients(), f.feature_names().size() + 1); },
          nb::rv_policy::move)
      .def_prop_ro("class_names", &Fit::class_names)
      .def_prop_ro("feature_names", &Fit::feature_names)
      .def_prop_ro("named", [](const Fit& f) { return !f.encoding().columns.empty(); })
      .def_prop_ro("summary", &summary)
      .def_prop_ro("options", [](const Fit& f) { return words(f.options()); })
      .def(
          "learned_loss",
          [](const Fit& f, std::size_t score, const std::string& estimate, std::uint64_t seed) {
            return f.learned_loss(score, value_of(estimate_names(), estimate), seed);
          },
          nb::arg("score") = 0, nb::arg("estimate") = "mode", nb::arg("seed") = 0)
      .def("decision_at", &table_at<&Fit::decision_at, false>, nb::arg("scores"))
      .def("probability_at", &table_at<&Fit::probability_at, true>, nb::arg("scores"))
      .def("probability", &probability, nb::arg("x"));
  add_model_file(type);
}

}  // namespace linkgistic::python
