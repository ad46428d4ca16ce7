#include "engine/cuda/device/score_cache.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace linkgistic::cuda {
namespace {

constexpr std::size_t cache_bytes = std::size_t{64} << 20;  // more entries take longer to look through
constexpr std::size_t most_tables = 64;  // beyond those of one request

// The next power of two: links of the next step have tables of about the same size.
std::size_t room_ahead(std::size_t size) {
  std::size_t room = 1;
  while (room < size) room *= 2;
  return room;
}

// Coefficients of a table.
std::size_t numbers_of(const lg_cuda_table& table) { return std::size_t{8} * static_cast<std::size_t>(table.cells); }

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

const ScoreCache::StoredTable& ScoreCache::store(const lg_cuda_table& table, unsigned char*& room) {
  const auto known = stored_.find(table.id);
  if (known != stored_.end()) {
    known->second.used = requests_;
    return known->second;
  }
  StoredTable& stored = room_for(table.id);
  stored.used = requests_;
  stored.steepest = 0;
  const std::size_t size = numbers_of(table);
  stored.packed.make_room(room_ahead(size));
  stored.exact.make_room(room_ahead(size));
  const auto put = [&](auto& to, const auto* from) {
    std::memcpy(room, from, size * sizeof *from);
    upload(place_, to, reinterpret_cast<decltype(from)>(room), size);
    room += size * sizeof *from;
  };
  put(stored.exact, table.exact);
  put(stored.packed, table.packed);
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

unsigned char* ScoreCache::staging_for(const lg_cuda_scores& request) {
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < request.table_count; ++i) {
    const auto known = stored_.find(request.tables[i].id);
    if (known != stored_.end()) {
      known->second.used = requests_;  // so that no new table takes its place
    } else {
      bytes += numbers_of(request.tables[i]) * (sizeof(double) + sizeof(float));
    }
  }
  if (bytes == 0) return nullptr;
  place_.wait();  // nothing is copied from there any more
  return static_cast<unsigned char*>(staging_.make_room(room_ahead(bytes)));
}

Scores ScoreCache::problems_of(const lg_cuda_scores& request) {
  ++requests_;
  unsigned char* room = staging_for(request);
  std::vector<Table> tables;
  std::vector<double> steepest_of_table;
  for (std::uint32_t i = 0; i < request.table_count; ++i) {
    const StoredTable& stored = store(request.tables[i], room);
    tables.push_back(stored.table);
    steepest_of_table.push_back(stored.steepest);
  }
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
