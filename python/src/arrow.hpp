// Tables that Python hands over through Arrow's capsules, and the rows that an encoding makes of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <linkgistic/feature_encoding.hpp>
#include <linkgistic/feature_rows.hpp>

#include "bindings.hpp"
#include "table/arrow_table.hpp"

namespace linkgistic::python {

/// Rows of features with the encoding that made them.
struct EncodedRows {
  FeatureRows rows;
  std::vector<std::string> names;
  FeatureEncoding encoding;
  std::vector<std::string> warnings;
};

/// A table that is read once.
class ArrowInput {
 public:
  explicit ArrowInput(nb::handle x);

  [[nodiscard]] const std::vector<ArrowField>& fields() const { return batches_->fields(); }
  ArrowBatches take() {
    if (!batches_) throw InputError("X: the Arrow stream was read before");
    ArrowBatches batches = *std::move(batches_);
    batches_.reset();
    return batches;
  }

 private:
  std::optional<ArrowBatches> batches_;
};

/// The rows that a model makes of a table.
EncodedRows encode_arrow(ArrowInput& table, const FeatureEncoding* known, std::size_t features);

/// The encoding of messages of `learned_encoding`: medians are zeros.
FeatureEncoding encoding_from(std::string_view message);

void add_arrow(nb::module_& m);

}  // namespace linkgistic::python
