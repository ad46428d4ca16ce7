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
    if (fitted.contains("encoding")) fitted["encoding"].erase("na");
    if (fitted.contains("columns")) fitted["columns"].erase("na");
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
