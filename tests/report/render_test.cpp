// Figures as files: every label is shown as it stands, any data draw, marks stand where they belong, failures
// are reported and leave nothing.
#include "report/figure/render.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "report/figures.hpp"

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string svg_of(const Figure& figure) { return render_svg(figure, "words"); }

/// The same without what it tells the script of a page.
std::string drawn_of(const Figure& figure) {
  return std::regex_replace(svg_of(figure), std::regex(" data-[a-z]+=\"[^\"]*\""), "");
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Render : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "linkgistic_plot_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  bool folder_is_empty() const { return fs::is_empty(folder_); }
  fs::path folder_;
};

/// The words of the exception `call` throws, which must be an Expected.
template <class Expected, class Call>
std::string words_of(Call call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "must throw";
  return "";
}

TEST_F(Render, ShowsEveryLabelOnce) {
  const std::string svg = svg_of(full_figure());
  for (const char* label : {"the figure", "upper panel", "upper y", "lower panel", "lower x", "lower y",
                            "the band", "the points", "the line", "the marker", "the bars"})
    EXPECT_EQ(count(svg, std::string(">") + label + "</text>"), 1u) << label;
}

TEST_F(Render, ShowsHostileLabelsLiterally) {
  const std::pair<std::string, std::string> cases[] = {
      {"a_b^c {d} @e ~f", "a_b^c {d} @e ~f"},
      {"\"quoted\" 'single'", "&quot;quoted&quot; 'single'"},
      {"back\\slash \\n \\042 \\U+00e9", "back\\slash \\n \\042 \\U+00e9"},
      {"`echo run`1 @2 \"3 \\4", "`echo run`1 @2 &quot;3 \\4"},
      {"$x ${y} #z ! ; ,", "$x ${y} #z ! ; ,"},
      {"100 % %g %%", "100 % %g %%"},
      {"a<b & c &amp; &#945;", "a&lt;b &amp; c &amp;amp; &amp;#945;"},
      {"\u03bd\u2032 = f\u00b2 \u20ac \U0001D53C", "\u03bd\u2032 = f\u00b2 \u20ac \U0001D53C"},
      {std::string("nul\0tab\tbell\a", 13), "nul tab bell "},
      {"latin \xe9 cut \xe2\x82", "latin \ufffd cut \ufffd\ufffd"},
  };
  for (const auto& [text, shown] : cases) {
    Figure figure = figure_of({line({0, 1}, {0, 1}, text)});
    figure.title = figure.panels[0].title = figure.panels[0].x_label = figure.panels[0].y_label = text;
    EXPECT_EQ(count(svg_of(figure), ">" + shown + "</text>"), 5u) << text;
    render(figure, folder_ / "labels.png");
    render(figure, folder_ / "labels.pdf");
  }
}

TEST_F(Render, BreaksTextAtNewlinesButNotInLegends) {
  Figure figure = figure_of({line({0, 1}, {0, 1}, "one\ntwo")});
  figure.panels[0].title = "three\nfour";
  const std::string svg = svg_of(figure);
  for (const char* label : {"one two", "three", "four"})
    EXPECT_EQ(count(svg, std::string(">") + label + "</text>"), 1u) << label;
}

TEST_F(Render, TakesLabelsOfAnyLength) {
  const std::string text(20'000, 'm');
  EXPECT_EQ(count(svg_of(figure_of({line({0, 1}, {0, 1}, text)})), ">" + text + "<"), 1u);
}

TEST_F(Render, WritesTheFormatOfTheEnding) {
  for (const auto& [ending, signature] : {std::pair<std::string, std::string>{".png", "\x89PNG\r\n\x1a\n"},
                                          {".PDF", "%PDF-"},
                                          {".svg", "<?xml version="}}) {
    const fs::path path = folder_ / ("figure" + ending);
    render(full_figure(), path);
    EXPECT_EQ(content_of(path).substr(0, signature.size()), signature);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 3);
}

TEST_F(Render, GivesAnElementForAPage) {
  const std::string svg = svg_of(full_figure());
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_EQ(count(svg, "<svg"), 1u);
  EXPECT_EQ(count(svg, "</svg>"), 1u);
  EXPECT_NE(svg.find("fill=\"#ffffff\""), std::string::npos);
  EXPECT_EQ(count(svg, " id="), 0u);  // a page may have each name once
  EXPECT_EQ(svg.substr(0, svg.find('>')).find(" width="), std::string::npos);
  EXPECT_NE(render_svg(full_figure(), "a < \"b\"").find("aria-label=\"a &lt; &quot;b&quot;\""),
            std::string::npos);
}

TEST_F(Render, GivesTheSameBytesForTheSameFigure) {
  EXPECT_EQ(svg_of(full_figure()), svg_of(full_figure()));
  for (const std::string ending : {".svg", ".png", ".pdf"}) {
    render(full_figure(), folder_ / ("1" + ending));
    render(full_figure(), folder_ / ("2" + ending));
    EXPECT_TRUE(content_of(folder_ / ("1" + ending)) == content_of(folder_ / ("2" + ending))) << ending;
  }
  EXPECT_EQ(content_of(folder_ / "1.pdf").find("Date"), std::string::npos);
}

TEST_F(Render, NamesTheEndingsItKnows) {
  for (const char* name : {"figure.jpg", "figure", "figure.svg.gz", ".svg"}) {
    const std::string words = words_of<UsageError>([&] { render(full_figure(), folder_ / name); });
    EXPECT_NE(words.find(name), std::string::npos) << words;
    EXPECT_NE(words.find(".svg, .png or .pdf"), std::string::npos) << words;
  }
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Render, KeepsTheOldFileOfAFigureThatIsRefused) {
  const fs::path target = folder_ / "figure.svg";
  std::ofstream(target) << "old";
  Figure figure = full_figure();
  figure.columns = 0;
  words_of<UsageError>([&] { render(figure, target); });
  EXPECT_EQ(content_of(target), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Render, SaysWhichFileItCannotWrite) {
  const fs::path target = folder_ / "missing" / "figure.svg";
  const std::string words = words_of<InputError>([&] { render(full_figure(), target); });
  EXPECT_NE(words.find(target.string()), std::string::npos) << words;
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Render, DrawsAxesWhereThereAreNoData) {
  for (const bool log : {false, true}) {
    Figure figure = figure_of({});
    figure.panels[0].log_x = figure.panels[0].log_y = log;
    EXPECT_EQ(svg_of(figure).substr(0, 4), "<svg");
    Band band;
    band.label = "nothing here";
    figure.panels[0].layers = {line({}, {}, "nothing"), band, points({nan}, {1}), line({1}, {infinity})};
    EXPECT_EQ(count(svg_of(figure), ">nothing here</text>"), 1u);
  }
}

TEST_F(Render, BreaksALineAtValuesThatHaveNoPlace) {
  // The path of a line has one M (move to) more for every break.
  const auto pieces = [](const std::vector<double>& y, bool log) {
    std::vector<double> x;
    for (std::size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i));
    Figure figure = figure_of({line(x, y)});
    figure.panels[0].log_y = log;
    const std::string svg = svg_of(figure);
    std::size_t moves = 0;
    const std::regex path("<path [^>]*stroke=\"#0072b2\"[^>]*d=\"([^\"]*)\"");
    for (std::sregex_iterator at(svg.begin(), svg.end(), path); at != std::sregex_iterator(); ++at)
      moves += count((*at)[1], "M");
    return moves;
  };
  EXPECT_EQ(pieces({1, 2, 3, 4, 5, 6}, false), 1u);
  EXPECT_EQ(pieces({1, 2, nan, nan, 5, 6}, false), 2u);
  EXPECT_EQ(pieces({nan, 2, 3, infinity, 5, 6, -infinity, 7, 8}, false), 3u);
  EXPECT_EQ(pieces({1, 2, 0, 4, 5, -3, 7, 8}, true), 3u);
}

TEST_F(Render, DrawsNumbersOfAnySize) {
  const std::vector<std::vector<double>> cases = {{1e300, -1e300},  {1e308, -1e308}, {5e-324, 1e-310},
                                                  {1e15, 1e15 + 1}, {0, 0},          {1e-300, 1e300}};
  for (const std::vector<double>& values : cases)
    for (const bool log : {false, true}) {
      Figure figure = figure_of({line(values, values), points(values, values)});
      figure.panels[0].log_x = figure.panels[0].log_y = log;
      const std::string svg = drawn_of(figure);
      EXPECT_EQ(svg.substr(0, 4), "<svg") << values[0] << ' ' << log;
      for (const char* wrong : {"nan", "inf", "e+"})
        EXPECT_EQ(svg.find(wrong), std::string::npos) << values[0];
      render(figure, folder_ / "any.png");
      render(figure, folder_ / "any.pdf");
    }
}

TEST_F(Render, KeepsAPictureOfManyPointsSmall) {
  std::vector<double> x, y;
  for (int i = 0; i < 1'000'000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(1e-5 * i) + 1e-3 * (i % 997));
  }
  const std::string svg = svg_of(figure_of({points(x, y), line(x, y)}));
  const std::size_t drawn = count(svg, "<circle");
  EXPECT_GE(drawn, 4990u);
  EXPECT_LE(drawn, 5000u);
  EXPECT_LT(svg.size(), 1'000'000u);
}

TEST_F(Render, RefusesFiguresThatMakeNoSense) {
  const auto refused = [](auto change, const std::string& named) {
    Figure figure = full_figure();
    change(figure);
    const std::string words = words_of<UsageError>([&] { svg_of(figure); });
    EXPECT_NE(words.find(named), std::string::npos) << words;
  };
  refused([](Figure& f) { f.panels.clear(); }, "panels");
  refused([](Figure& f) { f.columns = 0; }, "columns = 0");
  refused([](Figure& f) { f.width = nan; }, "width");
  refused([](Figure& f) { f.height = 60; }, "height");
  refused([](Figure& f) { f.columns = 2, f.width = 90; }, "width");
  refused([](Figure& f) { f.row_heights = {1}; }, "row_heights");
  refused([](Figure& f) { f.row_heights = {1, -1}; }, "row_heights");
  refused([](Figure& f) { f.panels[0].x_range = Range{2, 1}; }, "x_range");
  refused([](Figure& f) { f.panels[0].y_range = Range{0, infinity}; }, "y_range");
  refused([](Figure& f) { f.panels[0].log_y = true, f.panels[0].y_range = Range{0, 1}; }, "y_range");
  refused([](Figure& f) { f.panels[1].log_x = true; }, "log_x");
  refused([](Figure& f) { f.panels[0].layers = {line({1, 2}, {1}, "uneven")}; }, "uneven");
}

TEST_F(Render, SharesOneXAxisInAColumn) {
  Figure figure = figure_of({line({0, 1}, {0, 1})});
  figure.panels.push_back(figure.panels[0]);
  std::get<Line>(figure.panels[1].layers[0]).x = {0, 4321};
  figure.panels[0].x_label = "hidden";
  figure.share_x = true;
  const std::string shared = drawn_of(figure);
  EXPECT_EQ(count(shared, ">4000<"), 1u);
  EXPECT_EQ(count(shared, "hidden"), 0u);
  figure.share_x = false;
  EXPECT_EQ(count(drawn_of(figure), "hidden"), 1u);
}

}  // namespace
}  // namespace linkgistic
