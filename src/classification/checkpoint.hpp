// The file from which a fit that was broken off resumes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <linkgistic/linkgistic_classifier.hpp>

#include "engine/answer_log.hpp"

namespace linkgistic {

/// The log of answers that options.checkpoint names, none where it is empty. It belongs to one data set,
/// options, version and instruction set: InputError for one of others.
/// `rows_hash` is as fingerprint.hpp says.
std::unique_ptr<AnswerLog> open_log(const ClassificationData& data, std::span<const float> weights,
                                    const LinkgisticOptions& options,
                                    std::optional<std::uint64_t> rows_hash = std::nullopt);

/// The same of data with this hash that take so many bytes.
std::unique_ptr<AnswerLog> open_log(std::uint64_t data, std::uint64_t bytes,
                                    const LinkgisticOptions& options);

}  // namespace linkgistic
