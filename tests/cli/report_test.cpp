// The report in a real browser: pictures drawn, nothing fetched, no complaint, numbers those of evaluate
// --json.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/browser.hpp"
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

TEST_F(Report, FetchesNothingAndRunsNoScript) {
  const PageSight sight = look_at(folder_, page_);
  EXPECT_EQ(sight.seen["scripts"], 0);
  EXPECT_EQ(sight.seen["addresses"], 0);
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
  EXPECT_EQ(sight.seen["scripts"], 0);
  EXPECT_EQ(sight.seen["addresses"], 0);
  EXPECT_EQ(sight.seen["repeated_ids"], 0);
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
