// Dense rows that fit a multiprocessor take `byte_pass` or `float_pass`, one read. All others read the rows for the
// scores, then make the residuals, and read the rows once more for the gradient.
#include "engine/cuda/device/pass.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace linkgistic::cuda {
namespace {

struct Residuals {
  Scores scores;
  RowFacts rows;
  float* single;             // (problems, rows), or null
  std::int32_t* whole;       // the same in units of 1 / residual_scale, or null
  const float* residual_scale;
  const float4* norms;       // of a softmax (sets, rows): greatest nu, 1 / sum of exp, loss, lead
  double* partial;           // (problems, 6, blocks)
};

__device__ void write_residual(const Residuals& a, int p, std::uint64_t n, float r) {
  const std::size_t at = p * a.rows.rows + n;
  if (a.single != nullptr) a.single[at] = r;
  if (a.whole != nullptr) a.whole[at] = __float2int_rn(r * a.residual_scale[p]);
}

__device__ void write_partial(const Residuals& a, int p, double loss, double residual, double size, double lower,
                              double upper, double least) {
  const double v[pass_sums] = {block_join(loss),          block_join(residual),    block_join(size),
                               block_join<Least>(lower), block_join<Most>(upper), block_join<Least>(least)};
  if (threadIdx.x == 0)
    for (int q = 0; q < pass_sums; ++q) a.partial[static_cast<std::size_t>(p * pass_sums + q) * gridDim.x + blockIdx.x] = v[q];
}

__global__ void residuals_of_problems(const __grid_constant__ Residuals a) {
  const int p = static_cast<int>(blockIdx.y);
  const Problem problem = a.scores.problems[p];
  const Table table = a.scores.tables[problem.table];
  double loss = 0, residual = 0, size = 0;
  float lower = INFINITY, upper = -INFINITY, least = INFINITY;
  for (std::uint64_t n = blockIdx.x * blockDim.x + threadIdx.x; n < a.rows.rows; n += gridDim.x * blockDim.x) {
    const float w = weight_in(a.rows, problem, n);
    float r = 0;
    if (w > 0) {
      const float m = a.scores.at[p][n];
      const bool positive = a.rows.labels[n] == problem.label;
      const FloatNode l = look_up(table, positive ? 1 : 0, m);
      r = w * l.slope;
      loss += static_cast<double>(w * l.value);
      residual += static_cast<double>(r);
      size += static_cast<double>(fabsf(r));
      lower = fminf(lower, m);
      upper = fmaxf(upper, m);
      least = fminf(least, positive ? m : -m);
    }
    write_residual(a, p, n, r);
  }
  write_partial(a, p, loss, residual, size, lower, upper, least);
}

__global__ void softmax_norms(Scores scores, RowFacts rows, float4* norms) {
  const int set = static_cast<int>(blockIdx.y);
  const int first = set * scores.coupled;
  for (std::uint64_t n = blockIdx.x * blockDim.x + threadIdx.x; n < rows.rows; n += gridDim.x * blockDim.x) {
    const std::int32_t label = rows.labels[n];
    float own = -INFINITY, rival = -INFINITY;
    for (int k = 0; k < scores.coupled; ++k) {
      const float value = look_up(scores.table(first + k), 0, scores.at[first + k][n]).value;
      if (scores.problems[first + k].label == label) {
        own = value;
      } else {
        rival = fmaxf(rival, value);
      }
    }
    const float most = fmaxf(own, rival);
    float sum = 0;
    for (int k = 0; k < scores.coupled; ++k)
      sum += expf(look_up(scores.table(first + k), 0, scores.at[first + k][n]).value - most);
    // A row with a label of none of the classes does not count.
    norms[set * rows.rows + n] =
        own > -INFINITY ? make_float4(most, 1 / sum, logf(sum) + most - own, own - rival) : make_float4(0, 0, 0, 0);
  }
}

__global__ void residuals_of_softmax(const __grid_constant__ Residuals a) {
  const int p = static_cast<int>(blockIdx.y);
  const int set = p / a.scores.coupled;
  const Problem problem = a.scores.problems[p];
  const Problem leader = a.scores.problems[set * a.scores.coupled];
  const Table table = a.scores.tables[problem.table];
  const bool leads = p % a.scores.coupled == 0;
  double loss = 0, residual = 0, size = 0;
  float lower = INFINITY, upper = -INFINITY, least = INFINITY;
  for (std::uint64_t n = blockIdx.x * blockDim.x + threadIdx.x; n < a.rows.rows; n += gridDim.x * blockDim.x) {
    const float w = weight_in(a.rows, leader, n);
    float r = 0;
    if (w > 0) {
      const float m = a.scores.at[p][n];
      lower = fminf(lower, m);
      upper = fmaxf(upper, m);
      const float4 norm = a.norms[set * a.rows.rows + n];
      if (norm.y > 0) {
        const FloatNode link = look_up(table, 0, m);
        const float own = a.rows.labels[n] == problem.label ? 1.0F : 0.0F;
        r = w * (expf(link.value - norm.x) * norm.y - own) * link.slope;
        residual += static_cast<double>(r);
        size += static_cast<double>(fabsf(r));
        if (leads) {
          loss += static_cast<double>(w * norm.z);
          least = fminf(least, norm.w);
        }
      }
    }
    write_residual(a, p, n, r);
  }
  write_partial(a, p, loss, residual, size, lower, upper, least);
}

__global__ void join_sums(const double* partial, int blocks, double* to, int count) {
  const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (i >= count) return;
  const double v = join_pass_sum(partial + static_cast<std::size_t>(i) * blocks, blocks, i % pass_sums);
  if (threadIdx.x % 32 == 0) to[i] = v;
}

__global__ void place_intercepts(const double* sums, int problems, std::size_t width, double* gradient) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < problems) gradient[k * width] = sums[k * pass_sums + 1];
}

int blocks_for(const Place& place, const Rows& rows) {
  const std::uint64_t all = (rows.count() + block_threads - 1) / block_threads;
  return static_cast<int>(std::clamp<std::uint64_t>(all, 1, static_cast<std::uint64_t>(4 * place.processors)));
}

void write_residuals(const Place& place, const Rows& rows, Workspace& work, const Scores& scores, double* sums) {
  const bool bytes = rows.storage() == LG_CUDA_BYTES;
  const std::size_t size = static_cast<std::size_t>(scores.count) * rows.count();
  const int blocks = blocks_for(place, rows);
  Residuals a{scores, rows.facts(), nullptr, nullptr, work.residual_scale.data(), nullptr,
              work.partial.make_room(static_cast<std::size_t>(scores.count) * pass_sums * blocks)};
  if (bytes) {
    a.whole = work.digits.make_room(size);
  } else {
    a.single = work.residual.make_room(size);
  }
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(scores.count));
  if (scores.coupled > 1) {
    auto* norms = reinterpret_cast<float4*>(
        work.norms.make_room(std::size_t{4} * static_cast<std::size_t>(scores.sets()) * rows.count()));
    softmax_norms<<<dim3(grid.x, static_cast<unsigned>(scores.sets())), block_threads, 0, place.queue>>>(
        scores, rows.facts(), norms);
    a.norms = norms;
    residuals_of_softmax<<<grid, block_threads, 0, place.queue>>>(a);
  } else {
    residuals_of_problems<<<grid, block_threads, 0, place.queue>>>(a);
  }
  check_launch("residuals");
  join_pass_sums(place, a.partial, blocks, sums, scores.count);
}

// Units of whole residuals: the greatest that can be has 30 bits.
void write_residual_scale(const Place& place, const Rows& rows, Workspace& work, const ScoreCache& cache) {
  std::vector<float> scale;
  for (const double steepest : cache.steepest()) {
    const double bound = steepest * static_cast<double>(rows.greatest_weight());
    scale.push_back(bound > 0 ? static_cast<float>(std::ldexp(1.0, std::clamp(30 - std::ilogb(bound) - 1, -126, 126)))
                              : 1.0F);
  }
  if (scale == work.known_scale) return;
  upload(place, work.residual_scale, scale.data(), scale.size());
  work.known_scale = std::move(scale);
}

}  // namespace

void write_scores(const Place& place, const Rows& rows, Workspace& work, const std::vector<double>& beta,
                  const std::vector<float*>& to) {
  const int problems = static_cast<int>(to.size());
  if (rows.storage() == LG_CUDA_BYTES) return byte_scores(place, rows, work, beta.data(), problems, to.data());
  upload(place, work.beta, beta.data(), beta.size());
  upload(place, work.to, to.data(), to.size());
  if (rows.storage() == LG_CUDA_FLOATS) return float_scores(place, rows, work, problems, work.to.data());
  sparse_scores(place, rows, work, problems, work.to.data());
}

void join_pass_sums(const Place& place, const double* partial, int blocks, double* to, int problems) {
  const int count = problems * pass_sums;
  const auto of_grid = static_cast<unsigned>((count * 32 + block_threads - 1) / block_threads);
  join_sums<<<of_grid, block_threads, 0, place.queue>>>(partial, blocks, to, count);
  check_launch("sums of a pass");
}

void write_intercepts(const Place& place, const double* sums, int problems, std::size_t width, double* gradient) {
  const auto of_grid = static_cast<unsigned>((problems + block_threads - 1) / block_threads);
  place_intercepts<<<of_grid, block_threads, 0, place.queue>>>(sums, problems, width, gradient);
  check_launch("gradient");
}

void answer_pass(const Place& place, const Rows& rows, ScoreCache& cache, Workspace& work,
                 const lg_cuda_scores& request, const lg_cuda_pass_answer& answer) {
  std::vector<float*> to;
  Scores scores = cache.room(request, to);
  const std::size_t width = static_cast<std::size_t>(rows.columns()) + 1;
  const std::size_t size = static_cast<std::size_t>(scores.count) * width;
  const std::size_t all = size + static_cast<std::size_t>(scores.count) * pass_sums;
  // The gradient and the sums, then the coefficients.
  auto* staging = static_cast<double*>(work.staging.make_room((all + size) * sizeof(double)));
  write_residual_scale(place, rows, work, cache);
  if (rows.storage() == LG_CUDA_BYTES && byte_pass_takes(rows, scores)) {
    std::copy_n(request.beta, size, staging + all);
    byte_pass(place, rows, work, scores, to.data(), staging + all, staging + size, staging);
  } else if (rows.storage() == LG_CUDA_FLOATS && float_pass_takes(rows, scores)) {
    std::copy_n(request.beta, size, staging + all);
    float_pass(place, rows, work, scores, to.data(), staging + all, staging + size, staging);
  } else {
    write_scores(place, rows, work, std::vector<double>(request.beta, request.beta + size), to);
    scores = cache.with(scores, to);
    double* gradient = work.gradient.make_room(all);
    double* sums = gradient + size;
    write_residuals(place, rows, work, scores, sums);
    switch (rows.storage()) {
      case LG_CUDA_BYTES: byte_gradient(place, rows, work, scores.count, work.digits.data(), gradient); break;
      case LG_CUDA_FLOATS:
        float_gradient(place, rows, work, scores.count, work.residual.data(), gradient);
        break;
      default: sparse_gradient(place, rows, work, scores.count, work.residual.data(), gradient);
    }
    write_intercepts(place, sums, scores.count, width, gradient);
    download(place, staging, gradient, all);
  }
  place.wait();
  std::copy_n(staging, size, answer.gradient);
  double* const parts[pass_sums] = {answer.loss,  nullptr,      answer.residual_size,
                                    answer.lower, answer.upper, answer.least_signed};
  for (int p = 0; p < scores.count; ++p)
    for (int q = 0; q < pass_sums; ++q)
      if (parts[q] != nullptr) parts[q][p] = staging[size + p * pass_sums + q];
}

}  // namespace linkgistic::cuda
