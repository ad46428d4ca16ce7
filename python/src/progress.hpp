// Progress of a fit told to Python, and its end by Ctrl-C or by what a callback or a signal's handler raises.
#pragma once

#include <nanobind/stl/pair.h>

#include <linkgistic/progress.hpp>

#include "bindings.hpp"

namespace linkgistic::python {

/// What a fit asks and tells of Python.
class FitWatch {
 public:
  explicit FitWatch(nb::object callback) : callback_(std::move(callback)) {}

  /// Sets stop and on_progress of a model's options, which this object must outlive.
  template <class Options>
  void attach(Options& options) {
    options.stop = [this] { return ask_signals(); };
    if (!callback_.is_none()) options.on_progress = [this](const FitProgress& progress) { tell(progress); };
  }

  /// fit() without the interpreter's lock, and whether it was stopped. What a callback or a signal's handler
  /// raised is raised here.
  template <class Fit>
  auto run(const Fit& fit) -> std::pair<decltype(fit()), bool> {
    std::optional<decltype(fit())> fitted;
    try {
      const nb::gil_scoped_release others;
      fitted = fit();
    } catch (const Interrupted&) {
      if (!error_) throw;
    }
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return {*std::move(fitted), stopped_};
  }

 private:
  // Runs Python's signal handlers; true after Ctrl-C or whatever else a handler raises.
  bool ask_signals() {
    const nb::gil_scoped_acquire python;
    if (!stopped_ && PyErr_CheckSignals() != 0) end(nb::python_error());
    return stopped_;
  }

  // A KeyboardInterrupt asks for the best so far, any other exception reaches the caller.
  void end(const nb::python_error& error) {
    stopped_ = true;
    if (!error.matches(PyExc_KeyboardInterrupt)) error_ = std::make_exception_ptr(error);
  }

  void tell(const FitProgress& progress) {
    const nb::gil_scoped_acquire python;
    if (stopped_) return;
    nb::dict d;
    d["phase"] = progress.phase;
    d["step"] = progress.step;
    d["of"] = progress.of;
    d["objective"] = progress.objective;
    d["seconds"] = progress.seconds;
    try {
      callback_(d);
    } catch (const nb::python_error& error) {
      end(error);
    }
  }

  nb::object callback_;
  bool stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace linkgistic::python
