// A hash that distinguishes data sets.
#pragma once

#include <cstdint>
#include <span>

#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// A hash of rows, labels, names, parts and the rows' final weights.
std::uint64_t fingerprint(const ClassificationData& data, std::span<const float> weights);

}  // namespace linkgistic
