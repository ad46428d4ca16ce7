// What the parts of the module share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <linkgistic/error.hpp>
#include <linkgistic/parameters.hpp>

namespace linkgistic::python {

namespace nb = nanobind;

void add_regression(nb::module_& m);
void add_classifier(nb::module_& m);
void add_calibrator(nb::module_& m);
void add_distributed(nb::module_& m);
void add_learned_loss(nb::module_& m);
void add_learned_class_loss(nb::module_& m);

using DoubleArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using LabelArray = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ByteArray = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline std::span<const std::int32_t> values(const LabelArray& array) { return {array.data(), array.size()}; }
inline std::span<const std::uint8_t> values(const ByteArray& array) { return {array.data(), array.size()}; }
inline std::span<const double> values(const DoubleArray& array) { return {array.data(), array.size()}; }
inline std::span<const double> values(const std::optional<DoubleArray>& array) {
  return array ? values(*array) : std::span<const double>();
}

/// An array of its own for Python, (rows) or (rows, columns).
using Numbers = nb::ndarray<nb::numpy, double>;
inline Numbers to_numpy(std::vector<double> values, std::size_t columns = 0) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  if (columns == 0) return Numbers(kept->data(), {kept->size()}, owner);
  return Numbers(kept->data(), {kept->size() / columns, columns}, owner);
}

/// `name`(): the (name, type, text) of each parameter of a model, for docstrings.
inline void add_parameters(nb::module_& m, const char* name, const std::vector<Parameter>& (*table)()) {
  m.def(name, [table] {
    std::vector<std::tuple<std::string, std::string, std::string>> rows;
    for (const Parameter& p : table()) rows.emplace_back(p.name, p.type, p.text);
    return rows;
  });
}

/// What every fitted model has: its JSON text, files, and pickles that hold the text.
template <class Model>
void add_model_file(nb::class_<Model>& type) {
  type.def("to_json", &Model::to_json)
      .def_static("from_json", &Model::from_json, nb::arg("text"), nb::arg("origin"))
      .def("save", &Model::save, nb::arg("path"))
      .def_static("load", &Model::load, nb::arg("path"))
      .def("__getstate__", &Model::to_json)
      .def("__setstate__", [](Model& model, const std::string& text) {
        new (&model) Model(Model::from_json(text, "pickle"));
      });
}

}  // namespace linkgistic::python
