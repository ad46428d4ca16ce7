#include "report/figure/clip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace linkgistic {
namespace {

double size_of(Spot s) { return std::max(std::abs(s.x), std::abs(s.y)); }

/// One side of a box: the inner side is where inside(s) >= 0.
struct Side {
  double Spot::*axis;
  double edge, sign;
  [[nodiscard]] double inside(Spot s) const { return sign * (s.*axis - edge); }
  /// The place a share of the way from a to b, which is on this side but for rounding.
  [[nodiscard]] Spot crossing(Spot a, Spot b, double share) const {
    Spot s{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    s.*axis = edge;
    return s;
  }
};

std::array<Side, 4> sides(const Box& box) {
  return {Side{&Spot::x, box.left, 1}, Side{&Spot::x, box.right, -1}, Side{&Spot::y, box.top, 1},
          Side{&Spot::y, box.bottom, -1}};
}

Spot held(Spot s, const Box& box) {
  return {std::clamp(s.x, box.left, box.right), std::clamp(s.y, box.top, box.bottom)};
}

/// The part of a segment in the box; which of its ends are not those of the segment.
struct Part {
  Spot from, to;
  bool from_cut, to_cut;
};

/// Y.-D. Liang and B. A. Barsky, "A new concept and method for line clipping", 1984. Places are reckoned from
/// the nearer end: from one that is far away they would drown in rounding.
std::optional<Part> part_inside(Spot a, Spot b, const Box& box) {
  const bool back = size_of(b) < size_of(a);
  if (back) std::swap(a, b);
  Part part{a, b, false, false};
  double from = 0, to = 1;
  for (const Side& side : sides(box)) {
    const double at_a = side.inside(a), at_b = side.inside(b);
    if (at_a < 0 && at_b < 0) return std::nullopt;
    if (at_a >= 0 && at_b >= 0) continue;
    const double share = at_a / (at_a - at_b);
    if (at_a < 0 && share > from) {
      from = share;
      part.from = held(side.crossing(a, b, share), box);
      part.from_cut = true;
    } else if (at_b < 0 && share < to) {
      to = share;
      part.to = held(side.crossing(a, b, share), box);
      part.to_cut = true;
    }
  }
  if (from > to) return std::nullopt;
  if (back) part = {part.to, part.from, part.to_cut, part.from_cut};
  return part;
}

/// The part of an area on the inner side: I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping",
/// 1974.
Path half(const Path& outline, const Side& side) {
  Path kept;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    Spot a = outline[i], b = outline[(i + 1) % outline.size()];
    if (side.inside(a) >= 0) kept.push_back(a);
    if ((side.inside(a) >= 0) == (side.inside(b) >= 0)) continue;
    if (size_of(b) < size_of(a)) std::swap(a, b);
    kept.push_back(side.crossing(a, b, side.inside(a) / (side.inside(a) - side.inside(b))));
  }
  return kept;
}

}  // namespace

std::vector<Path> clipped_line(const Path& line, const Box& box) {
  if (line.size() == 1)
    return box.contains(line[0]) ? std::vector<Path>{{line[0], line[0]}} : std::vector<Path>{};
  std::vector<Path> pieces;
  bool open = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const auto part = part_inside(line[i - 1], line[i], box);
    if (!part) {
      open = false;
      continue;
    }
    if (!open || part->from_cut) pieces.push_back({part->from});
    pieces.back().push_back(part->to);
    open = !part->to_cut;
  }
  return pieces;
}

Path clipped_area(Path outline, const Box& box) {
  for (const Side& side : sides(box)) outline = half(outline, side);
  for (Spot& s : outline) s = held(s, box);
  return outline;
}

}  // namespace linkgistic
