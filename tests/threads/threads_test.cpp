// Models that several threads use at once, fits at the same time, and children of a process that has fitted.
#include <cstddef>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numeric/parallel.hpp"
#include "threads/models.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t eight = 8;

const ThreadedRows& rows() {
  static const ThreadedRows made;
  return made;
}

// work(i) on eight threads that begin together.
template <class Work>
void at_once(const Work& work) {
  std::latch start(eight);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < eight; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

template <class Product>
class Threads : public testing::Test {};
using Products = testing::Types<Regression, Calibration, ClassCalibration, Classification>;
TYPED_TEST_SUITE(Threads, Products);

// A model that was just read has made nothing of what it makes when it is first asked.
TYPED_TEST(Threads, EightThreadsAskOneModelAtOnce) {
  const auto fitted = TypeParam::fit(rows(), 2);
  const Answers expected = TypeParam::answers(fitted, rows());
  const auto read = TypeParam::Fitted::from_json(expected.text, "model");
  std::vector<Answers> answers(eight);
  at_once([&](std::size_t i) { answers[i] = TypeParam::answers(read, rows()); });
  for (const Answers& answer : answers) EXPECT_EQ(answer, expected);
}

TYPED_TEST(Threads, EightFitsAtOnceHaveTheBytesOfOne) {
  const Answers expected = TypeParam::answers(TypeParam::fit(rows(), 1), rows());
  std::vector<Answers> answers(eight);
  at_once([&](std::size_t i) {
    answers[i] = TypeParam::answers(TypeParam::fit(rows(), static_cast<int>(1 + i % 3)), rows());
  });
  for (const Answers& answer : answers) EXPECT_EQ(answer, expected);
}

// The child of a process that has threads has only the one that forked. It ends by itself, or by an alarm
// when it waits for the others.
TYPED_TEST(Threads, AChildFitsAndPredictsAfterItsParentDid) {
  const auto fitted = TypeParam::fit(rows(), 4);
  const Answers expected = TypeParam::answers(fitted, rows());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(250);
    const bool same = TypeParam::answers(fitted, rows()) == expected &&
                      TypeParam::answers(TypeParam::fit(rows(), 4), rows()) == expected;
    ::_exit(same ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(threads_were_lost());
}

}  // namespace
}  // namespace linkgistic
