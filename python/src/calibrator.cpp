// Calibration of two and of many classes.
#include <algorithm>
#include <cmath>
#include <limits>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>

#include "bindings.hpp"
#include "calibration/options.hpp"
#include "calibration/summary.hpp"
#include "fields.hpp"
#include "numeric/logistic.hpp"
#include "progress.hpp"

namespace linkgistic::python {
namespace {

ClassCalibratorOptions calibrator_options(const nb::dict& given) {
  auto options = read_options<ClassCalibratorOptions>(given);
  options.map.seed = options.seed;
  options.validate();
  return options;
}

FittedMonotoneCalibrator fit(const DoubleArray& scores, const ByteArray& labels,
                             const std::optional<DoubleArray>& weight, const nb::dict& given) {
  const MonotoneCalibrator calibrator(calibrator_options(given).map);
  const nb::gil_scoped_release others;
  return calibrator.fit(values(scores), values(labels), values(weight));
}

FittedClassCalibrator fit_classes(const DoubleArray& scores, const LabelArray& labels,
                                  const std::vector<std::string>& class_names,
                                  const std::optional<DoubleArray>& weight, const nb::dict& given,
                                  const nb::object& on_progress) {
  FitWatch watch(on_progress);
  ClassCalibratorOptions options = calibrator_options(given);
  watch.attach(options);
  const ClassCalibrator calibrator(options);
  auto [fitted, stopped] =
      watch.run([&] { return calibrator.fit(values(scores), values(labels), class_names, values(weight)); });
  // A callback's KeyboardInterrupt after the last map is as one before it.
  if (stopped && !fitted.summary().interrupted) throw Interrupted();
  return std::move(fitted);
}

// Probabilities inside (0, 1), as those with bands are.
std::vector<double> probability(const FittedMonotoneCalibrator& model, std::span<const double> scores) {
  std::vector<double> result = model.log_odds(scores);
  for (double& one : result) {
    one = std::clamp(sigmoid(one), std::numeric_limits<double>::min(), std::nextafter(1.0, 0.0));
  }
  return result;
}

// Probabilities (N), and with an interval their bands.
nb::tuple predict(const FittedMonotoneCalibrator& model, const DoubleArray& scores,
                  const std::optional<double>& interval) {
  CalibratedScores p;
  {
    const nb::gil_scoped_release others;
    if (interval) {
      p = model.predict(values(scores), *interval);
    } else {
      p.probability = probability(model, values(scores));
    }
  }
  return nb::make_tuple(to_numpy(std::move(p.probability)), to_numpy(std::move(p.lower)),
                        to_numpy(std::move(p.upper)));
}

Numbers log_odds(const FittedMonotoneCalibrator& model, const DoubleArray& scores) {
  std::vector<double> result;
  {
    const nb::gil_scoped_release others;
    result = model.log_odds(values(scores));
  }
  return to_numpy(std::move(result));
}

// In words, of the map or of each map.
std::vector<std::string> posterior(const FittedMonotoneCalibrator& model) {
  const nb::gil_scoped_release others;
  return {model.posterior()};
}
std::vector<std::string> class_posteriors(const FittedClassCalibrator& model) {
  const nb::gil_scoped_release others;
  std::vector<std::string> words;
  for (std::size_t c = 0; c < model.summary().calibrators.size(); ++c)
    words.push_back(model.map(c).posterior());
  return words;
}

// Probabilities (N, C), and with an interval their bands.
nb::tuple predict_classes(const FittedClassCalibrator& model, const DoubleArray& scores,
                          const std::optional<double>& interval) {
  CalibratedClasses p;
  {
    const nb::gil_scoped_release others;
    p = model.predict(values(scores), interval);
  }
  const std::size_t classes = model.class_names().size();
  return nb::make_tuple(to_numpy(std::move(p.probability), classes), to_numpy(std::move(p.lower), classes),
                        to_numpy(std::move(p.upper), classes));
}

nb::dict summary_dict(const CalibratorSummary& s) {
  nb::dict d = fields_dict(s, false);
  d["converged"] = std::all_of(s.components.begin(), s.components.end(),
                               [](const auto& c) { return c.converged || c.weight == 0; });
  return d;
}

nb::dict summary_dict(const ClassCalibratorSummary& s) {
  nb::dict d = fields_dict(s, false);
  nb::list calibrators;
  for (const CalibratorSummary& one : s.calibrators) calibrators.append(summary_dict(one));
  d["calibrators"] = calibrators;
  return d;
}

}  // namespace

void add_calibrator(nb::module_& m) {
  using Fit = FittedMonotoneCalibrator;
  m.def(
      "calibrator_defaults", [] { return fields_dict(ClassCalibratorOptions()); },
      "Every option of a calibration, of two and of many classes, at its default.");
  add_parameters(m, "calibrator_parameters", &calibrator_parameters);
  m.def("fit_calibrator", &fit, nb::arg("scores"), nb::arg("labels"), nb::arg("weight").none(),
        nb::arg("options"));
  nb::class_<Fit> type(m, "Calibrator", "A fitted calibration of two classes.");
  type.def("predict", &predict, nb::arg("scores"), nb::arg("interval").none() = nb::none())
      .def("log_odds", &log_odds, nb::arg("scores"))
      .def_prop_ro("posterior", &posterior)
      .def(
          "uncalibrated",
          [](const Fit& f, const DoubleArray& x) { return to_numpy(f.uncalibrated(values(x))); },
          nb::arg("scores"))
      .def_prop_ro("summary", [](const Fit& f) { return summary_dict(f.summary()); })
      .def_prop_ro("options",
                   [](const Fit& f) {
                     ClassCalibratorOptions all;
                     all.map = f.options();
                     all.seed = f.options().seed;
                     return fields_dict(all);
                   })
      .def_prop_ro("columns", &Fit::columns)
      .def("with_columns", &Fit::with_columns, nb::arg("columns"));
  add_model_file(type);

  using Classes = FittedClassCalibrator;
  m.def("fit_class_calibrator", &fit_classes, nb::arg("scores"), nb::arg("labels"), nb::arg("class_names"),
        nb::arg("weight").none(), nb::arg("options"), nb::arg("on_progress").none());
  nb::class_<Classes> classes(m, "ClassCalibrator", "A fitted calibration of many classes.");
  classes.def("predict", &predict_classes, nb::arg("scores"), nb::arg("interval").none() = nb::none())
      .def_prop_ro("posterior", &class_posteriors)
      .def_prop_ro("class_names", &Classes::class_names)
      .def_prop_ro("summary", [](const Classes& f) { return summary_dict(f.summary()); })
      .def_prop_ro("options", [](const Classes& f) { return fields_dict(f.options()); })
      .def_prop_ro("columns", &Classes::columns)
      .def("with_columns", &Classes::with_columns, nb::arg("columns"));
  add_model_file(classes);
}

}  // namespace linkgistic::python
