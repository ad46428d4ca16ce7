// From a table to a model to predictions, scores, words and pictures, through files.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/monotone_regression.hpp>
#include <linkgistic/version.hpp>

#include "cli/program.hpp"
#include "table/toys.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

std::string text_of(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

struct Rows {
  std::vector<double> x, y, w;
};

// Rows of the toy with weights 1, 2, 0, 1, 2, 0, ...
Rows toy_rows(std::size_t count) {
  const Toy toy = regression_toy(count, 7);
  Rows rows{toy.x, toy.y, {}};
  constexpr double weights[] = {1, 2, 0};
  for (std::size_t i = 0; i < count; ++i) rows.w.push_back(weights[i % 3]);
  return rows;
}

std::string csv(const Rows& rows, const std::string& delimiter = ",") {
  std::string text = "dose" + delimiter + "effect" + delimiter + "n\n";
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    text += text_of(rows.x[i]) + delimiter + text_of(rows.y[i]) + delimiter + text_of(rows.w[i]) + "\n";
  }
  return text;
}

// A double array in C order (NumPy enhancement proposal 1).
std::string npy(const Rows& rows) {
  std::string head =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(rows.x.size()) + ", 2), }";
  head.resize(117, ' ');
  head += '\n';
  std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    for (const double value : {rows.x[i], rows.y[i]}) {
      char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      text.append(bytes, sizeof value);
    }
  }
  return text;
}

json without_columns(const std::string& model) {
  json j = json::parse(model);
  j.erase("columns");
  return j;
}

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

class RoundTrip : public testing::Test {
 protected:
  RoundTrip() {
    rows_ = toy_rows(120);
    table_ = write_text(folder_.file("rows.csv"), csv(rows_));
  }
  // Fits without weights and returns the path of the model.
  std::string fit(const std::string& name, const std::string& flags = "") const {
    const std::string model = folder_.file(name);
    run_well(words("regress " + table_ + " --x dose --y effect --quiet --model " + model + " " + flags));
    return model;
  }

  TemporaryFolder folder_;
  Rows rows_;
  std::string table_;
};

TEST_F(RoundTrip, PredictionsEqualThoseOfTheLibraryBeforeSaving) {
  for (const char* prior : {"isgp", "offset", "gp"}) {
    const std::string model = fit("m.json", std::string("--prior ") + prior);
    MonotoneRegressionOptions options;
    options.prior = prior == std::string("isgp") ? PriorKind::isgp
                    : prior == std::string("gp") ? PriorKind::gp
                                                 : PriorKind::offset;
    const Prediction p = MonotoneRegression(options).fit(rows_.x, rows_.y).predict(rows_.x, 0.8);
    const std::string out = folder_.file("out.csv");
    run_well({"predict", model, table_, "--interval", "0.8", "-o", out});
    const std::string text = read_text(out);
    EXPECT_TRUE(text.starts_with("estimate,lower,upper,obs_lower,obs_upper\n"));
    const auto predicted = csv_rows(text);
    ASSERT_EQ(predicted.size(), rows_.x.size());
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      ASSERT_EQ(predicted[i],
                (std::vector<double>{p.estimate[i], p.lower[i], p.upper[i], p.obs_lower[i], p.obs_upper[i]}))
          << prior << " row " << i;
    }
    EXPECT_EQ(run_well({"predict", model, "-", "--interval", "0.8"}, csv(rows_)), text);
  }
}

TEST_F(RoundTrip, PredictsNoRowsForNoRowsAndGoesBeyondTheRange) {
  const std::string model = fit("m.json");
  EXPECT_EQ(run_well({"predict", model, "-"}, "dose\n"), "estimate,lower,upper,obs_lower,obs_upper\n");
  const auto rows = csv_rows(run_well({"predict", model, "-"}, "dose\n-50\n150\n"));
  EXPECT_LT(rows[0][0], rows[1][0]);
}

TEST_F(RoundTrip, EvaluateGivesExactlyFourScoresThatFollowFromThePredictions) {
  const std::string model = fit("m.json");
  const json scores = json::parse(run_well({"evaluate", model, table_, "--json"}));
  EXPECT_EQ(keys(scores), (std::vector<std::string>{"coverage", "mae", "nll", "rmse"}));
  const auto predicted = csv_rows(run_well({"predict", model, table_}));
  double square = 0, absolute = 0, inside = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double r = rows_.y[i] - predicted[i][0];
    square += r * r;
    absolute += std::abs(r);
    inside += rows_.y[i] >= predicted[i][3] && rows_.y[i] <= predicted[i][4] ? 1 : 0;
  }
  const auto n = static_cast<double>(predicted.size());
  EXPECT_NEAR(scores["rmse"], std::sqrt(square / n), 1e-12);
  EXPECT_NEAR(scores["mae"], absolute / n, 1e-12);
  EXPECT_EQ(scores["coverage"], inside / n);
  double noise = 0;
  const json summary = json::parse(run_well({"show", model, "--json"}));
  for (const auto& hyper : summary["hyper_parameters"]) {
    if (hyper["name"] == "noise") noise = hyper["value"];
  }
  EXPECT_NEAR(scores["nll"],
              0.5 * std::log(2 * std::numbers::pi * noise * noise) + square / n / 2 / noise / noise, 1e-9);
  const std::string text = run_well({"evaluate", model, table_});
  for (const char* word : {"rmse", "mae", "nll", "coverage"}) EXPECT_NE(text.find(word), std::string::npos);
}

TEST_F(RoundTrip, EvaluateTakesTheWeightsOfTheModelOrOfTheCommandLine) {
  Rows twice;
  for (std::size_t i = 0; i < rows_.x.size(); ++i) {
    for (int k = 0; k < static_cast<int>(rows_.w[i]); ++k) {
      twice.x.push_back(rows_.x[i]);
      twice.y.push_back(rows_.y[i]);
      twice.w.push_back(1);
    }
  }
  const std::string repeated = write_text(folder_.file("twice.csv"), csv(twice));
  const std::string weighted = fit("w.json", "--weights n"), plain = fit("p.json");
  const auto score = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "evaluate");
    arguments.emplace_back("--json");
    return json::parse(run_well(arguments));
  };
  EXPECT_NEAR(score({weighted, table_})["rmse"], score({weighted, repeated})["rmse"], 1e-12);
  EXPECT_NEAR(score({plain, table_, "--weights", "n"})["mae"], score({plain, repeated})["mae"], 1e-12);
  EXPECT_NE(score({plain, table_})["mae"], score({plain, repeated})["mae"]);
  // A table without the model's weights counts every row once.
  const json unweighted = json::parse(run_well({"evaluate", weighted, "-", "--json"}, "dose,effect\n1,2\n"));
  EXPECT_GE(unweighted["rmse"], 0);
}

TEST_F(RoundTrip, WeightTwoIsTheRowTwiceAndWeightZeroTheRowLeftOut) {
  Rows twice;
  for (std::size_t i = 0; i < rows_.x.size(); ++i) {
    for (int k = 0; k < static_cast<int>(rows_.w[i]); ++k) {
      twice.x.push_back(rows_.x[i]);
      twice.y.push_back(rows_.y[i]);
      twice.w.push_back(1);
    }
  }
  const std::string weighted = fit("w.json", "--weights n");
  const std::string repeated = folder_.file("r.json");
  run_well({"regress", "-", "--x", "dose", "--y", "effect", "--quiet", "--model", repeated}, csv(twice));
  const auto a = csv_rows(run_well({"predict", weighted, table_}));
  const auto b = csv_rows(run_well({"predict", repeated, table_}));
  const auto plain = csv_rows(run_well({"predict", fit("p.json"), table_}));
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(a[i][k], b[i][k], 1e-4);
    difference = std::max(difference, std::abs(a[i][0] - plain[i][0]));
  }
  EXPECT_GT(difference, 1e-2);
}

TEST_F(RoundTrip, OrderOfRowsDoesNotMatter) {
  Rows reversed = rows_;
  for (auto* values : {&reversed.x, &reversed.y, &reversed.w}) std::reverse(values->begin(), values->end());
  const std::string model = folder_.file("r.json");
  run_well({"regress", "-", "--x", "dose", "--y", "effect", "--quiet", "--model", model}, csv(reversed));
  const auto a = csv_rows(run_well({"predict", fit("m.json"), table_}));
  const auto b = csv_rows(run_well({"predict", model, table_}));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(a[i][k], b[i][k], 1e-4);
  }
}

TEST_F(RoundTrip, TheSameSeedGivesTheSameBytesWithOneAndTwoThreads) {
  for (const std::string prior : {"isgp", "offset", "gp"}) {
    const std::string flags = "--profiles --seed 5 --prior " + prior;
    EXPECT_EQ(read_text(fit("one.json", flags + " --threads 1")),
              read_text(fit("two.json", flags + " --threads 2")));
  }
}

TEST_F(RoundTrip, FormatsOfTheSameRowsGiveTheSameModel) {
  const std::string model = read_text(fit("m.json"));
  const auto fit_file = [&](const std::string& file, const std::string& text, const std::string& flags) {
    const std::string path = write_text(folder_.file(file), text);
    return run_well(words("regress " + path + " --quiet --model - " + flags));
  };
  const std::string names = "--x dose --y effect";
  EXPECT_EQ(fit_file("rows.csv.gz", gzipped(csv(rows_)), names), model);
  EXPECT_EQ(fit_file("rows.tsv", csv(rows_, "\t"), names), model);
  const std::string by_colon = fit_file("rows.txt", csv(rows_, ":"), names + " --delimiter :");
  EXPECT_EQ(without_columns(by_colon), without_columns(model));  // which keep the delimiter that was given
  EXPECT_EQ(run_well({"regress", "-", "--x", "dose", "--y", "effect", "--quiet", "--model", "-"}, csv(rows_)),
            model);
  EXPECT_EQ(without_columns(fit_file("rows.npy", npy(rows_), "--x 0 --y 1")), without_columns(model));
}

TEST_F(RoundTrip, AModelOfOneFormatServesAnotherWhenTheColumnsAreNamed) {
  const std::string model = fit("m.json");
  const std::string array = write_text(folder_.file("rows.npy"), npy(rows_));
  EXPECT_EQ(run_well({"predict", model, array, "--x", "0"}), run_well({"predict", model, table_}));
  EXPECT_EQ(run_well({"evaluate", model, array, "--x", "0", "--y", "1"}),
            run_well({"evaluate", model, table_}));
}

TEST_F(RoundTrip, RegressAndShowSayWhatWasFittedInTheUsersUnits) {
  const std::string said = run_well(
      words("regress " + table_ + " --x dose --y effect --fix noise=1.25 --model " + folder_.file("m.json")));
  const std::string shown = run_well({"show", folder_.file("m.json")});
  EXPECT_TRUE(said.starts_with(shown + "\n  time ")) << said << shown;
  for (const char* words : {"effect on dose", "120", "increasing", "standard deviation of effect", "1.25",
                            "held", "learned", "log evidence", "smallest eigenvalue", "converged"}) {
    EXPECT_NE(said.find(words), std::string::npos) << words << "\n" << said;
  }
  const json summary = json::parse(run_well({"show", folder_.file("m.json"), "--json"}));
  EXPECT_EQ(summary["rows"], 120);
  EXPECT_EQ(summary["direction"], "increasing");
  const json fresh =
      json::parse(run_well(words("regress " + table_ + " --x dose --y effect --fix noise=1.25 --json")));
  EXPECT_EQ(fresh["log_evidence"], summary["log_evidence"]);
  EXPECT_GT(fresh["seconds_search"], 0);
}

TEST_F(RoundTrip, FlagsReachTheLibrary) {
  const auto options = [&](const std::string& flags) {
    return json::parse(read_text(fit("f.json", flags)))["options"];
  };
  const json all = options(
      "--prior isgp --basis nystrom --origin shifted --harmonics 5 --direction decreasing --seed 9 --fix "
      "a=0.001,noise=2");
  EXPECT_EQ(all["prior"], "isgp");
  EXPECT_EQ(all["basis"], "nystrom");
  EXPECT_EQ(all["origin"], "shifted");
  EXPECT_EQ(all["harmonics"], 5);
  EXPECT_EQ(all["direction"], "decreasing");
  EXPECT_EQ(all["seed"], 9);
  EXPECT_EQ(all["fixed"], (json{{"a", 0.001}, {"noise", 2.0}}));
  EXPECT_EQ(options("--fix a=2 --fix noise=3")["fixed"], (json{{"a", 2.0}, {"noise", 3.0}}));
}

TEST_F(RoundTrip, PlotsTheFitAndItsEvidenceInEveryFormat) {
  const std::string model = fit("m.json", "--profiles");
  const auto plot = [&](const std::string& name, const std::string& flags) {
    run_well(words("plot " + model + " " + flags + " -o " + folder_.file(name)));
    return read_text(folder_.file(name));
  };
  const std::string alone = plot("alone.svg", ""), with_rows = plot("rows.svg", table_);
  for (const char* label : {">dose<", ">effect<", ">fit<", ">f<"}) {
    EXPECT_NE(alone.find(label), std::string::npos) << label;
    EXPECT_NE(with_rows.find(label), std::string::npos) << label;
  }
  EXPECT_EQ(alone.find(">data<"), std::string::npos);
  EXPECT_NE(with_rows.find(">data<"), std::string::npos);
  EXPECT_TRUE(plot("fit.png", table_).starts_with("\x89PNG"));
  EXPECT_TRUE(plot("fit.pdf", table_).starts_with("%PDF"));
  const std::string evidence = plot("evidence.svg", "--what evidence");
  for (const char* label : {">noise<", ">scale<", ">v<", ">log evidence<"}) {
    EXPECT_NE(evidence.find(label), std::string::npos) << label;
  }
}

TEST_F(RoundTrip, PlotsTheSlopeOfAGaussianProcess) {
  const std::string model = fit("m.json", "--prior gp");
  run_well({"plot", model, "-o", folder_.file("fit.svg")});
  EXPECT_NE(read_text(folder_.file("fit.svg")).find(">slope<"), std::string::npos);
}

TEST_F(RoundTrip, QuietLeavesErrorsOnly) {
  const std::string equal = "x,y\n1,2\n1,3\n";
  const std::vector<std::string> loud{"regress", "-", "--x", "x", "--y", "y", "--json"};
  std::vector<std::string> quiet = loud;
  quiet.emplace_back("--quiet");
  EXPECT_NE(run_program(loud, equal).errors.find("warning: "), std::string::npos);
  EXPECT_EQ(run_program(quiet, equal).errors, "");
}

TEST(Program, GivesItsVersionAndHelpWithExamplesForEveryVerb) {
  EXPECT_TRUE(run_well({"--version"}).starts_with(std::string("linkgistic ") + version + "\ncuda "));
  EXPECT_NE(run_well({"--help"}).find("Exit codes"), std::string::npos);
  for (const std::string verb : {"regress", "classify", "calibrate", "compare", "predict", "evaluate", "plot",
                                 "report", "show", "demo"}) {
    const std::string help = run_well({verb, "--help"});
    EXPECT_NE(help.find("Examples:\n  linkgistic " + verb), std::string::npos) << help;
    EXPECT_NE(run_well({"--help"}).find("  " + verb), std::string::npos);
  }
}

TEST(Program, DemoWritesModelsAndPicturesAndPrintsTheTable) {
  const TemporaryFolder folder;
  const std::string here = folder.file("demo");
  const std::string said = run_well({"demo", "-o", here});
  for (const char* word : {"isgp", "offset", "gp", "PAVA", "line", "rmse", "auto-mpg", "toy"}) {
    EXPECT_NE(said.find(word), std::string::npos) << word;
  }
  EXPECT_NE(said.find(here), std::string::npos);
  for (const std::string problem : {"auto-mpg", "toy"}) {
    run_well({"show", here + "/" + problem + ".json"});
    for (const char* picture : {"-fit", "-evidence", "-methods"}) {
      const std::string stem = here + "/" + problem + picture;
      EXPECT_TRUE(read_text(stem + ".png").starts_with("\x89PNG")) << stem;
      EXPECT_NE(read_text(stem + ".svg").find("<svg"), std::string::npos) << stem;
    }
  }
  for (const char* model : {"origin", "scores"}) run_well({"show", here + "/" + model + ".json"});
  for (const char* page : {"auto-mpg", "origin", "scores"}) {
    EXPECT_NE(read_text(here + "/" + page + "-report.html").find("<svg"), std::string::npos) << page;
  }
  EXPECT_EQ(run_well({"demo", "-o", here}), said);
}

}  // namespace
}  // namespace linkgistic
