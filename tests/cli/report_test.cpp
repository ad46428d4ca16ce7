// The report in a real browser: pictures drawn, nothing fetched, no complaint, numbers those of evaluate
// --json.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/browser.hpp"
#include "cli/class_tables.hpp"
#include "cli/program.hpp"
#include "numeric/random.hpp"
#include "table/toys.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

// Runs the command of a page on other files.
std::string run_again(const TemporaryFolder& folder, const std::string& page, const std::string& table) {
  const std::string text = look_at(folder, page).seen["text"];
  const std::size_t begin = text.find("linkgistic ", text.rfind("Make it again"));
  std::string command = text.substr(begin, text.find('\n', begin) - begin);
  const std::string again = folder.file("again.json");
  const auto put = [&command](const std::string& word, const std::string& value) {
    command.replace(command.find(word), word.size(), value);
  };
  put("linkgistic", LINKGISTIC_PROGRAM);
  put("TABLE", table);
  put("MODEL.json", again);
  const auto result = run_child({"sh", "-c", command}, "");
  EXPECT_TRUE(result && result->status == 0) << command << (result ? result->errors : "");
  return read_text(again);
}

class Report : public testing::Test {
 protected:
  Report() {
    const Toy toy = regression_toy(80, 3);
    std::string text = "a<b,\"p & \"\"q\"\"\"\n";
    for (std::size_t i = 0; i < toy.x.size(); ++i) {
      text += std::to_string(toy.x[i]) + "," + std::to_string(toy.y[i]) + "\n";
    }
    table_ = write_text(folder_.file("rows.csv"), text);
    model_ = folder_.file("m.json");
    run_well(
        {"regress", table_, "--x", "a<b", "--y", "p & \"q\"", "--profiles", "--model", model_, "--quiet"});
    page_ = run_well({"report", model_, table_, "-o", "-"});
  }

  TemporaryFolder folder_;
  std::string table_, model_, page_;
};

TEST_F(Report, ShowsDrawnPicturesWithWordsAndNoComplaint) {
  const PageSight sight = look_at(folder_, page_);
  EXPECT_TRUE(sight.console.empty()) << sight.console.front();
  ASSERT_EQ(sight.seen["pictures"].size(), 4U);  // fit, residuals, profiles, half of the effect
  for (const json& picture : sight.seen["pictures"]) {
    EXPECT_GT(picture["width"], 300);
    EXPECT_GT(picture["height"], 100);
    EXPECT_GT(picture["drawn"], 20);
    EXPECT_GT(picture["words"].get<std::string>().size(), 20U);
  }
  EXPECT_EQ(sight.seen["repeated_ids"], 0);
}

TEST_F(Report, FetchesNothing) {
  const PageSight sight = look_at(folder_, page_);
  EXPECT_EQ(sight.seen["scripts"], 1);
  EXPECT_EQ(sight.seen["addresses"], 0);
}

// The browser itself refuses what the page would fetch.
TEST_F(Report, MayFetchNothing) {
  const PageSight sight = look_at(folder_, page_, {},
                                  "const image = new Image(); image.src = 'file:///dev/null';"
                                  "document.body.append(image);");
  ASSERT_FALSE(sight.console.empty());
  EXPECT_NE(sight.console.front().find("Content Security Policy"), std::string::npos);
}

TEST_F(Report, SaysTheSameWithoutItsScript) {
  const std::size_t begin = page_.find("<script>"), end = page_.find("</script>");
  ASSERT_NE(end, std::string::npos);
  const json with = look_at(folder_, page_).seen;
  const json without = look_at(folder_, page_.substr(0, begin) + page_.substr(end + 9)).seen;
  EXPECT_EQ(without["scripts"], 0);
  for (const char* what : {"values", "folded", "repeated_ids", "title"}) EXPECT_EQ(with[what], without[what]);
  // Each picture has a button of the script: no other word differs.
  std::string text = with["text"];
  for (std::size_t at = 0; (at = text.find("Larger", at)) != std::string::npos;) text.erase(at, 6);
  const auto words = [](std::string s) {
    std::erase_if(s, [](char c) { return c == ' ' || c == '\n'; });
    return s;
  };
  EXPECT_EQ(words(text), words(without["text"]));
  for (const json& picture : without["pictures"]) EXPECT_GT(picture["drawn"], 20);
}

TEST_F(Report, BeginsWithTheVerdictAndFoldsTheDiagnostics) {
  const PageSight sight = look_at(folder_, page_);
  const std::string text = sight.seen["text_folded"];
  const std::size_t verdict = text.find("rmse "), curve = text.rfind("The curve"),
                    scores = text.find("Errors on these rows"),
                    folded = text.find("Evidence and convergence");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_LT(verdict, curve);
  EXPECT_LT(curve, scores);
  EXPECT_NE(folded, std::string::npos);
  EXPECT_EQ(sight.seen["folded"], 2);
  EXPECT_EQ(text.find("Smallest eigenvalue"), std::string::npos);
  EXPECT_NE(sight.seen["text"].get<std::string>().find("Smallest eigenvalue"), std::string::npos);
}

// A pointer over a picture. Places are shares of the first panel's box, from its left and upper edge.
constexpr const char* pointer_script = R"(
const svg = document.querySelector('figure svg'), panel = svg.querySelector('.panel');
const [left, top, right, bottom] = panel.dataset.box.split(' ').map(Number);
const point = (type, x, y, more = {}) => {
  const at = new DOMPoint(left + x * (right - left), top + y * (bottom - top)).matrixTransform(svg.getScreenCTM());
  svg.dispatchEvent(new PointerEvent(type, {clientX: at.x, clientY: at.y, bubbles: true, cancelable: true, ...more}));
};
const hover = () => [...document.querySelectorAll('.hover div')].map(line => line.textContent);
const line = () => [...panel.querySelectorAll('.layer')].filter(l => l.dataset.kind === 'line').pop();
)";

TEST_F(Report, ShowsTheValuesOfTheCurveUnderThePointer) {
  const PageSight sight = look_at(
      folder_, page_, {}, std::string(pointer_script) + "point('pointermove', 0.4, 0.5); return hover();");
  ASSERT_GE(sight.seen["acted"].size(), 3U);
  const std::string first = sight.seen["acted"][0];
  ASSERT_EQ(first.substr(0, 5), "a<b: ");
  const std::string at = first.substr(5);
  const std::string answer =
      run_well({"predict", model_, write_text(folder_.file("at.csv"), "a<b\n" + at + "\n")});
  std::istringstream numbers(answer.substr(answer.find('\n') + 1));
  double value[3] = {};
  for (double& v : value) {
    numbers >> v;
    numbers.ignore();
  }
  const double span = value[2] - value[1];
  bool curve = false, band = false;
  for (const json& line : sight.seen["acted"]) {
    const std::string text = line, number = text.substr(text.rfind(": ") + 2);
    if (text.find("fit: ") != 0 && text.find("90 % of curves: ") != 0) continue;
    // A hundredth of a point of the picture, and four digits.
    if (number.find(" to ") == std::string::npos) {
      EXPECT_NEAR(std::stod(number), value[0], 0.05 * span + 1e-3 * std::abs(value[0])) << text;
      curve = true;
    } else {
      EXPECT_NEAR(std::stod(number), value[1], 0.05 * span + 1e-3 * std::abs(value[1])) << text;
      EXPECT_NEAR(std::stod(number.substr(number.find(" to ") + 4)), value[2],
                  0.05 * span + 1e-3 * std::abs(value[2]));
      band = true;
    }
  }
  EXPECT_TRUE(curve && band) << sight.seen["acted"];
}

TEST_F(Report, SwitchesALayerByItsLegend) {
  const PageSight sight = look_at(folder_, page_, {}, std::string(pointer_script) + R"(
const entry = panel.querySelector('.entry'), name = entry.dataset.name;
const shown = () => [...panel.querySelectorAll('.layer')].filter(l => l.dataset.name === name)
  .map(l => getComputedStyle(l).display !== 'none').join();
const seen = [shown(), entry.getAttribute('aria-pressed')];
entry.dispatchEvent(new MouseEvent('click', {bubbles: true}));
seen.push(shown(), entry.getAttribute('aria-pressed'));
entry.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
return [...seen, shown(), entry.getAttribute('aria-pressed')];)");
  EXPECT_EQ(sight.seen["acted"], json({"true", "true", "false", "false", "true", "true"}));
}

TEST_F(Report, ZoomsToWhatIsDraggedAndBack) {
  const PageSight sight = look_at(folder_, page_, {}, std::string(pointer_script) + R"(
const whole = svg.querySelector('.panel').outerHTML;
const x = share => { point('pointermove', share, 0.5); return Number(hover()[0].split(': ').pop()); };
const before = [x(0.25), x(0.75)];
point('pointerdown', 0.25, 0.5); point('pointermove', 0.75, 0.5); point('pointerup', 0.75, 0.5);
const after = [x(0), x(1)], box = line().getBBox(), clipped = line().getAttribute('clip-path') !== null;
const back = [...document.querySelectorAll('button')].find(b => b.textContent === 'All of it');
const offered = !back.hidden;
back.click();
point('pointerleave', 0, 0);
return {before, after, wide: box.width > 1.5 * (right - left), clipped, offered,
  back: svg.querySelector('.panel').outerHTML === whole, hidden: back.hidden};)");
  const json& seen = sight.seen["acted"];
  EXPECT_TRUE(sight.console.empty()) << sight.console.front();
  const double length = seen["before"][1].get<double>() - seen["before"][0].get<double>();
  EXPECT_NEAR(seen["after"][0], seen["before"][0], 2e-3 * std::abs(length));
  EXPECT_NEAR(seen["after"][1], seen["before"][1], 2e-3 * std::abs(length));
  for (const char* what : {"wide", "clipped", "offered", "back", "hidden"})
    EXPECT_EQ(seen[what], true) << what;
}

TEST_F(Report, IsComparedWithAStraightLineOfItsTrainingRows) {
  const std::string page = run_well({"report", model_, table_, "--train", table_, "-o", "-"});
  EXPECT_NE(page.find("of a straight line"), std::string::npos);
  EXPECT_NE(page.find("These look like the rows that the model was fitted to"), std::string::npos);
}

TEST_F(Report, RefusesAnotherTableAsItsTrainingRows) {
  const std::vector<std::string> all = lines(read_text(table_));
  std::string fewer, moved, heavier = all[0] + ",w\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size()) fewer += all[i] + "\n";
    moved += (i == 1 ? "1e6" + all[i].substr(all[i].find(',')) : all[i]) + "\n";
    if (i > 0) heavier += all[i] + (i == 1 ? ",2\n" : ",1\n");
  }
  const auto refusal = [&](const std::string& table, std::vector<std::string> more = {}) {
    std::vector<std::string> command{"report", model_, table_, "--train", table, "-o", "-"};
    if (!more.empty()) command[2] = table;  // which has the column of weights
    command.insert(command.end(), more.begin(), more.end());
    const ChildResult result = run_program(command);
    EXPECT_EQ(result.status, 1) << result.errors;
    EXPECT_EQ(result.output, "");
    return result.errors;
  };
  const std::string count = std::to_string(all.size() - 1), less = std::to_string(all.size() - 2);
  std::string said = refusal(write_text(folder_.file("fewer.csv"), fewer));
  EXPECT_NE(
      said.find("fewer.csv: --train is " + less + " rows, and the model was fitted to " + count + " rows"),
      std::string::npos)
      << said;
  said = refusal(write_text(folder_.file("moved.csv"), moved));
  EXPECT_NE(said.find("to 1e+06, and the model was fitted to x from "), std::string::npos) << said;
  said = refusal(write_text(folder_.file("heavier.csv"), heavier), {"--weights", "w"});
  EXPECT_NE(said.find("--train is a weight of " + std::to_string(all.size())), std::string::npos) << said;
}

// The log loss of the rival is that of `classify --prior none` on the same rows.
TEST(ClassifierReport, IsComparedWithLogisticRegressionOfItsTrainingRows) {
  const TemporaryFolder folder;
  const auto rows = [&](const std::string& name, std::uint64_t seed) {
    std::string text = "x,won\n";
    const Toy toy = classification_toy(300, seed);
    for (std::size_t i = 0; i < toy.x.size(); ++i)
      text += std::to_string(toy.x[i]) + (toy.y[i] > 0 ? ",yes\n" : ",no\n");
    return write_text(folder.file(name), text);
  };
  const std::string train = rows("train.csv", 1), test = rows("test.csv", 2);
  const std::string model = folder.file("m.json"), base = folder.file("base.json");
  run_well({"classify", train, "--label", "won", "--model", model, "--quiet"});
  run_well({"classify", train, "--label", "won", "--prior", "none", "--model", base, "--quiet"});
  const auto loss = [&](const std::string& fit) {
    const double value = json::parse(run_well({"evaluate", fit, test, "--json"}))["log_loss"];
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return std::string(text);
  };
  const std::string page = run_well({"report", model, test, "--train", train, "-o", "-"});
  const std::string verdict =
      "log loss " + loss(model) + " against " + loss(base) + " of logistic regression";
  EXPECT_NE(page.find(verdict), std::string::npos) << verdict;
  EXPECT_EQ(page.find("These look like"), std::string::npos);
  EXPECT_EQ(run_program({"report", base, test, "--train", train, "-o", "-"}).status, 2);
  EXPECT_EQ(run_program({"report", model, "--train", train, "-o", "-"}).status, 2);
  const ChildResult swapped = run_program({"report", model, train, "--train", test, "-o", "-"});
  EXPECT_EQ(swapped.status, 1);
  EXPECT_NE(swapped.errors.find("test.csv: --train is a weight of "), std::string::npos) << swapped.errors;
}

// Names that end a script, a style or an attribute, in a title, a legend, an axis and a table.
TEST(HostileReport, ShowsNamesThatWouldEndItsScriptAsText) {
  const TemporaryFolder folder;
  const std::string x = "</script><script>hit()</script>", one = "\"><img src=x onerror=hit()>",
                    two = "'</style>`${1}";
  const Toy toy = classification_toy(200, 9);
  std::string text = x + ",kind\n";
  for (std::size_t i = 0; i < toy.x.size(); ++i)
    text += std::to_string(toy.x[i]) + "," +
            (toy.y[i] > 0 ? "\"\"" + one + "\""
             : i % 5 == 0 ? "odd"
                          : two) +
            "\n";
  const std::string table = write_text(folder.file("t.csv"), text), model = folder.file("m.json");
  run_well({"classify", table, "--label", "kind", "--v", "0.2", "--model", model, "--quiet"});
  const PageSight sight = look_at(folder, run_well({"report", model, table, "-o", "-"}), {}, R"(
for (const svg of document.querySelectorAll('figure svg')) {
  const box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent('pointermove', {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}));
}
return document.querySelectorAll('img').length;)");
  EXPECT_TRUE(sight.console.empty()) << sight.console.front();
  EXPECT_EQ(sight.seen["scripts"], 1);
  EXPECT_EQ(sight.seen["acted"], 0);
  for (const std::string& name : {x, one, two})
    EXPECT_NE(sight.seen["text"].get<std::string>().find(name), std::string::npos) << name;
}

TEST_F(Report, HasTheNumbersOfEvaluate) {
  const json scores = json::parse(run_well({"evaluate", model_, table_, "--json"}));
  const json values = look_at(folder_, page_).seen["values"];
  for (const auto& [name, value] : scores.items()) EXPECT_EQ(values.at(name), value) << name;
}

TEST_F(Report, ShowsNamesAsTheyStand) {
  const PageSight sight = look_at(folder_, page_);
  EXPECT_EQ(sight.seen["title"], "p & \"q\" against a<b");
  EXPECT_NE(sight.seen["text"].get<std::string>().find("range of a<b"), std::string::npos);
}

TEST_F(Report, FitsANarrowScreen) {
  const PageSight sight = look_at(folder_, page_, {390, false});
  EXPECT_LE(sight.seen["page_width"], sight.seen["screen_width"]);
  for (const json& picture : sight.seen["pictures"]) EXPECT_LE(picture["width"], sight.seen["screen_width"]);
}

TEST_F(Report, IsDarkOnADarkScreen) {
  EXPECT_EQ(look_at(folder_, page_, {1280, false}).seen["background"], "rgb(255, 255, 255)");
  EXPECT_EQ(look_at(folder_, page_, {1280, true}).seen["background"], "rgb(21, 24, 27)");
}

TEST_F(Report, NeedsNoTable) {
  const std::string page = run_well({"report", model_, "-o", "-"});
  EXPECT_NE(page.find("What was fitted"), std::string::npos);
  EXPECT_EQ(page.find("Errors on these rows"), std::string::npos);
}

TEST_F(Report, GivesTheCommandThatMakesTheModelAgain) {
  EXPECT_EQ(run_again(folder_, page_, table_), read_text(model_));
}

TEST_F(Report, IsTheSameEachTime) { EXPECT_EQ(run_well({"report", model_, table_, "-o", "-"}), page_); }

// A page that a browser can show: pictures drawn, nothing fetched, numbers those of `scores`, nested names
// joined by dots.
void expect_sound(const TemporaryFolder& folder, const std::string& page, std::size_t pictures,
                  const json& scores) {
  const PageSight sight = look_at(folder, page);
  EXPECT_TRUE(sight.console.empty()) << sight.console.front();
  EXPECT_EQ(sight.seen["pictures"].size(), pictures);
  for (const json& picture : sight.seen["pictures"]) {
    EXPECT_GT(picture["width"], 300);
    EXPECT_GT(picture["drawn"], 20);
    EXPECT_GT(picture["words"].get<std::string>().size(), 20U);
  }
  EXPECT_EQ(sight.seen["scripts"], 1);
  EXPECT_EQ(sight.seen["addresses"], 0);
  EXPECT_EQ(sight.seen["repeated_ids"], 0);
  EXPECT_GE(sight.seen["folded"], 1);
  const std::string folded = sight.seen["text_folded"];
  EXPECT_LT(folded.find("log loss "), folded.find("Make it again"));  // the verdict, above the contents
  for (const auto& [name, value] : scores.items()) {
    if (!value.is_object()) {
      EXPECT_EQ(sight.seen["values"].at(name), value) << name;
      continue;
    }
    for (const auto& [inner, number] : value.items())
      EXPECT_EQ(sight.seen["values"].at(name + "." + inner), number) << name << " " << inner;
  }
  const PageSight narrow = look_at(folder, page, {390, false});
  EXPECT_LE(narrow.seen["page_width"], narrow.seen["screen_width"]);
}

// The program's own libraries, listed by the loader; those that draw come when a figure is drawn.
TEST(Program, DoesNotLoadTheLibrariesThatDrawAtItsStart) {
  const auto listed = run_child({"env", "LD_TRACE_LOADED_OBJECTS=1", LINKGISTIC_PROGRAM}, "");
  ASSERT_TRUE(listed.has_value());
  ASSERT_NE(listed->output.find("libnlopt"), std::string::npos);
  EXPECT_EQ(listed->output.find("cairo"), std::string::npos);
  EXPECT_EQ(listed->output.find("pango"), std::string::npos);
}

TEST(ClassifierReport, IsSoundInABrowserAndTellsHowToMakeTheModelAgain) {
  const TemporaryFolder folder;
  std::string text = "height,kind of <plant>,class\n";
  const Toy toy = classification_toy(300, 4);
  for (std::size_t i = 0; i < toy.x.size(); ++i) {
    const std::string third = i % 3 == 0 ? "moss" : "fern";
    text += std::to_string(toy.x[i]) + "," + third + "," +
            (toy.y[i] > 0 ? "tall & old"
             : i % 7 == 0 ? "odd"
                          : "low") +
            "\n";
  }
  const std::string table = write_text(folder.file("plants.csv"), text), model = folder.file("m.json");
  run_well({"classify", table, "--label", "class", "--v", "0.2", "--model", model, "--quiet"});
  const std::string page = run_well({"report", model, table, "-o", "-"});
  expect_sound(folder, page, 6, json::parse(run_well({"evaluate", model, table, "--json"})));
  EXPECT_EQ(run_again(folder, page, table), read_text(model));
}

TEST(ClassCalibratorReport, IsSoundInABrowserAndTellsHowToMakeTheModelAgain) {
  const TemporaryFolder folder;
  RandomStream random(6);
  std::string text = "low,middle <x>,high,size\n";
  const char* names[] = {"low", "middle <x>", "high"};
  for (int i = 0; i < 240; ++i) {
    double logit[3], sum = 0;
    for (double& l : logit) sum += std::exp(0.5 * (l = 2 * random.normal()));
    double u = random.uniform() * sum;
    int label = 0;
    while (label < 2 && u > std::exp(0.5 * logit[label])) u -= std::exp(0.5 * logit[label++]);
    for (const double l : logit) text += std::to_string(l) + ",";
    text += std::string(names[label]) + "\n";
  }
  const std::string table = write_text(folder.file("scores.csv"), text), model = folder.file("m.json");
  for (const char* maps : {"one_vs_rest", "auto"}) {
    run_well({"calibrate", table, "--score", "low,middle <x>,high", "--label", "size", "--maps", maps,
              "--model", model, "--quiet"});
    const std::string page = run_well({"report", model, table, "-o", "-"});
    const json scores = json::parse(run_well({"evaluate", model, table, "--json"}));
    const bool shared = json::parse(read_text(model))["summary"]["maps"] == "shared";
    expect_sound(folder, page, shared ? 6 : 8, {{"before", scores["before"]}, {"after", scores["after"]}});
    const json values = look_at(folder, page).seen["values"];
    EXPECT_EQ(values.at("classes.middle <x>.after.mcb"), scores["classes"]["middle <x>"]["after"]["mcb"]);
    EXPECT_EQ(run_again(folder, page, table), read_text(model));
  }
}

TEST(CalibratorReport, IsSoundInABrowserAndTellsHowToMakeTheModelAgain) {
  const TemporaryFolder folder;
  std::string text = "score,won\n";
  const Toy toy = classification_toy(300, 5);
  for (std::size_t i = 0; i < toy.x.size(); ++i)
    text += std::to_string((toy.x[i] - 50) / 8) + (toy.y[i] > 0 ? ",yes\n" : ",no\n");
  const std::string table = write_text(folder.file("scores.csv"), text), model = folder.file("m.json");
  run_well({"calibrate", table, "--score", "score", "--label", "won", "--model", model, "--quiet"});
  const std::string page = run_well({"report", model, table, "-o", "-"});
  expect_sound(folder, page, 4, json::parse(run_well({"evaluate", model, table, "--json"})));
  EXPECT_EQ(run_again(folder, page, table), read_text(model));
}

}  // namespace
}  // namespace linkgistic
