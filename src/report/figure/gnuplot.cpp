#include "report/figure/gnuplot.hpp"

#include <algorithm>

#include <linkgistic/error.hpp>

#include "io/atomic_file.hpp"
#include "report/figure/child_process.hpp"
#include "report/figure/gnuplot_script.hpp"

namespace linkgistic {
namespace {

std::string run_gnuplot(const std::string& script) {
  // -d: no start-up files of the user or the site. -: the script is on standard input.
  const std::optional<ChildResult> result = run_child({"gnuplot", "-d", "-"}, script);
  if (!result) throw InputError("plots need the program gnuplot (apt install gnuplot-nox)");
  if (result->status != 0 || result->output.empty())
    throw InputError("gnuplot failed (status " + std::to_string(result->status) + "): " + result->errors);
  return result->output;
}

ImageFormat format_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  if (ending == ".svg") return ImageFormat::svg;
  if (ending == ".png") return ImageFormat::png;
  if (ending == ".pdf") return ImageFormat::pdf;
  throw UsageError("plot file '" + path.string() + "': the name must end in .svg, .png or .pdf");
}

/// gnuplot calls every picture and every unnamed part of it by names of its own, which browsers show as
/// tooltips.
void drop_titles(std::string& svg) {
  for (std::size_t at = 0; (at = svg.find("<title>", at)) != std::string::npos;) {
    const std::size_t end = svg.find("</title>", at);
    if (end == std::string::npos) return;
    svg.erase(at, end + 8 - at);
  }
}

}  // namespace

void render(const Figure& figure, const std::filesystem::path& path) {
  const ImageFormat format = format_of(path);
  std::string image = run_gnuplot(gnuplot_script(figure, format));
  if (format == ImageFormat::svg) drop_titles(image);
  write_atomically(path, image);
}

std::string render_svg(const Figure& figure) {
  std::string svg = run_gnuplot(gnuplot_script(figure, ImageFormat::svg));
  drop_titles(svg);
  return svg.substr(svg.find("<svg"));
}

}  // namespace linkgistic
