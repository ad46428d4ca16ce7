// No verb writes over a file that it reads.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

constexpr const char* rows = "x,y\n1,2\n2,3\n3,3.5\n4,6\n5,6.5\n";

struct Case {
  const char* name;
  const char* command;  // DIR/ stands for the folder
  const char* output;   // how the message begins
  const char* input;    // the file in it
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Overwrite : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] std::string in_folder(std::string text) const {
    for (std::size_t at = 0; (at = text.find("DIR/", at)) != std::string::npos;)
      text.replace(at, 4, folder_.file(""));
    return text;
  }
  TemporaryFolder folder_;
};

TEST_P(Overwrite, IsRefusedBeforeAnyWork) {
  // None of these files is read: what they hold is of no matter.
  std::filesystem::create_directory(folder_.file("parts"));
  const std::string files[] = {"t.csv", "m.json", "labels", "parts/a.csv", "parts/b.csv"};
  for (const std::string& file : files) write_text(folder_.file(file), file + rows);
  std::filesystem::create_symlink(folder_.file("t.csv"), folder_.file("soft.csv"));
  std::filesystem::create_hard_link(folder_.file("m.json"), folder_.file("hard.svg"));
  const ChildResult result = run_program(words(in_folder(GetParam().command)));
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_NE(result.errors.find(in_folder(GetParam().output)), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find(in_folder(GetParam().input)), std::string::npos) << result.errors;
  for (const std::string& file : files) EXPECT_EQ(read_text(folder_.file(file)), file + rows) << file;
}

INSTANTIATE_TEST_SUITE_P(
    Verbs, Overwrite,
    testing::Values(Case{"regress", "regress DIR/t.csv --x x --y y --model DIR/t.csv",
                         "--model 'DIR/t.csv' is the file", "'DIR/t.csv' (file)"},
                    Case{"calibrate", "calibrate DIR/t.csv --score x --label y --model DIR/./t.csv",
                         "--model 'DIR/./t.csv'", "'DIR/t.csv' (file)"},
                    Case{"classify", "classify DIR/t.csv --label y --model DIR/soft.csv",
                         "--model 'DIR/soft.csv'", "'DIR/t.csv' (file)"},
                    Case{"checkpoint", "classify DIR/soft.csv --label y --checkpoint DIR/t.csv",
                         "--checkpoint 'DIR/t.csv'", "'DIR/soft.csv' (file)"},
                    Case{"labels", "classify DIR/t.csv --labels DIR/labels --model DIR/labels",
                         "--model 'DIR/labels'", "'DIR/labels' (--labels)"},
                    Case{"folder", "regress DIR/parts --x x --y y --model DIR/parts/b.csv",
                         "--model 'DIR/parts/b.csv'", "'DIR/parts/b.csv' (file)"},
                    Case{"pattern", "regress DIR/parts/*.csv --x x --y y --model DIR/parts/a.csv",
                         "--model 'DIR/parts/a.csv'", "'DIR/parts/a.csv' (file)"},
                    Case{"predict into the table", "predict DIR/m.json DIR/t.csv -o DIR/t.csv",
                         "--output 'DIR/t.csv'", "'DIR/t.csv' (file)"},
                    Case{"predict into the model", "predict DIR/m.json DIR/t.csv -o DIR/m.json",
                         "--output 'DIR/m.json'", "'DIR/m.json' (model)"},
                    Case{"export", "export DIR/m.json -o DIR/m.json", "--output 'DIR/m.json'",
                         "'DIR/m.json' (model)"},
                    Case{"plot", "plot DIR/m.json DIR/t.csv -o DIR/hard.svg", "--output 'DIR/hard.svg'",
                         "'DIR/m.json' (model)"},
                    Case{"solve", "solve DIR/m.json --at 3 --figure DIR/hard.svg", "--figure 'DIR/hard.svg'",
                         "'DIR/m.json' (model)"},
                    Case{"report", "report DIR/m.json DIR/t.csv --train DIR/labels -o DIR/labels",
                         "--output 'DIR/labels'", "'DIR/labels' (--train)"}),
    [](const auto& tested) {
      std::string name = tested.param.name;
      for (char& c : name) c = c == ' ' ? '_' : c;
      return name;
    });

TEST(Overwriting, OfAnEarlierOutputIsWhatWasAskedFor) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("t.csv"), rows), model = folder.file("m.json");
  write_text(model, "old");
  run_well({"regress", table, "--x", "x", "--y", "y", "--quiet", "--model", model});
  EXPECT_NE(read_text(model), "old");
  const std::string first = read_text(model);
  run_well({"regress", table, "--x", "x", "--y", "y", "--quiet", "--model", model});
  EXPECT_EQ(read_text(model), first);
}

}  // namespace
}  // namespace linkgistic
