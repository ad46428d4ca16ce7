// Files of every format as rows in the storage they came in, by an encoding that is learned or known.
#include "rows/feature_file.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "table/files.hpp"
#include "table/format.hpp"

namespace linkgistic {
namespace {

using namespace std::string_literals;

template <class T>
std::string npy(const std::string& type, std::size_t rows, std::size_t columns, const std::vector<T>& values,
                bool fortran = false) {
  std::string head = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  head.resize(117, ' ');
  std::string text = "\x93NUMPY\x01\x00\x76\x00"s + head + '\n';
  for (const T value : values) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    text.append(bytes, sizeof(T));
  }
  return text;
}

const std::string images = "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03"s + "\x01\x02\x03\xff\0\x05"s;

std::vector<std::vector<double>> values_of(const FeatureFile& file) {
  std::vector<std::vector<double>> values(file.rows.rows());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < file.rows.columns(); ++j)
      values[i].push_back(file.rows.at(i, j) + (file.origin.empty() ? 0 : file.origin[j]));
  }
  return values;
}

std::vector<std::string> labels_of(const FeatureFile& file) {
  std::vector<std::string> labels;
  for (const auto code : file.labels->codes)
    labels.push_back(file.labels->names[static_cast<std::size_t>(code)]);
  return labels;
}

using Values = std::vector<std::vector<double>>;
using Words = std::vector<std::string>;

class FeatureFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return write_text(folder_.file(name), text);
  }
  FeatureFile read(const std::string& text, const DatasetOptions& options,
                   const std::string& name = "in.csv") {
    return read_feature_file(write(name, text), options);
  }
  FeatureFile read_like(const std::string& text, const FeatureFile& training,
                        const DatasetOptions& options = {}) {
    const KnownFeatures known{training.encoding, training.rows.columns()};
    return read_feature_file(write("test.csv", text), options, &known);
  }
  std::string error(const std::string& text, const DatasetOptions& options) {
    return input_error([&] { read(text, options); });
  }
  static DatasetOptions label(const std::string& name, MissingValues missing = MissingValues::error) {
    DatasetOptions options;
    options.label = name;
    options.missing = missing;
    return options;
  }
  static DatasetOptions unlabelled() {
    DatasetOptions options;
    options.labelled = false;
    return options;
  }

  TemporaryFolder folder_;
};

#define EXPECT_PART(part, text) EXPECT_PRED_FORMAT2(::testing::IsSubstring, part, text)

TEST_F(FeatureFiles, KnowTheirFormatByContentAndName) {
  const auto format = [](const std::string& name, const std::string& text) {
    return format_of(*memory_source(name, text)).layout;
  };
  EXPECT_EQ(format("a", "x,y\n1,2\n"), Layout::table);
  EXPECT_EQ(format("a", "+1 1:2 7:0.5\n-1\n"), Layout::sparse);
  EXPECT_EQ(format("a", "# comment\n\n2 qid:3 1:2\n"), Layout::sparse);
  EXPECT_EQ(format("a.csv", "1 1:2\n"), Layout::table);
  EXPECT_EQ(format("a.svm.gz", gzipped("1\n")), Layout::sparse);
  EXPECT_EQ(format("a", "1\n2\n"), Layout::table);
  EXPECT_EQ(format("a", "time 10:30\n"), Layout::table);
  EXPECT_EQ(format("a", images), Layout::images);
  EXPECT_EQ(format("a.csv", gzipped(images)), Layout::images);
  EXPECT_EQ(format("a", npy<float>("<f4", 0, 2, {})), Layout::array);
}

TEST_F(FeatureFiles, EncodeNumbersAndTextOfATable) {
  const FeatureFile file = read("age;sex;y;n\n30;m;yes;1\n1e1;f;no;2\n20;m;yes;0.5\n", [] {
    DatasetOptions options = label("y");
    options.weights = "n";
    return options;
  }());
  EXPECT_EQ(file.feature_names, (Words{"age", "sex=f", "sex=m"}));
  EXPECT_EQ(values_of(file), (Values{{30, 0, 1}, {10, 1, 0}, {20, 0, 1}}));
  EXPECT_EQ(labels_of(file), (Words{"yes", "no", "yes"}));
  EXPECT_EQ(file.weights, (std::vector<double>{1, 2, 0.5}));
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_PART("'sex' is text: one-hot encoded, 2 categories ('f', 'm')", file.notes[0]);
}

TEST_F(FeatureFiles, FindCategoriesBeforeTheFirstText) {
  const FeatureFile file = read("c,y\n1,a\n2,b\nx,a\nz,b\nx,b\n", label("y"));
  EXPECT_EQ(file.feature_names, (Words{"c=1", "c=2", "c=x", "c=z"}));
  EXPECT_EQ(values_of(file), (Values{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}}));
}

TEST_F(FeatureFiles, RefuseWordsInAColumnOfNumbers) {
  const std::string table = "c,y\n1,a\n2,b\nlow,a\n3,b\nhigh,a\nlow,a\n";
  const std::string message = error(table, label("y"));
  EXPECT_PART("in.csv: line 4, column 'c': 'low' is not a number, but 3 of the 6 values", message);
  EXPECT_PART("'low' (line 4), 'high' (line 6). If they", message);
  EXPECT_PART("--na low,high; --drop c leaves the column out, --categorical c takes", message);
  DatasetOptions options = label("y", MissingValues::drop);
  options.na = {"low", "high"};
  EXPECT_EQ(values_of(read(table, options)), (Values{{1}, {2}, {3}}));
  options = label("y");
  options.categorical = {"c"};
  EXPECT_EQ(read(table, options).feature_names, (Words{"c=1", "c=2", "c=3", "c=high", "c=low"}));
  options.categorical = {"d"};
  EXPECT_PART("no column 'd'", error(table, options));
  std::string many = "c,y\n";
  for (int i = 0; i < 30; ++i) many += std::to_string(i) + (i % 5 < 2 ? "k" : "") + ",a\n";
  EXPECT_PART("'0k' (line 2), '1k' (line 3), '5k' (line 7), '6k' (line 8), '10k' (line 12), ...",
              error(many, label("y")));
}

TEST_F(FeatureFiles, TakeNumbersForCategoriesWhereTheyAreCalledSo) {
  DatasetOptions options = label("y", MissingValues::impute);
  options.categorical = {"zip"};
  const FeatureFile file = read("zip,x,y\n10,1,a\n020,2,b\n,3,a\n10,4,b\n", options);
  EXPECT_EQ(file.feature_names, (Words{"zip missing", "zip=020", "zip=10", "x"}));
  EXPECT_EQ(values_of(file), (Values{{0, 0, 1, 1}, {0, 1, 0, 2}, {1, 0, 0, 3}, {0, 0, 1, 4}}));
  EXPECT_EQ(values_of(read_like("zip,x,y\n020,5,a\n20,6,a\n", file)), (Values{{0, 1, 0, 5}, {0, 0, 0, 6}}));
  options = unlabelled();
  options.categorical = {"1"};
  EXPECT_EQ(read(npy<std::uint8_t>("|u1", 2, 2, {1, 7, 2, 9}), options, "a.npy").feature_names,
            (Words{"0", "1=7", "1=9"}));
}

TEST_F(FeatureFiles, RememberTheWordsForWhatIsMissing) {
  DatasetOptions options = label("y", MissingValues::impute);
  options.na = {"-999", "none"};
  const std::string table = "a,s,y\n1,u,0\n-999,none,1\n3,NA,0\n5,u,1\n";
  const FeatureFile training = read(table, options);
  EXPECT_EQ(training.feature_names, (Words{"a", "a missing", "s missing", "s=NA", "s=u"}));
  EXPECT_EQ(values_of(read_like("a,s,y\n-999.0,none,0\n", training)), (Values{{3, 1, 1, 0, 0}}));
  options = label("y");
  options.na = {"u"};
  EXPECT_EQ(values_of(read_like("a,s,y\n-999,u,0\n", training, options)), (Values{{-999, 0, 1, 0, 0}}));
  const std::string array = npy<float>("<f4", 3, 1, {1, -999, 3});
  options = unlabelled();
  options.na = {"-999"};
  options.missing = MissingValues::drop;
  EXPECT_EQ(values_of(read(array, options, "a.npy")), (Values{{1}, {3}}));
}

TEST_F(FeatureFiles, RefuseDropOrImputeWhatIsMissing) {
  const std::string table = "a,s,y\n1,u,0\n,v,1\n4,NA,0\n2,u,1\n3,u,0\n";
  EXPECT_PART("in.csv: line 3, column 'a': missing value", error(table, label("y")));
  const FeatureFile dropped = read(table, label("y", MissingValues::drop));
  EXPECT_EQ(dropped.dropped, 2U);
  EXPECT_EQ(dropped.feature_names, (Words{"a", "s=u"}));
  EXPECT_EQ(values_of(dropped), (Values{{1, 1}, {2, 1}, {3, 1}}));
  EXPECT_EQ(labels_of(dropped), (Words{"0", "1", "0"}));
  const FeatureFile imputed = read(table, label("y", MissingValues::impute));
  EXPECT_EQ(imputed.feature_names, (Words{"a", "a missing", "s missing", "s=u", "s=v"}));
  EXPECT_EQ(values_of(imputed),
            (Values{{1, 0, 0, 1, 0}, {2.5, 1, 0, 0, 1}, {4, 0, 1, 0, 0}, {2, 0, 0, 1, 0}, {3, 0, 0, 1, 0}}));
  EXPECT_PART("label is missing", error("a,y\n1,0\n2,?\n", label("y", MissingValues::impute)));
  EXPECT_PART("no row is left", error("a,y\n,0\n", label("y", MissingValues::drop)));
  EXPECT_PART("column 'a' has no values: leave it out by --drop a",
              error("a,b,y\n,1,0\n,2,1\n", label("y", MissingValues::impute)));
}

TEST_F(FeatureFiles, ApplyAnEncodingByTheNamesOfColumns) {
  const FeatureFile training = read("a,b,s,y\n1,10,u,0\n3,30,v,1\n5,20,u,0\n", label("y"));
  const FeatureFile test = read_like("extra,s,b,a,y\n7,v,11,2,1\n8,w,,4,0\n9,,12,6,1\n", training);
  EXPECT_EQ(test.feature_names, training.feature_names);
  EXPECT_EQ(values_of(test), (Values{{2, 11, 0, 1}, {4, 20, 0, 0}, {6, 12, 0, 0}}));
  EXPECT_EQ(labels_of(test), (Words{"1", "0", "1"}));
  ASSERT_EQ(test.warnings.size(), 2U);
  EXPECT_PART("1 missing value in columns that had none in training", test.warnings[0]);
  EXPECT_PART("2 values of no category", test.warnings[1]);
  EXPECT_PART("no column 'b'", input_error([&] { read_like("a,s,y\n1,u,0\n", training); }));
  EXPECT_PART("line 2, column 'a': 'one' is not a number",
              input_error([&] { read_like("a,b,s,y\none,2,u,0\n", training); }));
  EXPECT_EQ(read_like("s,b,a\n", training, unlabelled()).rows.rows(), 0U);
  EXPECT_PART("no column 'y'", input_error([&] { read_like("s,b,a\n", training); }));
}

TEST_F(FeatureFiles, TakeTheTrainingMedianAndIndicatorForMissingNumbers) {
  const FeatureFile training = read("a,y\n1,0\n,1\n5,0\n6,1\n", label("y", MissingValues::impute));
  const FeatureFile test = read_like("a,y\nNA,0\n2,1\n", training);
  EXPECT_EQ(values_of(test), (Values{{5, 1}, {2, 0}}));
  EXPECT_TRUE(test.warnings.empty());
}

TEST_F(FeatureFiles, RefuseIdentifiersAndNameTheColumn) {
  std::string distinct = "id,x,y\n", many = "id,x,y\n";
  for (int i = 0; i < 25; ++i) distinct += std::to_string(i) + "k,1," + std::to_string(i % 2) + "\n";
  for (int i = 0; i < 10'010; ++i)
    many += std::to_string(i == 5 ? 4 : i) + "k,1," + std::to_string(i % 2) + "\n";
  EXPECT_PART("line 2, column 'id': '0k' is not a number, and the column has another text in every row",
              error(distinct, label("y")));
  EXPECT_PART("more than 10000 different texts: leave it out by --drop id", error(many, label("y")));
  DatasetOptions options = label("y");
  options.drop = {"id"};
  EXPECT_EQ(read(distinct, options).feature_names, Words{"x"});
  options.drop = {"idd"};
  EXPECT_PART("no column 'idd'; did you mean 'id'", error(distinct, options));
  options.drop = {"id", "x"};
  EXPECT_PART("no columns of features", error(distinct, options));
}

TEST_F(FeatureFiles, RefuseWhatIsNoNumberForAFit) {
  EXPECT_PART("no rows", error("a,y\n", label("y")));
  EXPECT_PART("line 3, column 'a': 'inf' is not finite", error("a,y\n1,0\ninf,1\n", label("y")));
  EXPECT_PART("line 3, column 'a': 1e+300 is too large", error("a,y\n1,0\n1e300,1\n", label("y")));
  EXPECT_PART("2 columns are called 'a'", error("a,a,y\n1,0,1\n", label("y")));
  EXPECT_PART("no column 'z'", error("a,y\n1,0\n", label("z")));
  DatasetOptions weights = label("y");
  weights.weights = "w";
  EXPECT_PART("a weight must not be negative", error("a,w,y\n1,-1,0\n", weights));
  EXPECT_PART("line 2, column 'w': 'two' is not a number", error("a,w,y\n1,two,0\n", weights));
}

TEST_F(FeatureFiles, KeepTheDigitsOfAColumnFarFromZero) {
  const FeatureFile file = read("t,y\n1700000001,0\n1700000002,1\n1700000004,0\n", label("y"));
  for (std::size_t i = 0; i < 3; ++i) {
    const double truth[] = {1700000001, 1700000002, 1700000004};
    EXPECT_NEAR(values_of(file)[i][0], truth[i], 1e-6);
  }
}

TEST_F(FeatureFiles, AreTheSameFromMemoryFromATemporaryFileAndPacked) {
  std::string table = "a,b,s,y\n";
  for (int i = 0; i < 20'000; ++i) {
    table += std::to_string(i * 37 % 1000) + "," + (i % 50 == 0 ? "" : std::to_string(i % 13)) + "," +
             "pqr"[i % 3] + "," + std::to_string(i % 2) + "\n";
  }
  DatasetOptions options = label("y", MissingValues::impute);
  const FeatureFile memory = read(table, options);
  options.memory_budget = 1000;
  const FeatureFile spilled = read(gzipped(table), options, "in.csv.gz");
  const auto& a = std::get<DenseRows<float>>(memory.rows.storage()).values;
  const auto& b = std::get<DenseRows<float>>(spilled.rows.storage()).values;
  ASSERT_EQ(a.size(), 20'000U * 6);
  EXPECT_TRUE(std::equal(a.span().begin(), a.span().end(), b.span().begin(), b.span().end()));
  EXPECT_EQ(memory.labels->codes, spilled.labels->codes);
}

TEST_F(FeatureFiles, KeepBytesAsBytesAndMapThemIfTheyCanBe) {
  const std::vector<std::uint8_t> values{1, 2, 3, 250, 5, 0};
  const FeatureFile file = read(npy("|u1", 2, 3, values), unlabelled(), "a.npy");
  ASSERT_TRUE(std::holds_alternative<DenseRows<std::uint8_t>>(file.rows.storage()));
  EXPECT_EQ(values_of(file), (Values{{1, 2, 3}, {250, 5, 0}}));
  const FeatureFile labelled = read(npy("|u1", 2, 3, values), label("1"), "a.npy");
  ASSERT_TRUE(std::holds_alternative<DenseRows<std::uint8_t>>(labelled.rows.storage()));
  EXPECT_EQ(values_of(labelled), (Values{{1, 3}, {250, 0}}));
  EXPECT_EQ(labels_of(labelled), (Words{"2", "5"}));
  EXPECT_EQ(labelled.feature_names, (Words{"0", "2"}));
  const KnownFeatures known{labelled.encoding, 2};
  const FeatureFile test = read_feature_file(
      write("t.npy", npy("|u1", 1, 3, std::vector<std::uint8_t>{7, 8, 9})), unlabelled(), &known);
  EXPECT_EQ(values_of(test), (Values{{7, 9}}));
  const FeatureFile packed = read(gzipped(images), unlabelled(), "i.gz");
  ASSERT_TRUE(std::holds_alternative<DenseRows<std::uint8_t>>(packed.rows.storage()));
  EXPECT_EQ(values_of(packed), (Values{{1, 2, 3}, {255, 0, 5}}));
}

TEST_F(FeatureFiles, ReadArraysOfAnyNumberInSinglePrecision) {
  const Values expected{{1, -2, 3}, {4, 5.5, 6}};
  EXPECT_EQ(values_of(read(npy<float>("<f4", 2, 3, {1, -2, 3, 4, 5.5, 6}), unlabelled(), "a.npy")), expected);
  EXPECT_EQ(values_of(read(npy<double>("<f8", 2, 3, {1, -2, 3, 4, 5.5, 6}), unlabelled(), "a.npy")),
            expected);
  EXPECT_EQ(values_of(read(npy<float>("<f4", 2, 3, {1, 4, -2, 5.5, 3, 6}, true), unlabelled(), "a.npy")),
            expected);
  EXPECT_EQ(values_of(read(npy<std::int16_t>("<i2", 2, 2, {1, -2, 3, 400}), unlabelled(), "a.npy")),
            (Values{{1, -2}, {3, 400}}));
  EXPECT_EQ(labels_of(read(npy<double>("<f8", 2, 2, {1, 0, 3, -1.5}), label("1"), "a.npy")),
            (Words{"0", "-1.5"}));
  DatasetOptions impute = unlabelled();
  const std::string gap = npy<float>("<f4", 3, 1, {1, std::numeric_limits<float>::quiet_NaN(), 3});
  EXPECT_PART("a.npy: row 2, column '0': missing", input_error([&] { read(gap, impute, "a.npy"); }));
  impute.missing = MissingValues::impute;
  EXPECT_EQ(values_of(read(gap, impute, "a.npy")), (Values{{1, 0}, {2, 1}, {3, 0}}));
  const std::string whole = npy<float>("<f4", 2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_PART("truncated", input_error([&] { read(whole.substr(0, 140), unlabelled(), "a.npy"); }));
}

TEST_F(FeatureFiles, KeepSparseRowsSparse) {
  const std::string text = "+1 1:2 4:0.5\n-1 # nothing\n1.0 2:3\n";
  const FeatureFile file = read(gzipped(text), {}, "a.gz");
  ASSERT_TRUE(file.rows.is_sparse());
  EXPECT_EQ(values_of(file), (Values{{2, 0, 0, 0.5}, {0, 0, 0, 0}, {0, 3, 0, 0}}));
  EXPECT_EQ(labels_of(file), (Words{"1", "-1", "1"}));
  const KnownFeatures known{file.encoding, 4};
  const FeatureFile test = read_feature_file(write("t", "5 1:1 9:9\n"), {}, &known);
  EXPECT_EQ(values_of(test), (Values{{1, 0, 0, 0}}));
  EXPECT_PART("1 value beyond the model's columns", test.warnings[0]);
  EXPECT_PART("line 2: index 0", input_error([&] { read("1 1:2\n0 0:1 2:3\n", {}, "a"); }));
  DatasetOptions zero_based;
  zero_based.zero_based = true;
  EXPECT_EQ(values_of(read("1 0:2\n0 2:3\n", zero_based, "a")), (Values{{2, 0, 0}, {0, 0, 3}}));
}

TEST_F(FeatureFiles, ReadSparseLinesLongerThanTheBuffer) {
  std::string text = "1";
  for (int j = 1; j <= 60'000; ++j) text.append(" ").append(std::to_string(j)).append(":1.5");
  text += "\n0 3:2\n";
  DatasetOptions options;
  options.memory_budget = 1000;
  const FeatureFile file = read(text, options, "a");
  ASSERT_EQ(file.rows.rows(), 2U);
  EXPECT_EQ(file.rows.entries(), 60'001U);
  EXPECT_EQ(file.rows.at(0, 59'999), 1.5);
  EXPECT_EQ(file.rows.at(1, 2), 2);
}

TEST_F(FeatureFiles, TakeLabelsFromAFileOfTheirOwn) {
  DatasetOptions options;
  const std::string table = "a\n1\n2\n";
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"l.idx", "\0\0\x08\x01\0\0\0\x02\x07\x09"s},
                                                        {"l.npy", npy<double>("<f8", 2, 1, {7, 9})},
                                                        {"l.txt", "7\n9\n"},
                                                        {"h.csv", "label\n7\n9.0\n"},
                                                        {"l.gz", gzipped("+7\n9")}}) {
    options.labels = write(name, text);
    EXPECT_EQ(labels_of(read(table, options)), (Words{"7", "9"})) << name;
  }
  options.labels = write("three.txt", "u\nv\nw\nx\n");
  const std::string message = error(table, options);
  EXPECT_PART("in.csv has 2 rows but", message);
  EXPECT_PART("three.txt has 4 labels", message);
  options.labels = write("one-more.txt", "u\nv\nu\n");
  EXPECT_PART("one-more.txt has 3 labels", error(table, options));
  options.labels = write("i.idx", "\0\0\x08\x01\0\0\0\x03\x07\x09\x01"s);
  EXPECT_PART("2 rows but", input_error([&] { read(images, options, "images"); }));
  EXPECT_PART("i.idx has 3 labels", input_error([&] { read(images, options, "images"); }));
  options.labels = write("gap.txt", "7\nNA\n");
  EXPECT_PART("line 2: the label is missing", error(table, options));
}

TEST_F(FeatureFiles, LeaveOutTheLabelsOfRowsTheyLeaveOut) {
  DatasetOptions options;
  options.missing = MissingValues::drop;
  options.labels = write("l.txt", "a\nb\nc\n");
  EXPECT_EQ(labels_of(read("x,z\n1,2\n,2\n3,4\n", options)), (Words{"a", "c"}));
}

TEST_F(FeatureFiles, SayThatAnOptionDoesNotFitTheFile) {
  EXPECT_THROW(read(images, label("y"), "i"), UsageError);
  EXPECT_THROW(read(images, {}, "i"), UsageError);
  EXPECT_THROW(read("a,y\n1,0\n", {}), UsageError);
  DatasetOptions both = label("y");
  both.labels = "l.txt";
  EXPECT_THROW(read("a,y\n1,0\n", both), UsageError);
}

TEST_F(FeatureFiles, OfRowsWithoutNamesAreMatchedByPlace) {
  const FeatureFile training = read(images, unlabelled(), "i");
  EXPECT_TRUE(training.encoding.columns.empty());
  EXPECT_EQ(values_of(read_like("p,q,r\n1,2,3\n", training, unlabelled())), (Values{{1, 2, 3}}));
  EXPECT_PART("has 2 columns of features, the model has 3",
              input_error([&] { read_like("p,q\n1,2\n", training, unlabelled()); }));
  EXPECT_PART("knows no medians", input_error([&] { read_like("p,q,r\n1,,3\n", training, unlabelled()); }));
  const FeatureFile named = read("a,b,c\n1,2,3\n4,5,6\n", unlabelled());
  const KnownFeatures known{named.encoding, 3};
  EXPECT_PART("without names of columns",
              input_error([&] { read_feature_file(write("j", images), unlabelled(), &known); }));
}

// Rows and labels of many files, of every format, are those of one file with all rows.
TEST_F(FeatureFiles, OfAPatternAreOneFile) {
  const auto same = [&](const std::string& pattern, const FeatureFile& whole, const DatasetOptions& options) {
    const FeatureFile parts = read_feature_file(folder_.file(pattern), options);
    EXPECT_EQ(parts.rows.storage().index(), whole.rows.storage().index());
    EXPECT_EQ(values_of(parts), values_of(whole));
    EXPECT_EQ(parts.origin, whole.origin);
    EXPECT_EQ(labels_of(parts), labels_of(whole));
    EXPECT_EQ(parts.weights, whole.weights);
    EXPECT_EQ(parts.feature_names, whole.feature_names);
    for (std::size_t j = 0; j < whole.encoding.columns.size(); ++j)
      EXPECT_EQ(parts.encoding.columns[j].median, whole.encoding.columns[j].median);
  };
  write("c1.csv", "a,b,y\n1,u,yes\n2,v,no\n");
  write("c2.csv", "a,b,y\n5,u,yes\n2.5,w,no\n");
  same("c?.csv", read("a,b,y\n1,u,yes\n2,v,no\n5,u,yes\n2.5,w,no\n", label("y")), label("y"));
  write("s1.svm", "1 1:2 3:1\n");
  write("s2.svm", "-1 5:4\n1 1:1\n");
  same("s?.svm", read("1 1:2 3:1\n-1 5:4\n1 1:1\n", {}, "all.svm"), {});
  write("n1.npy", npy<std::uint8_t>("|u1", 2, 3, {1, 2, 0, 4, 5, 1}));
  write("n2.npy", npy<std::uint8_t>("|u1", 1, 3, {7, 8, 1}));
  const std::string bytes = npy<std::uint8_t>("|u1", 3, 3, {1, 2, 0, 4, 5, 1, 7, 8, 1});
  same("n?.npy", read(bytes, label("2"), "all.npy"), label("2"));
  write("f1.npy", npy<float>("<f4", 1, 2, {1, 2}));
  write("f2.npy", npy<float>("<f4", 2, 2, {3, 4, 5, 6}));
  write("l1.txt", "label\na\n");
  write("l2.txt", "label\nb\na\n");
  write("l.txt", "a\nb\na\n");
  DatasetOptions beside;
  beside.labels = folder_.file("l.txt");
  const FeatureFile whole = read(npy<float>("<f4", 3, 2, {1, 2, 3, 4, 5, 6}), beside, "all.npy");
  beside.labels = folder_.file("l?.txt");
  same("f?.npy", whole, beside);
  write("f3.npy", npy<double>("<f8", 1, 2, {1, 2}));
  beside.labelled = false;
  EXPECT_EQ(read_feature_file(folder_.file("f?.npy"), beside).rows.rows(), 4U);
  write("c3.svm", "1 1:2\n");
  EXPECT_PART("c3.svm: is a libsvm file, and " + folder_.file("c1.csv") + " is a CSV file",
              input_error([&] { read_feature_file(folder_.file("c*"), label("y")); }));
}

}  // namespace
}  // namespace linkgistic
