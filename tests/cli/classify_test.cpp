// From files with classes to a model to predictions, scores, words and pictures.
#include <algorithm>
#include <cmath>
#include <csignal>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/dataset.hpp>

#include "cli/class_tables.hpp"

namespace linkgistic {
namespace {

using namespace std::string_literals;
using nlohmann::json;

// The cheapest fit that learns a link.
const std::string quick = " --quiet --l2 1 --v 0.05 --em-iterations 2";

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

class Classify : public testing::Test {
 protected:
  Classify() {
    two_ = write_text(folder_.file("two.csv"), class_table(300, 2, 1));
    three_ = write_text(folder_.file("three.csv"), class_table(400, 3, 2));
    model_ = folder_.file("m.json");
  }
  // Fits and returns the text of the model.
  std::string fit(const std::string& arguments) const {
    run_well(words("classify " + arguments + quick + " --model " + model_));
    return read_text(model_);
  }
  [[nodiscard]] json fit_json(const std::string& arguments) const { return json::parse(fit(arguments)); }
  [[nodiscard]] json evaluate(const std::string& arguments) const {
    return json::parse(run_well(words("evaluate " + model_ + " " + arguments + " --json --quiet")));
  }

  TemporaryFolder folder_;
  std::string two_, three_, model_;
};

// Rows that go to a file, and rows of several files, are the same rows.
TEST_F(Classify, MemoryAndPatternsOfFilesChangeNothing) {
  const std::string whole = fit(two_ + " --label y --weights n");
  EXPECT_EQ(fit(two_ + " --label y --weights n --memory 1K"), whole);
  const std::string table = read_text(two_);
  const std::size_t header = table.find('\n') + 1, middle = table.find('\n', table.size() / 2) + 1;
  write_text(folder_.file("part-0.csv"), table.substr(0, middle));
  write_text(folder_.file("part-1.csv"), table.substr(0, header) + table.substr(middle));
  EXPECT_EQ(fit(folder_.file("part-*.csv") + " --label y --weights n"), whole);
  const std::string predict = "predict " + model_ + " " + two_;
  EXPECT_EQ(run_well(words(predict + " --memory 1K")), run_well(words(predict)));
  EXPECT_EQ(evaluate(two_ + " --memory 1K"), evaluate(two_));
  const ChildResult bad = run_program(words("classify " + two_ + " --label y --memory 2X"));
  EXPECT_EQ(bad.status, 2);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--memory = '2X': it must be a size such as 500M or 2G",
                      bad.errors);
}

TEST_F(Classify, TwoClassesRoundTripLikeTheLibrary) {
  fit(two_ + " --label y --weights n");
  DatasetOptions options;
  options.label = "y";
  options.weights = "n";
  const Dataset data = read_dataset(two_, options);
  LinkgisticOptions settings;
  settings.l2 = 1;
  settings.v = 0.05;
  settings.em_iterations = 2;
  const auto fitted = LinkgisticClassifier(settings).fit(data);
  EXPECT_EQ(read_text(model_), fitted.to_json());
  const ClassPrediction expected = fitted.predict(read_dataset(two_, {}, fitted).rows, 0.8);
  const std::string text = run_well({"predict", model_, two_, "--interval", "0.8"});
  EXPECT_TRUE(text.starts_with("label,probability,lower,upper\n"));
  const auto found = csv_rows(text);
  const auto rows = lines(text);
  ASSERT_EQ(found.size(), 300U);
  for (std::size_t n = 0; n < found.size(); ++n) {
    ASSERT_EQ(found[n][1], expected.probability[2 * n + 1]);
    ASSERT_EQ(found[n][2], expected.lower[n]);
    ASSERT_EQ(found[n][3], expected.upper[n]);
    ASSERT_TRUE(rows[n + 1].starts_with(found[n][1] > 0.5 ? "c1," : "c0,"));
  }
}

TEST_F(Classify, ManyClassesHaveAProbabilityEach) {
  for (const std::string kind : {"softmax", "ovr"}) {
    fit(three_ + " --label y --drop n --multiclass " + kind);
    const std::string out = folder_.file("p.csv");
    EXPECT_EQ(run_well({"predict", model_, three_, "-o", out}), "");
    const std::string text = read_text(out);
    EXPECT_TRUE(
        text.starts_with(kind == "ovr" ? "label,p_c0,p_c1,p_c2\n" : "label,p_c0,p_c1,p_c2,lower_c0,"));
    for (const auto& row : csv_rows(text)) ASSERT_NEAR(row[1] + row[2] + row[3], 1, 1e-12);
  }
}

TEST_F(Classify, ASoftmaxHasABandForEachClass) {
  fit(three_ + " --label y --drop n --multiclass softmax --v-shared 0.05");
  const std::string text = run_well({"predict", model_, three_, "--interval", "0.8"});
  EXPECT_TRUE(
      text.starts_with("label,p_c0,p_c1,p_c2,lower_c0,upper_c0,lower_c1,upper_c1,lower_c2,upper_c2\n"));
  for (const auto& row : csv_rows(text)) {
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_LT(row[4 + 2 * k], row[1 + k]);
      ASSERT_GT(row[5 + 2 * k], row[1 + k]);
    }
  }
}

TEST_F(Classify, TheLossOfASoftmaxIsDrawnShownAndKept) {
  fit(three_ + " --label y --drop n --multiclass softmax --v-shared 0.05");
  const std::string kept = folder_.file("loss.json");
  FittedLinkgisticClassifier::load(model_).learned_class_loss().save(kept);
  for (const std::string& file : {model_, kept}) {
    for (const std::string what : {"fit", "loss", "link", "source"}) {
      const std::string picture = folder_.file("l.svg");
      run_well({"plot", file, "--what", what, "-o", picture});
      EXPECT_NE(read_text(picture).find("<svg"), std::string::npos) << what;
    }
    EXPECT_EQ(run_program({"plot", file, "--what", "weight", "-o", folder_.file("w.svg")}).status, 2);
  }
  EXPECT_NE(run_well({"show", kept}).find("c1: scores"), std::string::npos);
  EXPECT_EQ(json::parse(run_well({"show", kept, "--json"})).at("classes").size(), 3U);
  EXPECT_EQ(run_program({"predict", kept, three_}).status, 2);
}

TEST_F(Classify, PairsOfClassesArePredictedJudgedShownAndReported) {
  const json model = fit_json(three_ + " --label y --multiclass ovo");
  EXPECT_TRUE(model.at("summary").at("pairwise").get<bool>());
  EXPECT_EQ(model.at("links").size(), 3U);
  const std::string predicted = run_well({"predict", model_, three_});
  const auto first = csv_rows(predicted).front();
  double total = 0;
  for (std::size_t k = first.size() - 3; k < first.size(); ++k) total += first[k];
  EXPECT_NEAR(total, 1, 1e-12);
  const double accuracy = evaluate(three_).at("accuracy").get<double>();
  fit(three_ + " --label y --multiclass ovr");
  EXPECT_NEAR(accuracy, evaluate(three_).at("accuracy").get<double>(), 0.05);
  fit(three_ + " --label y --multiclass ovo");
  EXPECT_NE(run_well({"show", model_}).find("one against one"), std::string::npos);
  run_well({"plot", model_, "--what", "link", "-o", folder_.file("l.svg")});
  run_well({"report", model_, "-o", folder_.file("r.html")});
  const std::string page = read_text(folder_.file("r.html"));
  EXPECT_NE(page.find(" against "), std::string::npos);
  EXPECT_NE(page.find("slope of its margin loss"), std::string::npos);
}

TEST_F(Classify, LinksHaveTheBasesAndOriginsOfRegressions) {
  for (const char* flags : {" --basis nystrom", " --origin shifted", " --basis nystrom --origin shifted"}) {
    fit(two_ + " --label y --harmonics 6" + flags);
    const double loss = evaluate(two_).at("log_loss").get<double>();
    const std::string shown = run_well({"show", model_});
    const bool nystrom = std::string(flags).find("nystrom") != std::string::npos;
    EXPECT_EQ(shown.find("12 Gaussian kernels") != std::string::npos, nystrom);
    EXPECT_EQ(shown.find("from a shifted origin") != std::string::npos,
              std::string(flags).find("shifted") != std::string::npos);
    run_well({"plot", model_, "--what", "loss", "-o", folder_.file("l.svg")});
    fit(two_ + " --label y --harmonics 6");
    EXPECT_NEAR(loss, evaluate(two_).at("log_loss").get<double>(), 0.02) << flags;
  }
}

TEST_F(Classify, EvaluationHasExactlyTheStatedKeys) {
  const std::vector<std::string> names{"accuracy", "auc", "brier", "ece", "log_loss", "one_vs_rest"};
  const std::vector<std::string> inner(names.begin(), names.end() - 1);
  for (const std::string& table : {two_, three_}) {
    fit(table + " --label y");
    const json scores = evaluate(table);
    EXPECT_EQ(keys(scores), names);
    EXPECT_EQ(keys(scores["one_vs_rest"]), inner);
    EXPECT_GT(scores["accuracy"], 0.7);
    EXPECT_GT(scores["auc"], 0.8);
    EXPECT_LT(scores["log_loss"], 0.7);
    const std::string text = run_well({"evaluate", model_, table});
    EXPECT_EQ(lines(text).size(), 6U);
  }
}

TEST_F(Classify, EvaluationCountsWhatPredictSays) {
  fit(three_ + " --label y");
  const auto predicted = lines(run_well({"predict", model_, three_}));
  const auto table = lines(read_text(three_));
  double right = 0, loss = 0;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const std::string label = table[i].substr(table[i].rfind(',') + 1);
    right += predicted[i].starts_with(label + ",") ? 1 : 0;
    const auto p = csv_rows("h\n" + predicted[i]).front();
    loss -= std::log(p[1 + static_cast<std::size_t>(label[1] - '0')]);
  }
  const auto rows = static_cast<double>(table.size() - 1);
  const json scores = evaluate(three_ + " --weights n");
  const json plain = evaluate(write_text(folder_.file("t.csv"), read_text(three_)));
  EXPECT_NEAR(plain["accuracy"].get<double>(), right / rows, 1e-12);
  EXPECT_NEAR(plain["log_loss"].get<double>(), loss / rows, 1e-9);
  EXPECT_NE(scores["log_loss"], plain["log_loss"]);
}

TEST_F(Classify, OneModelForAnyNumberOfThreads) {
  const std::string options = three_ + " --label y --samples 2 --seed 5 --learn-hyper";
  EXPECT_EQ(fit(options + " --threads 1"), fit(options + " --threads 2"));
}

TEST_F(Classify, EveryPriorAndLossCanBeFitted) {
  for (const char* prior : {"isgp", "offset", "gp", "none"}) {
    const json model = fit_json(two_ + " --label y --prior " + prior);
    EXPECT_EQ(model["options"]["prior"], prior);
    EXPECT_GT(evaluate(two_)["auc"], 0.85) << prior;
  }
  EXPECT_EQ(fit_json(two_ + " --label y --loss matsushita")["options"]["loss"], "matsushita");
}

TEST_F(Classify, EveryFlagReachesTheModel) {
  run_well(words("classify " + two_ +
                 " --label y --quiet --l2 2 --v 0.1 --em-iterations 3 --samples 1 "
                 "--tolerance 1e-3 --harmonics 8 --learn-hyper --standardize off --seed 9 --class c0 "
                 "--class-weight c0=2,c1=0.5 --weights n --drop s --model " +
                 model_));
  const json m = json::parse(read_text(model_));
  const json& o = m["options"];
  EXPECT_EQ(o["l2"], 2);
  EXPECT_EQ(o["v"], 0.1);
  EXPECT_EQ(o["em_iterations"], 3);
  EXPECT_EQ(o["samples"], 1);
  EXPECT_EQ(o["tolerance"], 1e-3);
  EXPECT_EQ(o["harmonics"], 8);
  EXPECT_EQ(o["learn_hyper"], true);
  EXPECT_EQ(o["standardize"], "off");
  EXPECT_EQ(o["seed"], 9);
  EXPECT_EQ(o["class_weights"], (json{{"c0", 2}, {"c1", 0.5}}));
  EXPECT_EQ(m["class_names"], (json{"c1", "c0"}));
  EXPECT_EQ(m["feature_names"], (json{"a", "b"}));
  EXPECT_EQ(m["encoding"]["weights"], "n");
  EXPECT_EQ(fit_json(two_ + " --label y --class-weight balanced")["options"]["balanced"], true);
}

TEST_F(Classify, ChoosesL2AndV) {
  run_well(words("classify " + two_ + " --label y --quiet --em-iterations 1 --model " + model_));
  const json summary = json::parse(read_text(model_))["summary"];
  EXPECT_EQ(summary["l2_chosen"], true);
  EXPECT_EQ(summary["v_chosen"], true);
  EXPECT_GT(summary["l2_tried"].size(), 2U);
}

TEST_F(Classify, MergesClasses) {
  const json merged = fit_json(three_ + " --label y --binary c0,c2");
  EXPECT_EQ(merged["class_names"], (json{"rest", "c0,c2"}));
  EXPECT_GT(evaluate(three_)["accuracy"], 0.5);
  EXPECT_NE(run_well({"predict", model_, three_}).find("\"c0,c2\",0."), std::string::npos);
  const json one = fit_json(three_ + " --label y --class c2");
  EXPECT_EQ(one["class_names"], (json{"rest", "c2"}));
  EXPECT_GT(evaluate(three_)["auc"], 0.9);
}

TEST_F(Classify, MissingValuesAreImputedAndPredictLeavesNoRowOut) {
  const std::string gaps = write_text(folder_.file("gaps.csv"), class_table(200, 2, 3, true));
  const std::string command = "classify " + gaps + " --label y --l2 1 --v 0 --model " + model_;
  const ChildResult refused = run_program(words(command));
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.errors.find("line 5, column 'b': missing value"), std::string::npos) << refused.errors;
  const ChildResult dropped = run_program(words(command + " --missing drop"));
  EXPECT_NE(dropped.errors.find("10 rows with a missing value left out"), std::string::npos)
      << dropped.errors;
  EXPECT_NE(dropped.errors.find("column 's' is text: one-hot encoded"), std::string::npos) << dropped.errors;
  const ChildResult warned = run_program({"predict", model_, gaps});
  EXPECT_EQ(lines(warned.output).size(), 201U);
  EXPECT_NE(warned.errors.find("warning: " + gaps + ": 10 missing values"), std::string::npos)
      << warned.errors;
  const json imputed = fit_json(gaps + " --label y --missing impute");
  EXPECT_EQ(imputed["feature_names"], (json{"a", "b", "b missing", "s=u", "s=v", "s=w", "n"}));
  EXPECT_EQ(lines(run_well({"predict", model_, gaps})).size(), 201U);
}

TEST_F(Classify, ColumnsInAnotherOrderAndUnseenCategoriesWork) {
  fit(two_ + " --label y --drop n");
  const std::string straight = run_well({"predict", model_, "-"}, "a,b,s\n1,101,u\n-1,99,v\n");
  EXPECT_EQ(run_well({"predict", model_, "-"}, "z,s,b,a\n7,u,101,1\n7,v,99,-1\n"), straight);
  const ChildResult unseen = run_program({"predict", model_, "-"}, "a,b,s\n1,101,x\n");
  EXPECT_EQ(unseen.status, 0);
  EXPECT_NE(unseen.errors.find("1 value of no category"), std::string::npos) << unseen.errors;
  EXPECT_EQ(run_well({"predict", model_, "-"}, "a,b,s\n"), "label,probability,lower,upper\n");
}

TEST_F(Classify, ImagesWithLabelsOfTheirOwn) {
  // 2 x 2 images; the label is 1 where the first pixel is bright.
  std::string images = "\0\0\x08\x03\0\0\0\x78\0\0\0\x02\0\0\0\x02"s, labels = "\0\0\x08\x01\0\0\0\x78"s;
  for (int i = 0; i < 120; ++i) {
    for (const int pixel : {i * 53 % 256, i * 101 % 256, i * 7 % 256, 9}) images += static_cast<char>(pixel);
    labels += static_cast<char>((i * 53 % 256 > 128) != (i % 11 == 0) ? 1 : 0);
  }
  const std::string x = write_text(folder_.file("x.gz"), gzipped(images));
  const std::string y = write_text(folder_.file("y"), labels);
  fit(x + " --labels " + y);
  EXPECT_GT(evaluate(x + " --labels " + y)["accuracy"], 0.8);
  EXPECT_EQ(lines(run_well({"predict", model_, x})).size(), 121U);
  const ChildResult none = run_program({"evaluate", model_, x});
  EXPECT_EQ(none.status, 2) << none.errors;
}

TEST_F(Classify, SparseRowsFromStandardInput) {
  std::string rows;
  for (int i = 0; i < 100; ++i) {
    rows += (i % 2 == 0 ? "+1 " : "-1 ") + std::to_string(1 + i % 3) + ":1 " +
            std::to_string(4 + (i % 10 == 0 ? 1 - i % 2 : i % 2)) + ":0.5\n";
  }
  run_well(words("classify - --model " + model_ + quick), rows);
  EXPECT_EQ(json::parse(read_text(model_))["class_names"], (json{"-1", "1"}));
  const std::string file = write_text(folder_.file("r.svm"), rows);
  EXPECT_EQ(evaluate(file)["accuracy"], 0.9);
}

TEST_F(Classify, ShowSaysWhatWasFitted) {
  fit(two_ + " --label y --drop n");
  const std::string text = run_well({"show", model_});
  for (const char* part : {"Linkgistic regression of y", "v = 0.05", "s=u", "(intercept)", "link of c1",
                           "EM step", "the probability is that of c1"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const json shown = json::parse(run_well({"show", model_, "--json"}));
  EXPECT_EQ(keys(shown["coefficients"]["c1"]["features"]),
            (std::vector<std::string>{"a", "b", "s=u", "s=v", "s=w"}));
  EXPECT_GT(shown["coefficients"]["c1"]["features"]["a"], 0);
  EXPECT_TRUE(shown.contains("stop"));
  EXPECT_EQ(shown["links"]["c1"]["nu"].size(), shown["links"]["c1"]["score"].size());
}

TEST_F(Classify, PrintsTheSummary) {
  const std::string text = run_well(words("classify " + two_ + " --label y" + quick));
  EXPECT_NE(text.find("rows                300"), std::string::npos) << text;
  const json summary = json::parse(run_well(words("classify " + two_ + " --label y --json" + quick)));
  EXPECT_EQ(summary["rows"], 300);
  EXPECT_TRUE(summary.contains("seconds"));
  EXPECT_TRUE(summary.contains("trace"));
}

TEST_F(Classify, TellsEachEmStepUnlessQuiet) {
  const ChildResult result =
      run_program(words("classify " + two_ + " --label y --l2 1 --v 0.05 --em-iterations 2 --tolerance 0"));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.errors.find("linkgistic: EM step 2: objective "), std::string::npos) << result.errors;
  // The same where v is chosen by fits of its own.
  const ChildResult chosen =
      run_program(words("classify " + two_ + " --label y --l2 1 --em-iterations 2 --tolerance 0"));
  for (const char* step : {"EM step 0: ", "EM step 1: ", "EM step 2: "})
    EXPECT_NE(chosen.errors.find(step), std::string::npos) << chosen.errors;
}

// Its EM goes to and fro between mean losses of 0.80 and 0.98.
TEST_F(Classify, WarnsOfAFitThatDidNotConverge) {
  const std::string table = write_text(folder_.file("days.csv"),
                                       "d,y\n2020-01-01,0\n2020-01-02,1\n2020-01-03,0\n2020-01-04,1\n"
                                       "2020-01-02,1\n");
  const ChildResult result = run_program({"classify", table, "--label", "y", "--model", model_, "--json"});
  const json summary = json::parse(result.output);
  EXPECT_EQ(summary["converged"], false);
  ASSERT_EQ(summary["warnings"].size(), 1U);
  const std::string warning = summary["warnings"][0];
  EXPECT_EQ(warning.find("the search for link and coefficients did not converge (no further rise): "), 0U)
      << warning;
  EXPECT_NE(result.errors.find("linkgistic: warning: " + warning + "\n"), std::string::npos) << result.errors;
  EXPECT_NE(run_well({"show", model_}).find("warning: " + warning), std::string::npos);
}

TEST_F(Classify, ConvergesWhereNoFeatureVaries) {
  for (const int classes : {2, 3}) {
    std::string text = "a,y\n";
    for (int i = 0; i < 40; ++i) text += "1," + std::to_string(i % classes) + "\n";
    const std::string table = write_text(folder_.file("constant.csv"), text);
    const json summary = json::parse(
        run_well(words("classify " + table + " --label y --l2 1 --v 0.1 --cross-fit off --quiet --json")));
    EXPECT_EQ(summary["stop"], "converged") << classes;
    EXPECT_TRUE(summary["warnings"].empty()) << summary["warnings"];
  }
}

TEST_F(Classify, ShowHasTheHyperParametersOfThePrior) {
  fit(two_ + " --label y --prior isgp");
  const json fixed = json::parse(run_well({"show", model_, "--json"}))["hyper_parameters"]["c1"];
  EXPECT_NEAR(fixed["a"].get<double>(), 1.2, 1e-9);
  EXPECT_NEAR(fixed["gamma"].get<double>(), 0.01, 1e-9);
  EXPECT_GT(fixed["k(0,0)"].get<double>(), 0);
  EXPECT_NE(run_well({"show", model_}).find("hyper-parameters of c1: a = 1.2"), std::string::npos);
  fit(two_ + " --label y --prior none");
  EXPECT_EQ(run_well({"show", model_}).find("hyper-parameters"), std::string::npos);
}

TEST_F(Classify, ACheckpointGoesOnToTheSameModel) {
  const std::string options = three_ + " --label y --checkpoint " + folder_.file("state");
  const std::string straight = fit(three_ + " --label y");
  EXPECT_EQ(fit(options), straight);
  EXPECT_EQ(fit(options), straight);
  EXPECT_NE(run_program(
                words("classify " + two_ + " --label y --quiet --l2 1 --checkpoint " + folder_.file("state")))
                .status,
            0);
}

TEST_F(Classify, PlotsTheLink) {
  for (const std::string& table : {two_, three_}) {
    fit(table + " --label y");
    const std::string picture = folder_.file("link.svg");
    run_well({"plot", model_, "-o", picture});
    EXPECT_NE(read_text(picture).find(table == two_ ? "P(c1)" : "score of c1"), std::string::npos);
    run_well({"plot", model_, "--what", "link", "-o", picture});
    EXPECT_NE(read_text(picture).find("score"), std::string::npos);
  }
  EXPECT_EQ(run_program({"plot", model_, "--what", "evidence", "-o", folder_.file("e.svg")}).status, 2);
}

}  // namespace
}  // namespace linkgistic
