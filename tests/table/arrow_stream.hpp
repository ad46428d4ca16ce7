// Arrow streams in memory for tests, which own what they point to.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "table/arrow_table.hpp"

namespace linkgistic {

/// One column of a batch: format, bytes of the buffers (an empty validity is none), perhaps a dictionary.
struct TestColumn {
  std::string name, format;
  std::int64_t length = 0, null_count = 0, offset = 0;
  std::vector<std::string> buffers;
  std::shared_ptr<TestColumn> dictionary = nullptr;
};

template <class T>
std::string raw_bytes(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Batches of columns as a stream; `columns` of the first batch give the schema.
class TestStream {
 public:
  explicit TestStream(std::vector<std::vector<TestColumn>> batches) : batches_(std::move(batches)) {}

  ArrowOwner<ArrowArrayStream> open() const { return open({}); }
  /// Of these columns in this order; of none named, of all.
  ArrowOwner<ArrowArrayStream> open(const std::vector<std::size_t>& columns) const {
    auto* state = new State{batches_, 0};
    for (auto& batch : state->batches) {
      std::vector<TestColumn> some;
      for (const std::size_t j : columns) some.push_back(batch[j]);
      if (!columns.empty()) batch = std::move(some);
    }
    ArrowOwner<ArrowArrayStream> stream;
    *stream.fresh() = {schema, next, [](ArrowArrayStream*) -> const char* { return "the producer's words"; },
                       [](ArrowArrayStream* s) {
                         delete static_cast<State*>(s->private_data);
                         s->release = nullptr;
                       },
                       state};
    return stream;
  }

 private:
  struct State {
    std::vector<std::vector<TestColumn>> batches;
    std::size_t at;
  };
  // What a struct of the interface points to.
  struct Held {
    std::vector<TestColumn> columns;
    std::vector<std::unique_ptr<ArrowSchema>> schemas;
    std::vector<std::unique_ptr<ArrowArray>> arrays;
    std::vector<ArrowSchema*> schema_children;
    std::vector<ArrowArray*> array_children;
    std::vector<std::unique_ptr<std::vector<const void*>>> buffers;
  };

  static ArrowSchema* add_schema(Held& held, const TestColumn& column) {
    ArrowSchema* own = held.schemas.emplace_back(std::make_unique<ArrowSchema>()).get();
    own->format = column.format.c_str();
    own->name = column.name.c_str();
    own->flags = ARROW_FLAG_NULLABLE;
    if (column.dictionary) own->dictionary = add_schema(held, *column.dictionary);
    return own;
  }
  static ArrowArray* add_array(Held& held, const TestColumn& column) {
    ArrowArray* own = held.arrays.emplace_back(std::make_unique<ArrowArray>()).get();
    auto& pointers = *held.buffers.emplace_back(std::make_unique<std::vector<const void*>>());
    for (std::size_t b = 0; b < column.buffers.size(); ++b)
      pointers.push_back(b == 0 && column.buffers[b].empty() ? nullptr : column.buffers[b].data());
    own->length = column.length;
    own->null_count = column.null_count;
    own->offset = column.offset;
    own->n_buffers = static_cast<std::int64_t>(pointers.size());
    own->buffers = pointers.data();
    if (column.dictionary) own->dictionary = add_array(held, *column.dictionary);
    return own;
  }

  static int schema(ArrowArrayStream* stream, ArrowSchema* out) {
    const auto* state = static_cast<State*>(stream->private_data);
    auto* held = new Held{state->batches.at(0), {}, {}, {}, {}, {}};
    for (const TestColumn& column : held->columns) held->schema_children.push_back(add_schema(*held, column));
    *out = {};
    out->format = "+s";
    out->n_children = static_cast<std::int64_t>(held->schema_children.size());
    out->children = held->schema_children.data();
    out->private_data = held;
    out->release = [](ArrowSchema* s) {
      delete static_cast<Held*>(s->private_data);
      s->release = nullptr;
    };
    return 0;
  }
  static int next(ArrowArrayStream* stream, ArrowArray* out) {
    auto* state = static_cast<State*>(stream->private_data);
    *out = {};
    if (state->at == state->batches.size()) return 0;
    auto* held = new Held{state->batches[state->at++], {}, {}, {}, {}, {}};
    for (const TestColumn& column : held->columns) held->array_children.push_back(add_array(*held, column));
    static const void* no_validity[] = {nullptr};
    out->length = held->columns.empty() ? 0 : held->columns[0].length;
    out->n_buffers = 1;
    out->buffers = no_validity;
    out->n_children = static_cast<std::int64_t>(held->array_children.size());
    out->children = held->array_children.data();
    out->private_data = held;
    out->release = [](ArrowArray* a) {
      delete static_cast<Held*>(a->private_data);
      a->release = nullptr;
    };
    return 0;
  }

  std::vector<std::vector<TestColumn>> batches_;
};

}  // namespace linkgistic
