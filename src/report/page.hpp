// A report as plain values, and as one self-contained HTML file.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/figure/figure.hpp"

namespace linkgistic {

// What stands in a section, in the order given. Text is shown as it stands.

struct Paragraph {
  std::string text;
};

/// Something the reader must not miss.
struct Warning {
  std::string text;
};

/// A line to be typed into a shell.
struct Command {
  std::string text;
};

struct Fact {
  std::string name, value;
};

/// Names and values, one pair a line.
struct Facts {
  std::vector<Fact> facts;
};

/// A number for readers. The page shows a few of its digits and holds all of them under `key`.
struct Measure {
  std::string key;
  double value = 0;
};

/// A row starts with its name.
struct TableRow {
  std::string name;
  std::vector<std::variant<std::string, Measure>> cells;
};

struct PageTable {
  std::string caption;
  std::vector<std::string> head;  // of the name and of each cell
  std::vector<TableRow> rows;
};

/// A figure with what it shows in words, for those who cannot see it.
struct Picture {
  Figure figure;
  std::string caption;
  std::string description;
};

/// A picture as its page shows it: for pages that are written many times with the same pictures.
struct DrawnPicture {
  std::string svg;
  std::string caption;
};
DrawnPicture drawn(const Picture& picture);

using PageBlock = std::variant<Paragraph, Warning, Command, Facts, PageTable, Picture, DrawnPicture>;

struct PageSection {
  std::string title;
  std::vector<PageBlock> blocks;
  bool folded = false;  // shown when the reader opens it, and on paper
};

struct Page {
  std::string title;
  std::string subtitle;
  std::vector<PageSection> sections;
  std::string verdict = {};                // what a reader in a hurry must know, above all sections
  std::vector<std::string> warnings = {};  // below it
};

/// The page as HTML: style, pictures (SVG) and a script inside, no addresses; readable on a narrow screen, on
/// a dark one, on paper, by a screen reader and where no script runs. The script is the same in every page
/// (page.js): nothing of the page is written into it. Throws what render_svg throws.
std::string html(const Page& page);

}  // namespace linkgistic
