// The problems of a request on the GPU, and the scores of the rows under recent coefficients, so that sums of scores
// after a pass need not read the rows again.
#pragma once

#include <list>
#include <map>

#include "engine/cuda/device/products.cuh"

namespace linkgistic::cuda {

class ScoreCache {
 public:
  ScoreCache(const Place& place, const Rows& rows, Workspace& work) : place_(place), rows_(rows), work_(work) {}

  /// Problems and tables of a request, with the scores under `sets` coefficients of each problem.
  Scores scores(const lg_cuda_scores& request, int sets = 1);
  /// The same, but that the caller fills the room of the scores, which `to` points to; `at` is null.
  Scores room(const lg_cuda_scores& request, std::vector<float*>& to);
  /// With pointers to scores on the GPU.
  Scores with(Scores scores, const std::vector<float*>& to);
  void forget() {
    entries_.clear();
    stored_.clear();
  }
  /// Of the last request: |l'| of a row of weight 1 is at most this, by problem.
  [[nodiscard]] const std::vector<double>& steepest() const { return steepest_; }

 private:
  struct Entry {
    std::vector<double> beta;
    DeviceArray<float> scores;
  };
  struct StoredTable {
    DeviceArray<float> packed;
    DeviceArray<double> exact;
    Table table{};
    double steepest = 0;
    std::uint64_t used = 0;
  };
  /// A place for a new table: another one, or that of the table whose last use is longest ago, but none of this request.
  StoredTable& room_for(std::uint64_t id);
  /// Uploads a table that is not there yet by way of pinned memory, which `room` points to and moves on in.
  const StoredTable& store(const lg_cuda_table& table, unsigned char*& room);
  /// Pinned memory for the tables of a request that are not there yet.
  unsigned char* staging_for(const lg_cuda_scores& request);
  Scores problems_of(const lg_cuda_scores& request);
  /// Where the scores under the coefficients of `count` problems are; `unknown` gets those that have room alone.
  std::vector<float*> places(const double* beta, std::size_t count, std::vector<std::size_t>& unknown);

  Place place_;
  const Rows& rows_;
  Workspace& work_;
  std::list<Entry> entries_;  // the one used last comes first
  std::map<std::uint64_t, StoredTable> stored_;
  std::uint64_t requests_ = 0;
  PinnedBytes staging_;
  std::vector<double> steepest_;
  std::vector<Table> tables_;  // of the last request, as are the next two
  std::vector<Problem> problems_;
  std::vector<float*> at_;
  DeviceArray<Table> device_tables_;
  DeviceArray<Problem> device_problems_;
  DeviceArray<float*> device_at_;
};

}  // namespace linkgistic::cuda
