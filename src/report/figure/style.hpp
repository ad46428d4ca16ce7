// How every figure looks: colours, font, line widths and distances, all in one place. Lengths are in points.
#pragma once

#include <cstdint>

#include "report/figure/figure.hpp"

namespace linkgistic::style {

/// 0xRRGGBB; M. Okabe and K. Ito, "Color Universal Design", 2008, with greys for data and references.
constexpr std::uint32_t rgb(Colour colour) {
  switch (colour) {
    case Colour::data:
      return 0x404040;
    case Colour::primary:
      return 0x0072B2;
    case Colour::secondary:
      return 0xD55E00;
    case Colour::tertiary:
      return 0x009E73;
    case Colour::quaternary:
      return 0xCC79A7;
    case Colour::quinary:
      return 0xE69F00;
    case Colour::senary:
      return 0x56B4E9;
    case Colour::reference:
      return 0x808080;
  }
  return 0;
}

constexpr const char* font = "Arial";  // fontconfig answers with the metrically equal Liberation Sans
constexpr double font_size = 9;
constexpr double title_size = 11;
constexpr double title_line = 17;
constexpr double character_width = 0.56 * font_size;  // a mean letter or digit
constexpr double line_height = 13;

constexpr const char* background = "#ffffff";
constexpr const char* text = "#262626";
constexpr const char* axis = "#595959";
constexpr const char* grid = "#e4e4e4";
constexpr double axis_width = 0.7;
constexpr double grid_width = 0.6;

constexpr double edge = 10;        // around the figure
constexpr double column_gap = 16;  // between the panels of a row, besides their labels
constexpr double row_gap = 12;     // between rows, besides their labels
constexpr double shared_gap = 9;   // between rows that share an x axis
constexpr double tic_gap = 6;      // from an axis to its numbers
constexpr double label_gap = 7;    // from the numbers to the axis label
constexpr double tic_room_x = 55;  // wished distance between the numbers of an axis
constexpr double tic_room_y = 26;
constexpr double most_tics = 6;       // wished on a long axis
constexpr double last_number = 6;     // beside the axes, for the half of the last number that stands out
constexpr double point_diameter = 7;  // of gnuplot's point of size 1 at this font
constexpr double png_scale = 2;       // pixels a point
constexpr double title_gap = 4;       // under the figure's title
constexpr double legend_gap = 4;      // under a legend above
constexpr double legend_sample = 34;  // the drawn sample of a legend entry, with its gaps
constexpr double legend_indent = 4;   // the gap gnuplot leaves before a sample
constexpr double legend_character = 0.7 * font_size;  // what gnuplot reckons for a letter
constexpr double font_scale = 0.75;                   // gnuplot's Cairo terminals: font points of 4/3 units
constexpr double pdf_line_scale = 2;                  // and in PDF lines of half a point
constexpr double least_panel = 20;                    // a panel's axes are never smaller than this

}  // namespace linkgistic::style
