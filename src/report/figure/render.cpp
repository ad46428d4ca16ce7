#include "report/figure/render.hpp"

#include <algorithm>
#include <memory>

#include <linkgistic/error.hpp>

#include "io/atomic_file.hpp"
#include "report/figure/cairo_canvas.hpp"
#include "report/figure/draw.hpp"
#include "report/figure/svg_canvas.hpp"

namespace linkgistic {
namespace {

using MakeCanvas = std::unique_ptr<Canvas> (*)(double width, double height);

MakeCanvas canvas_for(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  if (ending == ".svg") return svg_file;
  if (ending == ".png") return png_canvas;
  if (ending == ".pdf") return pdf_canvas;
  throw UsageError("plot file '" + path.string() + "': the name must end in .svg, .png or .pdf");
}

}  // namespace

void render(const Figure& figure, const std::filesystem::path& path) {
  const MakeCanvas make = canvas_for(path);
  const std::vector<PlacedPanel> panels = place_panels(figure);
  const std::unique_ptr<Canvas> canvas = make(figure.width, figure.height);
  draw(figure, panels, *canvas);
  write_atomically(path, canvas->finish());
}

std::string render_svg(const Figure& figure, std::string_view description) {
  const std::vector<PlacedPanel> panels = place_panels(figure);
  const std::unique_ptr<Canvas> canvas = svg_element(figure.width, figure.height, description);
  draw(figure, panels, *canvas);
  return canvas->finish();
}

}  // namespace linkgistic
