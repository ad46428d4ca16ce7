// How every figure looks: colours, font, line widths and distances, all in one place. Lengths are in points.
#pragma once

#include <cstdint>

#include "report/figure/figure.hpp"

namespace linkgistic::style {

/// 0xRRGGBB, in the order of the colours; M. Okabe and K. Ito, "Color Universal Design", 2008, with greys for
/// data and references.
constexpr std::uint32_t rgb(Colour colour) {
  constexpr std::uint32_t palette[] = {0x404040, 0x0072B2, 0xD55E00, 0x009E73,
                                       0xCC79A7, 0xE69F00, 0x56B4E9, 0x808080};
  return palette[static_cast<std::size_t>(colour)];
}

// Liberation Sans has the widths of Arial and Helvetica: room measured with one is right for all, here and in
// a browser.
constexpr const char* font = "Liberation Sans, Arial, Helvetica, sans-serif";
constexpr double font_size = 9;
constexpr double title_size = 11;
constexpr double title_line = 17;
constexpr double line_height = 13;
constexpr double half_letter = 0.36;  // half the height of a capital, in sizes of the font

constexpr std::uint32_t background = 0xFFFFFF;
constexpr std::uint32_t text = 0x262626;
constexpr std::uint32_t axis = 0x595959;
constexpr std::uint32_t grid = 0xE4E4E4;
constexpr double axis_width = 0.7;
constexpr double grid_width = 0.6;

constexpr double edge = 10;        // around the figure
constexpr double column_gap = 16;  // between the panels of a row, besides their labels
constexpr double row_gap = 12;     // between rows, besides their labels
constexpr double shared_gap = 9;   // between rows that share an x axis
constexpr double tic_length = 3;
constexpr double tic_gap = 6;      // from an axis to its numbers
constexpr double label_gap = 7;    // from the numbers to the axis label
constexpr double tic_room_x = 55;  // wished distance between the numbers of an axis
constexpr double tic_room_y = 26;
constexpr double most_tics = 6;       // wished on a long axis
constexpr double last_number = 6;     // next to the axes, for the half of the last number that stands out
constexpr double png_scale = 2;       // pixels a point
constexpr double title_gap = 4;       // under the figure's title
constexpr double bar_gap = 0.8;       // between bars that touch
constexpr double least_panel = 20;    // a panel's axes are never smaller than this
constexpr double legend_sample = 18;  // the drawn sample of an entry
constexpr double legend_gap = 5;      // from a sample to its label, and under a legend above
constexpr double legend_column_gap = 12;
constexpr double legend_inset = 6;  // of a legend inside, from the axes

}  // namespace linkgistic::style
