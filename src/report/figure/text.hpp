// Lines of text in the font of the figures: what can be shown, and how wide it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/figure/canvas.hpp"

using cairo_t = struct _cairo;  // NOLINT(bugprone-reserved-identifier): the name is Cairo's

namespace linkgistic {

/// The text as UTF-8: bytes that are none become U+FFFD, control characters other than newline a space.
std::string printable(std::string_view text);

/// Its lines, printable; none of an empty text.
std::vector<std::string> lines_of(std::string_view text);

/// The text as one line: its newlines are spaces.
std::string one_line(std::string_view text);

/// The size of what is raised, and by how much, next to a text of size 1.
constexpr double raised_size = 0.7;
constexpr double raised_by = 0.4;

/// Points, at this size of the font.
double width_of(const Words& words, double size);

/// Draws a line with its baseline at the current place of the Cairo context.
void show_text(cairo_t* cairo, const std::string& line, double size);

}  // namespace linkgistic
