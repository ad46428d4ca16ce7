// The module linkgistic._core: the library's models as Python objects. Estimators are built on it in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <linkgistic/error.hpp>
#include <linkgistic/portable.hpp>
#include <linkgistic/version.hpp>

#include "arrow.hpp"
#include "bindings.hpp"
#include "engine/cpu/instruction_set.hpp"
#include "engine/cuda/cuda_library.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.doc() = "The models of the C++ library. Use the estimators of the package linkgistic instead.";
  m.attr("__version__") = linkgistic::version;
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const linkgistic::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const linkgistic::Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  linkgistic::python::add_arrow(m);
  linkgistic::python::add_regression(m);
  linkgistic::python::add_classifier(m);
  linkgistic::python::add_calibrator(m);
  linkgistic::python::add_distributed(m);
  linkgistic::python::add_learned_loss(m);
  linkgistic::python::add_learned_class_loss(m);
  m.def("export_model", &linkgistic::export_model, nb::arg("model_text"), nb::arg("path"),
        nb::arg("name") = "", nb::call_guard<nb::gil_scoped_release>());
  m.def("cuda_devices", &linkgistic::cuda_devices, "The GPUs, one a line, or why there is none.");
  m.def("instruction_set", &linkgistic::instruction_set, "The vector instructions that sums are made with.");
}
