// Monotone regression.
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
                                              const nb::object& on_progress) {
  MonotoneRegressionOptions options = read_options<MonotoneRegressionOptions>(given);
  FitWatch watch(on_progress);
  watch.attach(options);
  const MonotoneRegression regression(options);
  return watch.run([&] { return regression.fit(values(x), values(y), values(weight)); });
}

nb::dict predict(const FittedMonotoneRegression& model, const DoubleArray& x, double interval) {
  Prediction p;
  {
    const nb::gil_scoped_release others;
    p = model.predict(values(x), interval);
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

nb::dict summary(const FittedMonotoneRegression& model) {
  const RegressionSummary& s = model.summary();
  nb::dict d = fields_dict(s, false), hyper;
  for (const HyperValue& h : s.hyper_parameters) hyper[h.name.c_str()] = h.value;
  d["hyper_parameters"] = hyper;
  d["decreasing"] = s.decreasing;
  return d;
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
        nb::arg("on_progress").none());
  nb::class_<Fit> type(m, "Regression", "A fitted monotone regression.");
  type.def("predict", &predict, nb::arg("x"), nb::arg("interval") = 0.9)
      .def(
          "estimate", [](const Fit& f, const DoubleArray& x) { return to_numpy(f.estimate(values(x))); },
          nb::arg("x"))
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
      .def_prop_ro("noise", &Fit::noise)
      .def_prop_ro("summary", &summary)
      .def_prop_ro("options", [](const Fit& f) { return fields_dict(f.options()); })
      .def_prop_ro("columns", &Fit::columns)
      .def("with_columns", &Fit::with_columns, nb::arg("columns"));
  add_model_file(type);
}

}  // namespace linkgistic::python
