// Calibrators through their files.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/calibration_rows.hpp"

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

// The error of a file without what `path` (keys from the outermost on) leads to; "" where there is none.
template <class Fitted>
std::string error_without(json j, const std::vector<const char*>& path) {
  json* at = &j;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) at = &at->at(path[k]);
  EXPECT_EQ(at->erase(path.back()), 1U) << path.back();
  try {
    (void)Fitted::from_json(j.dump(), "cal.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CalibratorFile, AMissingFieldIsNamedUnlessItMayBeMissing) {
  const ScoredRows rows = scored_rows(50, bent);
  const json j = json::parse(MonotoneCalibrator().fit(rows.score, rows.label).to_json());
  const std::vector<std::string> of_the_head{"format", "version", "kind", "library"};
  for (const auto& [name, value] : j.items()) {
    if (std::find(of_the_head.begin(), of_the_head.end(), name) != of_the_head.end()) continue;
    EXPECT_EQ(error_without<FittedMonotoneCalibrator>(j, {name.c_str()}),
              "cal.json: the model file is damaged: key '" + name + "' not found");
    if (!value.is_object()) continue;
    for (const auto& [inner, unused] : value.items()) {
      const std::string error = error_without<FittedMonotoneCalibrator>(j, {name.c_str(), inner.c_str()});
      const bool optional = name == "options" && inner == "seed";
      EXPECT_EQ(error, optional ? "" : "cal.json: the model file is damaged: key '" + inner + "' not found");
    }
  }
}

TEST(CalibratorFile, WithoutASeedItIsZero) {
  const ScoredRows rows = scored_rows(50, bent);
  const auto fitted = MonotoneCalibrator({.seed = 0}).fit(rows.score, rows.label);
  json j = json::parse(MonotoneCalibrator({.seed = 7}).fit(rows.score, rows.label).to_json());
  j.at("options").erase("seed");
  const auto old = FittedMonotoneCalibrator::from_json(j.dump(), "cal.json");
  EXPECT_EQ(old.options().seed, 0U);
  const std::vector<double> at{-2, 0, 0.1, 3};
  EXPECT_EQ(old.predict(at).lower, fitted.predict(at).lower);
  EXPECT_EQ(old.to_json(), fitted.to_json());
}

TEST(CalibratorFile, OfManyClassesMayLackWhatWasAddedLater) {
  const ScoredRows rows = scored_rows(60, bent);
  std::vector<double> scores;
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < rows.score.size(); ++n) {
    for (const double s : {rows.score[n], -rows.score[n], 0.5}) scores.push_back(s);
    labels.push_back(n % 5 == 0 ? 2 : rows.label[n]);
  }
  const auto fitted = ClassCalibrator({.map = {}, .maps = ClassMaps::one_vs_rest, .seed = 3})
                          .fit(scores, labels, {"a", "b", "c"});
  json j = json::parse(fitted.to_json());
  for (const char* key : {"rows", "score_kind", "maps", "one_vs_rest_loss", "shared_loss"}) {
    EXPECT_EQ(error_without<FittedClassCalibrator>(j, {"summary", key}),
              "cal.json: the model file is damaged: key '" + std::string(key) + "' not found");
  }
  for (const char* key : {"interrupted", "warnings"}) {
    EXPECT_EQ(error_without<FittedClassCalibrator>(j, {"summary", key}), "");
    j.at("summary").erase(key);
  }
  for (json& map : j.at("calibrators")) map.at("options").erase("seed");
  const auto old = FittedClassCalibrator::from_json(j.dump(), "cal.json");
  EXPECT_FALSE(old.summary().interrupted);
  EXPECT_TRUE(old.summary().warnings.empty());
  EXPECT_EQ(old.options().seed, 3U);
  EXPECT_EQ(old.predict(scores).probability, fitted.predict(scores).probability);
  j.at("calibrators")[1].erase("rows");
  EXPECT_THROW((void)FittedClassCalibrator::from_json(j.dump(), "cal.json"), InputError);
}

}  // namespace
}  // namespace linkgistic
