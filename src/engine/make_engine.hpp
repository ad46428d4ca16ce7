// The engine that answers for a fit's rows, by the word a user chooses it with.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/engine_rows.hpp"

namespace linkgistic {

/// Makes the engine that answers for a fit's rows.
using EngineFactory = std::function<std::unique_ptr<RowEngine>(EngineRows rows, int threads)>;

/// "cpu", "cuda" (the first GPU) or "cuda:N". UsageError: another word.
EngineFactory engine_on(const std::string& device);

}  // namespace linkgistic
