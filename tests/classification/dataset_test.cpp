// From a file to a classifier and back: classes, the encoding in the model file, test files of another shape.
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>

#include "rows/row_matrix.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

using Words = std::vector<std::string>;

// Rows of a number, a text and a label that depends on both.
std::string table(bool with_label = true) {
  std::string text = with_label ? "a,s,grade\n" : "s,a\n";
  for (int i = 0; i < 120; ++i) {
    const std::string a = i % 30 == 7 ? "" : std::to_string(i % 17 - 8);
    const std::string s(1, "uvw"[i % 3]);
    const int grade = (i % 17 - 8 + (i % 3) * 2 + i % 5 > 2 ? 1 : 0) + (i % 7 == 0 ? 1 : 0);
    text += with_label ? a + "," + s + ",g" + std::to_string(grade) + "\n" : s + "," + a + "\n";
  }
  return text;
}

class Datasets : public testing::Test {
 protected:
  Datasets() {
    options_.label = "grade";
    options_.missing = MissingValues::impute;
    path_ = write_text(folder_.file("train.csv"), table());
    settings_.l2 = 1;
    settings_.v = 0.05;
    settings_.em_iterations = 2;
  }
  TemporaryFolder folder_;
  DatasetOptions options_;
  LinkgisticOptions settings_;
  std::string path_;
};

TEST_F(Datasets, SortTheirClassesNumbersByValue) {
  const std::string path = write_text(folder_.file("n.csv"), "a,y\n1,10\n2,9\n3,b\n4,10.0\n");
  DatasetOptions options;
  options.label = "y";
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.class_names, (Words{"9", "10", "b"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 2, 1}));
}

TEST_F(Datasets, MergeTheLabelsOfThePositiveClass) {
  options_.positive = {"g2", "g1"};
  const Dataset merged = read_dataset(path_, options_);
  EXPECT_EQ(merged.class_names, (Words{"rest", "g2,g1"}));
  EXPECT_EQ(merged.encoding.positive, (Words{"g2", "g1"}));
  options_.positive = {"g0"};
  const Dataset one = read_dataset(path_, options_);
  EXPECT_EQ(one.class_names, (Words{"rest", "g0"}));
  for (std::size_t n = 0; n < one.labels.size(); ++n) EXPECT_EQ(one.labels[n] + merged.labels[n], 1);
  options_.positive = {"g7"};
  EXPECT_NE(
      input_error([&] { read_dataset(path_, options_); }).find("no row has the label 'g7'; the labels are"),
      std::string::npos);
  options_.positive = {"g0", "g1", "g2"};
  EXPECT_NE(input_error([&] { read_dataset(path_, options_); }).find("no row is left for the other"),
            std::string::npos);
}

TEST_F(Datasets, OneOfTwoLabelsOnlySaysWhichIsPositive) {
  const std::string path = write_text(folder_.file("n.csv"), "a,y\n1,no\n2,yes\n3,no\n");
  DatasetOptions options;
  options.label = "y";
  EXPECT_EQ(read_dataset(path, options).class_names, (Words{"no", "yes"}));
  options.positive = {"no"};
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.class_names, (Words{"yes", "no"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_TRUE(data.encoding.positive.empty());
}

TEST_F(Datasets, TheEncodingTravelsInTheModelFile) {
  const Dataset data = read_dataset(path_, options_);
  EXPECT_EQ(data.feature_names, (Words{"a", "a missing", "s=u", "s=v", "s=w"}));
  const auto fit = LinkgisticClassifier(settings_).fit(data);
  const auto again = FittedLinkgisticClassifier::from_json(fit.to_json(), "memory");
  EXPECT_EQ(again.to_json(), fit.to_json());
  EXPECT_EQ(again.encoding().columns[0].median, data.encoding.columns[0].median);
  DatasetOptions options;
  options.labelled = false;
  const std::string test = write_text(folder_.file("test.csv"), table(false));
  const Dataset other_order = read_dataset(test, options, again);
  const auto expected = fit.predict(data.rows), found = again.predict(other_order.rows);
  ASSERT_EQ(found.probability.size(), expected.probability.size());
  for (std::size_t i = 0; i < found.probability.size(); ++i)
    ASSERT_NEAR(found.probability[i], expected.probability[i], 1e-6);
}

TEST_F(Datasets, ATestFileIsReadByTheTrainingData) {
  const Dataset train = read_dataset(path_, options_);
  const std::string test = write_text(folder_.file("t.csv"), "grade,s,a\ng1,v,3\ng0,x,\n");
  const Dataset data = read_dataset(test, {}, train);
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(data.rows.columns(), train.rows.columns());
  ASSERT_EQ(data.warnings.size(), 1U);
  const std::string bad = write_text(folder_.file("b.csv"), "grade,s,a\ng9,v,3\n");
  EXPECT_NE(
      input_error([&] { read_dataset(bad, {}, train); }).find("the label 'g9' is not a class of the model"),
      std::string::npos);
  options_.positive = {"g1"};
  const Dataset binary = read_dataset(path_, options_);
  EXPECT_EQ(read_dataset(bad, {}, binary).labels, std::vector<std::int32_t>{0});
}

TEST_F(Datasets, ADamagedEncodingIsRefused) {
  std::string text = LinkgisticClassifier(settings_).fit(read_dataset(path_, options_)).to_json();
  const std::string category = "\"w\"";
  const auto at = text.find(category);
  ASSERT_NE(at, std::string::npos);
  text.insert(at, "\"vv\", ");
  EXPECT_NE(input_error([&] {
              FittedLinkgisticClassifier::from_json(text, "m.json");
            }).find("encoding has the wrong number of features"),
            std::string::npos);
}

TEST_F(Datasets, AFitFromATemporaryFileIsTheFitFromMemory) {
  const auto memory = LinkgisticClassifier(settings_).fit(read_dataset(path_, options_)).to_json();
  options_.memory_budget = 100;
  EXPECT_EQ(LinkgisticClassifier(settings_).fit(read_dataset(path_, options_)).to_json(), memory);
}

}  // namespace
}  // namespace linkgistic
