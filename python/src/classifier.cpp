// Linkgistic regression.
#include <algorithm>

#include <linkgistic/linkgistic_classifier.hpp>

#include "arrow.hpp"
#include "bindings.hpp"
#include "classification/link_test.hpp"
#include "classification/options.hpp"
#include "classification/summary.hpp"
#include "fields.hpp"
#include "progress.hpp"
#include "rows.hpp"
#include "table/labels.hpp"

namespace linkgistic::python {
namespace {

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
  LinkgisticOptions options = read_options<LinkgisticOptions>(given);
  FitWatch watch(on_progress);
  watch.attach(options);
  const LinkgisticClassifier classifier(options);
  ClassificationData data;
  data.rows = feature_rows(x, options.threads);
  data.labels.assign(labels.data(), labels.data() + labels.size());
  data.class_names = class_names;
  data.feature_names = feature_names;
  data.parts = row_parts(parts);
  if (nb::isinstance<EncodedRows>(x)) {
    const auto& encoded = nb::cast<const EncodedRows&>(x);
    data.feature_names = encoded.names;
    data.encoding = encoded.encoding;
  }
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

// Probabilities (N, C), and bands (N) of two classes or (N, C) of a softmax.
nb::tuple to_tuple(const FittedLinkgisticClassifier& model, ClassPrediction p) {
  const std::size_t classes = model.class_names().size();
  const auto bands = [&](std::vector<double> v) -> nb::object {
    return classes == 2 || v.empty() ? nb::cast(to_numpy(std::move(v)))
                                     : nb::cast(to_numpy(std::move(v), classes));
  };
  nb::object lower = bands(std::move(p.lower));
  nb::object upper = bands(std::move(p.upper));
  return nb::make_tuple(to_numpy(std::move(p.probability), classes), lower, upper);
}

// Columns of the table of coefficients by name.
nb::dict coefficient_table(const FittedLinkgisticClassifier& model, double interval, bool robust) {
  const CoefficientTable table = model.coefficient_table(interval, robust);
  nb::dict result;
  std::vector<std::string> names;
  for (const Coefficient& c : table.rows) names.push_back(c.name);
  result["name"] = names;
  const auto add = [&](const char* name, double Coefficient::*member) {
    std::vector<double> column;
    for (const Coefficient& c : table.rows) column.push_back(c.*member);
    result[name] = to_numpy(std::move(column));
  };
  add("estimate", &Coefficient::estimate);
  add("error", &Coefficient::error);
  add("z", &Coefficient::z);
  add("p_value", &Coefficient::p_value);
  add("lower", &Coefficient::lower);
  add("upper", &Coefficient::upper);
  add("effect", &Coefficient::effect);
  add("effect_error", &Coefficient::effect_error);
  add("effect_lower", &Coefficient::effect_lower);
  add("effect_upper", &Coefficient::effect_upper);
  result["logit"] = table.logit;
  return result;
}

nb::tuple predict(const FittedLinkgisticClassifier& model, nb::handle x, double interval,
                  const std::string& estimate) {
  const ProbabilityEstimate wanted = estimate == "marginal"  ? ProbabilityEstimate::marginal
                                     : estimate == "plug-in" ? ProbabilityEstimate::plug_in
                                                             : ProbabilityEstimate::mode;
  const FeatureRows rows = feature_rows(x, model.options().threads);
  ClassPrediction p;
  {
    const nb::gil_scoped_release others;
    p = model.predict(rows, interval, BandKind::all, wanted);
  }
  return to_tuple(model, std::move(p));
}

nb::tuple predict_at(const FittedLinkgisticClassifier& model, const DoubleArray& scores, double interval) {
  return to_tuple(model, model.predict_at(values(scores), interval));
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

// Values at linear scores: (N, scores), or (N, C) with `of_classes`.
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

// The names of the columns that the features were made of, if they were not the features themselves.
std::vector<std::string> encoded_columns(const FittedLinkgisticClassifier& model) {
  std::vector<std::string> names;
  if (model.encoding().width() == model.encoding().columns.size() &&
      std::none_of(model.encoding().columns.begin(), model.encoding().columns.end(),
                   [](const ColumnEncoding& c) { return c.text; }))
    return names;
  for (const ColumnEncoding& column : model.encoding().columns) names.push_back(column.name);
  return names;
}

}  // namespace

void add_classifier(nb::module_& m) {
  using Fit = FittedLinkgisticClassifier;
  m.def(
      "classifier_defaults", [] { return fields_dict(LinkgisticOptions()); },
      "Every option of Linkgistic regression, at its default.");
  add_parameters(m, "classifier_parameters", &classifier_parameters);
  m.def(
      "regression_suspicion",
      [](const std::vector<std::string>& names, std::size_t rows) {
        return regression_suspicion(names, rows);
      },
      nb::arg("names"), nb::arg("rows"), "Words on labels that look like the y of a regression, or nothing.");
  m.def("fit_classifier", &fit, nb::arg("x"), nb::arg("labels"), nb::arg("class_names"),
        nb::arg("feature_names"), nb::arg("medians").none(), nb::arg("weight").none(), nb::arg("parts"),
        nb::arg("options"), nb::arg("on_progress").none());
  nb::class_<Fit> type(m, "Classifier", "A fitted Linkgistic regression.");
  type.def("predict", &predict, nb::arg("x"), nb::arg("interval") = 0.9, nb::arg("estimate") = "mode")
      .def("coefficient_table", &coefficient_table, nb::arg("interval") = 0.95, nb::arg("robust") = false)
      .def_prop_ro("link_test", [](const Fit& f) { return link_test_words(f); })
      .def_prop_ro("has_weight_bands", &FittedLinkgisticClassifier::has_weight_bands)
      .def("predict_at", &predict_at, nb::arg("scores"), nb::arg("interval") = 0.9)
      .def_prop_ro("has_bands", &Fit::has_bands)
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
      .def_prop_ro("columns", &encoded_columns)
      .def("encode",
           [](const Fit& f, ArrowInput& table) {
             return encode_arrow(table, &f.encoding(), f.feature_names().size());
           })
      .def_prop_ro("summary", [](const Fit& f) { return fields_dict(f.summary(), false); })
      .def_prop_ro("options", [](const Fit& f) { return fields_dict(f.options()); })
      .def(
          "learned_loss",
          [](const Fit& f, std::size_t score, const std::string& estimate, std::uint64_t seed) {
            return f.learned_loss(score, value_of(estimate_names(), estimate), seed);
          },
          nb::arg("score") = 0, nb::arg("estimate") = "mode", nb::arg("seed") = 0)
      .def(
          "learned_class_loss",
          [](const Fit& f, const std::string& estimate, std::uint64_t seed) {
            return f.learned_class_loss(value_of(estimate_names(), estimate), seed);
          },
          nb::arg("estimate") = "mode", nb::arg("seed") = 0)
      .def(
          "margin_lipschitz",
          [](const Fit& f, std::size_t score, int draws, std::uint64_t seed) {
            return to_numpy(f.margin_lipschitz(score, draws, seed));
          },
          nb::arg("score") = 0, nb::arg("draws") = 200, nb::arg("seed") = 0)
      .def("decision_at", &table_at<&Fit::decision_at, false>, nb::arg("scores"))
      .def("probability_at", &table_at<&Fit::probability_at, true>, nb::arg("scores"))
      .def("probability", &probability, nb::arg("x"));
  add_model_file(type);
}

}  // namespace linkgistic::python
