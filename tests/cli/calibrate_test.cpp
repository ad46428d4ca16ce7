// From scores to a calibrator to probabilities, through files.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/calibrator.hpp>

#include "calibration/calibration_rows.hpp"
#include "cli/program.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

std::string csv(const ScoredRows& rows, const char* negative, const char* positive) {
  std::string text = "s,y\n";
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "%.17g,%s\n", rows.score[i], rows.label[i] == 1 ? positive : negative);
    text += line;
  }
  return text;
}

class Calibrate : public testing::Test {
 protected:
  TemporaryFolder folder_;
  ScoredRows rows_ = scored_rows(300, bent, 3);
};

void refused(std::vector<std::string> arguments, int status, const std::string& words) {
  const ChildResult result = run_program(std::move(arguments));
  EXPECT_EQ(result.status, status) << result.errors;
  EXPECT_NE(result.errors.find(words), std::string::npos) << result.errors;
}

TEST_F(Calibrate, TheProgramPredictsWhatTheLibraryDoes) {
  const std::string table = write_text(folder_.file("scores.csv"), csv(rows_, "no", "yes"));
  const std::string model = folder_.file("cal.json");
  run_well({"calibrate", table, "--score", "s", "--label", "y", "--model", model});
  const auto rows = csv_rows(run_well({"predict", model, table, "--interval", "0.8"}));
  const CalibratedScores p = MonotoneCalibrator().fit(rows_.score, rows_.label).predict(rows_.score, 0.8);
  ASSERT_EQ(rows.size(), rows_.score.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i], (std::vector<double>{p.probability[i], p.lower[i], p.upper[i], p.log_odds[i]}));
  }
  const json scores = json::parse(run_well({"evaluate", model, table, "--json"}));
  for (const char* part : {"before", "after"}) {
    for (const char* name : {"log_loss", "brier", "ece", "mcb", "dsc", "unc", "auc"}) {
      EXPECT_TRUE(scores.at(part).at(name).is_number()) << part << " " << name;
    }
  }
  EXPECT_LT(scores["after"]["log_loss"], scores["before"]["log_loss"]);
  EXPECT_NEAR(scores["after"]["auc"].get<double>(), scores["before"]["auc"].get<double>(), 1e-12);
  EXPECT_NE(run_well({"show", model}).find("Calibration of s for y"), std::string::npos);
  EXPECT_EQ(json::parse(run_well({"show", model, "--json"})).at("columns").at("positive"), "yes");
}

TEST_F(Calibrate, EvaluateResamplesTheScoresWhenAsked) {
  const std::string table = write_text(folder_.file("scores.csv"), csv(rows_, "no", "yes"));
  const std::string model = folder_.file("cal.json");
  run_well({"calibrate", table, "--score", "s", "--label", "y", "--model", model});
  const json plain = json::parse(run_well({"evaluate", model, table, "--json"}));
  const json scores = json::parse(run_well({"evaluate", model, table, "--json", "--bootstrap", "100"}));
  EXPECT_FALSE(plain.contains("intervals"));
  for (const char* part : {"before", "after"}) {
    EXPECT_EQ(scores[part], plain[part]);
    for (const char* name : {"log_loss", "brier", "auc"}) {
      const double value = scores[part][name].get<double>();
      const json ends = scores["intervals"][part][name];
      EXPECT_LT(ends[0].get<double>(), value) << part << " " << name;
      EXPECT_GT(ends[1].get<double>(), value) << part << " " << name;
    }
  }
  // The standard error of a mean: 90 % of a normal is 2 x 1.645 of them.
  const CalibratedScores p = MonotoneCalibrator().fit(rows_.score, rows_.label).predict(rows_.score);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < rows_.label.size(); ++i) {
    const double term = std::pow(p.probability[i] - rows_.label[i], 2);
    sum += term;
    squares += term * term;
  }
  const auto n = static_cast<double>(rows_.label.size());
  const double se = std::sqrt((squares / n - sum * sum / n / n) / n);
  const json brier = scores["intervals"]["after"]["brier"];
  EXPECT_NEAR(brier[1].get<double>() - brier[0].get<double>(), 3.29 * se, 0.35 * 3.29 * se);
  refused({"evaluate", model, table, "--bootstrap", "3"}, 2, "bootstrap");
}

TEST_F(Calibrate, EveryLossCanBeTheBase) {
  const std::string table = write_text(folder_.file("scores.csv"), csv(rows_, "no", "yes"));
  const std::string model = folder_.file("cal.json");
  for (const char* loss :
       {"square", "matsushita", "alpha=0.5", "alpha=2", "spherical", "cost=0.3", "beta=0.5,0.5"}) {
    const std::string text = run_well({"calibrate", table, "--score", "s", "--label", "y", "--loss", loss,
                                       "--inference", "laplace", "--model", model});
    EXPECT_NE(text.find(std::string("base loss           ") + loss), std::string::npos) << text;
    CalibratorOptions options;
    options.loss = loss;
    options.inference = Inference::laplace;
    const auto p = MonotoneCalibrator(options).fit(rows_.score, rows_.label).predict(rows_.score);
    EXPECT_EQ(csv_rows(run_well({"predict", model, table}))[7][0], p.probability[7]) << loss;
  }
  const ChildResult bad = run_program({"calibrate", table, "--score", "s", "--label", "y", "--loss", "zork"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.errors.find("zork"), std::string::npos);
}

TEST_F(Calibrate, InfiniteScoresAndAPositiveLabelOfManyAreRead) {
  const std::string table =
      write_text(folder_.file("scores.csv"), "s,y\n-inf,a\n-1,b\n0,c\n1,c\ninf,c\n2,a\n,c\n");
  const std::string model = folder_.file("cal.json");
  const ChildResult several = run_program({"calibrate", table, "--score", "s", "--label", "y"});
  EXPECT_EQ(several.status, 1);
  EXPECT_NE(several.errors.find("line 8"), std::string::npos) << several.errors;
  run_program({"calibrate", table, "--score", "s", "--label", "y", "--positive", "c", "--missing", "drop",
               "--model", model, "--quiet"});
  const auto rows = csv_rows(run_well({"predict", model, "-", "--score", "s"}, "s\ninf\n-inf\n0\n"));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_GT(rows[0][0], rows[2][0]);
  EXPECT_GT(rows[2][0], rows[1][0]);
}

// Rows of two doubles as NumPy writes them.
std::string npy_of_pairs(const std::vector<double>& values) {
  std::string head =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(values.size() / 2) + ", 2), }";
  head.resize(117, ' ');
  head += '\n';
  std::string text("\x93NUMPY\x01\x00v\x00", 10);  // 'v' = 118 bytes of head
  text += head;
  return text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

TEST_F(Calibrate, InfiniteScoresInAnArrayAreThoseOfATable) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::string array =
      write_text(folder_.file("scores.npy"), npy_of_pairs({-inf, 0, -1, 0, 0.5, 1, 0.25, 0, 1, 1, inf, 1}));
  const std::string table =
      write_text(folder_.file("scores.csv"), "0,1\n-inf,0\n-1,0\n0.5,1\n0.25,0\n1,1\ninf,1\n");
  const std::string model = folder_.file("cal.json"), other = folder_.file("other.json");
  run_well({"calibrate", array, "--score", "0", "--label", "1", "--model", model, "--quiet"});
  run_well({"calibrate", table, "--score", "0", "--label", "1", "--model", other, "--quiet"});
  EXPECT_EQ(read_text(model), read_text(other));
  EXPECT_EQ(run_well({"predict", model, array}), run_well({"predict", model, table}));
}

TEST_F(Calibrate, WhatCannotBeIsRefusedInWords) {
  const std::string table = write_text(folder_.file("scores.csv"), csv(rows_, "0", "1"));
  refused({"calibrate", table, "--score", "t", "--label", "y"}, 1, "no column 't'");
  refused({"calibrate", table, "--score", "s", "--label", "y", "--score-kind", "probability"}, 1,
          "between 0 and 1");
  refused({"calibrate", table, "--score", "s", "--label", "y", "--loss", "square,tail=0"}, 2, "loss");
  refused({"calibrate", table, "--score", "s", "--label", "s"}, 1, "--positive");
  refused({"calibrate", table, "--score", "s", "--label", "y", "--positive", "maybe"}, 1,
          "no row has the label 'maybe'");
  const std::string model = folder_.file("cal.json");
  run_well({"calibrate", table, "--score", "s", "--label", "y", "--model", model});
  refused({"predict", model, table, "--of", "nu"}, 2, "--of requires --quantiles");
  refused({"predict", model, table, "--quantiles", "0.5"}, 2, "--quantiles: only a regression has them");
}

TEST_F(Calibrate, AScoreThatCannotBeIsRefusedWithItsPlace) {
  const std::vector<std::string> kind{"--score-kind", "probability"};
  const auto told = [&](std::vector<std::string> arguments, const std::string& words) {
    arguments.insert(arguments.end(), kind.begin(), kind.end());
    refused(std::move(arguments), 1, words);
  };
  // The second row, after one that is left out, is on line 4.
  const std::string table = write_text(folder_.file("s.csv"), "s,y\n0.3,0\n,1\n1.4,1\n0.2,0\n");
  const std::string words =
      "s.csv: line 4, column 's': the score is 1.4: a probability must lie between 0 and 1";
  told({"calibrate", table, "--score", "s", "--label", "y", "--missing", "drop"}, words);
  const std::string good = write_text(folder_.file("good.csv"), "s,y\n0.3,0\n0.6,1\n0.9,1\n0.2,0\n");
  const std::string model = folder_.file("cal.json");
  run_well({"calibrate", good, "--score", "s", "--label", "y", "--score-kind", "probability", "--model",
            model, "--quiet"});
  refused({"predict", model, table}, 1, words);
  for (const char* verb : {"evaluate", "report"}) {
    std::vector<std::string> command{verb, model, table, "--missing", "drop"};
    if (command[0] == "report") command.insert(command.end(), {"-o", folder_.file("out.html")});
    refused(command, 1, words);
  }
  // Beyond the first block of rows.
  std::string many = "s\n";
  for (int i = 0; i < 70000; ++i) many += "0.5\n";
  refused({"predict", model, write_text(folder_.file("many.csv"), many + "7\n"), "-o", folder_.file("p.csv")},
          1, "many.csv: line 70002, column 's': the score is 7");
  const std::string classes = write_text(folder_.file("c.csv"), "a,b,y\n0.3,0.7,a\n0.6,0.4,b\n0.5,1.5,b\n");
  told({"calibrate", classes, "--score", "a,b", "--label", "y"},
       "c.csv: line 4, column 'b': the score is 1.5");
}

TEST_F(Calibrate, ALabelThatTheModelDoesNotKnowIsRefusedWithItsPlace) {
  const std::string table = write_text(folder_.file("scores.csv"), csv(rows_, "no", "yes"));
  const std::string model = folder_.file("cal.json");
  run_well({"calibrate", table, "--score", "s", "--label", "y", "--model", model});
  const std::string other = write_text(folder_.file("other.csv"), "s,y\n0,no\n1,yes\n0.5,maybe\n");
  refused({"evaluate", model, other}, 1, "other.csv: line 4: the model does not know the label 'maybe'");
  run_well({"evaluate", model, write_text(folder_.file("one.csv"), "s,y\n0,no\n1,no\n")});
}

TEST_F(Calibrate, TheSeedIsThatOfTheBands) {
  const std::string table = write_text(folder_.file("scores.csv"), csv(rows_, "no", "yes"));
  const std::string model = folder_.file("cal.json");
  run_well({"calibrate", table, "--score", "s", "--label", "y", "--seed", "7", "--model", model});
  EXPECT_EQ(json::parse(run_well({"show", model, "--json"})).at("options").at("seed"), 7);
}

TEST_F(Calibrate, SeveralColumnsAreManyClasses) {
  std::string text = "p_cat,p_dog,p_owl,animal\n";
  const char* names[] = {"cat", "dog", "owl"};
  for (int i = 0; i < 150; ++i) {
    const int label = (i * 7) % 3;
    const bool right = i % 4 != 0;
    for (int c = 0; c < 3; ++c) text += c == (right ? label : (label + 1) % 3) ? "0.9," : "0.05,";
    text += std::string(names[label]) + "\n";
  }
  const std::string table = write_text(folder_.file("classes.csv"), text);
  const std::string model = folder_.file("cal.json");
  const std::string said =
      run_well({"calibrate", table, "--score", "p_cat,p_dog,p_owl", "--label", "animal", "--model", model});
  EXPECT_NE(said.find("  bands "), std::string::npos) << said;
  EXPECT_NE(said.find("R-hat"), std::string::npos) << said;
  EXPECT_NE(said.find(" s, bands "), std::string::npos) << said;
  EXPECT_NE(run_well({"show", model}).find("R-hat"), std::string::npos);
  const json scores = json::parse(run_well({"evaluate", model, table, "--json"}));
  EXPECT_LT(scores["after"]["log_loss"], scores["before"]["log_loss"]);
  const std::string predicted = run_well({"predict", model, table});
  EXPECT_EQ(predicted.substr(0, predicted.find('\n')),
            "cat,dog,owl,label,cat_lower,cat_upper,dog_lower,dog_upper,owl_lower,owl_upper");
  const auto rows = csv_rows(predicted);
  ASSERT_EQ(rows.size(), 150U);
  EXPECT_NEAR(rows[1][0] + rows[1][1] + rows[1][2], 1, 1e-12);
  EXPECT_NEAR(std::max({rows[1][0], rows[1][1], rows[1][2]}), 0.75, 0.05);
  EXPECT_EQ(scores["classes"].size(), 3U);
  EXPECT_LT(scores["classes"]["dog"]["after"]["mcb"], scores["classes"]["dog"]["before"]["mcb"]);
  refused({"predict", model, table, "--interval", "1.5"}, 2, "interval");
  refused({"plot", model, "--class", "cow", "-o", folder_.file("cow.svg")}, 2, "cow");
  run_well({"plot", model, table, "--class", "owl", "-o", folder_.file("owl.svg"), "--quiet"});
  EXPECT_NE(read_text(folder_.file("owl.svg")).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace linkgistic
