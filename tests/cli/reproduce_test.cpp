// reproduce: the page, its numbers, and that they come out again.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

TEST(Reproduce, GivesTheSameNumbersTwiceWithAnyNumberOfThreads) {
  const TemporaryFolder folder;
  for (const std::string threads : {"1", "2"}) {
    run_well({"reproduce", "figure-kernel", "figure-toy", "--quick", "--quiet", "--threads", threads, "-o",
              folder.file(threads)});
  }
  const std::string numbers = read_text(folder.file("1/numbers.json"));
  EXPECT_EQ(numbers, read_text(folder.file("2/numbers.json")));
  const auto json = nlohmann::json::parse(numbers);
  // sum_{m=1..8} 1.2^-m
  EXPECT_NEAR(json["figure-kernel"]["M16.sum"].get<double>(), 3.837159803193112, 1e-12);
  EXPECT_EQ(json["figure-toy"]["ISGP.fall"].get<double>(), 0);
  EXPECT_EQ(json["figure-toy"]["ISGP falls"].get<double>(), 0);
}

TEST(Reproduce, WritesAPageWithClaimsAndPicturesOfEveryKind) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_well({"reproduce", "figure-kernel", "--quick", "--quiet", "-o", folder.file("out")}),
            folder.file("out/index.html") + "\n");
  const std::string page = read_text(folder.file("out/index.html"));
  EXPECT_NE(page.find("Agrees: the corrected closed forms agree"), std::string::npos);
  EXPECT_NE(page.find("quick run"), std::string::npos);
  for (const char* name : {"figure-kernel-1.svg", "figure-kernel-1.png", "figure-kernel-1.pdf", "results.md"})
    EXPECT_GT(read_text(folder.file(std::string("out/") + name)).size(), 100U) << name;
}

TEST(Reproduce, ChecksStatementsAndSaysWhichPrintIsWrong) {
  const TemporaryFolder folder;
  run_well({"reproduce", "statements", "--quick", "--quiet", "-o", folder.file("out")});
  const auto json = nlohmann::json::parse(read_text(folder.file("out/numbers.json")))["statements"];
  EXPECT_LT(json["theorem prior mean"].get<double>(), json["theorem prior mean bound"].get<double>());
  EXPECT_GT(json["theorem prior mean planted"].get<double>(), json["theorem prior mean bound"].get<double>());
  const std::string results = read_text(folder.file("out/results.md"));
  EXPECT_NE(results.find("Differs: it holds when corrected"), std::string::npos);
  EXPECT_EQ(results.find("Differs: the check"), std::string::npos);
}

TEST(Reproduce, SaysHowToGetDataThatAreNotThere) {
  const TemporaryFolder folder;
  ::setenv("LINKGISTIC_DATA", folder.file("nothing").c_str(), 1);
  const ChildResult alone = run_program({"reproduce", "links", "--quick", "-o", folder.file("out")});
  EXPECT_EQ(alone.status, 1);
  EXPECT_NE(alone.errors.find("linkgistic data fetch fmnist"), std::string::npos) << alone.errors;
  run_well({"reproduce", "figure-kernel", "links", "--quick", "--quiet", "-o", folder.file("out")});
  ::unsetenv("LINKGISTIC_DATA");
  EXPECT_NE(read_text(folder.file("out/index.html")).find("linkgistic data fetch fmnist"), std::string::npos);
}

TEST(Reproduce, AnUnknownPartIsAnsweredWithTheParts) {
  const ChildResult result = run_program({"reproduce", "table3"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("table1, table2-mnist"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace linkgistic
