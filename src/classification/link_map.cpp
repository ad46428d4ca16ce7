#include "classification/link_map.hpp"

#include <algorithm>

namespace linkgistic {

LinkMap::LinkMap(ScoreRange range, const LinkValues& nodes) : nodes_(nodes.nu.size()), lower_(range.lower) {
  const std::size_t cells = nodes_.size() - 1;
  const double width = (range.upper - range.lower) / static_cast<double>(cells);
  per_width_ = 1 / width;
  for (std::size_t i = 0; i <= cells; ++i) nodes_[i] = {nodes.nu[i], width * nodes.slope[i]};
  rise_below_ = nodes_.front().rise;
  rise_above_ = nodes_.back().rise;
  for (std::size_t i = 0; i < cells; ++i) {
    Node& left = nodes_[i];
    Node& right = nodes_[i + 1];
    const double rise = right.value - left.value;
    if (rise < 0 || left.rise < 0 || right.rise < 0) continue;
    left.rise = std::min(left.rise, 3 * rise);
    right.rise = std::min(right.rise, 3 * rise);
  }
}

void LinkMap::apply(std::span<double> values) const {
  if (nodes_.empty()) return;
  const auto cells = static_cast<double>(nodes_.size() - 1);
  for (double& value : values) {
    const double u = (value - lower_) * per_width_;
    if (!(u >= 0)) {  // also what is not a number
      value = nodes_.front().value + u * rise_below_;
    } else if (u >= cells) {
      value = nodes_.back().value + (u - cells) * rise_above_;
    } else {
      const auto i = static_cast<std::size_t>(u);
      const Node& a = nodes_[i];
      const Node& b = nodes_[i + 1];
      const double x = u - static_cast<double>(i);
      const double rise = b.value - a.value;
      const double first = a.rise - rise, last = b.rise - rise;
      // a + x rise + x (1-x) ((1-x) first - x last)
      value = a.value + x * (rise + (1 - x) * ((1 - x) * first - x * last));
    }
  }
}

}  // namespace linkgistic
