// Calibration of two and of many classes.
#include <algorithm>
#include <cmath>
#include <limits>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>

#include "bindings.hpp"
#include "choice.hpp"
#include "numeric/logistic.hpp"
#include "progress.hpp"

namespace linkgistic::python {
namespace {

const Setters<CalibratorOptions>& setters() {
  using O = CalibratorOptions;
  static const Setters<O> table{
      {"score_kind", choice(&O::score_kind, score_kind_names())},
      {"prior", choice(&O::prior, prior_names())},
      {"loss", field(&O::loss)},
      {"harmonics", field(&O::harmonics)},
      {"inference", choice(&O::inference, inference_names())},
      {"seed", field(&O::seed)},
      {"threads", field(&O::threads)},
  };
  return table;
}

// Those of the maps, and those of the many.
Setters<ClassCalibratorOptions> class_setters() {
  using O = ClassCalibratorOptions;
  Setters<O> table{
      {"maps", choice(&O::maps, class_maps_names())},
      {"folds", field(&O::folds)},
  };
  for (const auto& [name, set] : setters()) {
    const auto& of_map = set;
    table[name] = [of_map](O& options, nb::handle value) { of_map(options.map, value); };
  }
  // Of the draws, and of the parts of cross-validation.
  table["seed"] = [set = field(&O::seed)](O& options, nb::handle value) {
    set(options, value);
    options.map.seed = options.seed;
  };
  return table;
}

nb::dict words(const ClassCalibratorOptions& o) {
  nb::dict d;
  d["score_kind"] = name_of(score_kind_names(), o.map.score_kind);
  d["prior"] = name_of(prior_names(), o.map.prior);
  d["loss"] = o.map.loss;
  d["harmonics"] = o.map.harmonics;
  d["inference"] = name_of(inference_names(), o.map.inference);
  d["threads"] = o.map.threads;
  d["maps"] = name_of(class_maps_names(), o.maps);
  d["folds"] = o.folds;
  d["seed"] = o.seed;
  return d;
}

FittedMonotoneCalibrator fit(const DoubleArray& scores, const ByteArray& labels,
                             const std::optional<DoubleArray>& weight, const nb::dict& given) {
  const ClassCalibratorOptions options = read_options(class_setters(), given);
  (void)ClassCalibrator(options);  // those of many classes are not used, and must be right all the same
  const MonotoneCalibrator calibrator(options.map);
  const nb::gil_scoped_release others;
  return calibrator.fit(values(scores), values(labels), values(weight));
}

FittedClassCalibrator fit_classes(const DoubleArray& scores, const LabelArray& labels,
                                  const std::vector<std::string>& class_names,
                                  const std::optional<DoubleArray>& weight, const nb::dict& given,
                                  const nb::object& on_progress) {
  FitWatch watch(on_progress);
  ClassCalibratorOptions options = read_options(class_setters(), given);
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

nb::dict words(const CalibratorSummary& s) {
  nb::dict d;
  d["rows"] = s.rows;
  d["distinct"] = s.distinct;
  d["score_kind"] = name_of(score_kind_names(), s.score_kind);
  d["score_lower"] = s.score_lower;
  d["score_upper"] = s.score_upper;
  d["slope"] = s.slope;
  d["intercept"] = s.intercept;
  d["log_evidence"] = s.log_evidence;
  d["claimed"] = s.claimed;
  bool converged = true;
  for (const CalibratorComponent& c : s.components) converged = converged && (c.converged || c.weight == 0);
  d["converged"] = converged;
  d["warnings"] = s.warnings;
  return d;
}

nb::dict words(const ClassCalibratorSummary& s) {
  nb::dict d;
  d["rows"] = s.rows;
  d["score_kind"] = name_of(score_kind_names(), s.score_kind);
  d["maps"] = name_of(class_maps_names(), s.maps);
  d["one_vs_rest_loss"] = s.one_vs_rest_loss;
  d["shared_loss"] = s.shared_loss;
  nb::list calibrators;
  for (const CalibratorSummary& one : s.calibrators) calibrators.append(words(one));
  d["interrupted"] = s.interrupted;
  d["warnings"] = s.warnings;
  d["calibrators"] = calibrators;
  return d;
}

}  // namespace

void add_calibrator(nb::module_& m) {
  using Fit = FittedMonotoneCalibrator;
  m.def(
      "calibrator_defaults", [] { return words(ClassCalibratorOptions{}); },
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
      .def_prop_ro("summary", [](const Fit& f) { return words(f.summary()); })
      .def_prop_ro("options",
                   [](const Fit& f) {
                     ClassCalibratorOptions all;
                     all.map = f.options();
                     return words(all);
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
      .def_prop_ro("summary", [](const Classes& f) { return words(f.summary()); })
      .def_prop_ro("options", [](const Classes& f) { return words(f.options()); })
      .def_prop_ro("columns", &Classes::columns)
      .def("with_columns", &Classes::with_columns, nb::arg("columns"));
  add_model_file(classes);
}

}  // namespace linkgistic::python
