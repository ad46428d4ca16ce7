#include "rows.hpp"

#include <memory>

#include <nanobind/stl/pair.h>

#include "data/row_matrix.hpp"

namespace linkgistic::python {
namespace {

template <class T>
using Dense = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Flat = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The values of an array, which lives as long as they are used.
template <class T, class Array>
SharedSpan<T> shared(Array array) {
  const std::span<const T> span(array.data(), array.size());
  return {std::make_shared<const Array>(std::move(array)), span};
}

template <class T>
bool dense_as_it_is(nb::handle x, FeatureRows& rows) {
  Dense<T> array;
  if (!nb::try_cast(x, array, false)) return false;
  const std::size_t n = array.shape(0), d = array.shape(1);
  rows = FeatureRows(RowMatrix(DenseRows<T>{n, d, shared<T>(std::move(array))}));
  return true;
}

FeatureRows sparse(const nb::tuple& parts) {
  const auto shape = nb::cast<std::pair<std::size_t, std::size_t>>(parts[0]);
  return FeatureRows(RowMatrix(CsrRows{shape.first, shape.second,
                                       shared<std::int64_t>(nb::cast<Flat<std::int64_t>>(parts[1])),
                                       shared<std::int32_t>(nb::cast<Flat<std::int32_t>>(parts[2])),
                                       shared<float>(nb::cast<Flat<float>>(parts[3]))}));
}

}  // namespace

FeatureRows feature_rows(nb::handle x) {
  if (nb::isinstance<nb::tuple>(x)) return sparse(nb::cast<nb::tuple>(x));
  FeatureRows rows;
  if (dense_as_it_is<std::uint8_t>(x, rows) || dense_as_it_is<float>(x, rows)) return rows;
  const auto array = nb::cast<Dense<double>>(x);
  const nb::gil_scoped_release others;
  return FeatureRows::dense(std::span(array.data(), array.size()), array.shape(0), array.shape(1));
}

}  // namespace linkgistic::python
