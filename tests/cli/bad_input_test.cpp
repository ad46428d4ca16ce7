// What the program says about input and command lines that are wrong, and what it makes of strange ones.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

constexpr const char* good_rows = "x,y,w\n1,2,1\n2,3,1\n3,3.5,2\n4,6,0\n5,6.5,1\n";

struct Case {
  const char* name;
  std::string rows;     // of in.csv
  const char* command;  // DIR stands for the folder; it holds in.csv and m.json, a model of good_rows
  int status;
  const char* message;  // part of what goes to standard error, or to standard output if it has all
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class BadInput : public testing::TestWithParam<Case> {
 protected:
  BadInput() {
    write_text(folder_.file("good.csv"), good_rows);
    run_well(words("regress " + folder_.file("good.csv") + " --x x --y y --weights w --quiet --model " +
                   folder_.file("m.json")));
    const std::string model = read_text(folder_.file("m.json"));
    write_text(folder_.file("half.json"), model.substr(0, model.size() / 2));
    auto j = nlohmann::json::parse(model);
    const auto save = [&](const char* name) { write_text(folder_.file(name), j.dump()); };
    j["version"] = 99;
    save("version.json");
    j["version"] = 1;
    j["kind"] = "weather forecast";
    save("kind.json");
    j["kind"] = "monotone regression";
    j["posterior"]["mode"].erase(0);
    save("size.json");
    j.erase("posterior");
    save("gap.json");
    write_text(folder_.file("other.json"), "{\"a\": 1}");
    const std::string packed = gzipped(good_rows);
    write_text(folder_.file("cut.csv.gz"), packed.substr(0, packed.size() / 2));
    write_text(folder_.file("cut.npy"), std::string("\x93NUMPY\x01\x00", 8));
    std::filesystem::create_directory(folder_.file("folder"));
  }

  [[nodiscard]] std::string in_folder(std::string text) const {
    for (std::size_t at = 0; (at = text.find("DIR", at)) != std::string::npos;) {
      text.replace(at, 4, folder_.file(""));
    }
    return text;
  }

  TemporaryFolder folder_;
};

TEST_P(BadInput, IsAnsweredInOneLine) {
  const Case& c = GetParam();
  write_text(folder_.file("in.csv"), c.rows);
  const std::size_t files = folder_.count();
  const ChildResult result = run_program(words(in_folder(c.command)));
  EXPECT_EQ(result.status, c.status) << result.output << result.errors;
  EXPECT_NE(result.errors.find(in_folder(c.message)), std::string::npos) << result.errors;
  if (c.status == 0) return;
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("linkgistic: error: ")) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_EQ(folder_.count(), files) << "something was written";
}

constexpr const char* fit = "regress DIR/in.csv --x x --y y --weights w --model DIR/out.json";
constexpr const char* fit_xy = "regress DIR/in.csv --x x --y y --model DIR/out.json";

INSTANTIATE_TEST_SUITE_P(
    Tables, BadInput,
    testing::Values(
        Case{"empty file", "", fit, 1, "DIR/in.csv: the file is empty"},
        Case{"header only", "x,y,w\n", fit, 1, "DIR/in.csv: there are no rows"},
        Case{"blank header", "\n1,2,3\n", fit, 1, "line 1: blank, where the header should be"},
        Case{"empty field", "x,y,w\n1,2,1\n2,,1\n", fit, 1,
             "DIR/in.csv: line 3, column 'y': missing value (--missing drop leaves such rows out)"},
        Case{"NA", "x,y,w\nNA,2,1\n", fit, 1, "line 2, column 'x': missing value"},
        Case{"question mark", "x,y,w\n1,2,?\n", fit, 1, "line 2, column 'w': missing value"},
        Case{"NaN", "x,y,w\n1,nan,1\n", fit, 1, "line 2, column 'y': missing value"},
        Case{"nothing left", "x,y\n1,\n,2\n",
             "regress DIR/in.csv --x x --y y --missing drop --model DIR/out.json", 1,
             "DIR/in.csv: no row is left, each of 2 rows has a missing value"},
        Case{"infinite", "x,y,w\n1,2,1\n-inf,2,1\n", fit, 1, "line 3, column 'x': '-inf' is not finite"},
        Case{"overflow", "x,y,w\n1,1e999,1\n", fit, 1, "line 2, column 'y': '1e999' is not finite"},
        Case{"text in a number", "x,y,w\n1,2,1\n2,three,1\n", fit, 1,
             "line 3, column 'y': 'three' is not a number"},
        Case{"hexadecimal", "x,y,w\n0x10,2,1\n", fit, 1, "'0x10' is not a number"},
        Case{"decimal comma", "x;y;w\n1,5;2;1\n", fit, 1, "'1,5' is not a number"},
        Case{"row too short", "x,y,w\n1,2,1\n2,3\n", fit, 1, "DIR/in.csv: line 3: "},
        Case{"row too long", "x,y,w\n1,2,1,9\n", fit, 1, "DIR/in.csv: line 2: "},
        Case{"blank line inside", "x,y,w\n1,2,1\n\n2,3,1\n", fit, 1, "line 3: "},
        Case{"open quote", "x,y,w\n1,\"2,1\n", fit, 1, "line 2: a quote opens here and is never closed"},
        Case{"text after a quote", "x,y,w\n1,\"2\"3,1\n", fit, 1, "text after a closing quote"},
        Case{"unknown column", "x,yy,w\n1,2,1\n", fit, 1, "no column 'y'; did you mean 'yy'?"},
        Case{"column twice", "x,y,y\n1,2,1\n", fit_xy, 1, "2 columns are called 'y'"},
        Case{"unknown weights", "x,y\n1,2\n", fit, 1, "no column 'w'"},
        Case{"negative weight", "x,y,w\n1,2,1\n2,3,-1\n", fit, 1,
             "DIR/in.csv: line 3, column 'w': a weight must not be negative"},
        Case{"all weights zero", "x,y,w\n1,2,0\n2,3,0\n", fit, 1, "DIR/in.csv: every row has weight 0"},
        Case{"wrong delimiter", "x,y,w\n1,2,1\n", "regress DIR/in.csv --x x --y y --delimiter ;", 1,
             "no column 'x'"},
        Case{"not text", std::string("PK\3\4\0\0\0\0", 8), fit, 1, "DIR/in.csv: "},
        Case{"PNG picture", "\x89PNG\r\n\x1a\n\1\2\3", fit, 1,
             "DIR/in.csv: this is a PNG picture; it is no table"},
        Case{"workbook", "PK\3\4xl", fit, 1,
             "DIR/in.csv: this is a ZIP archive, as are the workbooks of Excel"},
        Case{"PDF document", "%PDF-1.7\n", fit, 1, "DIR/in.csv: this is a PDF document"},
        Case{"HTML page", "<!DOCTYPE html>\n<p>", fit, 1, "DIR/in.csv: this is an HTML page"},
        Case{"a picture in a folder", "\x89PNG\r\n\x1a\n", "regress DIR/[i]n.* --x x --y y", 1,
             "all files of a folder that is read must be tables"},
        Case{"JSON array", "[{\"x\":1,\"y\":2},{\"x\":2,\"y\":3}]", fit, 1,
             "DIR/in.csv: this is a JSON array; what is read is JSON Lines, one object a line (of pandas: "
             "to_json(orient=\"records\", lines=True))"},
        Case{"JSON array on many lines", "[\n  {\n\"x\": 1}]", fit, 1, "this is a JSON array"},
        Case{"missing file", "", "regress DIR/none.csv --x x --y y", 1,
             "DIR/none.csv: cannot open: No such file or directory"},
        Case{"folder as file", "", "regress DIR/folder --x x --y y", 1, "is a folder without files"},
        Case{"truncated gzip", "", "regress DIR/cut.csv.gz --x x --y y", 1,
             "DIR/cut.csv.gz: gzip data end too early, the file is truncated"},
        Case{"truncated NPY", "", "regress DIR/cut.npy --x 0 --y 1", 1, "DIR/cut.npy: "},
        Case{"output folder missing", good_rows, "regress DIR/in.csv --x x --y y --model DIR/no/m.json", 1,
             "DIR/no/m.json: cannot write: No such file or directory"},
        Case{"output is a folder", good_rows, "regress DIR/in.csv --x x --y y --model DIR/folder", 1,
             "DIR/folder: cannot write: is a folder"},
        Case{"one stray value far down", std::string(good_rows) + "1,2,1e9z\n", fit, 1,
             "line 7, column 'w': '1e9z' is not a number"}));

INSTANTIATE_TEST_SUITE_P(
    Models, BadInput,
    testing::Values(
        Case{"no model file", good_rows, "show DIR/none.json", 1, "DIR/none.json: cannot open"},
        Case{"folder as model", good_rows, "show DIR/folder", 1, "is a folder, not a file"},
        Case{"not JSON", good_rows, "show DIR/good.csv", 1,
             "DIR/good.csv: this is not a model file, or it is damaged: it is not JSON at byte"},
        Case{"truncated", good_rows, "predict DIR/half.json DIR/in.csv", 1,
             "DIR/half.json: this is not a model file, or it is damaged"},
        Case{"other JSON", good_rows, "show DIR/other.json", 1, "this is not a linkgistic model file"},
        Case{"other version", good_rows, "show DIR/version.json", 1,
             "DIR/version.json: the model file has version 99; this program reads version 1"},
        Case{"other kind", good_rows, "evaluate DIR/kind.json DIR/in.csv", 1,
             "DIR/kind.json: this is a model of kind 'weather forecast', which this program does not know"},
        Case{"part missing", good_rows, "plot DIR/gap.json -o DIR/p.svg", 1,
             "DIR/gap.json: the model file is damaged"},
        Case{"part of the wrong size", good_rows, "predict DIR/size.json DIR/in.csv", 1,
             "the model file is damaged: posterior.mode has the wrong size"},
        Case{"predict without x", "a,b\n1,2\n", "predict DIR/m.json DIR/in.csv", 1, "no column 'x'"},
        Case{"predict text", "x\n1\nfast\n", "predict DIR/m.json DIR/in.csv -o DIR/out.csv", 1,
             "line 3, column 'x': 'fast' is not a number"},
        Case{"predict into no folder", good_rows, "predict DIR/m.json DIR/in.csv -o DIR/no/out.csv", 1,
             "DIR/no/out.csv: cannot write: No such file or directory"},
        Case{"evaluate without y", "x\n1\n2\n", "evaluate DIR/m.json DIR/in.csv", 1, "no column 'y'"},
        Case{"evaluate no rows", "x,y\n", "evaluate DIR/m.json DIR/in.csv", 1, "there are no rows"},
        Case{"evaluate weights zero", "x,y,w\n1,2,0\n", "evaluate DIR/m.json DIR/in.csv", 1,
             "DIR/in.csv: every row has weight 0"},
        Case{"plot into no folder", good_rows, "plot DIR/m.json -o DIR/no/p.svg", 1,
             "DIR/no/p.svg: cannot write"},
        Case{"demo into a file", good_rows, "demo -o DIR/good.csv", 1,
             "DIR/good.csv: cannot create the folder"}));

INSTANTIATE_TEST_SUITE_P(
    CommandLines, BadInput,
    testing::Values(
        Case{"no verb", "", "", 2, "A subcommand is required"},
        Case{"unknown verb", "", "regres DIR/in.csv", 2,
             "there is no verb 'regres'; there are regress, classify, calibrate, predict"},
        Case{"unknown flag", "", "regress DIR/in.csv --x x --y y --fast", 2, "--fast"},
        Case{"a verb like another", "", "clasify DIR/in.csv", 2, "did you mean 'classify'?"},
        Case{"a flag like another", "", "regress DIR/in.csv --x x --y y --mising drop", 2,
             "--mising; did you mean '--missing'? (linkgistic regress --help)"},
        Case{"a flag like another, with its value", "", "regress DIR/in.csv --x x --y y --see=3", 2,
             "; did you mean '--seed'?"},
        Case{"a required flag like another", "", "regress DIR/in.csv --x x --Y y", 2,
             "--y is required; did you mean '--y'?"},
        Case{"no columns", "", "regress DIR/in.csv", 2, "--x is required"},
        Case{"no table", "", "predict DIR/m.json", 2, "file is required"},
        Case{"unknown prior", good_rows, "regress DIR/in.csv --x x --y y --prior flat", 2,
             "--prior: flat not in"},
        Case{"harmonics zero", good_rows, "regress DIR/in.csv --x x --y y --harmonics 0", 2,
             "harmonics = 0: it must be from 1 to 128"},
        Case{"harmonics text", good_rows, "regress DIR/in.csv --x x --y y --harmonics many", 2,
             "--harmonics"},
        Case{"threads negative", good_rows, "regress DIR/in.csv --x x --y y --threads -1", 2,
             "threads = -1: it must be 0 (all) or positive"},
        Case{"seed negative", good_rows, "regress DIR/in.csv --x x --y y --seed -1", 2, "--seed"},
        Case{"shifted gp", good_rows, "regress DIR/in.csv --x x --y y --prior gp --origin shifted", 2,
             "origin = shifted"},
        Case{"fix an unknown name", good_rows, "regress DIR/in.csv --x x --y y --fix speed=1", 2,
             "there is no hyper-parameter 'speed' here; there are"},
        Case{"fix another prior's name", good_rows, "regress DIR/in.csv --x x --y y --prior gp --fix v=0.5",
             2, "there is no hyper-parameter 'v' here"},
        Case{"fix a negative noise", good_rows, "regress DIR/in.csv --x x --y y --fix noise=-1", 2,
             "noise = -1: it must be positive"},
        Case{"fix a too small", good_rows, "regress DIR/in.csv --x x --y y --fix a=1", 2,
             "a = 1: it must be greater than 1"},
        Case{"fix v out of range", good_rows, "regress DIR/in.csv --x x --y y --fix v=1", 2,
             "v = 1: it must be between 0 and 1"},
        Case{"fix without a number", good_rows, "regress DIR/in.csv --x x --y y --fix a", 2,
             "--fix 'a': it must be NAME=NUMBER"},
        Case{"fix to text", good_rows, "regress DIR/in.csv --x x --y y --fix a=big", 2,
             "--fix 'a=big': it must be NAME=NUMBER"},
        Case{"fix twice", good_rows, "regress DIR/in.csv --x x --y y --fix a=2,a=3", 2,
             "--fix: 'a' is given twice"},
        Case{"long delimiter", good_rows, "regress DIR/in.csv --x x --y y --delimiter ab", 2,
             "--delimiter 'ab': it must be one character"},
        Case{"quote as delimiter", good_rows, "regress DIR/in.csv --x x --y y --delimiter \"", 2,
             "delimiter: must not be a quote"},
        Case{"unknown way with missing values", good_rows, "regress DIR/in.csv --x x --y y --missing guess",
             2, "--missing: guess not in"},
        Case{"model and summary on stdout", good_rows, "regress DIR/in.csv --x x --y y --model - --json", 2,
             "--model - and --json"},
        Case{"interval one", good_rows, "predict DIR/m.json DIR/in.csv --interval 1 -o DIR/out.csv", 2,
             "it must be between 0 and 1"},
        Case{"interval not a number", good_rows, "predict DIR/m.json DIR/in.csv --interval nan", 2,
             "it must be between 0 and 1"},
        Case{"interval text", good_rows, "predict DIR/m.json DIR/in.csv --interval wide", 2, "--interval"},
        Case{"of without quantiles", good_rows, "predict DIR/m.json DIR/in.csv --of response -o DIR/out.csv",
             2, "--of requires --quantiles"},
        Case{"of something else", good_rows, "predict DIR/m.json DIR/in.csv --quantiles 0.5 --of slope", 2,
             "--of: slope not in"},
        Case{"a quantile that is none", good_rows, "predict DIR/m.json DIR/in.csv --quantiles 0.5,1.5", 2,
             "1.5"},
        Case{"two from stdin", good_rows, "predict - -", 2, "cannot both come from standard input"},
        Case{"plot without a name", good_rows, "plot DIR/m.json", 2, "--output is required"},
        Case{"plot of an unknown format", good_rows, "plot DIR/m.json -o DIR/p.gif", 2,
             "the name must end in .svg, .png or .pdf"},
        Case{"report that is no page", good_rows, "report DIR/m.json -o DIR/p.pdf", 2,
             "report file 'DIR/p.pdf': a report is an HTML page, so the name must end in .html or .htm"},
        Case{"report of a model that is not there, with a wrong name", good_rows,
             "report DIR/none.json -o DIR/p.PNG", 2, "plot draws .svg, .png and .pdf"},
        Case{"plot of evidence that was not kept", good_rows, "plot DIR/m.json --what evidence -o DIR/p.svg",
             2, "the model has no evidence profiles"}));

INSTANTIATE_TEST_SUITE_P(
    StrangeButSound, BadInput,
    testing::Values(Case{"all x equal", "x,y\n2,1\n2,2\n2,4\n", fit_xy, 0,
                         "warning: all x are equal: the slope is the prior's"},
                    Case{"a direction against the data", "x,y\n1,1\n2,2\n3,4\n4,4\n5,6\n",
                         "regress DIR/in.csv --x x --y y --direction decreasing", 0,
                         "warning: direction = decreasing is against the data: y rises with x"},
                    Case{"two distinct x", "x,y\n1,1\n1,2\n2,4\n2,4.5\n", fit_xy, 0, ""},
                    Case{"one row", "x,y\n1,1\n", fit_xy, 0, "warning: all x are equal"},
                    Case{"constant y", "x,y\n1,3\n2,3\n3,3\n", fit_xy, 0, ""},
                    Case{"denormal x", "x,y\n0,1\n4.9e-324,2\n", fit_xy, 0, ""},
                    Case{"denormal y", "x,y\n1,4.9e-324\n2,9.8e-324\n", fit_xy, 0, ""},
                    Case{"x at the largest double", "x,y\n-1.7e308,1\n0,2\n1.7e308,3\n", fit_xy, 0, ""},
                    Case{"y at the largest double", "x,y\n1,-1e308\n2,0\n3,1e308\n", fit_xy, 0, ""},
                    Case{"missing rows dropped", "x,y\n1,1\n2,\n3,3\n4,5\n",
                         "regress DIR/in.csv --x x --y y --missing drop", 0,
                         "1 row with a missing value left out"}));

// What the strange tables give must still be a model that loads, is shown, and predicts finite numbers in
// order.
class StrangeTable : public testing::TestWithParam<const char*> {};

TEST_P(StrangeTable, GivesAModelThatPredicts) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("in.csv"), GetParam());
  const std::string model = folder.file("m.json");
  for (const char* prior : {"isgp", "offset", "gp"}) {
    run_well({"regress", table, "--x", "x", "--y", "y", "--quiet", "--prior", prior, "--profiles", "--model",
              model});
    EXPECT_NE(run_well({"show", model}), "");
    for (const auto& row : csv_rows(run_well({"predict", model, table}))) {
      ASSERT_EQ(row.size(), 5u);
      for (const double value : row) EXPECT_TRUE(std::isfinite(value)) << value;
      EXPECT_LE(row[3], row[1]);
      EXPECT_LE(row[1], row[0]);
      EXPECT_LE(row[0], row[2]);
      EXPECT_LE(row[2], row[4]);
    }
  }
  run_well({"plot", model, table, "-o", folder.file("fit.svg")});
}

INSTANTIATE_TEST_SUITE_P(Tables, StrangeTable,
                         testing::Values("x,y\n2,1\n2,2\n2,4\n", "x,y\n1,1\n", "x,y\n1,3\n2,3\n3,3\n",
                                         "x,y\n0,1\n4.9e-324,2\n", "x,y\n1,4.9e-324\n2,9.8e-324\n",
                                         "x,y\n-1.7e308,1\n0,2\n1.7e308,3\n", "x,y\n1,-1e300\n2,0\n3,1e300\n",
                                         "x,y\n1e-300,1e-300\n2e-300,3e-300\n3e-300,4e-300\n"));

}  // namespace
}  // namespace linkgistic
