// The model file of a regression: exact round trips, and what is refused.
#include <cstdio>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "regression/regression_rows.hpp"

namespace linkgistic {
namespace {

TEST(RegressionFile, RoundTripsEveryVariantExactly) {
  const Rows rows = noisy_steps(50, 13);
  for (auto v : variants()) {
    SCOPED_TRACE(v.name);
    v.options.profiles = v.options.basis == BasisKind::trig;
    const auto model = fit(rows, v.options).with_columns({{"x", "dose, mg"}, {"y", "\"r\""}});
    const std::string text = model.to_json();
    const auto back = FittedMonotoneRegression::from_json(text, "memory");
    EXPECT_EQ(back.to_json(), text);
    EXPECT_EQ(back.columns(), model.columns());
    const Prediction p = model.predict(grid(-1, 11)), q = back.predict(grid(-1, 11));
    EXPECT_EQ(p.estimate, q.estimate);
    EXPECT_EQ(p.upper, q.upper);
    EXPECT_EQ(p.obs_lower, q.obs_lower);
    EXPECT_EQ(model.sample(rows.x, 2, 5), back.sample(rows.x, 2, 5));
  }
}

TEST(RegressionFile, IsSavedAndLoaded) {
  const auto model = fit(noisy_steps(30, 14));
  const std::string path = testing::TempDir() + "/linkgistic_regression.json";
  model.save(path);
  EXPECT_EQ(FittedMonotoneRegression::load(path).to_json(), model.to_json());
  std::remove(path.c_str());
}

TEST(RegressionFile, RefusesWhatIsDamaged) {
  const std::string text = fit(noisy_steps(30, 15)).to_json();
  const auto message = [](const std::string& damaged) -> std::string {
    try {
      (void)FittedMonotoneRegression::from_json(damaged, "m.json");
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string copy = text;
    const auto at = copy.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return copy.replace(at, from.size(), to);
  };
  EXPECT_EQ(message(text), "accepted");
  EXPECT_NE(message("").find("not JSON"), std::string::npos);
  EXPECT_NE(message(text.substr(0, text.size() / 2)).find("not JSON"), std::string::npos);
  EXPECT_NE(message("{}").find("not a linkgistic model file"), std::string::npos);
  EXPECT_NE(message("[1]").find("not a linkgistic model file"), std::string::npos);
  EXPECT_NE(message(replaced("\"version\": 1", "\"version\": 2")).find("version 2"), std::string::npos);
  EXPECT_NE(message(replaced("\"monotone regression\"", "\"something else\"")).find("something else"),
            std::string::npos);
  EXPECT_NE(message(replaced("\"theta\"", "\"thета\"")).find("damaged"), std::string::npos);
  EXPECT_NE(message(replaced("\"offset\"", "\"onset\"")).find("onset"), std::string::npos);
  EXPECT_NE(message(replaced("\"harmonics\": 16", "\"harmonics\": 12")).find("damaged"), std::string::npos);
  EXPECT_NE(message(replaced("\"x_half\"", "\"x_half\": 0, \"old\"")).find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace linkgistic
