// Extreme numbers, foreign bytes, odd files and damaged models: an error that names the place, or the right
// answer; never a signal, a NaN or a model that cannot be read.
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

using namespace std::string_literals;

void expect_error(std::vector<std::string> arguments, const std::string& message) {
  const ChildResult result = run_program(std::move(arguments));
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
}

std::string table_of(const std::string& head, const std::function<std::string(int)>& row, int rows = 40) {
  std::string text = head + "\n";
  for (int i = 0; i < rows; ++i) text += row(i) + "\n";
  return text;
}

TEST(HostileInput, NumbersTooLargeAreRefusedAtTheirPlace) {
  const TemporaryFolder folder;
  const auto file = [&](const char* value) {
    return write_text(folder.file("in.csv"), table_of("a,b,y", [&](int i) {
                        return (i == 3 ? value : std::to_string(i)) + "," + std::to_string(i * 7 % 5) + "," +
                               std::to_string(i % 2);
                      }));
  };
  expect_error({"classify", file("1e100"), "--label", "y"}, "line 5, column 'a': 1e+100 is too large");
  expect_error({"classify", file("1e300"), "--label", "y", "--weights", "a"}, "line 5, column 'a'");
  for (const char* weight : {"1e20", "1e30", "1e308"})
    expect_error({"calibrate", file(weight), "--score", "y", "--label", "y", "--weights", "a"},
                 "line 5, column 'a': "s + (weight[2] == '2' ? "1e+20" : ""));
}

TEST(HostileInput, PredictionsFarBeyondTheDataAreNumbers) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--model", model}, "x,y\n1,1\n2,3\n3,4\n");
  for (const auto& row : csv_rows(run_well({"predict", model, "-"}, "x\n1e149\n-1e149\n1.7e308\n-1.7e308\n")))
    for (const double value : row) EXPECT_TRUE(std::isfinite(value));
}

TEST(HostileInput, ErrorsOfHugeNumbersAreNumbers) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  const std::string table =
      table_of("x,y", [](int i) { return std::to_string(i) + "," + std::to_string(i * i) + "e304"; });
  run_program({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--model", model}, table);
  const std::string text = run_well({"evaluate", model, "-"}, table);
  for (const char* bad : {"inf", "nan", "undefined"}) EXPECT_EQ(text.find(bad), std::string::npos) << text;
}

// -inf and inf were once merged into one score that is not a number.
TEST(HostileInput, InfiniteScoresOfBothLabelsGiveAModelThatCanBeRead) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("in.csv"), table_of("s,y", [](int i) {
                                         return (i % 3 == 0 ? "inf," : "-inf,") + std::to_string(i % 2);
                                       }));
  const std::string model = folder.file("m.json");
  EXPECT_EQ(run_program({"calibrate", table, "--score", "s", "--label", "y", "--model", model}).status, 0);
  const auto rows = csv_rows(run_well({"predict", model, table}));
  ASSERT_EQ(rows.size(), 40U);
  for (const auto& row : rows) EXPECT_TRUE(row[0] > 0 && row[0] < 1);
  EXPECT_GE(rows[0][0], rows[1][0]);
}

TEST(HostileInput, AScoreTooFarFromTheOthersIsNamedWithItsFile) {
  const TemporaryFolder folder;
  const std::string table =
      write_text(folder.file("in.csv"), table_of("s,y", [](int i) {
                   return (i == 3 ? "1e308" : std::to_string(i * 7 % 11)) + "," + std::to_string(i % 2);
                 }));
  expect_error({"calibrate", table, "--score", "s", "--label", "y"},
               "in.csv: the score 1e+308 is too far from the others, which lie as close as 1");
}

TEST(HostileInput, BytesThatAreNotUtf8AreRefusedBeforeTheFit) {
  const TemporaryFolder folder;
  const auto cell =
      write_text(folder.file("cell.csv"),
                 table_of("x,y", [](int i) { return std::to_string(i) + (i % 2 == 0 ? ",b" : ",n\xe9"); }));
  expect_error({"classify", cell, "--label", "y"}, "line 3, column 'y': the text is not in UTF-8");
  const auto head = write_text(folder.file("head.csv"), table_of("caf\xe9,y", [](int i) {
                                 return std::to_string(i) + "," + std::to_string(i % 2);
                               }));
  expect_error({"classify", head, "--label", "y"}, "line 1: the name of column 1 is not in UTF-8");
}

TEST(HostileInput, ControlCharactersOfNamesAreShownNotSent) {
  const TemporaryFolder folder;
  const auto table =
      write_text(folder.file("in.csv"), table_of("x\x1b[31m,y", [](int i) {
                   return std::to_string(i * 7 % 11) + (i % 2 == 0 ? ",b\x7f\xc2\x9b" : ",n\x1b]0;x\a");
                 }));
  const std::string model = folder.file("m.json");
  const ChildResult fit = run_program({"classify", table, "--label", "y", "--model", model});
  const ChildResult show = run_program({"show", model});
  const ChildResult json = run_program({"show", model, "--json"});
  const ChildResult error = run_program({"regress", table, "--x", "x\x1b[31m", "--y", "y"});
  EXPECT_EQ(fit.status, 0);
  EXPECT_EQ(error.status, 1);
  for (const ChildResult* said : {&fit, &show, &json, &error}) {
    for (const std::string& text : {said->output, said->errors}) {
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
      EXPECT_EQ(text.find('\x7f'), std::string::npos) << text;
      EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos) << text;
    }
  }
  EXPECT_NE(show.output.find("b\\u007f\\u009b"), std::string::npos) << show.output;
}

// Two images of two pixels, labels 0 and 1, thirty times.
TEST(HostileInput, ImagesAndLabelsMayComeThroughPipes) {
  const TemporaryFolder folder;
  std::string images = "\0\0\x08\x03\0\0\0\x3c\0\0\0\x01\0\0\0\x02"s, labels = "\0\0\x08\x01\0\0\0\x3c"s;
  for (int i = 0; i < 60; ++i) {
    images += static_cast<char>(i % 2 * 100 + i);
    images += static_cast<char>(i * 3);
    labels += static_cast<char>(i % 2);
  }
  const std::string image_file = write_text(folder.file("i.idx"), images);
  const std::string label_file = write_text(folder.file("l.idx"), labels);
  const std::string fit = std::string(LINKGISTIC_PROGRAM) + " classify ";
  const std::string options = " --l2 1 --prior none --quiet --model ";
  const auto bytes_of = [&](const std::string& command) {
    const auto result = run_child({"bash", "-c", command}, "");
    EXPECT_TRUE(result && result->status == 0) << (result ? result->errors : "");
    return read_text(folder.file("m.json"));
  };
  const std::string model = options + folder.file("m.json");
  const std::string plain = bytes_of(fit + image_file + " --labels " + label_file + model);
  EXPECT_EQ(bytes_of(fit + "<(cat " + image_file + ") --labels <(cat " + label_file + ")" + model), plain);
  EXPECT_EQ(bytes_of(fit + image_file + " --labels - " + model + " <" + label_file), plain);
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(
      bytes_of("cat " + image_file + " >" + fifo + " & " + fit + fifo + " --labels " + label_file + model),
      plain);
}

TEST(HostileInput, DamagedModelsAreRefusedWithTheReason) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--model", model}, "x,y\n1,1\n2,3\n3,4\n");
  const std::string text = read_text(model);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const auto at = changed.find(from);
    EXPECT_NE(at, std::string::npos);
    return write_text(folder.file("bad.json"), changed.replace(at, from.size(), to));
  };
  expect_error({"show", with("\"version\": 1", "\"version\": 1, \"more\": 1e400")},
               "a number that is too large");
  expect_error({"show", with("\"version\": 1", "\"version\": 1, \"version\": 1")}, "the key 'version' twice");
  expect_error({"show", with("\"x_half\": 1.0", "\"x_half\": 5e-324")}, "scaling is not possible");
  expect_error({"show", with("\"mode\": [", "\"mode\": [1e150, ")}, "posterior");
}

TEST(HostileInput, ScoresOfOneClassAreUndefinedNotNan) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  const auto table = [](bool both) {
    return table_of("s,y",
                    [=](int i) { return std::to_string(i % 7) + "," + (both && i % 3 == 0 ? "0" : "1"); });
  };
  run_program({"calibrate", "-", "--score", "s", "--label", "y", "--model", model}, table(true));
  const std::string text = run_well({"evaluate", model, "-"}, table(false));
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(text.find("undefined"), std::string::npos) << text;
  EXPECT_NE(run_well({"evaluate", model, "-", "--json"}, table(false)).find("null"), std::string::npos);
}

TEST(HostileInput, AMillionThreadsAreTheMachines) {
  const std::string rows = "x,y\n1,1\n2,3\n3,4\n";
  EXPECT_EQ(
      run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--threads", "1000000", "--model", "-"},
               rows),
      run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--threads", "1", "--model", "-"}, rows));
}

TEST(HostileInput, AFileBeyondTheLimitIsAnErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  const auto result = run_child({"bash", "-c",
                                 "ulimit -f 1; exec " + std::string(LINKGISTIC_PROGRAM) +
                                     " regress - --x x --y y --quiet --model " + model},
                                "x,y\n1,1\n2,3\n3,4\n");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 1);
  EXPECT_NE(result->errors.find("m.json: cannot write: File too large"), std::string::npos) << result->errors;
  EXPECT_EQ(folder.count(), 0U);
}

}  // namespace
}  // namespace linkgistic
