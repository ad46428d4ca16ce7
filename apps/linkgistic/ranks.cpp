#include "ranks.hpp"

#include "engine/local_engine.hpp"

#ifndef LINKGISTIC_HAS_MPI

namespace linkgistic {

int join_ranks() { return 0; }
bool is_first_rank() { return true; }
void leave_ranks(int) {}
Dataset read_by_ranks(const std::string& path, const DatasetOptions& options, bool) {
  return read_dataset(path, options);
}
std::optional<std::uint64_t> hash_of_ranks() { return std::nullopt; }
EngineFactory engine_of_ranks(const std::string& device) { return engine_on(device); }

}  // namespace linkgistic

#else

#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <linkgistic/error.hpp>

#include "classification/fingerprint.hpp"
#include "classification/shared_dataset.hpp"
#include "context.hpp"
#include "engine/partitions.hpp"
#include "engine/slices.hpp"
#include "engine/wire.hpp"

namespace linkgistic {
namespace {

struct World {
  int rank = 0, size = 1;
  std::optional<RowShare> share;  // of rows that were read together
};
World& world() {
  static World value;
  return value;
}

// An MPI count is an int: longer messages go in pieces.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

void send_to_all(std::string& message, int from = 0) {
  auto size = static_cast<std::uint64_t>(message.size());
  MPI_Bcast(&size, 1, MPI_UINT64_T, from, MPI_COMM_WORLD);
  message.resize(size);
  for (std::size_t first = 0; first < size; first += most_bytes) {
    const auto count = static_cast<int>(std::min(most_bytes, message.size() - first));
    MPI_Bcast(message.data() + first, count, MPI_BYTE, from, MPI_COMM_WORLD);
  }
}

class RankReaders final : public Readers {
 public:
  [[nodiscard]] std::size_t number() const override { return static_cast<std::size_t>(world().rank); }
  [[nodiscard]] std::size_t count() const override { return static_cast<std::size_t>(world().size); }
  std::vector<std::string> all(const std::string& own) override {
    std::vector<std::string> messages(count());
    messages[number()] = own;
    for (int from = 0; from < world().size; ++from)
      send_to_all(messages[static_cast<std::size_t>(from)], from);
    return messages;
  }
};

// The answers of all at the first rank, in the order of the ranks.
std::vector<std::string> collect(const std::string& own) {
  auto size = static_cast<std::uint64_t>(own.size());
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(world().size));
  MPI_Gather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  const auto pieces = [&](const auto& each, std::size_t bytes) {
    for (std::size_t first = 0; first < bytes; first += most_bytes)
      each(first, static_cast<int>(std::min(most_bytes, bytes - first)));
  };
  std::vector<std::string> answers;
  if (world().rank != 0) {
    pieces([&](std::size_t first,
               int count) { MPI_Send(own.data() + first, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD); },
           own.size());
    return answers;
  }
  answers.push_back(own);
  for (int from = 1; from < world().size; ++from) {
    std::string& answer = answers.emplace_back(sizes[static_cast<std::size_t>(from)], '\0');
    pieces(
        [&](std::size_t first, int count) {
          MPI_Recv(answer.data() + first, count, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        },
        answer.size());
  }
  return answers;
}

// This rank's share of the rows: whole blocks of the grid.
std::unique_ptr<CpuRows> own_rows(const EngineRows& rows, const RowsShape& shape, int threads) {
  std::vector<std::size_t> cuts;
  const auto ranks = static_cast<std::size_t>(world().size);
  for (std::size_t r = 1; r < ranks; ++r) cuts.push_back(r * shape.rows / ranks);
  const std::vector<RowSpan> pieces = partition_rows(cuts, Grid(shape).block_rows(), shape.rows);
  const auto own = static_cast<std::size_t>(world().rank);
  RowSpan span = own < pieces.size() ? pieces[own] : RowSpan{};
  if (world().share && world().share->rows == shape.rows) span = {world().share->first, world().share->last};
  const auto [first, last] = span;
  if (first >= last) return nullptr;
  const EngineRows piece{slice_rows(rows.rows, first, last), rows.labels.subspan(first, last - first),
                         rows.weights.empty() ? rows.weights : rows.weights.subspan(first, last - first),
                         slice_parts(rows.parts, first, last)};
  return std::make_unique<CpuRows>(piece, shape, first / Grid::leaf_rows, threads);
}

// The first rank's engine; when it goes, the others are told that there is no more.
class FirstRank final : public RowEngine {
 public:
  FirstRank(const EngineRows& rows, int threads)
      : shape_(shape_of(rows)),
        rows_(own_rows(rows, shape_, threads)),
        remote_(make_remote_engine(shape_, [this](const std::string& request) { return ask(request); })) {}
  ~FirstRank() override {
    std::string nothing;
    send_to_all(nothing);
  }

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }
  Answer answer(const Request& request) override { return remote_->answer(request); }

 private:
  std::string ask(std::string request) {
    send_to_all(request);
    std::vector<std::string> answers = collect(rows_ == nullptr ? "" : answer_message(*rows_, request));
    std::erase(answers, "");
    return merge_answer_messages(answers);
  }

  RowsShape shape_;
  std::unique_ptr<CpuRows> rows_;
  std::unique_ptr<RowEngine> remote_;
};

[[noreturn]] void serve(const EngineRows& rows, int threads) {
  const RowsShape shape = shape_of(rows);
  const auto own = own_rows(rows, shape, threads);
  for (std::string request;;) {
    send_to_all(request);
    if (request.empty()) throw Served();
    collect(own == nullptr ? "" : answer_message(*own, request));
  }
}

}  // namespace

int join_ranks() {
  // A program that mpirun did not start does not wait for MPI.
  bool started = false;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    started = started || std::getenv(name) != nullptr;
  if (!started) return 0;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &world().rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world().size);
  return world().rank;
}

bool is_first_rank() { return world().rank == 0; }

void leave_ranks(int code) {
  int ready = 0;
  MPI_Initialized(&ready);
  if (ready == 0) return;
  if (code != 0 && world().size > 1) {
    // All read the same files, and the first one tells what is wrong with them: the others wait for it.
    if (!is_first_rank()) std::this_thread::sleep_for(std::chrono::seconds(10));
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  MPI_Finalize();
}

Dataset read_by_ranks(const std::string& path, const DatasetOptions& options, bool hashed) {
  if (world().size == 1) return read_dataset(path, options);
  RankReaders readers;
  if (hashed) readers.begin_hash = single_rows_head;
  Dataset data = read_dataset(path, options, readers);
  world().share = readers.share;
  return data;
}

std::optional<std::uint64_t> hash_of_ranks() {
  if (!world().share) return std::nullopt;
  return world().share->hash;
}

EngineFactory engine_of_ranks(const std::string& device) {
  if (world().size == 1) return engine_on(device);
  if (device != "cpu") throw UsageError("device = " + device + ": the processes of mpirun compute on cpu");
  return [](const EngineRows& rows, int threads) -> std::unique_ptr<RowEngine> {
    if (!is_first_rank()) serve(rows, threads);
    return std::make_unique<FirstRank>(rows, threads);
  };
}

}  // namespace linkgistic

#endif
