#include "report/figure/svg_canvas.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "report/figure/markup.hpp"
#include "report/figure/style.hpp"
#include "report/figure/text.hpp"

namespace linkgistic {
namespace {

/// A length to a hundredth of a point, without zeros at its end.
std::string length(double value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 2).ptr;
  std::string text(buffer.data(), end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string spot(Spot at) { return length(at.x) + ' ' + length(at.y); }

/// The ink of a fill or stroke.
std::string inked(const std::string& name, const Ink& ink) {
  std::string colour = "#";
  for (int shift = 20; shift >= 0; shift -= 4) colour += "0123456789abcdef"[(ink.rgb >> shift) & 15];
  return attribute(name, colour) +
         (ink.opacity < 1 ? attribute(name + "-opacity", length(std::max(0.0, ink.opacity))) : "");
}

bool closed(const Path& path) {
  return path.size() > 3 && path.front().x == path.back().x && path.front().y == path.back().y;
}

void add_path(std::string& data, const Path& path, bool close) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    data += i == 0 ? 'M' : i == 1 ? 'L' : ' ';
    data += spot(path[i]);
  }
  if (close) data += 'Z';
}

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height, const std::string& before, const std::string& attributes,
            bool grouped)
      : grouped_(grouped),
        text_(before + "<svg" + attribute("xmlns", "http://www.w3.org/2000/svg") +
              attribute("viewBox", "0 0 " + length(width) + ' ' + length(height)) + attributes +
              attribute("font-family", style::font) + attribute("xml:space", "preserve") + ">\n") {
    fill({{{0, 0}, {width, 0}, {width, height}, {0, height}}}, {style::background});
  }

  void stroke(const std::vector<Path>& paths, const Pen& pen) override {
    if (paths.empty()) return;
    std::string data, dashes;
    for (const Path& path : paths) add_path(data, path, closed(path));
    for (const double part : dash_pattern(pen.dash)) {
      if (!dashes.empty()) dashes += ' ';
      dashes += length(part * pen.width);
    }
    text_ += "<path fill=\"none\"" + inked("stroke", pen.ink) + attribute("stroke-width", length(pen.width)) +
             (dashes.empty() ? attribute("stroke-linecap", "round") : attribute("stroke-dasharray", dashes)) +
             attribute("stroke-linejoin", "round") + attribute("d", data) + "/>\n";
  }

  void fill(const std::vector<Path>& outlines, const Ink& ink) override {
    if (outlines.empty()) return;
    std::string data;
    for (const Path& outline : outlines) add_path(data, outline, true);
    text_ += "<path" + inked("fill", ink) + attribute("d", data) + "/>\n";
  }

  void discs(const Path& centres, double diameter, const Ink& ink) override {
    if (centres.empty()) return;
    text_ += "<g" + inked("fill", ink) + ">\n";
    const std::string radius = attribute("r", length(diameter / 2)) + "/>\n";
    for (const Spot at : centres)
      text_ += "<circle" + attribute("cx", length(at.x)) + attribute("cy", length(at.y)) + radius;
    text_ += "</g>\n";
  }

  void text(const Words& words, const Placing& placing, const Ink& ink) override {
    const char* anchor = placing.anchor == Anchor::left     ? ""
                         : placing.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                            : " text-anchor=\"end\"";
    text_ += "<text" + attribute("x", length(placing.at.x)) + attribute("y", length(placing.at.y)) +
             (placing.upwards ? attribute("transform", "rotate(-90 " + spot(placing.at) + ")") : "") +
             anchor + attribute("font-size", length(placing.size)) + inked("fill", ink) + ">" +
             escaped(words.text);
    if (!words.raised.empty())
      text_ += "<tspan" + attribute("dy", length(-raised_by * placing.size)) +
               attribute("font-size", length(raised_size * placing.size)) + ">" + escaped(words.raised) +
               "</tspan>";
    text_ += "</text>\n";
  }

  void begin(const Group& group) override {
    if (!grouped_) return;
    text_ += "<g" + attribute("class", group.name);
    for (const auto& [name, value] : group.data) text_ += attribute("data-" + name, value);
    text_ += ">\n";
  }
  void end() override {
    if (grouped_) text_ += "</g>\n";
  }

  std::string finish() override { return std::move(text_) + "</svg>\n"; }

 private:
  bool grouped_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Canvas> svg_file(double width, double height) {
  return std::make_unique<SvgCanvas>(width, height, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                                     attribute("width", length(width)) + attribute("height", length(height)),
                                     false);
}

std::unique_ptr<Canvas> svg_element(double width, double height, std::string_view description) {
  return std::make_unique<SvgCanvas>(width, height, "",
                                     attribute("role", "img") + attribute("aria-label", description), true);
}

}  // namespace linkgistic
