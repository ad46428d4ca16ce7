// compare, and the pictures of a learned loss, through files.
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/linkgistic_classifier.hpp>

#include "cli/program.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

using json = nlohmann::ordered_json;

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

struct Line {
  double x, y;
};

std::vector<Line> noisy_line(std::size_t rows, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<Line> result;
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = 10 * random.uniform();
    result.push_back({x, 3 + 2 * x + random.normal()});
  }
  return result;
}

std::string csv(const std::vector<Line>& rows) {
  std::string text = "x,y\n";
  for (const Line& row : rows) text += std::to_string(row.x) + "," + std::to_string(row.y) + "\n";
  return text;
}

// Two numbers and a colour; `classes` labels in words.
std::string labelled_csv(std::size_t rows, int classes, std::uint64_t seed) {
  RandomStream random(seed);
  constexpr const char* names[] = {"low", "middle", "top"};
  std::string text = "a,b,colour,kind\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = random.normal(), b = random.normal();
    const bool red = random.uniform() < 0.5;
    const double t = 2 * a - b + (red ? 1 : 0) + 0.5 * random.normal();
    const int k = classes == 2 ? (t > 0 ? 1 : 0) : t < -1 ? 0 : t < 1.5 ? 1 : 2;
    text +=
        std::to_string(a) + "," + std::to_string(b) + "," + (red ? "red" : "blue") + "," + names[k] + "\n";
  }
  return text;
}

// An IDX file of bytes (big-endian sizes).
std::string idx(const std::vector<std::uint32_t>& sizes, const std::string& bytes) {
  std::string text{0, 0, 8, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>((size >> shift) & 255);
  return text + bytes;
}

class Compare : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return write_text(folder_.file(name), text);
  }
  TemporaryFolder folder_;
};

// -999 is a number like any other until --na says what it stands for.
TEST_F(Compare, TakesTheWordsOfNaForMissingValues) {
  const auto without_seconds = [](const std::string& text) {
    json scores = json::parse(text);
    for (auto& score : scores) score.erase("seconds");
    return scores.dump();
  };
  const auto with_gaps = [](std::string text, const std::string& gap) {
    const std::size_t line = text.find('\n', text.find('\n') + 1) + 1;  // the second row
    return text.replace(line, text.find(',', line) - line, gap);
  };
  const std::string rows = csv(noisy_line(60, 4)), labelled = labelled_csv(120, 2, 5);
  for (const auto& table :
       {std::pair{rows, "--x x --y y --method linear,pava"}, {labelled, "--label kind --method logistic"}}) {
    const auto scores = [&](const std::string& gap, const std::string& how) {
      const std::string file = write("gaps.csv", with_gaps(table.first, gap));
      return without_seconds(run_well(words("compare " + file + " " + file +
                                            " --json --quiet --missing drop " + table.second + " " + how)));
    };
    const std::string empty = scores("", "");
    EXPECT_EQ(scores("-999", "--na -999"), empty);
    EXPECT_NE(scores("-999", ""), empty);
  }
}

TEST_F(Compare, ScoresEveryRegressionMethodOnTheTestRows) {
  const auto train = noisy_line(200, 1), test = noisy_line(100, 2);
  const json scores = json::parse(run_well({"compare", write("a.csv", csv(train)), write("b.csv", csv(test)),
                                            "--x", "x", "--y", "y", "--json", "--quiet"}));
  EXPECT_EQ(keys(scores), (std::vector<std::string>{"isgp", "offset", "gp", "pava", "linear"}));
  for (const auto& [method, one] : scores.items()) {
    EXPECT_EQ(keys(one), (std::vector<std::string>{"mse", "nll", "seconds", "stop"})) << method;
    EXPECT_LT(one.at("mse").get<double>(), 2.0) << method;
    EXPECT_GT(one.at("mse").get<double>(), 0.5) << method;
  }
  // Least squares by its formula.
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Line& r : train) {
    const double x = std::stod(std::to_string(r.x)), y = std::stod(std::to_string(r.y));
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), intercept = (sy - slope * sx) / n;
  double mse = 0;
  for (const Line& r : test)
    mse += std::pow(r.y - intercept - slope * r.x, 2) / static_cast<double>(test.size());
  EXPECT_NEAR(scores["linear"]["mse"].get<double>(), mse, 1e-5);
}

TEST_F(Compare, ScoresEveryClassifierOnTheTestRows) {
  const json scores = json::parse(
      run_well({"compare", write("a.csv", labelled_csv(400, 2, 3)), write("b.csv", labelled_csv(300, 2, 4)),
                "--label", "kind", "--method", "all", "--l2", "1", "--json", "--quiet"}));
  EXPECT_EQ(keys(scores), (std::vector<std::string>{"isgp", "offset", "gp", "logistic", "glmtron", "isotron",
                                                    "slisotron", "bregmantron", "bregmantron_label"}));
  for (const auto& [method, one] : scores.items()) {
    EXPECT_EQ(keys(one),
              (std::vector<std::string>{"auc", "log_loss", "accuracy", "brier", "seconds", "stop"}));
    EXPECT_GT(one.at("auc").get<double>(), 0.9) << method;
    EXPECT_GT(one.at("accuracy").get<double>(), 0.85) << method;
    EXPECT_LT(one.at("brier").get<double>(), 0.15) << method;
    EXPECT_TRUE(one.at("log_loss").is_number()) << method;
  }
}

TEST_F(Compare, SaysThatTheBregmanTronsAreOurReadingAndWhyOneIsGone) {
  const std::string train = write("a.csv", labelled_csv(200, 2, 3));
  const std::string table =
      run_well({"compare", train, train, "--label", "kind", "--method",
                "glmtron,bregmantron,bregmantron_label", "--iterations", "2", "--quiet"});
  EXPECT_NE(table.find("bregmantron (our reading)"), std::string::npos);
  EXPECT_NE(table.find("bregmantron_label (our reading)"), std::string::npos);
  EXPECT_EQ(table.find("glmtron (our reading)"), std::string::npos);
  const ChildResult gone =
      run_program({"compare", train, train, "--label", "kind", "--method", "bregmantron_approx"});
  EXPECT_NE(gone.status, 0);
  EXPECT_NE(gone.errors.find("use bregmantron"), std::string::npos) << gone.errors;
}

TEST_F(Compare, TakesImagesWithTheirLabelsAndSeveralLabelsAgainstTheRest) {
  RandomStream random(5);
  const auto images = [&](std::uint32_t count, const std::string& name) {
    std::string pixels, labels;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto label = static_cast<int>(random.below(4));
      labels += static_cast<char>(label);
      for (int p = 0; p < 4; ++p)
        pixels += static_cast<char>(static_cast<int>(100 * random.uniform()) + (p == label ? 120 : 0));
    }
    write(name + "-labels", idx({count}, labels));
    write(name + "-images", idx({count, 2, 2}, pixels));
  };
  images(300, "train");
  images(200, "test");
  const std::vector<std::string> line{"compare",
                                      folder_.file("train-images"),
                                      folder_.file("test-images"),
                                      "--labels",
                                      folder_.file("train-labels"),
                                      "--test-labels",
                                      folder_.file("test-labels"),
                                      "--method",
                                      "logistic,slisotron",
                                      "--l2",
                                      "1",
                                      "--quiet"};
  auto binary = line;
  binary.insert(binary.end(), {"--binary", "1,3", "--json"});
  const json two = json::parse(run_well(binary));
  EXPECT_EQ(keys(two), (std::vector<std::string>{"logistic", "slisotron"}));
  EXPECT_GT(two["slisotron"]["auc"].get<double>(), 0.9);
  // All four classes, as a table with a star at the best.
  const std::string table = run_well(line);
  EXPECT_NE(table.find("slisotron"), std::string::npos);
  EXPECT_NE(table.find('*'), std::string::npos);
  EXPECT_NE(table.find("accuracy"), std::string::npos);
}

TEST_F(Compare, NormalisesOneAgainstTheRestOverThreeClasses) {
  const json scores = json::parse(
      run_well({"compare", write("a.csv", labelled_csv(600, 3, 6)), write("b.csv", labelled_csv(300, 3, 7)),
                "--label", "kind", "--method", "logistic,isotron", "--l2", "1", "--json", "--quiet"}));
  for (const auto& [method, one] : scores.items()) {
    EXPECT_GT(one.at("accuracy").get<double>(), 0.6) << method;
    EXPECT_LT(one.at("log_loss").get<double>(), std::log(3.0)) << method;
  }
}

TEST_F(Compare, AClassThatTheTestRowsLackLeavesTheOthersScored) {
  const std::string train = write("a.csv", labelled_csv(300, 3, 6));
  std::string two = "a,b,colour,kind\n", one = two;
  for (int i = 0; i < 10; ++i) {
    two += i % 2 == 0 ? "-3,0,red,low\n" : "3,0,blue,top\n";
    one += "3,0,blue,top\n";
  }
  const std::vector<std::string> line{
      "compare", train,    write("b.csv", two), "--label", "kind", "--method", "logistic", "--l2", "1",
      "--json",  "--quiet"};
  EXPECT_EQ(json::parse(run_well(line))["logistic"]["auc"], 1.0);
  const std::string table = run_well({"compare", train, write("c.csv", one), "--label", "kind", "--method",
                                      "logistic,glmtron", "--l2", "1", "--quiet"});
  EXPECT_EQ(table.find("nan"), std::string::npos) << table;
}

TEST_F(Compare, RefusesATestFileWithoutRows) {
  const std::string train = write("a.csv", labelled_csv(60, 2, 6)),
                    empty = write("b.csv", "a,b,colour,kind\n");
  for (const char* flags : {"--label kind", "--x a --y b"}) {
    const ChildResult result = run_program(words("compare " + train + " " + empty + " --quiet " + flags));
    EXPECT_EQ(result.status, 1) << flags;
    EXPECT_NE(result.errors.find("b.csv: there are no rows"), std::string::npos) << result.errors;
  }
}

TEST_F(Compare, RefusesWhatDoesNotGoTogether) {
  const std::string a = write("a.csv", labelled_csv(40, 2, 8));
  const auto refused = [&](const std::string& flags, const std::string& words_of_it) {
    const ChildResult result = run_program(words("compare " + a + " " + a + " " + flags));
    EXPECT_EQ(result.status, 2) << flags << result.errors;
    EXPECT_NE(result.errors.find(words_of_it), std::string::npos) << result.errors;
  };
  refused("--label kind --method logistik", "logistik");
  refused("--x a --y b --method logistic", "pava");
  refused("--x a --label kind", "--label");
  refused("--labels " + a, "--test-labels");
  refused("--label kind --l2 much", "much");
  refused("--label kind --class top --binary top,low", "--binary");
}

TEST_F(Compare, DrawsTheLearnedLossOfAModel) {
  RandomStream random(9);
  ClassificationData data;
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) {
    values.push_back(random.normal());
    data.labels.push_back(random.uniform() < sigmoid(2 * values.back()) ? 1 : 0);
  }
  data.rows = FeatureRows::dense(values, 300, 1);
  data.class_names = {"no", "yes"};
  LinkgisticOptions options;
  options.l2 = 1;
  options.v = 0.1;
  const auto model = LinkgisticClassifier(options).fit(data);
  model.save(folder_.file("m.json"));
  model.learned_loss().save(folder_.file("loss.json"));
  for (const char* what : {"loss", "link", "source", "weight"})
    for (const char* file : {"m.json", "loss.json"}) {
      const std::string picture = folder_.file(std::string(what) + ".svg");
      run_well({"plot", folder_.file(file), "--what", what, "-o", picture});
      EXPECT_NE(read_text(picture).find("<svg"), std::string::npos) << what;
    }
  const ChildResult result = run_program(
      {"plot", folder_.file("m.json"), "--what", "loss", "--class", "maybe", "-o", folder_.file("x.svg")});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("yes"), std::string::npos);
}

}  // namespace
}  // namespace linkgistic
