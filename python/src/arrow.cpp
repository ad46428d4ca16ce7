// Arrow's PyCapsule interface: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#include "arrow.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include <nanobind/stl/pair.h>

#include "io/spill_buffer.hpp"
#include "numeric/bytes.hpp"
#include "rows/arrow_rows.hpp"
#include "rows/column_facts.hpp"
#include "rows/encoded_features.hpp"
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

// A column of an encoding without its median.
struct ColumnMessage {
  std::string name;
  bool text = false;
  std::vector<std::string> categories;

  auto fields() { return std::tie(name, text, categories); }
};

using Messages = std::vector<nb::bytes>;

nb::bytes to_python(const std::string& text) { return nb::bytes(text.data(), text.size()); }
std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// A part of a table that begins with row `first_row`, with the columns that a fit reads as text.
struct TablePart {
  std::unique_ptr<Table> table;
  ColumnRoles roles;
  DatasetOptions options;

  TablePart(ArrowInput& input, std::size_t first_row) {
    options.labelled = false;
    for (const ArrowField& field : input.fields())
      if (field.entries && field.is_text()) options.categorical.push_back(field.name);
    table = arrow_table(input.take(), {}, first_row);
    roles = roles_of(table->columns(), {});
  }
};

nb::bytes facts_of_part(ArrowInput& input, std::size_t first_row) {
  TablePart part(input, first_row);
  return to_python(to_bytes(read_column_facts(*part.table, part.roles, part.options)));
}

nb::bytes texts_of_part(ArrowInput& input, std::size_t first_row, const nb::bytes& facts) {
  TablePart part(input, first_row);
  return to_python(to_bytes(
      read_texts(*part.table, part.roles, part.options.missing, from_bytes<TableFacts>(text_of(facts)))));
}

nb::bytes joined_facts(const Messages& messages) {
  auto facts = from_bytes<TableFacts>(text_of(messages.at(0)));
  for (std::size_t i = 1; i < messages.size(); ++i)
    join_facts(facts, from_bytes<TableFacts>(text_of(messages[i])));
  return to_python(to_bytes(facts));
}

nb::bytes learned_encoding(const nb::bytes& facts) {
  std::vector<std::string> notes;
  std::vector<ColumnMessage> columns;
  for (ColumnEncoding& column : encoding_of(from_bytes<TableFacts>(text_of(facts)), "X", notes).columns)
    columns.push_back({std::move(column.name), column.text, std::move(column.categories)});
  return to_python(to_bytes(columns));
}

Numbers features_of_part(ArrowInput& input, std::size_t first_row, const nb::bytes& encoding) {
  TablePart part(input, first_row);
  const FeatureEncoding known = encoding_from(text_of(encoding));
  return to_numpy(encoded_features(*part.table, known), known.width());
}

// Names of the columns, and for each feature whether it is a number.
std::pair<std::vector<std::string>, std::vector<bool>> encoded_names(const nb::bytes& encoding) {
  std::pair<std::vector<std::string>, std::vector<bool>> found;
  for (const ColumnEncoding& column : encoding_from(text_of(encoding)).columns) {
    found.first.push_back(column.name);
    found.second.insert(found.second.end(), column.width(), !column.text);
  }
  return found;
}

void add_parts(nb::module_& m) {
  m.def("facts_of_part", &facts_of_part, nb::arg("table"), nb::arg("first_row"));
  m.def("texts_of_part", &texts_of_part, nb::arg("table"), nb::arg("first_row"), nb::arg("facts"));
  m.def("joined_facts", &joined_facts, nb::arg("messages"));
  m.def(
      "needs_texts",
      [](const nb::bytes& facts) { return needs_texts(from_bytes<TableFacts>(text_of(facts))); },
      nb::arg("facts"));
  m.def("learned_encoding", &learned_encoding, nb::arg("facts"));
  m.def("features_of_part", &features_of_part, nb::arg("table"), nb::arg("first_row"), nb::arg("encoding"));
  m.def("encoded_names", &encoded_names, nb::arg("encoding"));
}

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

FeatureEncoding encoding_from(std::string_view message) {
  FeatureEncoding encoding;
  for (auto& column : from_bytes<std::vector<ColumnMessage>>(message)) {
    ColumnEncoding& made = encoding.columns.emplace_back();
    made.name = std::move(column.name);
    made.text = column.text;
    made.categories = std::move(column.categories);
  }
  return encoding;
}

void add_arrow(nb::module_& m) {
  add_parts(m);
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
