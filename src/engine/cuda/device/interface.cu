// The C interface: exceptions end here.
#include "engine/cuda/interface.h"

#include <cstdio>
#include <cstring>
#include <memory>

#include "engine/cuda/device/pass.cuh"
#include "engine/cuda/device/row_products.cuh"

using namespace linkgistic::cuda;

struct lg_cuda_engine {
  explicit lg_cuda_engine(const Place& place, const lg_cuda_rows& of)
      : place(place), rows(place, of), cache(place, rows, work), sums(place, rows, work), products(place, rows, work, sums) {}
  ~lg_cuda_engine() {
    cudaSetDevice(place.device);
    cudaStreamSynchronize(place.queue);
    cudaStreamDestroy(place.queue);
  }

  Place place;
  Rows rows;
  Workspace work;
  ScoreCache cache;
  ScoreSums sums;
  RowProducts products;
  std::string message;
};

namespace {

void say(char* to, std::size_t size, const char* what) { std::snprintf(to, size, "%s", what); }

template <class Work>
int guarded(lg_cuda_engine* engine, const Work& work) noexcept {
  try {
    check(cudaSetDevice(engine->place.device), "the GPU");
    work();
    return 0;
  } catch (const std::exception& e) {
    engine->message = e.what();
  }
  engine->cache.forget();  // scores may be half written
  return 1;
}

// What a user can do about a status of the runtime's first call.
std::string why(cudaError_t status) {
  cudaGetLastError();  // told here, and not met again
  int driver = 0;
  if (status != cudaErrorInsufficientDriver || cudaDriverGetVersion(&driver) != cudaSuccess)
    return cudaGetErrorString(status);
  if (driver == 0) return "there is no NVIDIA driver";
  return "the NVIDIA driver serves CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) +
         ", and " + std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10) +
         " is needed";
}

int describe(char* text, std::size_t size) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    say(text, size, status != cudaSuccess ? why(status).c_str() : "there is no GPU");
    return 1;
  }
  std::string all;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) continue;
    all += "cuda:" + std::to_string(i) + " " + p.name + ", " + std::to_string(p.totalGlobalMem >> 30) +
           " GiB, compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor) + "\n";
  }
  if (!all.empty()) all.pop_back();
  say(text, size, all.c_str());
  return 0;
}

int open_engine(std::int32_t device, const lg_cuda_rows* rows, lg_cuda_engine** engine, char* error, std::size_t size) {
  Place place;
  try {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) throw Failure(why(status));
    if (device < 0 || device >= count)
      throw Failure("there is no GPU cuda:" + std::to_string(device) + ": there are " + std::to_string(count));
    check(cudaSetDevice(device), "the GPU");
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, device), "the GPU");
    if (p.major < 8)
      throw Failure(std::string(p.name) + " has compute capability " + std::to_string(p.major) + "." +
                    std::to_string(p.minor) + ", and 8.0 is needed");
    place.device = device;
    place.processors = p.multiProcessorCount;
    check(cudaStreamCreateWithFlags(&place.queue, cudaStreamNonBlocking), "the GPU");
    *engine = new lg_cuda_engine(place, *rows);
    return 0;
  } catch (const std::exception& e) {
    say(error, size, e.what());
  }
  if (place.queue != nullptr) cudaStreamDestroy(place.queue);
  return 1;
}

void close_engine(lg_cuda_engine* engine) { delete engine; }
const char* error_of(const lg_cuda_engine* engine) { return engine->message.c_str(); }

int pass(lg_cuda_engine* e, const lg_cuda_scores* scores, const lg_cuda_pass_answer* answer) {
  return guarded(e, [&] { answer_pass(e->place, e->rows, e->cache, e->work, *scores, *answer); });
}
int line(lg_cuda_engine* e, const lg_cuda_scores* scores, const double* steps, std::uint32_t per_set, double* value,
         double* slope) {
  return guarded(e, [&] { e->sums.line(e->cache.scores(*scores, 2), steps, per_set, value, slope); });
}
int range(lg_cuda_engine* e, const lg_cuda_scores* scores, const std::uint32_t* group, std::uint32_t groups,
          double* lower, double* upper, std::uint64_t* bad_row) {
  return guarded(e, [&] { e->sums.range(e->cache.scores(*scores), group, groups, lower, upper, bad_row); });
}
int cells(lg_cuda_engine* e, const lg_cuda_scores* scores, const std::uint32_t* group, std::uint32_t groups,
          const double* lower, const double* upper, std::uint32_t count, double* moments, double* loss) {
  return guarded(e, [&] { e->sums.cells(e->cache.scores(*scores), group, groups, lower, upper, count, moments, loss); });
}
int curvature(lg_cuda_engine* e, const lg_cuda_scores* scores, double* sum) {
  return guarded(e, [&] { e->sums.curvature(e->cache.scores(*scores), sum); });
}
int held_out(lg_cuda_engine* e, const lg_cuda_scores* scores, const std::uint32_t* candidate, std::uint32_t candidates,
             double most_loss, double* loss, double* squared_difference, double* weight) {
  return guarded(e, [&] {
    e->sums.held_out(e->cache.scores(*scores), candidate, candidates, most_loss, loss, squared_difference, weight);
  });
}
int sample(lg_cuda_engine* e, const lg_cuda_scores* scores, std::uint32_t direction, double share, std::uint64_t seed,
           std::uint64_t* rows) {
  return guarded(e, [&] { *rows = e->products.sample(e->cache.scores(*scores), direction, share, seed); });
}
int sample_product(lg_cuda_engine* e, const lg_cuda_scale* scale, float* product) {
  return guarded(e, [&] { e->products.sample_product(*scale, product); });
}
int gram(lg_cuda_engine* e, const lg_cuda_scores* scores, std::uint32_t direction, const lg_cuda_scale* scale,
         double* sum) {
  return guarded(e, [&] { e->products.gram(e->cache.scores(*scores), direction, *scale, sum); });
}
int information(lg_cuda_engine* e, const lg_cuda_scores* scores, const lg_cuda_scale* scale,
                const lg_cuda_functions* functions, double* sum) {
  return guarded(e, [&] { e->products.information(e->cache.scores(*scores), *scale, functions, sum); });
}
int overlap(lg_cuda_engine* e, const lg_cuda_scores* scores, const std::uint32_t* group, std::uint32_t groups,
            const lg_cuda_functions* functions, double* sum) {
  return guarded(e, [&] { e->products.overlap(e->cache.scores(*scores), group, groups, functions, sum); });
}
int summary(lg_cuda_engine* e, const lg_cuda_problem* selections, std::uint32_t selection_count, std::uint32_t labels,
            const double* pivot, double* weight, double* first, double* second, double* greatest) {
  return guarded(e, [&] {
    e->products.summary(selections, selection_count, labels, pivot, weight, first, second, greatest);
  });
}

constexpr lg_cuda_api api{LG_CUDA_VERSION, describe, open_engine, close_engine, error_of,    pass,
                          line,            range,    cells,       curvature,    held_out,    sample,
                          sample_product,  gram,     information, overlap,      summary};

}  // namespace

extern "C" __attribute__((visibility("default"))) const lg_cuda_api* linkgistic_cuda(std::uint32_t version) {
  return version == LG_CUDA_VERSION ? &api : nullptr;
}
