// Figures drawn by the program gnuplot, which is run as a child process.
#pragma once

#include <filesystem>
#include <string>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// Writes the figure as .svg, .png (144 dots an inch) or .pdf, as the ending of the path says (in any case).
/// The file appears whole or not at all. Throws a UsageError for another ending or a figure that breaks the
/// constraints of report/figure.hpp; an InputError if gnuplot is not installed, fails, or the file cannot be
/// written.
void render(const Figure& figure, const std::filesystem::path& path);

/// The figure as an <svg> element to stand in an HTML page: white background, the same bytes for the same
/// figure.
std::string render_svg(const Figure& figure);

}  // namespace linkgistic
