#include "report/page.hpp"

#include <string_view>

#include <linkgistic/version.hpp>

#include "report/figure/markup.hpp"
#include "report/figure/render.hpp"
#include "report/words.hpp"

namespace linkgistic {

namespace embedded {
extern const std::string_view page_css;
extern const std::string_view page_js;
}  // namespace embedded

namespace {

constexpr double picture_width = 380;  // points: legible where a phone shrinks it

std::string element(const std::string& tag, std::string_view text, const std::string& attributes = "") {
  return "<" + tag + attributes + ">" + escaped(text) + "</" + tag + ">\n";
}

class Writer {
 public:
  explicit Writer(const Page& page) : page_(page) {}

  std::string write() {
    text_ =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n" +
        element("title", page_.title) + "<style>\n" + std::string(embedded::page_css) +
        "</style>\n</head>\n<body>\n<header>\n" + element("h1", page_.title) +
        element("p", page_.subtitle, attribute("class", "subtitle"));
    if (!page_.verdict.empty()) text_ += element("p", page_.verdict, attribute("class", "verdict"));
    for (const std::string& warning : page_.warnings) add(Warning{warning});
    contents();
    text_ += "</header>\n<main>\n";
    for (std::size_t i = 0; i < page_.sections.size(); ++i) section(i);
    text_ += "</main>\n" + element("footer", std::string("Made by linkgistic ") + version + ".") +
             "<script>\n" + std::string(embedded::page_js) + "</script>\n</body>\n</html>\n";
    return std::move(text_);
  }

 private:
  static std::string id(std::size_t section) { return "section" + std::to_string(section + 1); }

  void contents() {
    text_ += "<nav aria-label=\"Contents\">";
    for (std::size_t i = 0; i < page_.sections.size(); ++i) {
      text_ += element("a", page_.sections[i].title, attribute("href", std::string("#").append(id(i))));
    }
    text_ += "</nav>\n";
  }

  // Pictures that follow each other stand side by side where there is room.
  void section(std::size_t i) {
    const PageSection& section = page_.sections[i];
    text_ += "<section" + attribute("id", id(i)) + ">\n" + (section.folded ? "<details>\n<summary>" : "") +
             element("h2", section.title) + (section.folded ? "</summary>\n" : "");
    bool in_pictures = false;
    for (const PageBlock& block : section.blocks) {
      const bool picture =
          std::holds_alternative<Picture>(block) || std::holds_alternative<DrawnPicture>(block);
      if (picture != in_pictures) text_ += picture ? "<div class=\"pictures\">\n" : "</div>\n";
      in_pictures = picture;
      std::visit([this](const auto& b) { add(b); }, block);
    }
    if (in_pictures) text_ += "</div>\n";
    text_ += section.folded ? "</details>\n</section>\n" : "</section>\n";
  }

  void add(const Paragraph& block) { text_ += element("p", block.text); }
  void add(const Warning& block) {
    text_ += element("p", block.text, attribute("class", "warning") + attribute("role", "note"));
  }
  void add(const Command& block) { text_ += "<pre><code>" + escaped(block.text) + "</code></pre>\n"; }
  void add(const Facts& block) {
    text_ += "<dl>\n";
    for (const Fact& fact : block.facts) text_ += element("dt", fact.name) + element("dd", fact.value);
    text_ += "</dl>\n";
  }
  void add(const PageTable& block) {
    text_ += "<div class=\"wide\"><table>\n" + element("caption", block.caption) + "<thead><tr>\n";
    for (const std::string& name : block.head) text_ += element("th", name, attribute("scope", "col"));
    text_ += "</tr></thead>\n<tbody>\n";
    for (const TableRow& row : block.rows) {
      text_ += "<tr>\n" + element("th", row.name, attribute("scope", "row"));
      for (const auto& cell : row.cells) std::visit([this](const auto& c) { add_cell(c); }, cell);
      text_ += "</tr>\n";
    }
    text_ += "</tbody></table></div>\n";
  }
  // Short ones, as numbers with their intervals, stay on one line.
  void add_cell(const std::string& cell) {
    constexpr std::size_t short_text = 28;
    text_ += element("td", cell, attribute("class", cell.size() <= short_text ? "text short" : "text"));
  }
  void add_cell(const Measure& cell) {
    text_ += element("td", number(cell.value),
                     attribute("data-key", cell.key) + attribute("data-value", shortest(cell.value)));
  }
  void add(const Picture& block) { add(drawn(block)); }
  void add(const DrawnPicture& block) {
    text_ += "<figure>\n" + block.svg + element("figcaption", block.caption) + "</figure>\n";
  }

  const Page& page_;
  std::string text_;
};

}  // namespace

DrawnPicture drawn(const Picture& picture) {
  Figure figure = picture.figure;
  figure.width = picture_width;
  return {render_svg(figure, picture.description), picture.caption};
}

std::string html(const Page& page) { return Writer(page).write(); }

}  // namespace linkgistic
