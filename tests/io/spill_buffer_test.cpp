// Values in memory, and in a file without a name beyond the budget.
#include "io/spill_buffer.hpp"

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

#include "table/files.hpp"

namespace linkgistic {
namespace {

TEST(SpillBuffer, KeepsItsValuesWhileItGrowsAndMovesToAFile) {
  for (const std::size_t budget : {std::size_t{0}, std::size_t{100'000}, std::size_t{1} << 30}) {
    SpillBuffer<std::int32_t> buffer(budget);
    constexpr std::int32_t count = 300'000;
    for (std::int32_t i = 0; i < count; ++i) buffer.push_back(i * 7);
    EXPECT_EQ(buffer.in_file(), budget < count * sizeof(std::int32_t));
    SharedSpan<std::int32_t> values = buffer.share();
    ASSERT_EQ(values.size(), static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i * 7);
  }
}

TEST(SpillBuffer, OutlivesItselfInWhatItShares) {
  SharedSpan<float> values;
  {
    SpillBuffer<float> buffer(0);
    buffer.push_back(2.5F);
    values = buffer.share();
  }
  EXPECT_EQ(values[0], 2.5F);
}

TEST(SpillBuffer, GivesZerosWhereValuesWereForgotten) {
  SpillBuffer<std::uint8_t> buffer(0);
  std::fill_n(buffer.extend(10), 10, std::uint8_t{9});
  buffer.shrink(4);
  const std::uint8_t* const again = buffer.extend(2);
  EXPECT_EQ(again[0], 0);
  EXPECT_EQ(again[1], 0);
  EXPECT_EQ(buffer.size(), 6U);
}

TEST(SpillBuffer, LeavesNothingBehindAndSaysWhereItCannotWrite) {
  const TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", folder.file("").c_str(), 1);
  SpillBuffer<float> buffer(0);
  buffer.push_back(1);
  EXPECT_TRUE(buffer.in_file());
  EXPECT_EQ(folder.count(), 0U);
  ::setenv("TMPDIR", folder.file("nowhere").c_str(), 1);
  const std::string message = input_error([] { SpillBuffer<float>(0).push_back(1); });
  EXPECT_NE(message.find(folder.file("nowhere")), std::string::npos) << message;
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace linkgistic
