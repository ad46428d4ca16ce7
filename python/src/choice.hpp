// Options that are one of a few words.
#pragma once

#include "bindings.hpp"
#include "calibration/names.hpp"
#include "classification/names.hpp"

namespace linkgistic::python {

template <class Options, class Enum>
std::function<void(Options&, nb::handle)> choice(Enum Options::*member,
                                                 const std::map<std::string, Enum>& names) {
  return [member, &names](Options& options, nb::handle value) {
    options.*member = value_of(names, nb::cast<std::string>(value));
  };
}

}  // namespace linkgistic::python
