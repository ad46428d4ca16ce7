// pass: losses, gradients and ranges of scores of all problems, in one read of the rows.
#pragma once

#include "engine/cpu/fused_pass.hpp"
#include "engine/verbs/score_request.hpp"

namespace linkgistic {

struct PassRequest : ScoreRequest {
  using Answer = PassResult;  // the gradient is that of the raw values
};

}  // namespace linkgistic
