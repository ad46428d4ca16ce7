#include "engine/cuda/device/row_products.cuh"

#include <algorithm>
#include <cmath>

#include <cub/device/device_select.cuh>

#include <Random123/philox.h>
#include <Random123/uniform.hpp>

#include "engine/cuda/device/row_values.cuh"

namespace linkgistic::cuda {
namespace {

// The first number of numeric/random.hpp's stream n.
__device__ double uniform_of(std::uint64_t seed, std::uint64_t n) {
  using Generator = r123::Philox2x64;
  const Generator::key_type key{{seed}};
  const auto bits = Generator{}(Generator::ctr_type{{0, n}}, key);
  return r123::u01<double>(bits[1]);
}

// The curvature of a row over its probability of being drawn, or 0; engine/verbs/sample.hpp.
__global__ void draw_kernel(Scores s, RowFacts rows, const Norm* norms, int direction, double share, std::uint64_t seed,
                            float* drawn, std::uint32_t* numbers) {
  const std::uint64_t n = blockIdx.x * std::uint64_t{block_threads} + threadIdx.x;
  if (n >= rows.rows) return;
  numbers[n] = static_cast<std::uint32_t>(n);
  const double c = curvature_of(s, rows, norms, 0, direction, n);
  drawn[n] = 0;
  if (!(c > 0)) return;
  const double probability = fmin(1.0, share * c);
  if (probability < 1 && !(uniform_of(seed, n) < probability)) return;
  drawn[n] = static_cast<float>(c / probability);
}

struct IsPositive {
  __device__ bool operator()(float v) const { return v > 0; }
};

// x[0 .. columns] = factor (1, z); a block a row.
__device__ void write_features(const RowValues& values, std::uint64_t n, const double* shift, const double* scale,
                               double factor, double* x) {
  const bool sparse = values.storage == LG_CUDA_SPARSE;
  const auto shift_of = [&](int j) { return shift == nullptr ? 0.0 : shift[j]; };
  const auto scale_of = [&](int j) { return scale == nullptr ? 1.0 : scale[j]; };
  if (threadIdx.x == 0) x[0] = factor;
  if (sparse) {
    for (int j = threadIdx.x; j < values.columns; j += block_threads) x[j + 1] = -factor * shift_of(j) * scale_of(j);
    __syncthreads();
  }
  values.each(n, threadIdx.x, block_threads, [&](int j, float v) {
    const double raw = static_cast<double>(v);
    if (sparse) {
      x[j + 1] += factor * raw * scale_of(j);
    } else {
      x[j + 1] = factor * ((raw - shift_of(j)) * scale_of(j));
    }
  });
}

__global__ void sample_rows(const __grid_constant__ RowValues values, const std::uint32_t* chosen, const float* drawn,
                            const double* shift, const double* scale, std::uint64_t first, std::size_t width,
                            double* x) {
  const std::uint64_t n = chosen[first + blockIdx.x];
  write_features(values, n, shift, scale, sqrt(static_cast<double>(drawn[n])), x + blockIdx.x * width);
}

__global__ void gram_rows(const __grid_constant__ RowValues values, Scores s, RowFacts rows, const Norm* norms,
                          int direction, const double* shift, const double* scale, std::uint64_t first,
                          std::size_t width, double* x) {
  const std::uint64_t n = first + blockIdx.x;
  const double c = curvature_of(s, rows, norms, 0, direction, n);
  write_features(values, n, shift, scale, sqrt(c), x + blockIdx.x * width);
}

// factor f_i(score), functions `own`, `own` + `all`, ...
__device__ void put_values(const Functions& f, double score, double factor, int own, int all, int first, double* to) {
  const double place = fmin(fmax(0.0, (score - f.lower) / f.step), static_cast<double>(f.nodes - 1));
  const int node = min(static_cast<int>(place), f.nodes - 2);
  const double beyond = place - node;
  const double* left = f.values + static_cast<std::size_t>(node) * f.count;
  const double* right = left + f.count;
  for (int i = first + own; i < f.count; i += all) to[i - first] = factor * (left[i] + beyond * (right[i] - left[i]));
}

__global__ void information_rows(const __grid_constant__ RowValues values, Scores s, RowFacts rows,
                                 const Functions* functions, const double* shift, const double* scale,
                                 std::uint64_t first, std::size_t width, double* x) {
  const std::uint64_t n = first + blockIdx.x;
  double* to = x + blockIdx.x * width;
  const double w = static_cast<double>(weight_in(rows, s.problems[0], n));
  const Functions f = functions[rows.labels[n] == s.problems[0].label ? 1 : 0];
  const double score = static_cast<double>(s.at[0][n]);
  __shared__ double factor;
  if (threadIdx.x == 0) {
    Functions one = f;
    double value = 0;
    const double place = fmin(fmax(0.0, (score - one.lower) / one.step), static_cast<double>(one.nodes - 1));
    const int node = min(static_cast<int>(place), one.nodes - 2);
    const double* left = one.values + static_cast<std::size_t>(node) * one.count;
    value = left[0] + (place - node) * (left[one.count] - left[0]);
    factor = sqrt(w) * value;
  }
  __syncthreads();
  write_features(values, n, shift, scale, factor, to);
  put_values(f, score, sqrt(w), threadIdx.x, block_threads, 1, to + values.columns + 1);
}

__global__ void overlap_rows(Scores s, RowFacts rows, const Norm* norms, const Functions* functions,
                             const std::uint32_t* group, const std::uint32_t* place, int set, std::uint64_t first,
                             std::size_t width, double* x) {
  const std::uint64_t n = first + blockIdx.x;
  double* to = x + blockIdx.x * width;
  const Norm norm = norms[set * rows.rows + n];
  const double w = norm.sum > 0 ? static_cast<double>(weight_in(rows, s.problems[set * s.coupled], n)) : 0.0;
  for (std::size_t i = threadIdx.x; i < width; i += block_threads) to[i] = 0;
  __syncthreads();
  if (!(w > 0)) return;
  // So many threads a class.
  constexpr int lanes = 16;
  for (int k = threadIdx.x / lanes; k < s.coupled; k += block_threads / lanes) {
    const int p = set * s.coupled + k;
    const double score = static_cast<double>(s.at[p][n]);
    const double share = exp(node_at(s.table(p), 0, score).value - norm.most) / norm.sum;
    put_values(functions[group[p]], score, sqrt(w) * share, threadIdx.x % lanes, lanes, 0, to + place[group[p]]);
  }
}

constexpr int tile = 64;
constexpr int depth = 16;

// out (gridDim.y, width, width) += sums over rows of x x', upper tiles alone; a block a tile and a part of the rows, 4 by
// 4 numbers a thread. A sum of n products has an error of at most n 2^-53 times the sum of their absolute values.
__global__ void __launch_bounds__(block_threads)
    add_products(const double* x, int rows, int width, double* out) {
  // Parts are whole depths, but for the last one.
  const int parts = static_cast<int>(gridDim.y);
  const int part = (rows + depth * parts - 1) / (depth * parts) * depth;
  const int begin = min(rows, part * static_cast<int>(blockIdx.y)), end = min(rows, begin + part);
  out += static_cast<std::size_t>(blockIdx.y) * width * width;
  // Tiles of the upper triangle, row after row.
  const int tiles = (width + tile - 1) / tile;
  int row = 0, left = static_cast<int>(blockIdx.x);
  while (left >= tiles - row) left -= tiles - row++;
  const int first_i = row * tile, first_j = (row + left) * tile;
  __shared__ double a[depth][tile], b[depth][tile];
  const int ti = static_cast<int>(threadIdx.x) / 16 * 4, tj = static_cast<int>(threadIdx.x) % 16 * 4;
  double sum[4][4] = {};
  for (int r = begin; r < end; r += depth) {
    __syncthreads();
    for (int e = threadIdx.x; e < depth * tile; e += block_threads) {
      const int d = e / tile, c = e % tile;
      const double* from = x + static_cast<std::size_t>(r + d) * width;
      a[d][c] = r + d < end && first_i + c < width ? from[first_i + c] : 0.0;
      b[d][c] = r + d < end && first_j + c < width ? from[first_j + c] : 0.0;
    }
    __syncthreads();
    for (int d = 0; d < depth; ++d)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] = fma(a[d][ti + i], b[d][tj + j], sum[i][j]);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int to_i = first_i + ti + i, to_j = first_j + tj + j;
      if (to_i < width && to_j < width && to_i <= to_j) out[static_cast<std::size_t>(to_i) * width + to_j] += sum[i][j];
    }
}

// The sum of planes (count, width, width) in their order, the upper triangle of it, by rows or by columns.
template <class To, bool by_columns>
__global__ void add_planes(const double* planes, int count, int width, To* to) {
  const std::size_t size = static_cast<std::size_t>(width) * width;
  const std::size_t at = blockIdx.x * std::size_t{block_threads} + threadIdx.x;
  if (at >= size) return;
  const std::size_t i = at / width, j = at % width;
  double sum = 0;
  for (int p = 0; p < count && i <= j; ++p) sum += planes[p * size + at];
  to[by_columns ? j * width + i : at] = static_cast<To>(sum);
}

// Moments of dense columns: a thread a column, a block of rows each.
__global__ void dense_moments(const __grid_constant__ RowValues values, RowFacts rows, const double* pivot,
                              std::uint64_t rows_of_block, double* partial) {
  const int j = static_cast<int>(blockIdx.x * block_threads + threadIdx.x);
  if (j >= values.columns) return;
  const std::uint64_t begin = blockIdx.y * rows_of_block, end = min(begin + rows_of_block, rows.rows);
  double first = 0, second = 0, most = -INFINITY;
  for (std::uint64_t n = begin; n < end; ++n) {
    const double raw = values.storage == LG_CUDA_BYTES ? static_cast<double>(values.bytes[n * values.stride + j])
                                                       : static_cast<double>(values.floats[n * values.stride + j]);
    const double w = rows.weights == nullptr ? 1.0 : static_cast<double>(rows.weights[n]);
    const double x = raw - (pivot == nullptr ? 0.0 : pivot[j]);
    first += w * x;
    second += w * x * x;
    most = fmax(most, raw);
  }
  const std::size_t to = static_cast<std::size_t>(j) * gridDim.y + blockIdx.y;
  const std::size_t plane = static_cast<std::size_t>(values.columns) * gridDim.y;
  partial[to] = first;
  partial[plane + to] = second;
  partial[2 * plane + to] = most;
}

// Of sparse columns, a warp each; their pivot is 0.
__global__ void sparse_moments(const Segment* segments, const std::int32_t* first_segment, const std::int32_t* row,
                               const float* value, const float* weights, int columns, double* sums) {
  const int j = static_cast<int>((blockIdx.x * block_threads + threadIdx.x) / 32);
  if (j >= columns) return;
  double first = 0, second = 0, most = -INFINITY;
  for (int s = first_segment[j]; s < first_segment[j + 1]; ++s) {
    for (int e = threadIdx.x % 32; e < segments[s].entries; e += 32) {
      const double x = static_cast<double>(value[segments[s].first + e]);
      const double w = weights == nullptr ? 1.0 : static_cast<double>(weights[row[segments[s].first + e]]);
      first += w * x;
      second += w * x * x;
      most = fmax(most, x);
    }
  }
  for (int apart = 16; apart > 0; apart /= 2) {
    first += __shfl_xor_sync(~0U, first, apart);
    second += __shfl_xor_sync(~0U, second, apart);
    most = fmax(most, __shfl_xor_sync(~0U, most, apart));
  }
  if (threadIdx.x % 32 != 0) return;
  sums[j] = first;
  sums[columns + j] = second;
  sums[2 * columns + j] = most;
}

// Number begin + blockIdx.y of the (selections, labels).
__global__ void weight_kernel(RowFacts rows, const Problem* selections, std::size_t begin, int labels, double* partial) {
  const std::size_t which = begin + blockIdx.y;
  const auto s = static_cast<int>(which / labels), label = static_cast<int>(which % labels);
  double sum = 0;
  for (std::uint64_t n = blockIdx.x * std::uint64_t{block_threads} + threadIdx.x; n < rows.rows;
       n += gridDim.x * std::uint64_t{block_threads})
    if (rows.labels[n] == label) sum += static_cast<double>(weight_in(rows, selections[s], n));
  sum = block_join(sum);
  if (threadIdx.x == 0) partial[which * gridDim.x + blockIdx.x] = sum;
}

constexpr std::size_t most_of_grid = 65535;  // blocks along y

unsigned groups_of(std::uint64_t count, unsigned size) { return static_cast<unsigned>((count + size - 1) / size); }

}  // namespace

RowProducts::DeviceScale RowProducts::upload_scale(const lg_cuda_scale& scale) {
  const auto columns = static_cast<std::size_t>(rows_.columns());
  double* room = scale_.make_room(std::max<std::size_t>(1, 2 * columns));
  const auto put = [&](const double* from, double* to) -> const double* {
    if (from == nullptr || columns == 0) return nullptr;
    check(cudaMemcpyAsync(to, from, columns * sizeof(double), cudaMemcpyHostToDevice, place_.queue), "copy to the GPU");
    return to;
  };
  return {put(scale.shift, room), put(scale.scale, room + columns)};
}

std::uint64_t RowProducts::sample(const Scores& scores, std::uint32_t direction, double share, std::uint64_t seed) {
  const auto rows = static_cast<std::size_t>(rows_.count());
  sampled_ = 0;
  if (rows == 0) return 0;
  float* drawn = drawn_.make_room(rows);
  std::uint32_t* all = all_rows_.make_room(rows);
  std::uint32_t* chosen = chosen_.make_room(rows + 1);
  draw_kernel<<<groups_of(rows, block_threads), block_threads, 0, place_.queue>>>(
      scores, rows_.facts(), sums_.norms(scores, true), static_cast<int>(direction), share, seed, drawn, all);
  check_launch("sample");
  std::size_t bytes = 0;
  const auto count = static_cast<int>(rows);
  check(cub::DeviceSelect::FlaggedIf(nullptr, bytes, all, drawn, chosen, chosen + rows, count, IsPositive(), place_.queue),
        "sample");
  check(cub::DeviceSelect::FlaggedIf(scratch_.make_room(bytes), bytes, all, drawn, chosen, chosen + rows, count,
                                     IsPositive(), place_.queue),
        "sample");
  std::uint32_t found = 0;
  download(place_, &found, chosen + rows, 1);
  place_.wait();
  sampled_ = found;
  return sampled_;
}

template <class Write>
RowProducts::Planes RowProducts::products(std::uint64_t rows, std::size_t width, const Write& write) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const std::uint64_t at_once = std::clamp<std::uint64_t>(bytes / (width * sizeof(double) + 1), 64, 1 << 16);
  double* x = matrix_.make_room(std::min<std::uint64_t>(at_once, std::max<std::uint64_t>(1, rows)) * width);
  const auto tiles = static_cast<unsigned>((width + tile - 1) / tile);
  const unsigned blocks = tiles * (tiles + 1) / 2;
  // Few tiles do not fill the GPU: then the rows are cut as well.
  constexpr unsigned most_planes = 32;
  const unsigned planes = std::clamp(4 * static_cast<unsigned>(place_.processors) / blocks, 1U, most_planes);
  clear(place_, product_, planes * width * width);
  for (std::uint64_t first = 0; first < rows; first += at_once) {
    const auto some = static_cast<unsigned>(std::min(at_once, rows - first));
    write(first, some, x);
    add_products<<<dim3(blocks, planes), block_threads, 0, place_.queue>>>(x, static_cast<int>(some),
                                                                           static_cast<int>(width), product_.data());
    check_launch("products of features");
  }
  return {product_.data(), static_cast<int>(planes)};
}

void RowProducts::take(const Planes& planes, std::size_t width, double* sum) {
  const std::size_t size = width * width;
  double* joined = joined_.make_room(size);
  add_planes<double, false><<<groups_of(size, block_threads), block_threads, 0, place_.queue>>>(
      planes.sum, planes.count, static_cast<int>(width), joined);
  check_launch("products of features");
  auto* staging = static_cast<double*>(work_.staging.make_room(size * sizeof(double)));
  download(place_, staging, joined, size);
  place_.wait();
  std::copy_n(staging, size, sum);
}

void RowProducts::sample_product(const lg_cuda_scale& scale, float* product) {
  if (sampled_ == 0) return;
  const DeviceScale on_device = upload_scale(scale);
  const std::size_t width = static_cast<std::size_t>(rows_.columns()) + 1;
  const Planes planes = products(sampled_, width, [&](std::uint64_t first, unsigned some, double* x) {
    sample_rows<<<some, block_threads, 0, place_.queue>>>(RowValues(rows_), chosen_.data(), drawn_.data(),
                                                          on_device.shift, on_device.scale, first, width, x);
  });
  const std::size_t size = width * width;
  float* sum = single_.make_room(size);
  add_planes<float, true><<<groups_of(size, block_threads), block_threads, 0, place_.queue>>>(
      planes.sum, planes.count, static_cast<int>(width), sum);
  check_launch("sample");
  auto* staging = static_cast<float*>(work_.staging.make_room(size * sizeof(float)));
  download(place_, staging, sum, size);
  place_.wait();
  std::copy_n(staging, size, product);
}

void RowProducts::gram(const Scores& scores, std::uint32_t direction, const lg_cuda_scale& scale, double* sum) {
  const DeviceScale on_device = upload_scale(scale);
  const Norm* norms = sums_.norms(scores, true);
  const std::size_t width = static_cast<std::size_t>(rows_.columns()) + 1;
  const Planes planes = products(rows_.count(), width, [&](std::uint64_t first, unsigned some, double* x) {
    gram_rows<<<some, block_threads, 0, place_.queue>>>(RowValues(rows_), scores, rows_.facts(), norms,
                                                        static_cast<int>(direction), on_device.shift, on_device.scale,
                                                        first, width, x);
  });
  take(planes, width, sum);
}

namespace {

// Functions with their values in `values`, one after the other.
const Functions* upload_functions(const Place& place, const lg_cuda_functions* functions, std::size_t count,
                                  DeviceArray<double>& values, DeviceArray<Functions>& to) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i)
    all.insert(all.end(), functions[i].values,
               functions[i].values + std::size_t{functions[i].count} * functions[i].nodes);
  upload(place, values, all.data(), all.size());
  std::vector<Functions> placed;
  const double* at = values.data();
  for (std::size_t i = 0; i < count; ++i) {
    placed.push_back({functions[i].lower, functions[i].step, static_cast<int>(functions[i].count),
                      static_cast<int>(functions[i].nodes), at});
    at += std::size_t{functions[i].count} * functions[i].nodes;
  }
  upload(place, to, placed.data(), placed.size());
  return to.data();
}

}  // namespace

void RowProducts::information(const Scores& scores, const lg_cuda_scale& scale, const lg_cuda_functions* functions,
                              double* sum) {
  const DeviceScale on_device = upload_scale(scale);
  const Functions* on_gpu = upload_functions(place_, functions, 2, values_, functions_);
  const std::size_t width = static_cast<std::size_t>(rows_.columns()) + functions[0].count;
  const Planes planes = products(rows_.count(), width, [&](std::uint64_t first, unsigned some, double* x) {
    information_rows<<<some, block_threads, 0, place_.queue>>>(RowValues(rows_), scores, rows_.facts(), on_gpu,
                                                               on_device.shift, on_device.scale, first, width, x);
  });
  take(planes, width, sum);
}

void RowProducts::overlap(const Scores& scores, const std::uint32_t* group, std::uint32_t groups,
                          const lg_cuda_functions* functions, double* sum) {
  const Functions* on_gpu = upload_functions(place_, functions, groups, values_, functions_);
  std::vector<std::uint32_t> numbers(group, group + scores.count);
  std::size_t width = 0;
  for (std::uint32_t g = 0; g < groups; ++g) {
    numbers.push_back(static_cast<std::uint32_t>(width));
    width += functions[g].count;
  }
  upload(place_, numbers_, numbers.data(), numbers.size());
  const Norm* norms = sums_.norms(scores);
  std::vector<double> of_set(width * width);
  std::fill_n(sum, width * width, 0.0);
  for (int set = 0; set < scores.sets(); ++set) {
    const Planes planes = products(rows_.count(), width, [&](std::uint64_t first, unsigned some, double* x) {
      overlap_rows<<<some, block_threads, 0, place_.queue>>>(scores, rows_.facts(), norms, on_gpu, numbers_.data(),
                                                             numbers_.data() + scores.count, set, first, width, x);
    });
    take(planes, width, of_set.data());
    for (std::size_t i = 0; i < of_set.size(); ++i) sum[i] += of_set[i];
  }
}

void RowProducts::summary(const lg_cuda_problem* selections, std::uint32_t selection_count, std::uint32_t labels,
                          const double* pivot, double* weight, double* first, double* second, double* greatest) {
  const auto columns = static_cast<std::size_t>(rows_.columns());
  const std::size_t weights = std::size_t{selection_count} * labels;
  if (weights > 0) {
    upload(place_, selections_, selections, selection_count);
    const unsigned some = std::clamp(groups_of(rows_.count(), block_threads), 1U,
                                     static_cast<unsigned>(2 * place_.processors));
    double* partial = work_.partial.make_room(weights * some);
    for (std::size_t begin = 0; begin < weights; begin += most_of_grid) {
      const std::size_t count = std::min(most_of_grid, weights - begin);
      weight_kernel<<<dim3(some, static_cast<unsigned>(count)), block_threads, 0, place_.queue>>>(
          rows_.facts(), selections_.data(), begin, static_cast<int>(labels), partial);
      check_launch("weights");
    }
    double* joined = work_.sums.make_room(weights);
    join(place_, partial, static_cast<int>(some), joined, weights);
    download(place_, weight, joined, weights);
    place_.wait();
  }
  *greatest = -INFINITY;
  if (columns == 0 || rows_.count() == 0) return;
  std::vector<double> found(3 * columns);
  double* joined = work_.sums.make_room(3 * columns);
  if (rows_.storage() == LG_CUDA_SPARSE) {
    sparse_moments<<<groups_of(columns * 32, block_threads), block_threads, 0, place_.queue>>>(
        rows_.segments(), rows_.first_segment(), rows_.row_of_entry(), rows_.value_by_column(), rows_.facts().weights,
        rows_.columns(), joined);
    check_launch("moments");
  } else {
    const double* on_device = nullptr;
    if (pivot != nullptr) {
      upload(place_, scale_, pivot, columns);
      on_device = scale_.data();
    }
    const std::uint64_t rows_of_block = std::max<std::uint64_t>(256, (rows_.count() + 1023) / 1024);
    const unsigned blocks = groups_of(rows_.count(), static_cast<unsigned>(rows_of_block));
    double* partial = work_.partial.make_room(3 * columns * blocks);
    dense_moments<<<dim3(groups_of(columns, block_threads), blocks), block_threads, 0, place_.queue>>>(
        RowValues(rows_), rows_.facts(), on_device, rows_of_block, partial);
    check_launch("moments");
    join(place_, partial, static_cast<int>(blocks), joined, 2 * columns);
    join<Most>(place_, partial + 2 * columns * blocks, static_cast<int>(blocks), joined + 2 * columns, columns);
  }
  download(place_, found.data(), joined, found.size());
  place_.wait();
  if (pivot != nullptr) {
    std::copy_n(found.begin(), columns, first);
    std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(columns), columns, second);
  }
  *greatest = *std::max_element(found.begin() + static_cast<std::ptrdiff_t>(2 * columns), found.end());
  // Values that are not stored are 0.
  if (rows_.storage() == LG_CUDA_SPARSE && rows_.entries() < rows_.count() * columns) *greatest = std::max(*greatest, 0.0);
}

}  // namespace linkgistic::cuda
