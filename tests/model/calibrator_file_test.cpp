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

TEST(CalibratorFile, HasTheDrawsOfTheBandsOnceTheyAreMade) {
  const ScoredRows rows = scored_rows(60, bent);
  const std::vector<double> at{-2, 0, 3};
  for (const Inference inference : {Inference::laplace, Inference::mcmc}) {
    const auto fitted =
        MonotoneCalibrator({.harmonics = 3, .inference = inference}).fit(rows.score, rows.label);
    EXPECT_FALSE(json::parse(fitted.to_json()).contains("bands"));
    const std::string words = fitted.posterior();
    json j = json::parse(fitted.to_json());
    const auto back = FittedMonotoneCalibrator::from_json(j.dump(), "memory");
    EXPECT_EQ(back.to_json(), fitted.to_json());
    EXPECT_EQ(back.posterior(), words);
    EXPECT_EQ(back.predict(at).lower, fitted.predict(at).lower);
    // Bands are of the draws of the file: where all are alike, from that draw to the point.
    for (json& draw : j["bands"]["draws"]) draw = j["bands"]["draws"][0];
    const CalibratedScores one = FittedMonotoneCalibrator::from_json(j.dump(), "memory").predict(at);
    for (std::size_t i = 0; i < at.size(); ++i) {
      EXPECT_TRUE(one.lower[i] == one.probability[i] || one.upper[i] == one.probability[i]) << i;
    }
  }
}

TEST(CalibratorFile, DamagedFilesAreRefusedWithTheirName) {
  const ScoredRows rows = scored_rows(50, bent);
  const auto fitted = MonotoneCalibrator({.harmonics = 3}).fit(rows.score, rows.label);
  (void)fitted.posterior();
  const std::string text = fitted.to_json();
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
  refused([](json& j) { j["bands"]["draws"].erase(0); });
  refused([](json& j) { j["bands"]["draws"][0].erase(0); });
  refused([](json& j) { j["bands"]["draws"][0][0] = nullptr; });
  refused([](json& j) { j["bands"].erase("chains"); });
  refused([](json& j) { j["options"]["loss"] = "no such loss"; });
}

}  // namespace
}  // namespace linkgistic
