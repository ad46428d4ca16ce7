// Work that an earlier run of the program may have finished.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace linkgistic {

/// Returns the recorded answer to a question, or records and returns `work()`. The question has all that the
/// answer depends on. Several threads may call it.
using Recall =
    std::function<std::string(std::string_view question, const std::function<std::string()>& work)>;

}  // namespace linkgistic
