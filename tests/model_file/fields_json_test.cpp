// Options in model files: those of before load, what is absent has its default, and what is written is read.
#include "model_file/fields_json.hpp"

#include <gtest/gtest.h>

#include "calibration/options.hpp"
#include "classification/options.hpp"
#include "classification/summary.hpp"
#include "regression/options.hpp"
#include "regression/summary.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

// As the version wrote them that had no tables.
constexpr const char* regression_of_before =
    R"({"basis":"nystrom","curvature_floor":0.5,"direction":"decreasing","draws":700,"fixed":{"noise":4.0},
        "harmonics":7,"inference":"mcmc","origin":"shifted","prior":"isgp","seed":18446744073709551615})";
constexpr const char* classifier_of_before =
    R"({"balanced":false,"class_weights":{"p":2.5},"cross_fit":true,"cv":3,"draws":200,"em_iterations":4,
        "harmonics":9,"inference":"variational","l2":null,"learn_hyper":true,"loss":"log","prior":"gp",
        "samples":2,"seed":5,"standardize":"off","tolerance":0.001,"v":0.25})";
constexpr const char* calibrator_of_before =
    R"({"harmonics":5,"inference":"laplace","loss":"matsushita","prior":"gp","score_kind":"log_odds","seed":3})";

TEST(FieldsJson, OptionsOfBeforeAreRead) {
  const auto r = options_from_json<MonotoneRegressionOptions>(json::parse(regression_of_before));
  EXPECT_EQ(r.basis, BasisKind::nystrom);
  EXPECT_EQ(r.curvature_floor, 0.5);
  EXPECT_EQ(r.direction, Direction::decreasing);
  EXPECT_EQ(r.draws, 700);
  EXPECT_EQ(r.fixed, (std::map<std::string, double>{{"noise", 4.0}}));
  EXPECT_EQ(r.harmonics, 7);
  EXPECT_EQ(r.inference, Inference::mcmc);
  EXPECT_EQ(r.origin, Origin::shifted);
  EXPECT_EQ(r.prior, PriorKind::isgp);
  EXPECT_EQ(r.seed, 18446744073709551615U);

  const auto c = options_from_json<LinkgisticOptions>(json::parse(classifier_of_before));
  EXPECT_EQ(c.class_weights, (std::map<std::string, double>{{"p", 2.5}}));
  EXPECT_FALSE(c.balanced);
  EXPECT_EQ(c.cross_fit, std::optional(true));
  EXPECT_EQ(c.cv, 3);
  EXPECT_EQ(c.draws, 200);
  EXPECT_EQ(c.em_iterations, 4);
  EXPECT_EQ(c.harmonics, 9);
  EXPECT_EQ(c.inference, Inference::variational);
  EXPECT_EQ(c.l2, std::nullopt);
  EXPECT_TRUE(c.learn_hyper);
  EXPECT_EQ(c.prior, LinkPrior::gp);
  EXPECT_EQ(c.samples, 2);
  EXPECT_EQ(c.seed, 5U);
  EXPECT_EQ(c.standardize, Standardize::off);
  EXPECT_EQ(c.tolerance, 0.001);
  EXPECT_EQ(c.v, std::optional(0.25));

  const auto k = options_from_json<CalibratorOptions>(json::parse(calibrator_of_before));
  EXPECT_EQ(k.harmonics, 5);
  EXPECT_EQ(k.inference, Inference::laplace);
  EXPECT_EQ(k.loss, "matsushita");
  EXPECT_EQ(k.prior, PriorKind::gp);
  EXPECT_EQ(k.score_kind, ScoreKind::log_odds);
  EXPECT_EQ(k.seed, 3U);
}

TEST(FieldsJson, WhatIsReadIsWritten) {
  const auto again = [](const auto& options, const char* text) {
    json expected = json::parse(text);
    each_field(options, [&](const auto& f, const auto& value) {  // what came later has its default
      if (f.in_file && f.came_later && !is_left_out(f, value) && !expected.contains(f.name))
        expected[f.name] = field_json::to_json(f, value);
    });
    EXPECT_EQ(fields_to_json(options), expected);
  };
  again(options_from_json<MonotoneRegressionOptions>(json::parse(regression_of_before)),
        regression_of_before);
  again(options_from_json<LinkgisticOptions>(json::parse(classifier_of_before)), classifier_of_before);
  again(options_from_json<CalibratorOptions>(json::parse(calibrator_of_before)), calibrator_of_before);
}

TEST(FieldsJson, WhatCameLaterHasItsDefaultAndAllElseIsNamed) {
  json j = json::parse(classifier_of_before);
  EXPECT_EQ(options_from_json<LinkgisticOptions>(j).max_passes, LinkgisticOptions().max_passes);
  j.erase("harmonics");
  try {
    (void)options_from_json<LinkgisticOptions>(j);
    ADD_FAILURE() << "accepted";
  } catch (const json::exception& e) {
    EXPECT_NE(std::string(e.what()).find("key 'harmonics' not found"), std::string::npos) << e.what();
  }
}

TEST(FieldsJson, OptionsThatCannotBeAreRefused) {
  const auto with = [](const char* name, const json& value) {
    json j = json::parse(classifier_of_before);
    j[name] = value;
    return options_from_json<LinkgisticOptions>(j);
  };
  EXPECT_THROW((void)with("harmonics", 65), UsageError);
  EXPECT_THROW((void)with("prior", "best"), InputError);
  EXPECT_THROW((void)with("cv", "many"), InputError);
  EXPECT_THROW((void)with("cv", 2.5), InputError);
}

TEST(FieldsJson, ASummaryHasListsOfStructsAndWordsForATruthValue) {
  RegressionSummary s;
  s.rows = 3;
  s.decreasing = true;
  s.hyper_parameters = {{"noise", 0.5, true}, {"v", 0.25, false}};
  s.trace = {1.5, std::nan("")};
  s.seconds_data = 7;
  const json j = json::parse(fields_to_json(s).dump());
  EXPECT_EQ(j["direction"], "decreasing");
  EXPECT_EQ(j["hyper_parameters"][1], json::parse(R"({"name":"v","value":0.25,"learned":false})"));
  EXPECT_FALSE(j.contains("seconds_data"));
  EXPECT_EQ(fields_to_json(s, true)["seconds_data"], 7);
  RegressionSummary back;
  fields_from_json(j, back);
  EXPECT_EQ(back.rows, 3U);
  EXPECT_TRUE(back.decreasing);
  ASSERT_EQ(back.hyper_parameters.size(), 2U);
  EXPECT_EQ(back.hyper_parameters[0].name, "noise");
  EXPECT_TRUE(back.hyper_parameters[0].learned);
  ASSERT_EQ(back.trace.size(), 2U);
  EXPECT_TRUE(std::isnan(back.trace[1]));
}

template <class Options>
std::string refusal(const Options& options) {
  try {
    options.validate();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionsValidate, TellsNameValueAndConstraint) {
  const auto regression = [](auto member, auto value) {
    MonotoneRegressionOptions o;
    o.*member = value;
    return refusal(o);
  };
  const auto classifier = [](auto member, auto value) {
    LinkgisticOptions o;
    o.*member = value;
    return refusal(o);
  };
  using R = MonotoneRegressionOptions;
  using L = LinkgisticOptions;
  EXPECT_EQ(refusal(R()) + refusal(L()) + refusal(CalibratorOptions()) + refusal(ClassCalibratorOptions()),
            "");
  EXPECT_EQ(regression(&R::harmonics, 129), "harmonics = 129: it must be from 1 to 128");
  EXPECT_EQ(regression(&R::draws, 99), "draws = 99: it must be at least 100");
  EXPECT_EQ(regression(&R::threads, -1), "threads = -1: it must be 0 (all) or positive");
  EXPECT_EQ(regression(&R::curvature_floor, 0.0), "curvature_floor = 0: it must be in (0, 1]");
  EXPECT_EQ(regression(&R::curvature_floor, 1.0), "");
  EXPECT_EQ(regression(&R::curvature_floor, std::nan("")), "curvature_floor = nan: it must be in (0, 1]");
  EXPECT_EQ(regression(&R::fixed, std::map<std::string, double>{{"noise", -1}}),
            "fixed: noise = -1: it must be positive");
  EXPECT_EQ(classifier(&L::l2, -0.1), "l2 = -0.1: it must be finite and not negative");
  EXPECT_EQ(classifier(&L::l2, HUGE_VAL), "l2 = inf: it must be finite and not negative");
  EXPECT_EQ(classifier(&L::v, 1.0), "v = 1: it must be at least 0 and below 1");
  EXPECT_EQ(classifier(&L::v, 0.0), "");
  EXPECT_EQ(classifier(&L::em_iterations, -1), "em_iterations = -1: it must be at least 0");
  EXPECT_EQ(classifier(&L::tolerance, -1e-9), "tolerance = -1e-09: it must be at least 0");
  EXPECT_EQ(classifier(&L::cv, 1), "cv = 1: it must be at least 2");
  EXPECT_EQ(classifier(&L::class_weights, std::map<std::string, double>{{"p", 0}}),
            "class_weights: p = 0: it must be positive");
  ClassCalibratorOptions classes;
  classes.folds = 21;
  EXPECT_EQ(refusal(classes), "folds = 21: it must be from 2 to 20");
  classes.folds = 5;
  classes.map.harmonics = 65;
  EXPECT_EQ(refusal(classes), "harmonics = 65: it must be from 1 to 64");
}

}  // namespace
}  // namespace linkgistic
