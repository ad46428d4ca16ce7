// Child processes: streams of any size, exit states, programs that are missing or do not read.
#include "io/child_process.hpp"

#include <gtest/gtest.h>

#include "io/run_child.hpp"

namespace linkgistic {
namespace {

TEST(ChildProcess, PassesLargeInputAndOutputWhole) {
  std::string text;
  for (int i = 0; text.size() < 8'000'000; ++i) text += std::to_string(i) + '\n';
  const auto result = run_child({"cat"}, text);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 0);
  EXPECT_TRUE(result->output == text);
}

TEST(ChildProcess, SurvivesAProgramThatDoesNotRead) {
  const auto result = run_child({"true"}, std::string(8'000'000, 'x'));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 0);
}

TEST(ChildProcess, TellsTheExitStatusAndTheWordsOfAFailure) {
  const auto result = run_child({"sh", "-c", "echo out; echo wrong >&2; exit 7"}, "");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 7);
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "wrong\n");
}

TEST(ChildProcess, TellsTheSignalThatEndedIt) {
  const auto result = run_child({"sh", "-c", "kill -9 $$"}, "");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 128 + 9);
}

TEST(ChildProcess, GivesArgumentsWithoutAShell) {
  const auto result = run_child({"printf", "%s|", "a b", "$HOME", "`ls`"}, "");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "a b|$HOME|`ls`|");
}

TEST(ChildProcess, IsEmptyForAProgramThatDoesNotExist) {
  EXPECT_FALSE(run_child({"linkgistic-no-such-program"}, ""));
}

TEST(ChildProcess, IsPolledWhileItRuns) {
  auto child = ChildProcess::start({"sleep", "600"});
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->ended());
}

}  // namespace
}  // namespace linkgistic
