// What every file here leans on: errors of the CUDA runtime as exceptions, arrays in the GPU's memory, sums of a block
// in one order.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace linkgistic::cuda {

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Failure(std::string(what) + ": " + cudaGetErrorString(status));
}
inline void check_launch(const char* what) { check(cudaGetLastError(), what); }

/// Room in the GPU's memory. It grows and never shrinks; what it held is lost when it grows.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) { make_room(size); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), room_(std::exchange(other.room_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(room_, other.room_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* make_room(std::size_t size) {
    if (size <= room_) return data_;
    cudaFree(data_);
    data_ = nullptr;
    room_ = 0;
    const cudaError_t status = cudaMalloc(&data_, size * sizeof(T));
    if (status != cudaSuccess) {
      cudaGetLastError();  // this one is told, and is not met again
      std::size_t free = 0, total = 0;
      cudaMemGetInfo(&free, &total);
      throw Failure("the GPU has no room for " + std::to_string(size * sizeof(T)) + " more bytes: " +
                    std::to_string(free) + " of " + std::to_string(total) + " are free");
    }
    room_ = size;
    return data_;
  }
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t room() const { return room_; }

 private:
  T* data_ = nullptr;
  std::size_t room_ = 0;
};

/// Host memory that the GPU copies from and to without a detour.
class PinnedBytes {
 public:
  PinnedBytes() = default;
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;
  ~PinnedBytes() { cudaFreeHost(data_); }
  void* make_room(std::size_t bytes) {
    if (bytes <= room_) return data_;
    cudaFreeHost(data_);
    data_ = nullptr;
    room_ = 0;
    check(cudaMallocHost(&data_, bytes), "host memory for copies");
    room_ = bytes;
    return data_;
  }

 private:
  void* data_ = nullptr;
  std::size_t room_ = 0;
};

/// A GPU and its queue of work.
struct Place {
  int device = 0;
  int processors = 1;
  cudaStream_t queue = nullptr;

  void wait() const { check(cudaStreamSynchronize(queue), "the GPU"); }
};

template <class T>
void upload(const Place& place, DeviceArray<T>& to, const T* from, std::size_t size) {
  if (size == 0) return;
  check(cudaMemcpyAsync(to.make_room(size), from, size * sizeof(T), cudaMemcpyHostToDevice, place.queue),
        "copy to the GPU");
}
template <class T>
void download(const Place& place, T* to, const T* from, std::size_t size) {
  if (size == 0) return;
  check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToHost, place.queue), "copy from the GPU");
}
template <class T>
void clear(const Place& place, DeviceArray<T>& array, std::size_t size) {
  check(cudaMemsetAsync(array.make_room(size), 0, size * sizeof(T), place.queue), "clearing");
}

constexpr int block_threads = 256;

struct Add {
  __device__ static double none() { return 0; }
  __device__ static double join(double a, double b) { return a + b; }
};
struct Least {
  __device__ static double none() { return INFINITY; }
  __device__ static double join(double a, double b) { return fmin(a, b); }
};
struct Most {
  __device__ static double none() { return -INFINITY; }
  __device__ static double join(double a, double b) { return fmax(a, b); }
};

/// The sum (or the least, the greatest) over the threads of a block of `block_threads`, in thread 0.
template <class Join = Add>
__device__ inline double block_join(double v) {
  __shared__ double of_warp[block_threads / 32];
  for (int apart = 16; apart > 0; apart /= 2) v = Join::join(v, __shfl_down_sync(~0U, v, apart));
  __syncthreads();  // the last call's numbers have been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return v;
  v = threadIdx.x < block_threads / 32 ? of_warp[threadIdx.x] : Join::none();
  for (int apart = block_threads / 64; apart > 0; apart /= 2) v = Join::join(v, __shfl_down_sync(~0U, v, apart));
  return v;
}

/// to[i] = the sum of partial[i * parts ..], parts in a fixed order; a warp a sum.
template <class Join>
__global__ void join_partials(const double* partial, int parts, double* to, int count) {
  const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  const int lane = threadIdx.x % 32;
  if (i >= count) return;
  double v = Join::none();
  for (int part = lane; part < parts; part += 32) v = Join::join(v, partial[static_cast<std::size_t>(i) * parts + part]);
  for (int apart = 16; apart > 0; apart /= 2) v = Join::join(v, __shfl_down_sync(~0U, v, apart));
  if (lane == 0) to[i] = v;
}

template <class Join = Add>
void join(const Place& place, const double* partial, int parts, double* to, std::size_t count) {
  const auto blocks = static_cast<unsigned>((count * 32 + block_threads - 1) / block_threads);
  join_partials<Join><<<blocks, block_threads, 0, place.queue>>>(partial, parts, to, static_cast<int>(count));
  check_launch("sums of partial sums");
}

}  // namespace linkgistic::cuda
