#include "rows.hpp"

#include <memory>

#include <nanobind/stl/pair.h>

#include "arrow.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic::python {
namespace {

template <class T>
using Dense = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Strided = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Flat = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// `count` values of an array, which lives as long as they are used.
template <class T, class Array>
SharedSpan<T> shared(Array array, std::size_t count) {
  const std::span<const T> span(array.data(), count);
  return {std::make_shared<const Array>(std::move(array)), span};
}

template <class T>
SharedSpan<T> flat(nb::handle x) {
  auto array = nb::cast<Flat<T>>(x);
  const std::size_t size = array.size();
  return shared<T>(std::move(array), size);
}

template <class T>
std::optional<FeatureRows> stored(nb::handle x) {
  Dense<T> array;
  if (!nb::try_cast(x, array, false)) return std::nullopt;
  const std::size_t n = array.shape(0), d = array.shape(1);
  return FeatureRows(RowMatrix(DenseRows<T>{n, d, shared<T>(std::move(array), n * d)}));
}

template <class T>
std::optional<ViewRows<T>> view(nb::handle x) {
  Strided<T> array;
  if (!nb::try_cast(x, array, false)) return std::nullopt;
  const std::size_t n = array.shape(0), d = array.shape(1);
  if (array.stride(0) < 0 || array.stride(1) < 0) throw nb::value_error("x: its steps must not be negative");
  const auto row_step = static_cast<std::size_t>(array.stride(0));
  const auto column_step = static_cast<std::size_t>(array.stride(1));
  const std::size_t count = n * d == 0 ? 0 : (n - 1) * row_step + (d - 1) * column_step + 1;
  return ViewRows<T>{n, d, shared<T>(std::move(array), count), row_step, column_step, {}};
}

FeatureRows sparse(const nb::tuple& parts) {
  const auto shape = nb::cast<std::pair<std::size_t, std::size_t>>(parts[0]);
  CsrRows rows{shape.first, shape.second, flat<std::int64_t>(parts[1]), flat<std::int32_t>(parts[2]), {}};
  Flat<float> single;
  if (nb::try_cast(parts[3], single, false)) {
    rows.value = flat<float>(parts[3]);
  } else {
    rows.value = flat<double>(parts[3]);
  }
  return FeatureRows(RowMatrix(std::move(rows)));
}

}  // namespace

FeatureRows feature_rows(nb::handle x, int threads) {
  if (nb::isinstance<EncodedRows>(x)) return nb::cast<const EncodedRows&>(x).rows;
  if (nb::isinstance<nb::tuple>(x)) return sparse(nb::cast<nb::tuple>(x));
  if (auto bytes = stored<std::uint8_t>(x)) return *bytes;
  if (auto single = stored<float>(x)) return *single;
  if (auto single = view<float>(x)) return FeatureRows(RowMatrix(*std::move(single)));
  auto rows = view<double>(x);
  if (!rows) throw nb::type_error("x: rows must be float64, float32 or uint8 (in C order)");
  const nb::gil_scoped_release others;
  ViewRows<double> centred = about_means(*std::move(rows), threads);
  std::vector<double> origin = centred.origin;
  return FeatureRows(RowMatrix(std::move(centred)), std::move(origin));
}

RowMatrix row_matrix(nb::handle x) {
  if (auto rows = view<double>(x)) return RowMatrix(*std::move(rows));
  return feature_rows(x, 1).matrix();
}

}  // namespace linkgistic::python
