#include "engine/answer_log.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

struct Refused {};
void refuse(const std::string&) { throw Refused(); }

class AnswerLogTest : public ::testing::Test {
 protected:
  std::string path = ::testing::TempDir() + "answers-" + std::to_string(::getpid()) + ".log";
  void SetUp() override { std::filesystem::remove(path); }
  void TearDown() override { std::filesystem::remove(path); }

  [[nodiscard]] AnswerLog open(const std::string& head = "head", std::uint64_t most = 1 << 20) const {
    return {path, head, refuse, most};
  }
  // Asks 0 .. count-1; how many of them were worked on.
  static int ask(AnswerLog& log, int count, const std::string& prefix = "") {
    int worked = 0;
    for (int i = 0; i < count; ++i) {
      const std::string answer = log.recall(prefix + std::to_string(i), [&] {
        ++worked;
        return std::string(static_cast<std::size_t>(i), 'a');
      });
      EXPECT_EQ(answer, std::string(static_cast<std::size_t>(i), 'a'));
    }
    return worked;
  }
  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(AnswerLogTest, AnswersAreWorkedOutOnce) {
  {
    AnswerLog log = open();
    EXPECT_EQ(ask(log, 5), 5);
  }
  AnswerLog again = open();
  EXPECT_EQ(ask(again, 8), 3);
  AnswerLog third = open();
  EXPECT_EQ(ask(third, 8), 0);
}

TEST_F(AnswerLogTest, IsItsOwnersAloneAndNoLink) {
  namespace fs = std::filesystem;
  const std::string target = path + ".target";
  std::ofstream(target) << "kept";
  fs::create_symlink(target, path);
  EXPECT_THROW((void)open(), InputError);
  EXPECT_EQ(fs::file_size(target), 4U);
  fs::remove(path);
  fs::remove(target);
  // Nor a link to nowhere, which would make a file there.
  fs::create_symlink(target, path);
  EXPECT_THROW((void)open(), InputError);
  EXPECT_FALSE(fs::exists(target));
  fs::remove(path);
  { (void)open(); }
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AnswerLogTest, ALogThatEndsAnywhereIsUsedUpToItsLastWholeRecord) {
  {
    AnswerLog log = open();
    ask(log, 6);
  }
  const std::string whole = bytes();
  int fewest = 6;
  for (std::size_t size = whole.size(); size > 60; --size) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(whole.data(), static_cast<std::streamsize>(size));
    AnswerLog torn = open();
    const int worked = ask(torn, 6);
    fewest = std::min(fewest, worked);
    EXPECT_EQ(bytes(), whole) << size;
  }
  EXPECT_EQ(fewest, 0);
}

// The file is made whole, so that no process leaves one that ends in its head.
TEST_F(AnswerLogTest, ALogThatEndsInItsHeadIsRefusedAndLeftAlone) {
  { const AnswerLog log = open(); }
  const std::string head = bytes();
  for (std::size_t size = 0; size < head.size(); ++size) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << head.substr(0, size);
    EXPECT_THROW((void)open(), InputError) << size;
    EXPECT_EQ(bytes(), head.substr(0, size));
  }
}

TEST_F(AnswerLogTest, ARecordWithAChangedByteIsDroppedWithAllThatFollow) {
  {
    AnswerLog log = open();
    ask(log, 6);
  }
  std::string changed = bytes();
  changed[changed.size() - 2] ^= 1;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
  AnswerLog log = open();
  EXPECT_EQ(ask(log, 6), 1);
}

TEST_F(AnswerLogTest, QuestionsMayComeInAnyOrderAndFromSeveralThreads) {
  const auto ask_all = [](AnswerLog& log, int threads) {
    std::atomic<int> worked = 0;
    parallel_for(200, threads, [&](std::size_t i) {
      const std::size_t number = i * 7 % 200 / 2;  // each of them twice
      EXPECT_EQ(log.recall(std::to_string(number),
                           [&] {
                             ++worked;
                             return std::string(number, 'b');
                           }),
                std::string(number, 'b'));
    });
    return worked.load();
  };
  {
    AnswerLog log = open();
    EXPECT_EQ(ask_all(log, 4), 200);
  }
  AnswerLog again = open();
  EXPECT_EQ(ask(again, 3, "other "), 3);
  EXPECT_EQ(ask_all(again, 3), 0);
  AnswerLog third = open();
  EXPECT_EQ(ask_all(third, 1), 0);
  EXPECT_EQ(ask(third, 3, "other "), 0);
}

TEST_F(AnswerLogTest, OneOfSomethingElseIsRefusedAndLeftAlone) {
  {
    AnswerLog log = open();
    ask(log, 3);
  }
  const std::string before = bytes();
  EXPECT_THROW((void)open("another head"), Refused);
  EXPECT_EQ(bytes(), before);
  std::ofstream(path, std::ios::trunc) << "a diary, say";
  EXPECT_THROW((void)open(), InputError);
}

TEST_F(AnswerLogTest, StaysBelowItsBound) {
  {
    AnswerLog log = open("head", 400);
    ask(log, 60);
  }
  EXPECT_LE(std::filesystem::file_size(path), 400U);
  AnswerLog again = open("head", 400);
  const int worked = ask(again, 60);
  EXPECT_GT(worked, 40);
  EXPECT_LT(worked, 60);
}

}  // namespace
}  // namespace linkgistic
