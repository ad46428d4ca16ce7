// A figure in gnuplot's language.
#pragma once

#include <string>
#include <string_view>

#include "report/figure/figure.hpp"

namespace linkgistic {

enum class ImageFormat { svg, png, pdf };

/// The script that makes gnuplot write the figure to its standard output. Refuses a figure that breaks the
/// constraints of report/figure.hpp with a UsageError.
std::string gnuplot_script(const Figure& figure, ImageFormat format);

/// A quoted string that gnuplot shows literally. Quotes and backslashes are escaped; so are backquotes, whose
/// content gnuplot would run, and @, which names a macro. Bytes that are not UTF-8 become U+FFFD, control
/// characters other than newline a space.
std::string gnuplot_string(std::string_view text);

}  // namespace linkgistic
