// How fast the GPU reads its memory: the floor of a pass. Each thread adds 16 bytes at a time, eight loads in flight.
#include "read_bandwidth.hpp"

#include <cstdint>

#include <cuda_runtime.h>

namespace {

__global__ void read_all(const uint4* from, std::size_t count, unsigned* to) {
  unsigned sum = 0;
  constexpr int ahead = 8;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  for (; i + (ahead - 1) * step < count; i += ahead * step) {
    uint4 v[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) v[k] = __ldcs(from + i + k * step);
#pragma unroll
    for (int k = 0; k < ahead; ++k) sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  for (; i < count; i += step) sum += from[i].x ^ from[i].y ^ from[i].z ^ from[i].w;
  if (sum == 0x12345678) *to = sum;
}

}  // namespace

double seconds_to_read(std::size_t bytes, int times) {
  uint4* data = nullptr;
  unsigned* to = nullptr;
  if (cudaMalloc(&data, bytes) != cudaSuccess || cudaMalloc(&to, sizeof *to) != cudaSuccess) return 0;
  cudaMemset(data, 1, bytes);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const auto run = [&] { read_all<<<p.multiProcessorCount * 8, 256>>>(data, bytes / sizeof(uint4), to); };
  run();
  cudaEventRecord(begin);
  for (int i = 0; i < times; ++i) run();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaFree(data);
  cudaFree(to);
  return 1e-3 * milliseconds / times;
}
