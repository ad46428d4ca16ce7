// Sources of bytes: plain, gzip, pipes, and what cannot be read.
#include "io/byte_source.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "table/files.hpp"

namespace linkgistic {
namespace {

std::string drain(ByteSource& source, std::size_t step) {
  std::string all;
  std::string piece(step, '\0');
  for (;;) {
    const std::size_t got = source.read(piece);
    all.append(piece, 0, got);
    if (got < step) return all;
  }
}

std::string sample() {
  std::string text;
  for (int i = 0; text.size() < 300'000; ++i) text += std::to_string(i * i) + ",";
  return text;
}

// A pipe that holds `text` and is closed for writing; the caller closes the end that is returned.
int pipe_with(const std::string& text) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  return ends[0];
}

TEST(ByteSource, PlainAndGzipGiveTheSameBytesWhateverTheStep) {
  const TemporaryFolder folder;
  const std::string text = sample();
  const std::string plain = write_text(folder.file("a.csv"), text);
  const std::string packed = write_text(folder.file("packed-without-suffix"), gzipped(text));
  for (const std::string& path : {plain, packed}) {
    for (const std::size_t step : {7U, 4096U, 1U << 20}) {
      EXPECT_EQ(drain(*open_source(path), step), text) << path << " " << step;
    }
  }
}

TEST(ByteSource, RewindGivesTheSameBytesAgainFromTheMiddleAndFromTheEnd) {
  const TemporaryFolder folder;
  const std::string text = sample();
  write_text(folder.file("plain"), text);
  write_text(folder.file("packed"), gzipped(text));
  for (const char* name : {"plain", "packed"}) {
    const auto source = open_source(folder.file(name));
    std::string half(text.size() / 2, '\0');
    source->read(half);
    source->rewind();
    EXPECT_EQ(drain(*source, 1000), text);
    source->rewind();
    EXPECT_EQ(drain(*source, 1000), text);
  }
}

TEST(ByteSource, GzipMembersOneAfterTheOtherAreOneText) {
  EXPECT_EQ(drain(*memory_source("two.gz", gzipped("a,b\n") + gzipped("1,2\n")), 3), "a,b\n1,2\n");
}

TEST(ByteSource, AnEmptyGzipFileIsEmpty) { EXPECT_EQ(drain(*memory_source("e.gz", gzipped("")), 10), ""); }

TEST(ByteSource, TruncatedGzipIsNamedAtEveryLength) {
  const std::string packed = gzipped("x,y\n1,2\n3,4\n");
  for (std::size_t length = 2; length < packed.size(); ++length) {
    EXPECT_EQ(input_error([&] { drain(*memory_source("cars.csv.gz", packed.substr(0, length)), 100); }),
              "cars.csv.gz: gzip data end too early, the file is truncated")
        << length;
  }
  EXPECT_EQ(input_error([&] { drain(*memory_source("two.gz", packed + packed.substr(0, 15)), 100); }),
            "two.gz: gzip data end too early, the file is truncated");
}

TEST(ByteSource, DamagedGzipIsNamed) {
  std::string packed = gzipped(sample());
  packed[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_EQ(input_error([&] { drain(*memory_source("cars.csv.gz", packed), 1000); }),
            "cars.csv.gz: damaged gzip data: incorrect data check");
  EXPECT_EQ(input_error([&] { drain(*memory_source("b.gz", gzipped("a") + "junk"), 1000); }),
            "b.gz: damaged gzip data: incorrect header check");
}

TEST(ByteSource, WhatCannotBeReadIsNamedWithItsReason) {
  const TemporaryFolder folder;
  const std::string missing = folder.file("missing.csv");
  EXPECT_EQ(input_error([&] { open_source(missing); }), missing + ": cannot open: No such file or directory");
  EXPECT_EQ(input_error([&] { open_source(folder.file("")); }),
            folder.file("") + ": is a folder, not a file");
  // Address 0 of this process is not mapped: open succeeds, read does not.
  EXPECT_EQ(input_error([&] { open_source("/proc/self/mem"); }),
            "/proc/self/mem: cannot read: Input/output error");
}

TEST(ByteSource, StandardInputIsReadTwiceAndCalledStdin) {
  const int end = pipe_with(gzipped("x\n1\n"));
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(end, STDIN_FILENO);
  const auto source = open_source("-");
  if (saved >= 0) ::dup2(saved, STDIN_FILENO);
  EXPECT_EQ(source->name(), "stdin");
  EXPECT_EQ(drain(*source, 100), "x\n1\n");
  source->rewind();
  EXPECT_EQ(drain(*source, 100), "x\n1\n");
  ::close(end);
  ::close(saved);
}

TEST(ByteSource, APipeGivenAsAPathIsReadTwice) {
  const int end = pipe_with("x\n1\n");
  const auto source = open_source("/dev/fd/" + std::to_string(end));
  EXPECT_EQ(drain(*source, 2), "x\n1\n");
  source->rewind();
  EXPECT_EQ(drain(*source, 3), "x\n1\n");
  ::close(end);
}

}  // namespace
}  // namespace linkgistic
