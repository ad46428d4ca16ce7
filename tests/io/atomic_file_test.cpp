// A file that appears whole or not at all.
#include "io/atomic_file.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "table/files.hpp"

namespace linkgistic {
namespace {

TEST(AtomicFile, WritesANewFileAndReplacesAnOldOne) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  write_atomically(path, "one");
  EXPECT_EQ(read_text(path), "one");
  write_atomically(path, std::string(1 << 20, 'x'));
  EXPECT_EQ(read_text(path), std::string(1 << 20, 'x'));
  EXPECT_EQ(folder.count(), 1U);
}

TEST(AtomicFile, WithoutCommitTheOldFileStaysAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = write_text(folder.file("model.json"), "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(folder.count(), 2U);
    EXPECT_EQ(read_text(path), "old");
  }
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(folder.count(), 1U);
}

// A process number above the system's greatest is that of no process.
TEST(AtomicFile, RemovesWhatAKilledProcessLeft) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  write_text(path + ".tmp-99999999-0", "torn");
  write_text(path + ".tmp-mine", "of someone else");
  write_text(folder.file("other.json.tmp-99999999-0"), "of another file");
  write_atomically(path, "new");
  EXPECT_FALSE(std::filesystem::exists(path + ".tmp-99999999-0"));
  EXPECT_EQ(folder.count(), 3U);
}

TEST(AtomicFile, TheTemporariesOfAProcessCanBeRemovedAtOnce) {
  const TemporaryFolder folder;
  const std::string path = write_text(folder.file("model.json"), "old");
  AtomicFile file(path);
  file.write("new");
  remove_temporaries();
  EXPECT_EQ(folder.count(), 1U);
  EXPECT_EQ(read_text(path), "old");
}

TEST(AtomicFile, KeepsLinksAndPermissions) {
  const TemporaryFolder folder;
  const std::string path = write_text(folder.file("real"), "old");
  const auto mode = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(path, mode);
  std::filesystem::create_symlink("real", folder.file("link"));
  write_atomically(folder.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(read_text(path), "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), mode);
}

TEST(AtomicFile, FailureNamesThePathAndTheReasonAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string nowhere = folder.file("no/such/model.json");
  EXPECT_EQ(input_error([&] { write_atomically(nowhere, "x"); }),
            nowhere + ": cannot write: No such file or directory");
  EXPECT_EQ(input_error([&] { write_atomically(folder.file(""), "x"); }),
            folder.file("") + ": cannot write: is a folder");
  EXPECT_EQ(input_error([&] { write_atomically("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(folder.count(), 0U);
}

TEST(AtomicFile, ADeviceIsWrittenDirectlyAndStaysADevice) {
  write_atomically("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace linkgistic
