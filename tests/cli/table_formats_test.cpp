// The same rows in other words and other formats give the same models, for every verb that reads a table.
#include <cctype>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/class_tables.hpp"

namespace linkgistic {
namespace {

class TableFormats : public testing::Test {
 protected:
  // The model that a command writes of a table, and what it predicts of it; the table stands for IN.
  std::string outcome(std::string command, const std::string& name, const std::string& text,
                      const std::string& predict_flags = "") {
    const std::string table = write_text(folder_.file(name), text), model = folder_.file("m.json");
    command.replace(command.find("IN"), 2, table);
    run_well(words(command + " --quiet --model " + model));
    const std::string predicted =
        run_well(words("predict " + model + " " + table + " --quiet" + predict_flags));
    nlohmann::json fitted = nlohmann::json::parse(read_text(model));
    for (const char* part : {"encoding", "columns"}) {
      if (!fitted.contains(part)) continue;
      fitted[part].erase("na");
      fitted[part].erase("decimal");
    }
    return fitted.dump() + predicted;
  }
  TemporaryFolder folder_;
};

// x,y,s with a gap in every seventh x; y depends on x.
std::string gappy_table(const std::string& gap) {
  std::string text = "x,y,s\n";
  for (int i = 0; i < 60; ++i) {
    text += (i % 7 == 3 ? gap : std::to_string(i)) + "," + std::to_string(i * i % 50 + i) + "," +
            (i * 37 % 60 < i ? "yes" : "no") + "\n";
  }
  return text;
}

TEST_F(TableFormats, WordsForMissingValuesAreTheUsers) {
  const std::string empty = gappy_table(""), own = gappy_table("-999");
  const std::string classified = "classify IN --label s --missing impute --l2 1 --v 0";
  for (const char* command : {"regress IN --x y --y x --missing drop",
                              "calibrate IN --score y --label s --weights x --missing drop"}) {
    EXPECT_EQ(outcome(command, "a.csv", empty), outcome(std::string(command) + " --na -999", "a.csv", own));
  }
  // A classifier knows the words that it was fitted with.
  EXPECT_EQ(outcome(classified, "a.csv", empty), outcome(classified + " --na -999", "a.csv", own));
  EXPECT_NE(outcome(classified, "a.csv", empty),
            outcome(classified + " --na -999", "a.csv", own, " --na NA"));
}

TEST_F(TableFormats, RowsWithoutAPredictionHaveEmptyFields) {
  const std::string model = folder_.file("r.json"),
                    whole = write_text(folder_.file("whole.csv"), gappy_table("5"));
  const std::string gappy = write_text(folder_.file("gappy.csv"), gappy_table(""));
  for (const std::string fit : {"regress IN --x x --y y", "calibrate IN --score x --label s",
                                "calibrate IN --score x,y --label s --method temperature"}) {
    std::string command = fit;
    command.replace(command.find("IN"), 2, whole);
    run_well(words(command + " --quiet --model " + model));
    const std::vector<std::string> expected = lines(run_well({"predict", model, whole})),
                                   predicted = lines(run_well({"predict", model, gappy, "--quiet"}));
    ASSERT_EQ(predicted.size(), expected.size()) << fit;
    const auto commas = std::count(expected[0].begin(), expected[0].end(), ',');
    for (int i = 0; i < 60; ++i) {
      const auto line = static_cast<std::size_t>(i) + 1;
      EXPECT_EQ(predicted[line],
                i % 7 == 3 ? std::string(static_cast<std::size_t>(commas), ',') : expected[line])
          << fit << " " << i;
    }
  }
  const ChildResult said = run_program({"predict", model, gappy});
  EXPECT_NE(said.errors.find("9 rows with a missing value: the fields are empty"), std::string::npos)
      << said.errors;
}

TEST_F(TableFormats, NumbersMayHaveADecimalComma) {
  std::string points = "x;y;s\n";
  for (int i = 0; i < 60; ++i) {
    points += std::to_string(i / 4) + "." + std::to_string(25 * (i % 4)) + ";" + std::to_string(i * i % 7) +
              ".5e-1;" + (i * 37 % 60 < i ? "1,0" : "0,0") + "\n";
  }
  std::string commas = points;
  std::replace(commas.begin(), commas.end(), '.', ',');
  for (const std::string command : {"regress IN --x x --y y", "calibrate IN --score x --label s --weights y",
                                    "classify IN --label s --l2 1 --v 0"}) {
    EXPECT_EQ(outcome(command + " --decimal ,", "a.csv", commas, " --decimal ,"),
              outcome(command, "a.csv", points))
        << command;
  }
}

TEST_F(TableFormats, ACommaIsNotBothBetweenFieldsAndBeforeDecimals) {
  const std::string table = write_text(folder_.file("a.csv"), "x,y\n1,2\n");
  const ChildResult result = run_program({"regress", table, "--x", "x", "--y", "y", "--decimal", ","});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("a comma stands between its fields"), std::string::npos) << result.errors;
}

// Each row of a CSV table without quotes as an object; an empty field is a key that is not there.
std::string json_lines(const std::string& csv) {
  std::string result;
  std::vector<std::string> names;
  for (const std::string& line : lines(csv)) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    if (names.empty()) {
      names = fields;
      continue;
    }
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    for (std::size_t j = 0; j < fields.size(); ++j) {
      if (fields[j].empty()) continue;
      const bool word = std::isalpha(static_cast<unsigned char>(fields[j][0])) != 0;
      row[names[j]] = word ? nlohmann::json(fields[j]) : nlohmann::json::parse(fields[j]);
    }
    result += row.dump() + "\n";
  }
  return result;
}

TEST_F(TableFormats, JsonLinesGiveTheModelsOfCsv) {
  const std::string gaps = gappy_table(""), classes = class_table(80, 3, 5, true);
  const std::pair<const char*, const std::string&> cases[] = {
      {"regress IN --x y --y x --missing drop", gaps},
      {"calibrate IN --score y --label s --weights x --missing drop", gaps},
      {"classify IN --label y --weights n --missing impute --l2 1 --v 0", classes}};
  for (const auto& [command, csv] : cases) {
    const std::string expected = outcome(command, "a.csv", csv), json = json_lines(csv);
    EXPECT_EQ(outcome(command, "a.jsonl", json), expected) << command;
    EXPECT_EQ(outcome(command, "a.ndjson.gz", gzipped(json)), expected) << command;
  }
}

TEST_F(TableFormats, WordsThatAreNotListedAreRefusedWithTheirPlace) {
  const std::string table = write_text(folder_.file("in.csv"), gappy_table("low"));
  const ChildResult regress = run_program({"regress", table, "--x", "x", "--y", "y"});
  EXPECT_EQ(regress.status, 1);
  EXPECT_EQ(regress.errors, "linkgistic: error: " + table + ": line 5, column 'x': 'low' is not a number\n");
  const ChildResult classify = run_program({"classify", table, "--label", "s"});
  EXPECT_EQ(classify.status, 1);
  EXPECT_NE(classify.errors.find("line 5, column 'x': 'low' is not a number, but 51 of the 60 values"),
            std::string::npos)
      << classify.errors;
  run_well(words("classify " + table + " --label s --categorical x,y --l2 1 --v 0 --quiet"));
}

}  // namespace
}  // namespace linkgistic
