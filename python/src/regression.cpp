// Monotone regression.
#include <cmath>

#include <linkgistic/monotone_regression.hpp>

#include "bindings.hpp"
#include "fields.hpp"
#include "progress.hpp"
#include "regression/options.hpp"
#include "regression/summary.hpp"
#include "text/names.hpp"

namespace linkgistic::python {
namespace {

// The fit, and whether Ctrl-C ended it.
std::pair<FittedMonotoneRegression, bool> fit(const DoubleArray& x, const DoubleArray& y,
                                              const std::optional<DoubleArray>& weight, const nb::dict& given,
                                              const nb::object& on_progress,
                                              const std::optional<DoubleArray>& offset,
                                              const std::optional<DoubleArray>& exposure,
                                              const std::optional<DoubleArray>& trials) {
  MonotoneRegressionOptions options = read_options<MonotoneRegressionOptions>(given);
  FitWatch watch(on_progress);
  watch.attach(options);
  const MonotoneRegression regression(options);
  return watch.run([&] {
    return regression.fit_rows(
        {values(x), values(y), values(weight), values(offset), values(exposure), values(trials)});
  });
}

PredictionScale scale_of(const std::string& word) {
  if (!scale_names().contains(word)) throw UsageError("scale = " + word + ": it must be mean or link");
  return scale_names().at(word);
}

RowBlock rows_of(const DoubleArray& x, const std::optional<DoubleArray>& offset,
                 const std::optional<DoubleArray>& exposure, const std::optional<DoubleArray>& trials) {
  return {values(x), {}, {}, values(offset), values(exposure), values(trials)};
}

nb::dict predict(const FittedMonotoneRegression& model, const DoubleArray& x, double interval,
                 const std::string& scale, const std::optional<DoubleArray>& offset,
                 const std::optional<DoubleArray>& exposure, const std::optional<DoubleArray>& trials) {
  Prediction p;
  const RowBlock rows = rows_of(x, offset, exposure, trials);
  const PredictionScale on = scale_of(scale);
  {
    const nb::gil_scoped_release others;
    p = model.predict_rows(rows, interval, on);
  }
  nb::dict d;
  d["estimate"] = to_numpy(std::move(p.estimate));
  d["lower"] = to_numpy(std::move(p.lower));
  d["upper"] = to_numpy(std::move(p.upper));
  d["obs_lower"] = to_numpy(std::move(p.obs_lower));
  d["obs_upper"] = to_numpy(std::move(p.obs_upper));
  return d;
}

// (rows, levels) of what the library has level by level.
nb::dict distribution(const FittedMonotoneRegression& model, const DoubleArray& x, const std::string& of,
                      const DoubleArray& levels) {
  if (!quantity_names().contains(of)) throw UsageError("of = " + of + ": it must be nu, response or latent");
  const Quantity quantity = quantity_names().at(of);
  Distribution found;
  {
    const nb::gil_scoped_release others;
    found = model.distribution(values(x), quantity, values(levels));
  }
  std::vector<double> quantiles;
  quantiles.reserve(x.size() * levels.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (const auto& level : found.quantiles) quantiles.push_back(level[n]);
  }
  nb::dict d;
  d["mean"] = to_numpy(std::move(found.mean));
  d["median"] = to_numpy(std::move(found.median));
  d["mode"] = to_numpy(std::move(found.mode));
  d["quantiles"] = to_numpy(std::move(quantiles), levels.size());
  return d;
}

nb::dict score(const FittedMonotoneRegression& model, const DoubleArray& x, const DoubleArray& y,
               const std::optional<DoubleArray>& offset, const std::optional<DoubleArray>& exposure,
               const std::optional<DoubleArray>& trials) {
  RowBlock rows = rows_of(x, offset, exposure, trials);
  rows.y = values(y);
  RowScores found;
  {
    const nb::gil_scoped_release others;
    found = model.score_rows(rows);
  }
  nb::dict d;
  d["log_density"] = to_numpy(std::move(found.log_density));
  d["deviance"] = to_numpy(std::move(found.deviance));
  d["below"] = to_numpy(std::move(found.below));
  d["at_most"] = to_numpy(std::move(found.at_most));
  return d;
}

nb::dict summary(const FittedMonotoneRegression& model) {
  const RegressionSummary& s = model.summary();
  nb::dict d = fields_dict(s, false), hyper;
  for (const HyperValue& h : s.hyper_parameters) hyper[h.name.c_str()] = h.value;
  d["hyper_parameters"] = hyper;
  d["decreasing"] = s.decreasing;
  return d;
}

// NaN is None: not reached within the data.
nb::dict answer(const CurveAnswer& a) {
  nb::dict d;
  for (const auto& [name, value] :
       {std::pair{"estimate", a.estimate}, {"lower", a.lower}, {"upper", a.upper}})
    d[name] = std::isnan(value) ? nb::object(nb::none()) : nb::object(nb::float_(value));
  return d;
}

Functional functional_of(const std::string& word) {
  if (word == "slope") return Functional::slope;
  if (word == "difference") return Functional::difference;
  if (word == "ratio") return Functional::ratio;
  if (word == "area") return Functional::area;
  throw UsageError("which = " + word + ": it must be slope, difference, ratio or area");
}

nb::tuple curve(Curve c) {
  return nb::make_tuple(to_numpy(std::move(c.estimate)), to_numpy(std::move(c.lower)),
                        to_numpy(std::move(c.upper)));
}

}  // namespace

void add_regression(nb::module_& m) {
  using Fit = FittedMonotoneRegression;
  m.def(
      "regression_defaults", [] { return fields_dict(MonotoneRegressionOptions()); },
      "Every option of a monotone regression, at its default.");
  add_parameters(m, "regression_parameters", &regression_parameters);
  m.def("fit_regression", &fit, nb::arg("x"), nb::arg("y"), nb::arg("weight").none(), nb::arg("options"),
        nb::arg("on_progress").none(), nb::arg("offset").none() = nb::none(),
        nb::arg("exposure").none() = nb::none(), nb::arg("trials").none() = nb::none());
  nb::class_<Fit> type(m, "Regression", "A fitted monotone regression.");
  const auto none = nb::none();
  type.def("predict", &predict, nb::arg("x"), nb::arg("interval") = 0.9, nb::arg("scale") = "mean",
           nb::arg("offset").none() = none, nb::arg("exposure").none() = none,
           nb::arg("trials").none() = none)
      .def("score", &score, nb::arg("x"), nb::arg("y"), nb::arg("offset").none() = none,
           nb::arg("exposure").none() = none, nb::arg("trials").none() = none)
      .def(
          "estimate",
          [](const Fit& f, const DoubleArray& x, const std::string& scale,
             const std::optional<DoubleArray>& offset, const std::optional<DoubleArray>& exposure) {
            return to_numpy(f.estimate_rows(rows_of(x, offset, exposure, std::nullopt), scale_of(scale)));
          },
          nb::arg("x"), nb::arg("scale") = "mean", nb::arg("offset").none() = none,
          nb::arg("exposure").none() = none)
      .def(
          "mean",
          [](const Fit& f, const DoubleArray& x) {
            if (PyErr_WarnEx(PyExc_DeprecationWarning, "mean: it is called estimate", 1) != 0)
              nb::raise_python_error();
            return to_numpy(f.estimate(values(x)));
          },
          nb::arg("x"))
      .def(
          "sample",
          [](const Fit& f, const DoubleArray& x, int count, std::uint64_t seed) {
            std::vector<double> all;
            for (const auto& path : f.sample(values(x), count, seed))
              all.insert(all.end(), path.begin(), path.end());
            return to_numpy(std::move(all), x.size());
          },
          nb::arg("x"), nb::arg("count"), nb::arg("seed") = 0)
      .def(
          "derivative",
          [](const Fit& f, const DoubleArray& x, double i) { return curve(f.derivative(values(x), i)); },
          nb::arg("x"), nb::arg("interval") = 0.9)
      .def(
          "latent",
          [](const Fit& f, const DoubleArray& x, double i) { return curve(f.latent(values(x), i)); },
          nb::arg("x"), nb::arg("interval") = 0.9)
      .def("distribution", &distribution, nb::arg("x"), nb::arg("of"), nb::arg("levels"))
      .def(
          "inverse", [](const Fit& f, double level, double i) { return answer(f.inverse(level, i)); },
          nb::arg("level"), nb::arg("interval") = 0.9)
      .def(
          "inverse_share",
          [](const Fit& f, double share, double i) { return answer(f.inverse_share(share, i)); },
          nb::arg("share"), nb::arg("interval") = 0.9)
      .def(
          "functional",
          [](const Fit& f, const std::string& which, const DoubleArray& x, double i) {
            return answer(f.functional(functional_of(which), values(x), i));
          },
          nb::arg("which"), nb::arg("x"), nb::arg("interval") = 0.9)
      .def(
          "steepest", [](const Fit& f, double i) { return answer(f.steepest(i)); }, nb::arg("interval") = 0.9)
      .def(
          "unknown",
          [](const Fit& f, const DoubleArray& y, double i) { return answer(f.unknown(values(y), i)); },
          nb::arg("readings"), nb::arg("interval") = 0.9)
      .def(
          "detection_limit",
          [](const Fit& f, double error, double i) { return answer(f.detection_limit(error, i)); },
          nb::arg("error") = 0.05, nb::arg("interval") = 0.9)
      .def(
          "quantification_limit",
          [](const Fit& f, double share, double i) { return answer(f.quantification_limit(share, i)); },
          nb::arg("share") = 0.1, nb::arg("interval") = 0.9)
      .def_prop_ro("noise", [](const Fit& f) { return f.noise(); })
      .def(
          "noise_at", [](const Fit& f, const DoubleArray& x) { return to_numpy(f.noise(values(x))); },
          nb::arg("x"))
      .def_prop_ro("summary", &summary)
      .def_prop_ro("options", [](const Fit& f) { return fields_dict(f.options()); })
      .def_prop_ro("columns", &Fit::columns)
      .def("with_columns", &Fit::with_columns, nb::arg("columns"));
  add_model_file(type);
}

}  // namespace linkgistic::python
