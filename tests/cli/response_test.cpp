// Counts, shares, labels and amounts through the program: fit, predict, evaluate, report, and what it
// refuses.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

// Deaths y among n at a dose, claims in years, and a label.
std::string table() {
  RandomStream random(3);
  std::string text = "dose,dead,n,claims,years,label,amount\n";
  for (int i = 0; i < 60; ++i) {
    const double dose = i / 6.0, p = 1 / (1 + std::exp(5 - dose));
    int dead = 0;
    for (int k = 0; k < 8; ++k) dead += random.uniform() < p ? 1 : 0;
    const double years = 1 + static_cast<double>(random.below(4));
    int claims = 0;
    for (double t = -std::log(random.uniform()); t < years * (0.2 + p); t -= std::log(random.uniform()))
      ++claims;
    text += std::to_string(dose) + "," + std::to_string(dead) + ",8," + std::to_string(claims) + "," +
            std::to_string(years) + "," + (random.uniform() < p ? "yes" : "no") + "," +
            std::to_string((0.5 + p) * -std::log(random.uniform())) + "\n";
  }
  return text;
}

class Responses : public testing::Test {
 protected:
  Responses() { write_text(file("in.csv"), table()); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string run(const std::string& line) const { return run_well(words(line)); }
  [[nodiscard]] std::string fit(const std::string& flags) const {
    return run("regress " + file("in.csv") + " --x dose " + flags + " --quiet --model " + file("m.json"));
  }
  TemporaryFolder folder_;
};

TEST_F(Responses, CountsWithExposure) {
  const std::string said = fit("--y claims --exposure years --response poisson");
  EXPECT_NE(said.find("poisson, the curve is the logarithm of the mean of claims for 1 of years"),
            std::string::npos)
      << said;
  const auto with = csv_rows(run("predict " + file("m.json") + " " + file("in.csv")));
  write_text(file("bare.csv"), "dose\n0\n5\n");
  const auto bare = csv_rows(run("predict " + file("m.json") + " " + file("bare.csv")));
  const auto table_rows = csv_rows(read_text(file("in.csv")));
  // The rate times the row's exposure.
  EXPECT_NEAR(with[0][0], bare[0][0] * table_rows[0][4], 1e-9);
  EXPECT_NEAR(with[30][2], bare[1][2] * table_rows[30][4], 1e-9);
  EXPECT_EQ(with[3][3], std::floor(with[3][3]));
  const auto link = csv_rows(run("predict " + file("m.json") + " " + file("bare.csv") + " --scale link"));
  ASSERT_EQ(link[0].size(), 3U);
  EXPECT_NEAR(std::exp(link[1][0]), bare[1][0], 1e-9);
  const json scores = json::parse(run("evaluate " + file("m.json") + " " + file("in.csv") + " --json"));
  EXPECT_GT(scores.at("coverage").get<double>(), 0.85);
  EXPECT_GT(scores.at("deviance").get<double>(), 0.3);
  EXPECT_LT(scores.at("deviance").get<double>(), 2);
  (void)run("report " + file("m.json") + " " + file("in.csv") + " -o " + file("r.html") + " --quiet");
  EXPECT_NE(read_text(file("r.html")).find("--exposure years"), std::string::npos);
}

TEST_F(Responses, SharesAndLabels) {
  (void)fit("--y dead --trials n --response binomial");
  const auto shares = csv_rows(run("predict " + file("m.json") + " " + file("in.csv")));
  EXPECT_LT(shares.front()[0], 0.2);
  EXPECT_GT(shares.back()[0], 0.8);
  EXPECT_EQ(8 * shares[30][3], std::floor(8 * shares[30][3]));
  (void)run("plot " + file("m.json") + " " + file("in.csv") + " -o " + file("fit.svg") + " --quiet");
  (void)run("report " + file("m.json") + " " + file("in.csv") + " -o " + file("r.html") + " --quiet");
  EXPECT_NE(read_text(file("r.html")).find("Half of the effect"), std::string::npos);

  const std::string said = fit("--y label --response bernoulli");
  EXPECT_NE(said.find("log odds of label = yes"), std::string::npos) << said;
  const auto labels = csv_rows(run("predict " + file("m.json") + " " + file("in.csv")));
  EXPECT_LT(labels.front()[0], labels.back()[0]);
  const json scores = json::parse(run("evaluate " + file("m.json") + " " + file("in.csv") + " --json"));
  EXPECT_LT(scores.at("nll").get<double>(), std::log(2));
  (void)fit("--y label --response bernoulli --positive no");
  const auto turned = csv_rows(run("predict " + file("m.json") + " " + file("in.csv")));
  EXPECT_NEAR(turned[30][0], 1 - labels[30][0], 1e-3);
}

TEST_F(Responses, AmountsAndCountsThatVaryMore) {
  EXPECT_NE(fit("--y amount --response gamma").find("shape of amount"), std::string::npos);
  EXPECT_NE(fit("--y claims --exposure years --response negative-binomial").find("dispersion of claims"),
            std::string::npos);
  EXPECT_NE(fit("--y amount --response student").find("degrees of freedom"), std::string::npos);
  (void)run("show " + file("m.json"));
}

TEST_F(Responses, SolveAnswersWithAnIntervalOrSaysThatItCannot) {
  (void)fit("--y dead --trials n --response binomial");
  const auto solve = [&](const std::string& flags) {
    return json::parse(run("solve " + file("m.json") + " --json " + flags));
  };
  const json half = solve("--at 0.5");
  EXPECT_NEAR(half.at("estimate").get<double>(), 5, 0.7);
  EXPECT_LT(half.at("lower").get<double>(), half.at("estimate").get<double>());
  EXPECT_GT(half.at("upper").get<double>(), half.at("estimate").get<double>());
  EXPECT_GT(solve("--at 0.5 --interval 0.5").at("lower").get<double>(), half.at("lower").get<double>());
  EXPECT_NEAR(solve("--level 50%").at("estimate").get<double>(),
              solve("--level 0.5").at("estimate").get<double>(), 0);
  EXPECT_TRUE(solve("--at 0.9999999").at("estimate").is_null());
  EXPECT_NE(run("solve " + file("m.json") + " --at 0.9999999").find("not reached within the data"),
            std::string::npos);
  EXPECT_GT(solve("--slope 5").at("lower").get<double>(), 0);
  EXPECT_GT(solve("--difference 2,8").at("lower").get<double>(), 0.5);
  EXPECT_GT(solve("--ratio 4,6").at("estimate").get<double>(), 1);
  EXPECT_GT(solve("--area 2,8").at("estimate").get<double>(), 1);
  EXPECT_FALSE(solve("--steepest").at("estimate").is_null());
  (void)run("solve " + file("m.json") + " --level 50% --figure " + file("half.svg"));
  EXPECT_NE(read_text(file("half.svg")).find("<svg"), std::string::npos);
  for (const char* bad : {"", " --at 0.5 --level 50%", " --at 1.5", " --level 120%", " --slope 99"})
    EXPECT_EQ(run_program(words("solve " + file("m.json") + bad)).status, 2) << bad;
}

struct Refused {
  const char* rows;
  const char* flags;
  const char* message;
};

TEST_F(Responses, WhatCannotBeIsRefusedWithFileLineAndColumn) {
  for (const Refused& c : std::vector<Refused>{
           {"x,y\n1,2\n2,-1\n", "--response poisson",
            "line 3, column 'y': -1: it must be a count: 0, 1, 2, ..."},
           {"x,y\n1,2\n2,1.5\n", "--response negative-binomial",
            "line 3, column 'y': 1.5: it must be a count"},
           {"x,y,n\n1,2,2\n2,3,2\n", "--response binomial --trials n",
            "line 3, column 'n': 2: it must be at least the number of successes, 3"},
           {"x,y,e\n1,2,1\n2,3,0\n", "--response poisson --exposure e",
            "line 3, column 'e': 0: it must be positive"},
           {"x,y,e\n1,2,-1\n2,3,1\n", "--response gamma --exposure e",
            "line 2, column 'e': -1: it must be positive"},
           {"x,y\n1,0\n2,3\n", "--response gamma", "line 2, column 'y': 0: it must be positive"},
           {"x,y\n1,no\n2,yes\n3,maybe\n", "--response bernoulli", "bad.csv: "},
           {"x,y\n1,2\n2,3\n", "--response gaussian --exposure y",
            "--exposure: the response gaussian takes none"},
           {"x,y\n1,2\n2,3\n", "--response binomial", "--trials COLUMN: the response binomial needs"},
           {"x,y\n1,2\n2,3\n", "--response poisson --inference variational", "no bound is known"},
           {"x,y\n1,2\n2,3\n", "--response weibull", "weibull"}}) {
    write_text(file("bad.csv"), c.rows);
    const ChildResult result = run_program(words("regress " + file("bad.csv") + " --x x --y y " + c.flags));
    EXPECT_NE(result.status, 0) << c.flags;
    EXPECT_NE(result.errors.find(c.message), std::string::npos) << result.errors;
    const bool placed = std::string(c.message).starts_with("line");
    EXPECT_EQ(result.errors.find("bad.csv: line") != std::string::npos, placed) << result.errors;
  }
}

TEST_F(Responses, ShapesOfTheCurve) {
  const std::string said = fit("--y claims --exposure years --response poisson --shape increasing-concave");
  EXPECT_NE(said.find("curvature           concave"), std::string::npos) << said;
  EXPECT_NE(said.find("mean curvature a priori"), std::string::npos) << said;
  EXPECT_NE(run("report " + file("m.json") + " -o -").find("increasing concave curve"), std::string::npos);
  EXPECT_EQ(run("plot " + file("m.json") + " -o " + file("m.svg") + " --quiet"), "");
  EXPECT_NE(run("solve " + file("m.json") + " --at 0.5").find("interval"), std::string::npos);
  const json limit = json::parse(run("solve " + file("m.json") + " --detection 0.4 --json"));
  EXPECT_GT(limit["estimate"].get<double>(), 0);
  EXPECT_NE(run("solve " + file("m.json") + " --quantification 0.5").find("50 %"), std::string::npos);
  EXPECT_NE(fit("--y amount --shape convex").find("Regression of amount on dose"), std::string::npos);
  EXPECT_NE(run("report " + file("m.json") + " -o -").find("convex curve"), std::string::npos);
  const auto refused = run_program(words("solve " + file("m.json") + " --at 1"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.errors.find("shape = convex: its curve is not monotone"), std::string::npos)
      << refused.errors;
}

}  // namespace
}  // namespace linkgistic
