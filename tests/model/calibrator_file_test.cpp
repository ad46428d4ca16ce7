// Calibrators through their files.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "model/calibration_rows.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

TEST(CalibratorFile, PredictionsAreTheSameBitsAfterARoundTrip) {
  for (const PriorKind prior : {PriorKind::offset, PriorKind::isgp, PriorKind::gp}) {
    const ScoredRows rows = scored_rows(200, bent);
    const auto fitted = MonotoneCalibrator({.prior = prior})
                            .fit(rows.score, rows.label)
                            .with_columns({{"score", "s"}, {"label", "y"}, {"positive", "1"}});
    const std::string text = fitted.to_json();
    const auto back = FittedMonotoneCalibrator::from_json(text, "memory");
    EXPECT_EQ(back.to_json(), text);
    const std::vector<double> at{-30, -2, 0, 0.1, 3, 40};
    const CalibratedScores a = fitted.predict(at), b = back.predict(at);
    EXPECT_EQ(a.log_odds, b.log_odds);
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(back.columns().at("score"), "s");
  }
}

TEST(CalibratorFile, DamagedFilesAreRefusedWithTheirName) {
  const ScoredRows rows = scored_rows(50, bent);
  const std::string text = MonotoneCalibrator().fit(rows.score, rows.label).to_json();
  const auto refused = [&](const std::function<void(json&)>& damage) {
    json j = json::parse(text);
    damage(j);
    try {
      (void)FittedMonotoneCalibrator::from_json(j.dump(), "cal.json");
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find("cal.json"), 0U) << error.what();
    }
  };
  refused([](json& j) { j["kind"] = "monotone regression"; });
  refused([](json& j) { j["version"] = 99; });
  refused([](json& j) { j.erase("warp"); });
  refused([](json& j) { j["warp"]["knot"][3] = -1e9; });
  refused([](json& j) { j["components"][0]["mode"].erase(0); });
  refused([](json& j) { j["components"].erase(0); });
  refused([](json& j) { j["claims"][0]["weight"] = 2; });
  refused([](json& j) { j["length"] = 0; });
  refused([](json& j) { j["options"]["loss"] = "no such loss"; });
}

}  // namespace
}  // namespace linkgistic
