// Model files of version 0.1.0 are read, and predict what they predicted then.
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

const std::string fixtures = LINKGISTIC_FIXTURES;

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Quantiles of draws have moved since, from place (n - 1) p to (n + 1) p of n = 400 or more: such columns are
// equal to a few thousandths of a probability.
struct Fixture {
  const char* name;
  std::vector<std::string> flags;
  std::size_t first_of_draws = 1, last_of_draws = 0;  // columns; none
};

class OldModel : public ::testing::TestWithParam<Fixture> {};

TEST_P(OldModel, PredictsWhatItPredicted) {
  const std::string model = fixtures + "/" + GetParam().name + ".json";
  const bool table = std::string(GetParam().name) == "classifier";
  std::vector<std::string> command{"predict", model, table ? LINKGISTIC_AUTO_MPG : fixtures + "/grid.csv"};
  command.insert(command.end(), GetParam().flags.begin(), GetParam().flags.end());
  const auto now = csv_rows(run_well(command));
  const auto then = csv_rows(text_of(fixtures + "/" + GetParam().name + ".csv"));
  ASSERT_GE(then.size(), 25U);
  ASSERT_GE(now.size(), then.size());
  for (std::size_t i = 0; i < then.size(); ++i) {
    ASSERT_EQ(now[i].size(), then[i].size());
    for (std::size_t j = 0; j < then[i].size(); ++j) {
      const bool of_draws = j >= GetParam().first_of_draws && j <= GetParam().last_of_draws;
      EXPECT_NEAR(now[i][j], then[i][j], of_draws ? 6e-3 : 1e-12 * (1 + std::abs(then[i][j])))
          << "row " << i << " column " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OldModel,
                         ::testing::Values(Fixture{"regression", {"--interval", "0.9"}},
                                           Fixture{"regression-variational", {"--interval", "0.9"}},
                                           Fixture{"regression-nystrom", {"--interval", "0.9"}},
                                           Fixture{"calibrator", {}, 1, 2},
                                           Fixture{"class-calibrator", {}, 4, 9}, Fixture{"classifier", {}},
                                           Fixture{"classifier-two", {"--interval", "0.9"}}));

TEST(OldModel, OfALearnedLossShowsWhatItShowed) {
  const auto now = nlohmann::json::parse(run_well({"show", "--json", fixtures + "/learned-loss.json"}));
  const auto then = nlohmann::json::parse(text_of(fixtures + "/learned-loss-shown.json"));
  for (const auto& [key, value] : then.items()) EXPECT_EQ(now.at(key), value) << key;
}

}  // namespace
}  // namespace linkgistic
