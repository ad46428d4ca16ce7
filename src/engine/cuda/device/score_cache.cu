#include "engine/cuda/device/score_cache.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace linkgistic::cuda {
namespace {

constexpr std::size_t cache_bytes = std::size_t{256} << 20;
constexpr std::size_t most_tables = 64;  // beyond those of one request

// The next power of two: links of the next step have tables of about the same size.
std::size_t room_ahead(std::size_t size) {
  std::size_t room = 1;
  while (room < size) room *= 2;
  return room;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Uploads what is not there already.
template <class T>
void refresh(const Place& place, DeviceArray<T>& on_device, std::vector<T>& known, std::vector<T> wanted) {
  if (same_bytes(known, wanted)) return;
  known = std::move(wanted);
  upload(place, on_device, known.data(), known.size());
}

}  // namespace

ScoreCache::StoredTable& ScoreCache::room_for(std::uint64_t id) {
  const auto oldest = std::min_element(stored_.begin(), stored_.end(),
                                       [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
  if (stored_.size() < most_tables || oldest->second.used == requests_) return stored_[id];
  // Its memory serves again: to get some takes longer than a request.
  auto node = stored_.extract(oldest);
  node.key() = id;
  return stored_.insert(std::move(node)).position->second;
}

const ScoreCache::StoredTable& ScoreCache::store(const lg_cuda_table& table) {
  const auto known = stored_.find(table.id);
  if (known != stored_.end()) {
    known->second.used = requests_;
    return known->second;
  }
  StoredTable& stored = room_for(table.id);
  stored.used = requests_;
  stored.steepest = 0;
  const std::size_t size = std::size_t{8} * static_cast<std::size_t>(table.cells);
  stored.packed.make_room(room_ahead(size));
  stored.exact.make_room(room_ahead(size));
  upload(place_, stored.packed, table.packed, size);
  upload(place_, stored.exact, table.exact, size);
  stored.table = {reinterpret_cast<const float4*>(stored.packed.data()),
                  reinterpret_cast<const Cubic*>(stored.exact.data()),
                  table.step,
                  static_cast<float>(1 / table.step),
                  table.cells,
                  table.first_cell};
  for (std::size_t i = 0; i < size; i += 4) {
    const double* c = table.exact + i;
    stored.steepest =
        std::max(stored.steepest, (std::abs(c[1]) + 2 * std::abs(c[2]) + 3 * std::abs(c[3])) / table.step);
  }
  return stored;
}

Scores ScoreCache::problems_of(const lg_cuda_scores& request) {
  ++requests_;
  std::vector<Table> tables;
  std::vector<double> steepest_of_table;
  for (std::uint32_t i = 0; i < request.table_count; ++i) {
    const StoredTable& stored = store(request.tables[i]);
    tables.push_back(stored.table);
    steepest_of_table.push_back(stored.steepest);
  }
  place_.wait();  // the caller's tables may end
  steepest_.clear();
  for (std::uint32_t p = 0; p < request.problem_count; ++p)
    steepest_.push_back(steepest_of_table[static_cast<std::size_t>(request.problems[p].table)]);
  refresh(place_, device_tables_, tables_, std::move(tables));
  refresh(place_, device_problems_, problems_,
          std::vector<Problem>(request.problems, request.problems + request.problem_count));
  return {nullptr, device_problems_.data(), device_tables_.data(), static_cast<int>(request.problem_count),
          static_cast<int>(request.coupled)};
}

std::vector<float*> ScoreCache::places(const double* beta, std::size_t count, std::vector<std::size_t>& unknown) {
  const std::size_t width = static_cast<std::size_t>(rows_.columns()) + 1;
  // Problems of one request never take each other's room.
  const std::size_t capacity = std::max(2 * count + 2, cache_bytes / (rows_.count() * sizeof(float) + 1));
  std::vector<float*> at;
  for (std::size_t p = 0; p < count; ++p, beta += width) {
    auto it = std::find_if(entries_.begin(), entries_.end(),
                           [&](const Entry& e) { return std::equal(e.beta.begin(), e.beta.end(), beta); });
    if (it == entries_.end()) {
      if (entries_.size() < capacity) {
        entries_.push_front({{}, DeviceArray<float>(rows_.count())});
      } else {
        while (entries_.size() > capacity) entries_.pop_back();
        entries_.splice(entries_.begin(), entries_, std::prev(entries_.end()));
      }
      it = entries_.begin();
      it->beta.assign(beta, beta + width);
      unknown.push_back(p);
    }
    entries_.splice(entries_.begin(), entries_, it);
    at.push_back(entries_.front().scores.data());
  }
  return at;
}

Scores ScoreCache::with(Scores scores, const std::vector<float*>& to) {
  refresh(place_, device_at_, at_, to);
  scores.at = device_at_.data();
  return scores;
}

Scores ScoreCache::room(const lg_cuda_scores& request, std::vector<float*>& to) {
  std::vector<std::size_t> unknown;
  to = places(request.beta, request.problem_count, unknown);
  return problems_of(request);
}

Scores ScoreCache::scores(const lg_cuda_scores& request, int sets) {
  const std::size_t width = static_cast<std::size_t>(rows_.columns()) + 1;
  std::vector<std::size_t> unknown;
  const auto at = places(request.beta, static_cast<std::size_t>(sets) * request.problem_count, unknown);
  std::vector<double> beta;
  std::vector<float*> to;
  for (const std::size_t p : unknown) {
    beta.insert(beta.end(), request.beta + p * width, request.beta + (p + 1) * width);
    to.push_back(at[p]);
  }
  if (!to.empty()) write_scores(place_, rows_, work_, beta, to);
  return with(problems_of(request), at);
}

}  // namespace linkgistic::cuda
