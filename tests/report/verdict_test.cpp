// The first sentences of a report say which way a difference goes, and whether there is one.
#include "report/verdict.hpp"

#include <gtest/gtest.h>

#include "report/figures.hpp"
#include "report/page.hpp"

namespace linkgistic {
namespace {

TEST(Verdict, SaysWhichLossIsLower) {
  EXPECT_EQ(comparison_words("log loss", {0.43, 0.45, -0.02, -0.03, -0.01}, "logistic regression"),
            "log loss 0.43 against 0.45 of logistic regression, lower by 0.02 (90 % interval 0.01 to 0.03)");
  EXPECT_EQ(comparison_words("log loss", {0.45, 0.43, 0.02, 0.01, 0.03}, "logistic regression"),
            "log loss 0.45 against 0.43 of logistic regression, higher by 0.02 (90 % interval 0.01 to 0.03)");
  EXPECT_EQ(comparison_words("log loss", {0.45, 0.43, 0.02, -0.01, 0.05}, "logistic regression"),
            "log loss 0.45 against 0.43 of logistic regression, no clear difference");
  EXPECT_EQ(comparison_words("rmse", {4, 9, -5, -6, -4}, "a straight line", true),
            "rmse 2 against 3 of a straight line, lower");
}

TEST(Verdict, SaysWhetherProbabilitiesHold) {
  EXPECT_EQ(calibration_words({300, 0.01, 0.43, 0.435}, 0.02),
            "the probabilities are calibrated as far as 300 rows can tell (expected calibration error 0.02): "
            "of labels "
            "drawn from them 43 % look as far off or farther");
  EXPECT_EQ(calibration_words({300, 0.01, 0, 0.005}, 0.12),
            "the probabilities are not calibrated (expected calibration error 0.12): of labels drawn from "
            "them none "
            "looks as far off in 300 rows");
}

// 1.96 sqrt(0.09 / 100) = 0.0588.
TEST(Verdict, SaysWhetherTheBandHoldsItsShare) {
  EXPECT_NE(coverage_words(0.85, 100).find("as they should"), std::string::npos);
  EXPECT_NE(coverage_words(0.84, 100).find("too narrow"), std::string::npos);
  EXPECT_NE(coverage_words(0.96, 100).find("too wide"), std::string::npos);
  EXPECT_NE(coverage_words(0.96, 100, true).find("as they should"), std::string::npos);
  EXPECT_NE(coverage_words(0.84, 100, true).find("too narrow"), std::string::npos);
}

TEST(Page, ShowsTheVerdictAboveAndFoldsWhatIsFolded) {
  Page page{"title", "subtitle", {{"first", {Paragraph{"one"}}}, {"second", {Paragraph{"two"}}, true}}};
  page.verdict = "the <verdict>";
  page.warnings = {"a & b"};
  const std::string text = html(page);
  EXPECT_LT(text.find("the &lt;verdict&gt;"), text.find("<nav"));
  EXPECT_LT(text.find("a &amp; b"), text.find("<nav"));
  EXPECT_EQ(count(text, "<details>"), 1U);
  EXPECT_LT(text.find("one"), text.find("<details>"));
  EXPECT_GT(text.find("two"), text.find("<details>"));
}

// What a page holds is not written into its script.
TEST(Page, HasTheSameScriptWhateverItShows) {
  const auto script = [](const std::string& name) {
    const std::string text = html({name, name, {{name, {Picture{full_figure(), name, name}}}}});
    const std::size_t begin = text.find("<script>");
    return text.substr(begin, text.find("</script>", begin) - begin);
  };
  EXPECT_EQ(script("plain"), script("</script><script>"));
  EXPECT_GT(script("plain").size(), 1000U);
  EXPECT_EQ(count(html({"</script>", "", {}}), "</script>"), 1U);
}

}  // namespace
}  // namespace linkgistic
