// What a figure is drawn on: strokes, fills, discs and lines of text. One drawing (draw.hpp) makes every kind
// of file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// Points (1/72 inch) from the upper left corner, y downwards.
struct Spot {
  double x, y;
};
using Path = std::vector<Spot>;

struct Ink {
  std::uint32_t rgb;  // 0xRRGGBB
  double opacity = 1;
};

struct Pen {
  Ink ink;
  double width;
  Dash dash = Dash::solid;
};

/// Lengths drawn and left out along a stroke, in its widths; empty for a solid one.
inline std::vector<double> dash_pattern(Dash dash) {
  if (dash == Dash::solid) return {};
  return dash == Dash::dashed ? std::vector<double>{4, 2.5} : std::vector<double>{1, 2};
}

enum class Anchor { left, middle, right };

/// One line of text, with an exponent or nothing behind it.
struct Words {
  std::string text;
  std::string raised = {};
};

struct Placing {
  Spot at;  // on the baseline
  double size;
  Anchor anchor = Anchor::left;
  bool upwards = false;  // turned to be read from below
};

/// What the marks that follow belong to, for a canvas that keeps it: names and values.
struct Group {
  std::string name;
  std::vector<std::pair<std::string, std::string>> data = {};
};

/// Everything given to it is finite and lies in or near the figure.
class Canvas {
 public:
  virtual ~Canvas() = default;
  /// Each path has two spots or more; one that ends where it began is closed.
  virtual void stroke(const std::vector<Path>& paths, const Pen& pen) = 0;
  /// One area: it is not darker where outlines overlap.
  virtual void fill(const std::vector<Path>& outlines, const Ink& ink) = 0;
  /// One after the other: where discs overlap the ink adds up.
  virtual void discs(const Path& centres, double diameter, const Ink& ink) = 0;
  virtual void text(const Words& words, const Placing& placing, const Ink& ink) = 0;
  /// Groups may stand in each other; each begin has its end.
  virtual void begin(const Group& /*group*/) {}
  virtual void end() {}
  /// The bytes of the file; nothing may be drawn after it.
  virtual std::string finish() = 0;
};

}  // namespace linkgistic
