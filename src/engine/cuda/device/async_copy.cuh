// Copies into the shared memory of a block that go on while its threads do something else.
#pragma once

#include "engine/cuda/device/support.cuh"

namespace linkgistic::cuda {

__device__ inline unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ inline void copy_16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}
__device__ inline void close_copies() { asm volatile("cp.async.commit_group;"); }
template <int Open>
__device__ inline void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Open));
}

}  // namespace linkgistic::cuda
