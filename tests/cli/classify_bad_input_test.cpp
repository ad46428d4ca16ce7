// What classify and its models say about input that is wrong, and what they make of data at the edge.
#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/class_tables.hpp"

namespace linkgistic {
namespace {

using namespace std::string_literals;
using nlohmann::json;

struct Case {
  const char* name;
  std::string rows;     // of in.csv
  const char* command;  // DIR stands for the folder; it holds in.csv, good.csv and m.json, a model of that
  int status;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class ClassifyBadInput : public testing::TestWithParam<Case> {
 protected:
  ClassifyBadInput() {
    write_text(folder_.file("good.csv"), class_table(60, 2, 4));
    run_well(words("classify " + folder_.file("good.csv") + " --label y --quiet --l2 1 --v 0 --model " +
                   folder_.file("m.json")));
    const std::string packed = gzipped(class_table(60, 2, 4));
    write_text(folder_.file("cut.csv.gz"), packed.substr(0, packed.size() / 2));
    write_text(folder_.file("three.txt"), "a\nb\na\n");
    write_text(folder_.file("images"), "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\1\2\3\4"s);
    write_text(folder_.file("labels"), "\0\0\x08\x01\0\0\0\x03\0\1\1"s);
    write_text(folder_.file("zero.svm"), "1 1:1\n0 0:1 2:1\n");
  }
  [[nodiscard]] std::string in_folder(std::string text) const {
    for (std::size_t at = 0; (at = text.find("DIR", at)) != std::string::npos;)
      text.replace(at, 4, folder_.file(""));
    return text;
  }
  TemporaryFolder folder_;
};

TEST_P(ClassifyBadInput, IsAnsweredInOneLine) {
  const Case& c = GetParam();
  write_text(folder_.file("in.csv"), c.rows);
  const std::size_t files = folder_.count();
  const ChildResult result = run_program(words(in_folder(c.command)));
  EXPECT_EQ(result.status, c.status) << result.output << result.errors;
  EXPECT_NE(result.errors.find(in_folder(c.message)), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_EQ(folder_.count(), files) << "something was written";
}

constexpr const char* fit = "classify DIR/in.csv --label y --model DIR/out.json";
const std::string few = "a,y\n1,p\n2,q\n3,p\n";

INSTANTIATE_TEST_SUITE_P(
    Data, ClassifyBadInput,
    testing::Values(
        Case{"OneClass", "a,y\n1,p\n2,p\n", fit, 1, "DIR/in.csv: every row is of class 'p'"},
        Case{"NoLabelColumn", "a,z\n1,p\n2,q\n", fit, 1, "DIR/in.csv: no column 'y'"},
        Case{"NoLabel", few, "classify DIR/in.csv", 2, "holds the labels"},
        Case{"TwoLabels", few, "classify DIR/in.csv --label y --labels DIR/three.txt", 2,
             "cannot be combined with"},
        Case{"NoRows", "a,y\n", fit, 1, "there are no rows"},
        Case{"NoFeatures", "y\np\nq\n", fit, 1, "no columns of features"},
        Case{"OneRow", "a,y\n1,p\n", fit, 1, "every row is of class 'p'"},
        Case{"MissingLabel", "a,y\n1,p\n2,\n", fit, 1, "line 3, column 'y': missing value"},
        Case{"Infinite", "a,y\n1,p\n-inf,q\n", fit, 1, "line 3, column 'a': '-inf' is not finite"},
        Case{"Counts", "a\n1\n2\n", "classify DIR/in.csv --labels DIR/three.txt", 1,
             "DIR/in.csv has 2 rows but DIR/three.txt has 3 labels"},
        Case{"ImageCounts", "", "classify DIR/images --labels DIR/labels", 1,
             "DIR/images has 2 rows but DIR/labels has 3 labels"},
        Case{"ImagesWithoutLabels", "", "classify DIR/images", 2, "labels: DIR/images holds none"},
        Case{"ImageColumns", "", "classify DIR/images --label y", 2, "its columns have no names"},
        Case{"TruncatedGzip", "", "classify DIR/cut.csv.gz --label y", 1,
             "DIR/cut.csv.gz: gzip data end too early"},
        Case{"IndexZero", "", "classify DIR/zero.svm", 1, "DIR/zero.svm, line 2: index 0"},
        Case{"NoSuchFile", "", "classify DIR/none.csv --label y", 1, "DIR/none.csv: cannot open"},
        Case{"NegativeWeight", "a,w,y\n1,-1,p\n2,1,q\n", "classify DIR/in.csv --label y --weights w", 1,
             "line 2, column 'w': a weight must not be negative"},
        Case{"NoWeight", "a,w,y\n1,0,p\n2,0,q\n", "classify DIR/in.csv --label y --weights w", 1,
             "no row has a positive weight"},
        Case{"TooLargeForTheFit", "a,y\n1e38,p\n-3e38,q\n2e38,p\n-3e38,q\n1e38,p\n",
             "classify DIR/in.csv --label y --quiet", 1,
             "DIR/in.csv: line 3, column 'a': -3e+38 is too large"},
        Case{"CheckpointIsADevice", few, "classify DIR/in.csv --label y --checkpoint /dev/null", 1,
             "/dev/null: this is not an ordinary file"},
        Case{"UnknownClass", few, "classify DIR/in.csv --label y --class z", 1, "no row has the label 'z'"},
        Case{"UnknownClassWeight", few, "classify DIR/in.csv --label y --class-weight z=2", 1,
             "there is no class 'z'"},
        Case{"DropUnknown", few, "classify DIR/in.csv --label y --drop b", 1, "no column 'b'"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Flags, ClassifyBadInput,
    testing::Values(
        Case{"L2Text", few, "classify DIR/in.csv --label y --l2 much", 2, "--l2 'much': it must be a number"},
        Case{"L2Negative", few, "classify DIR/in.csv --label y --l2 -1", 2, "l2 = -1"},
        Case{"V", few, "classify DIR/in.csv --label y --v 1", 2, "v = 1: it must be at least 0 and below 1"},
        Case{"Prior", few, "classify DIR/in.csv --label y --prior best", 2, "--prior"},
        Case{"Loss", few, "classify DIR/in.csv --label y --loss zero-one", 2, "zero-one"},
        Case{"Harmonics", few, "classify DIR/in.csv --label y --harmonics 65", 2, "harmonics = 65"},
        Case{"Samples", few, "classify DIR/in.csv --label y --samples -1", 2, "samples = -1"},
        Case{"ClassWeight", few, "classify DIR/in.csv --label y --class-weight heavy", 2,
             "--class-weight 'heavy': it must be"},
        Case{"BinaryAndClass", few, "classify DIR/in.csv --label y --binary p --class q", 2,
             "--binary and --class"},
        Case{"TwoOutputs", few, "classify DIR/in.csv --label y --model - --json", 2, "--model - and --json"},
        Case{"ModelInNoFolder", few, "classify DIR/in.csv --label y --model DIR/no/m.json", 1,
             "DIR/no/m.json"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Models, ClassifyBadInput,
    testing::Values(
        Case{"MissingColumn", "a,b,n\n1,2,3\n", "predict DIR/m.json DIR/in.csv", 1,
             "DIR/in.csv: no column 's'"},
        Case{"NoNumber", "a,b,n,s\none,2,3,u\n", "predict DIR/m.json DIR/in.csv", 1,
             "line 2, column 'a': 'one' is not a number"},
        Case{"Interval", "a,b,n,s\n1,2,3,u\n", "predict DIR/m.json DIR/in.csv --interval 2", 2, "interval"},
        Case{"UnknownLabel", "a,b,n,s,y\n1,2,3,u,c7\n", "evaluate DIR/m.json DIR/in.csv", 1,
             "DIR/in.csv: the label 'c7' is not a class of the model; they are 'c0', 'c1'"},
        Case{"NoLabels", "a,b,n,s\n1,2,3,u\n", "evaluate DIR/m.json DIR/in.csv", 1, "no column 'y'"},
        Case{"LabelCounts", "a,b,n,s\n1,2,3,u\n", "evaluate DIR/m.json DIR/in.csv --labels DIR/three.txt", 1,
             "DIR/in.csv has 1 row but DIR/three.txt has 3 labels"},
        Case{"Images", "", "predict DIR/m.json DIR/images", 1, "without names of columns"}),
    [](const auto& test) { return test.param.name; });

// Data at the edge give a model that predicts finite probabilities.
class EdgeData : public testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(EdgeData, GivesASoundModel) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("t.csv"), GetParam().second),
                    model = folder.file("m.json");
  run_well(words("classify " + table + " --label y --quiet --em-iterations 2 --model " + model));
  for (const auto& row : csv_rows(run_well({"predict", model, table, "--quiet"}))) {
    ASSERT_GE(row[1], 0);
    ASSERT_LE(row[1], 1);
    ASSERT_LE(row[2], row[1]);
    ASSERT_GE(row[3], row[1]);
  }
  const json scores = json::parse(run_well({"evaluate", model, table, "--json"}));
  EXPECT_LT(scores["log_loss"].get<double>(), 0.8);
}

// Every prior takes features that say nothing, whose link has no slope to go by.
TEST(ClassifyLabels, ManyNumbersAreSaidToLookLikeARegression) {
  const TemporaryFolder folder;
  std::string text = "a,y\n";
  for (int k = 0; k < 60; ++k) text += std::to_string(k) + "," + std::to_string(100 + k / 2) + "\n";
  const std::string table = write_text(folder.file("t.csv"), text);
  const auto of = [&table](const std::string& more) {
    return run_program(words("classify " + table + " --label y --em-iterations 1 --l2 1 --v 0" + more))
        .errors;
  };
  const std::string expected =
      "warning: " + table + ": the labels of 60 rows are 30 different numbers: this looks like a regression";
  EXPECT_NE(of("").find(expected), std::string::npos) << of("");
  EXPECT_EQ(of(" --binary 100,101,102").find("regression"), std::string::npos);
}

TEST(EdgePriors, ConstantFeaturesGiveTheShareOfEachClass) {
  const TemporaryFolder folder;
  const std::string table =
      write_text(folder.file("t.csv"), "c,y\n3,p\n3,q\n3,p\n3,q\n3,q\n3,p\n3,q\n3,q\n3,q\n3,p\n");
  const std::string model = folder.file("m.json");
  for (const char* flags : {"isgp", "offset", "gp", "none", "gp --loss matsushita", "gp --samples 3"}) {
    run_well(words("classify " + table + " --label y --quiet --em-iterations 3 --model " + model +
                   " --prior " + flags));
    for (const auto& row : csv_rows(run_well({"predict", model, table, "--quiet"})))
      ASSERT_NEAR(row[1], 0.6, 0.15) << flags;
  }
}

std::string edge_rows(int rows, const std::function<std::string(int)>& row, const std::string& header) {
  std::string text = header + "\n";
  for (int i = 0; i < rows; ++i) text += row(i) + "\n";
  return text;
}

std::string label(int i) { return i * 37 % 101 > 50 ? "p" : "q"; }

INSTANTIATE_TEST_SUITE_P(
    Tables, EdgeData,
    testing::Values(
        std::pair{"Separable",
                  edge_rows(
                      60, [](int i) { return std::to_string(i) + (i < 30 ? ",p" : ",q"); }, "a,y")},
        std::pair{"Constant",
                  edge_rows(
                      60, [](int i) { return "3," + std::to_string(i % 9) + "," + label(i); }, "c,a,y")},
        std::pair{"OnlyConstants", edge_rows(
                                       60, [](int i) { return "3," + label(i); }, "c,y")},
        std::pair{"Duplicates", edge_rows(
                                    60,
                                    [](int i) {
                                      const std::string a = std::to_string(i % 7);
                                      return a + "," + a + "," + a + "," + label(i);
                                    },
                                    "a,b,c,y")},
        std::pair{"MoreColumnsThanRows", edge_rows(
                                             12,
                                             [](int i) {
                                               std::string row;
                                               for (int j = 0; j < 40; ++j)
                                                 row += std::to_string((i * 31 + j * j * 17) % 23) + ",";
                                               return row + (i % 2 == 0 ? "p" : "q");
                                             },
                                             [] {
                                               std::string names;
                                               for (int j = 0; j < 40; ++j) names += std::to_string(j) + "x,";
                                               return names + "y";
                                             }())},
        std::pair{"TwoRows", std::string("a,y\n1,p\n2,q\n")}),
    [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace linkgistic
