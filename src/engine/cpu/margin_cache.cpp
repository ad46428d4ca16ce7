#include "engine/cpu/margin_cache.hpp"

#include <algorithm>

namespace linkgistic {

std::size_t MarginCache::capacity(std::size_t together) const {
  constexpr std::size_t bytes = std::size_t{16} << 20;
  return std::max(2 * together + 2, bytes / (rows_ * sizeof(float) + 1));
}

float* MarginCache::find(std::span<const double> beta) {
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    if (!std::equal(beta.begin(), beta.end(), it->beta.begin(), it->beta.end())) continue;
    entries_.splice(entries_.begin(), entries_, it);
    return entries_.front().margins.get();
  }
  return nullptr;
}

float* MarginCache::add(std::span<const double> beta, std::size_t together) {
  if (entries_.size() >= capacity(together)) {
    while (entries_.size() > capacity(together)) entries_.pop_back();
    entries_.splice(entries_.begin(), entries_, std::prev(entries_.end()));
  } else {
    entries_.push_front({{}, std::make_unique_for_overwrite<float[]>(rows_)});
  }
  entries_.front().beta.assign(beta.begin(), beta.end());
  return entries_.front().margins.get();
}

}  // namespace linkgistic
