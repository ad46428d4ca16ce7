// A hash that distinguishes data sets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// A hash of rows, labels, names, parts and the rows' final weights. Where the rows are elsewhere it goes on
/// from theirs, `rows_hash`, which begins with that of single_rows_head.
std::uint64_t fingerprint(const ClassificationData& data, std::span<const float> weights,
                          std::optional<std::uint64_t> rows_hash = std::nullopt);
/// Of rows of single precision: their number and that of the columns.
std::uint64_t single_rows_head(std::uint64_t rows, std::uint64_t columns);

}  // namespace linkgistic
