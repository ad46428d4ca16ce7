// Clipping against brute force: many places along a line, many places of an area.
#include "report/figure/clip.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr Box box{-1, 2, -3, 1};

Path random_path(RandomStream& random, std::size_t n) {
  Path path;
  for (std::size_t i = 0; i < n; ++i) path.push_back({10 * random.uniform() - 5, 10 * random.uniform() - 5});
  return path;
}

double length_of(const Path& path) {
  double sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    sum += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
  return sum;
}

/// Shoelace formula.
double area_of(const Path& outline) {
  double sum = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Spot a = outline[i], b = outline[(i + 1) % outline.size()];
    sum += a.x * b.y - b.x * a.y;
  }
  return std::abs(sum) / 2;
}

TEST(Clip, KeepsTheLengthOfALineThatLiesInside) {
  RandomStream random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Path line = random_path(random, 6);
    double inside = 0;
    constexpr int steps = 4000;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Spot a = line[i - 1], b = line[i];
      int hits = 0;
      for (int k = 0; k < steps; ++k) {
        const double t = (k + 0.5) / steps;
        hits += box.contains({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}) ? 1 : 0;
      }
      inside += std::hypot(b.x - a.x, b.y - a.y) * hits / steps;
    }
    double kept = 0;
    for (const Path& piece : clipped_line(line, box)) {
      ASSERT_GE(piece.size(), 2U);
      for (const Spot s : piece) EXPECT_TRUE(box.contains(s));
      kept += length_of(piece);
    }
    // Two ends a segment, each within one step of at most 14.2 / 4000.
    EXPECT_NEAR(kept, inside, 10 * 14.2 / steps);
  }
}

TEST(Clip, JoinsWhatIsOnePiece) {
  EXPECT_EQ(clipped_line({{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}}, box).size(), 1U);
  EXPECT_EQ(clipped_line({{0, 0}, {5, 0}, {5, 0.5}, {0, 0.5}}, box).size(), 2U);
  EXPECT_EQ(clipped_line({{0, 0}, {5, 0}, {0, 0.5}}, box).size(), 2U);
  EXPECT_TRUE(clipped_line({{3, 0}, {5, 9}}, box).empty());
  EXPECT_EQ(clipped_line({{0, 0}}, box).size(), 1U);
  EXPECT_TRUE(clipped_line({{3, 3}}, box).empty());
  EXPECT_TRUE(clipped_line({}, box).empty());
}

TEST(Clip, StaysFiniteFarOutside) {
  for (const Path& piece : clipped_line({{-1e100, -1e100}, {1e100, 1e100}, {0, 0}}, box))
    for (const Spot s : piece) EXPECT_TRUE(box.contains(s)) << s.x << ' ' << s.y;
  for (const Spot s : clipped_area({{-1e100, -1e100}, {1e100, -1e100}, {0, 1e100}}, box))
    EXPECT_TRUE(box.contains(s)) << s.x << ' ' << s.y;
  // Below y = -1, half of the box; right of x = 1, a third.
  EXPECT_NEAR(area_of(clipped_area({{-1e100, -1}, {1e100, -1}, {1e100, 1e100}, {-1e100, 1e100}}, box)), 6,
              1e-9);
  EXPECT_NEAR(area_of(clipped_area({{1, -1e100}, {5, -1e100}, {5, 1e100}, {1, 1e100}}, box)), 4, 1e-9);
}

TEST(Clip, CutsALineFromFarAwayAtTheRightPlace) {
  for (const bool back : {false, true}) {
    Path line{{-1e90, 0.5}, {1, 0.5}};
    if (back) std::reverse(line.begin(), line.end());
    const auto pieces = clipped_line(line, box);
    ASSERT_EQ(pieces.size(), 1U);
    EXPECT_EQ(pieces[0][back ? 1 : 0].x, -1);
    EXPECT_EQ(pieces[0][back ? 0 : 1].x, 1);
    EXPECT_EQ(pieces[0][0].y, 0.5);
  }
}

TEST(Clip, KeepsTheAreaInside) {
  RandomStream random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Path outline = random_path(random, 3);
    const auto side = [](Spot a, Spot b, Spot s) {
      return (b.x - a.x) * (s.y - a.y) - (b.y - a.y) * (s.x - a.x) > 0;
    };
    constexpr int cells = 300;
    int hits = 0;
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const Spot s{box.left + (i + 0.5) * 3 / cells, box.top + (j + 0.5) * 4 / cells};
        const bool first = side(outline[0], outline[1], s);
        hits += first == side(outline[1], outline[2], s) && first == side(outline[2], outline[0], s) ? 1 : 0;
      }
    // The outline meets at most about 2 * 300 cells a side, half of each is miscounted at worst.
    EXPECT_NEAR(area_of(clipped_area(outline, box)), 12.0 * hits / (cells * cells),
                12.0 * 300 / (cells * cells));
  }
}

}  // namespace
}  // namespace linkgistic
