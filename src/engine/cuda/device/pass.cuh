// The verb pass: scores, losses, residuals and gradients of all problems.
#pragma once

#include "engine/cuda/device/products.cuh"
#include "engine/cuda/device/score_cache.cuh"

namespace linkgistic::cuda {

void answer_pass(const Place& place, const Rows& rows, ScoreCache& cache, Workspace& work,
                 const lg_cuda_scores& request, const lg_cuda_pass_answer& answer);

}  // namespace linkgistic::cuda
