#include "engine/cuda/device/rows.cuh"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

namespace linkgistic::cuda {
namespace {

constexpr std::size_t copy_bytes = std::size_t{32} << 20;

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", 1e-9 * static_cast<double>(bytes));
  return text;
}

// Rows that do not stay on the GPU would be copied for every pass, at some 50 GB/s: the processor reads them from its own
// memory several times as fast.
void check_room(std::uint64_t bytes) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "the GPU's memory");
  if (bytes < free) return;
  throw Failure("the rows take " + gigabytes(bytes) + ", and " + gigabytes(free) + " of the GPU's " + gigabytes(total) +
                " are free; a pass would copy them anew, which takes longer than to read them from the processor's own "
                "memory: use device = cpu");
}

}  // namespace

Rows::Rows(const Place& place, const lg_cuda_rows& rows)
    : count_(rows.rows),
      columns_(static_cast<int>(rows.columns)),
      storage_(rows.storage),
      entries_(rows.entries),
      words_(rows.train == nullptr ? 0 : static_cast<int>(rows.words)) {
  if (rows.rows > std::numeric_limits<std::int32_t>::max() ||
      rows.columns > std::numeric_limits<std::int32_t>::max())
    throw Failure("rows and columns on a GPU are at most 2^31 - 1");
  // Sparse entries lie there by rows and by columns, each a number and a place.
  const std::uint64_t dense = count_ * rows.columns * (storage_ == LG_CUDA_BYTES ? 1 : sizeof(float));
  check_room((storage_ == LG_CUDA_SPARSE ? 4 * sizeof(float) * entries_ : dense) +
             count_ * (2 * sizeof(float) + 2 * sizeof(std::uint64_t) * static_cast<std::uint64_t>(words_)));
  if (storage_ == LG_CUDA_SPARSE) {
    upload_sparse(place, rows);
  } else {
    upload_dense(place, rows);
  }
  upload(place, labels_, rows.labels, count_);
  if (rows.weights != nullptr) {
    upload(place, weights_, rows.weights, count_);
    greatest_weight_ = count_ == 0 ? 1 : *std::max_element(rows.weights, rows.weights + count_);
  }
  if (words_ > 0) {
    upload(place, train_, rows.train, count_ * rows.words);
    upload(place, held_out_, rows.held_out, count_ * rows.words);
  }
  place.wait();
}

// Two pieces of pinned memory: one is filled while the other is copied.
void Rows::upload_dense(const Place& place, const lg_cuda_rows& rows) {
  const std::size_t size = storage_ == LG_CUDA_BYTES ? 1 : sizeof(float);
  const std::size_t aligned = 16 / size;
  stride_ = (rows.columns + aligned - 1) / aligned * aligned;
  unsigned char* to = nullptr;
  if (storage_ == LG_CUDA_BYTES) {
    to = bytes_.make_room(count_ * stride_);
  } else {
    to = reinterpret_cast<unsigned char*>(floats_.make_room(count_ * stride_));
  }
  const std::size_t width = rows.columns * size;
  if (width == 0 || count_ == 0) return;
  // Columns of padding are read and must be numbers.
  if (stride_ * size != width)
    check(cudaMemsetAsync(to, 0, count_ * stride_ * size, place.queue), "clearing");
  const std::uint64_t at_once = std::max<std::uint64_t>(1, copy_bytes / width);
  PinnedBytes pieces[2];
  cudaEvent_t copied[2];
  for (cudaEvent_t& event : copied) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
  int piece = 0;
  for (std::uint64_t first = 0; first < count_; first += at_once, piece = 1 - piece) {
    const std::uint64_t some = std::min(at_once, count_ - first);
    void* from = pieces[piece].make_room(std::min(at_once, count_) * width);
    check(cudaEventSynchronize(copied[piece]), "copy to the GPU");
    rows.read(rows.context, first, some, from);
    check(cudaMemcpy2DAsync(to + first * stride_ * size, stride_ * size, from, width, width, some,
                            cudaMemcpyHostToDevice, place.queue),
          "copy to the GPU");
    check(cudaEventRecord(copied[piece], place.queue), "copy to the GPU");
  }
  place.wait();
  for (const cudaEvent_t& event : copied) cudaEventDestroy(event);
}

void Rows::upload_sparse(const Place& place, const lg_cuda_rows& rows) {
  upload(place, row_start_, rows.row_start, count_ + 1);
  upload(place, column_, rows.column, entries_);
  upload(place, value_, rows.value, entries_);
  // By columns: a counting sort keeps the order of the rows.
  std::vector<std::int64_t> start(rows.columns + 1);
  for (std::uint64_t e = 0; e < entries_; ++e) ++start[static_cast<std::size_t>(rows.column[e]) + 1];
  for (std::size_t j = 0; j < rows.columns; ++j) start[j + 1] += start[j];
  std::vector<Segment> segments;
  std::vector<std::int32_t> first_segment(rows.columns + 1);
  for (std::size_t j = 0; j < rows.columns; ++j) {
    for (std::int64_t first = start[j]; first < start[j + 1]; first += segment_entries) {
      segments.push_back({static_cast<std::int32_t>(j),
                          static_cast<std::int32_t>(std::min<std::int64_t>(segment_entries, start[j + 1] - first)),
                          first});
    }
    first_segment[j + 1] = static_cast<std::int32_t>(segments.size());
  }
  std::vector<std::int32_t> row(entries_);
  std::vector<float> value(entries_);
  for (std::uint64_t n = 0; n < count_; ++n) {
    for (std::int64_t e = rows.row_start[n]; e < rows.row_start[n + 1]; ++e) {
      const auto to = static_cast<std::size_t>(start[static_cast<std::size_t>(rows.column[e])]++);
      row[to] = static_cast<std::int32_t>(n);
      value[to] = rows.value[e];
    }
  }
  upload(place, row_, row.data(), entries_);
  upload(place, column_value_, value.data(), entries_);
  upload(place, segments_, segments.data(), segments.size());
  upload(place, first_segment_, first_segment.data(), first_segment.size());
  segment_count_ = segments.size();
  place.wait();  // before the arrays of this function end
}

RowFacts Rows::facts() const {
  return {count_, labels_.data(), weights_.data(), train_.data(), held_out_.data(), words_};
}

}  // namespace linkgistic::cuda
