// Arrow's PyCapsule interface: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#include "arrow.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "io/spill_buffer.hpp"
#include "rows/arrow_rows.hpp"
#include "rows/feature_file.hpp"
#include "table/arrow_table.hpp"

namespace linkgistic::python {
namespace {

template <class C>
ArrowOwner<C> taken(nb::handle capsule, const char* name) {
  auto* given = static_cast<C*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (given == nullptr) throw nb::python_error();
  ArrowOwner<C> owner;
  *owner.fresh() = *given;
  given->release = nullptr;
  return owner;
}

// A stream of one batch.
struct OneBatch {
  ArrowOwner<ArrowSchema> schema;
  ArrowOwner<ArrowArray> array;
};

template <class C>
void move_to(ArrowOwner<C>& from, C* to) {
  *to = *from;
  from.get()->release = nullptr;
}

ArrowOwner<ArrowArrayStream> stream_of(nb::handle schema, nb::handle array) {
  auto* one =
      new OneBatch{taken<ArrowSchema>(schema, "arrow_schema"), taken<ArrowArray>(array, "arrow_array")};
  ArrowOwner<ArrowArrayStream> stream;
  const auto of = [](ArrowArrayStream* s) { return static_cast<OneBatch*>(s->private_data); };
  static const auto batch = of;
  *stream.fresh() = {[](ArrowArrayStream* s, ArrowSchema* out) {
                       move_to(batch(s)->schema, out);
                       return 0;
                     },
                     [](ArrowArrayStream* s, ArrowArray* out) {
                       move_to(batch(s)->array, out);
                       return 0;
                     },
                     [](ArrowArrayStream*) -> const char* { return nullptr; },
                     [](ArrowArrayStream* s) {
                       delete batch(s);
                       s->release = nullptr;
                     },
                     one};
  return stream;
}

ArrowOwner<ArrowArrayStream> stream_of(nb::handle x) {
  if (nb::hasattr(x, "__arrow_c_stream__"))
    return taken<ArrowArrayStream>(x.attr("__arrow_c_stream__")(), "arrow_array_stream");
  const nb::object pair = x.attr("__arrow_c_array__")();
  return stream_of(pair[0], pair[1]);
}

}  // namespace

ArrowInput::ArrowInput(nb::handle x) : batches_(ArrowBatches("X", stream_of(x))) {}

EncodedRows encode_arrow(ArrowInput& input, const FeatureEncoding* known, std::size_t features) {
  DatasetOptions options;
  options.labelled = false;
  for (const ArrowField& field : input.fields())
    if (known == nullptr && field.entries && field.is_text()) options.categorical.push_back(field.name);
  const nb::gil_scoped_release others;
  const auto table = arrow_table(input.take(), {});
  const std::optional<KnownFeatures> model =
      known != nullptr ? std::optional<KnownFeatures>({*known, features}) : std::nullopt;
  FeatureFile file = read_feature_table(*table, options, model ? &*model : nullptr);
  return {FeatureRows(std::move(file.rows), std::move(file.origin)), std::move(file.feature_names),
          std::move(file.encoding), std::move(file.warnings)};
}

namespace {

nb::object matrix(ArrowInput& input) {
  ArrowRows rows;
  {
    ArrowBatches batches = input.take();
    const nb::gil_scoped_release others;
    rows = read_arrow_rows(batches, default_memory_budget());
  }
  return std::visit(
      [&]<class T>(const SharedSpan<T>& values) -> nb::object {
        auto* kept = new SharedSpan<T>(values);
        const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<SharedSpan<T>*>(p); });
        return nb::cast(
            nb::ndarray<nb::numpy, T>(const_cast<T*>(values.data()), {rows.rows, rows.columns}, owner));
      },
      rows.values);
}

}  // namespace

void add_arrow(nb::module_& m) {
  nb::class_<ArrowInput>(m, "ArrowInput", "A table behind Arrow's capsules, which is read once.")
      .def(nb::init<nb::handle>(), nb::arg("x"))
      .def_prop_ro("names",
                   [](const ArrowInput& input) {
                     std::vector<std::string> names;
                     for (const ArrowField& field : input.fields()) names.push_back(field.name);
                     return names;
                   })
      .def_prop_ro("has_text",
                   [](const ArrowInput& input) {
                     for (const ArrowField& field : input.fields())
                       if (field.is_text()) return true;
                     return false;
                   })
      .def("matrix", &matrix, "The rows as an array of bytes, single or double precision; nulls are NaN.")
      .def("encode", [](ArrowInput& input) { return encode_arrow(input, nullptr, 0); });
  nb::class_<EncodedRows>(m, "EncodedRows", "Rows of features with the encoding that made them.")
      .def_prop_ro("shape",
                   [](const EncodedRows& r) { return nb::make_tuple(r.rows.rows(), r.rows.columns()); })
      .def_prop_ro("columns",
                   [](const EncodedRows& r) {
                     std::vector<std::string> names;
                     for (const ColumnEncoding& column : r.encoding.columns) names.push_back(column.name);
                     return names;
                   })
      .def_prop_ro("names", [](const EncodedRows& r) { return r.names; })
      .def_prop_ro("warnings", [](const EncodedRows& r) { return r.warnings; });
}

}  // namespace linkgistic::python
