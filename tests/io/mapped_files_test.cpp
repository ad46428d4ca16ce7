// Files that are mapped, by address, and when the bytes of a file are mapped.
#include "io/mapped_files.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "io/file_bytes.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

TEST(MappedFiles, AreKnownByTheirAddressesWhileTheyLive) {
  const TemporaryFolder folder;
  const std::string path = write_text(folder.file("bytes"), std::string(10000, 'x'));
  const std::uint8_t* first = nullptr;
  {
    const SharedSpan<std::uint8_t> bytes = map_file(path);
    first = bytes.data();
    EXPECT_EQ(bytes[9999], 'x');
    EXPECT_EQ(mapped_file_at(first), path);
    EXPECT_EQ(mapped_file_at(first + 9999), path);
    EXPECT_EQ(mapped_file_at(first + 10000), nullptr);
    EXPECT_EQ(mapped_file_at(&path), nullptr);
  }
  EXPECT_EQ(mapped_file_at(first), nullptr);
}

// What lies in a buffer stays when another program cuts the file.
TEST(MappedFiles, AFileWithinTheBudgetIsReadNotMapped) {
  const TemporaryFolder folder;
  const std::string path = write_text(folder.file("bytes"), std::string(10000, 'x'));
  const SharedSpan<std::uint8_t> read = read_file_bytes(path, 10000), mapped = read_file_bytes(path, 9999);
  EXPECT_EQ(mapped_file_at(read.data()), nullptr);
  EXPECT_EQ(mapped_file_at(mapped.data()), path);
  std::filesystem::resize_file(path, 0);
  EXPECT_EQ(read.size(), 10000U);
  EXPECT_EQ(read[9999], 'x');
}

}  // namespace
}  // namespace linkgistic
