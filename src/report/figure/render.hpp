// Figures as files and as parts of a page.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// Writes the figure as .svg, .png (144 dots an inch) or .pdf, as the ending of the path says (in any case).
/// The file appears whole or not at all, and has the same bytes for the same figure. Throws a UsageError for
/// another ending or a figure that breaks the constraints of figure.hpp; an InputError if the file cannot be
/// written.
void render(const Figure& figure, const std::filesystem::path& path);

/// The figure as an <svg> element to stand in an HTML page: white background, as wide as its place;
/// `description` says what it shows to those who cannot see it.
std::string render_svg(const Figure& figure, std::string_view description);

}  // namespace linkgistic
