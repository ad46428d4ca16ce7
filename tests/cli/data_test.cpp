// data: list, fetch and path.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

class DataVerb : public testing::Test {
 protected:
  void SetUp() override { ::setenv("LINKGISTIC_DATA", folder_.file("sets").c_str(), 1); }
  void TearDown() override { ::unsetenv("LINKGISTIC_DATA"); }
  TemporaryFolder folder_;
};

TEST_F(DataVerb, PathIsTheFolderOfTheEnvironment) {
  EXPECT_EQ(run_well({"data", "path"}), folder_.file("sets") + "\n");
  EXPECT_EQ(run_well({"data", "path", "mnist"}), folder_.file("sets/mnist") + "\n");
  ::unsetenv("LINKGISTIC_DATA");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(run_well({"data", "path"}), "/cache/linkgistic\n");
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(DataVerb, FetchWritesTheEmbeddedSetAndListCountsIt) {
  EXPECT_NE(run_well({"data", "list"}).find("auto-mpg  0 of 1"), std::string::npos);
  run_well({"data", "fetch", "auto-mpg", "--quiet"});
  EXPECT_EQ(read_text(folder_.file("sets/auto-mpg/auto-mpg.csv")).size(), 20391U);
  EXPECT_NE(run_well({"data", "list"}).find("auto-mpg  1 of 1"), std::string::npos);
}

TEST_F(DataVerb, OfflineIsSaidWithThePlaceForTheFile) {
  const ChildResult result = run_program({"data", "fetch", "kmnist", "--mirror", "http://127.0.0.1:1"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("offline"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("sets/kmnist/train-images-idx3-ubyte.gz"), std::string::npos) << result.errors;
}

TEST_F(DataVerb, AMirrorWithTheWrongFileIsRefused) {
  std::filesystem::create_directories(folder_.file("mirror/mnist"));
  write_text(folder_.file("mirror/mnist/train-images-idx3-ubyte.gz"), "not it");
  const ChildResult result =
      run_program({"data", "fetch", "mnist", "--mirror", "file://" + folder_.file("mirror")});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("SHA-256"), std::string::npos) << result.errors;
}

TEST_F(DataVerb, AnUnknownSetIsAnsweredWithTheNames) {
  const ChildResult result = run_program({"data", "fetch", "cifar"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("auto-mpg, mnist, fmnist, kmnist"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace linkgistic
