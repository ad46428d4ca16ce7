// Files appear whole, keep their permissions, and failures leave nothing behind.
#include "data/atomic_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "linkgistic_atomic_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }
  fs::path folder_;
};

TEST_F(AtomicFile, WritesAllBytesAndNothingElse) {
  const std::string bytes("a\0b\n\xff", 5);
  write_atomically(folder_ / "out", bytes);
  EXPECT_EQ(content_of(folder_ / "out"), bytes);
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, ReplacesAFileAndKeepsItsPermissions) {
  write_atomically(folder_ / "out", "a long first content");
  fs::permissions(folder_ / "out", fs::perms::owner_read | fs::perms::owner_write);
  write_atomically(folder_ / "out", "second");
  EXPECT_EQ(content_of(folder_ / "out"), "second");
  EXPECT_EQ(fs::status(folder_ / "out").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, FollowsALink) {
  write_atomically(folder_ / "target", "first");
  fs::create_symlink("target", folder_ / "link");
  write_atomically(folder_ / "link", "second");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(content_of(folder_ / "target"), "second");
}

TEST_F(AtomicFile, NamesTheFileItCannotWrite) {
  for (const fs::path& path : {folder_ / "missing" / "out", folder_}) {
    try {
      write_atomically(path, "text");
      FAIL() << "must throw";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFile, WritesToADeviceDirectly) {
  write_atomically("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_atomically("/dev/full", "text"), InputError);
}

}  // namespace
}  // namespace linkgistic
