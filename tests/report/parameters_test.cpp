#include <set>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/parameters.hpp>

namespace linkgistic {
namespace {

TEST(Parameters, HaveTheirOwnNamesAndSentencesThatSuitProgramAndPython) {
  for (const auto* table : {&classifier_parameters(), &regression_parameters(), &calibrator_parameters()}) {
    std::set<std::string> names;
    for (const Parameter& p : *table) {
      SCOPED_TRACE(p.name);
      EXPECT_TRUE(names.insert(p.name).second);
      EXPECT_FALSE(p.type.empty());
      EXPECT_EQ(p.text.back(), '.');
      for (const char* word : {"--", "None", "True", "`"})
        EXPECT_EQ(p.text.find(word), std::string::npos) << word;
    }
  }
}

TEST(Parameters, AreFoundByName) {
  EXPECT_NE(parameter_text(classifier_parameters(), "l2").find("cross-validation"), std::string::npos);
  EXPECT_THROW((void)parameter_text(regression_parameters(), "l2"), UsageError);
}

}  // namespace
}  // namespace linkgistic
