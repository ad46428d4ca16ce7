// SHA-256, the catalogue of data sets, and downloads from a server on this machine.
#include "io/download.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/data_sets.hpp"
#include "io/sha256.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

std::string sum(std::string_view text) {
  const TemporaryFolder folder;
  return sha256_of_file(write_text(folder.file("bytes"), text));
}

/// range_server.py in a folder, for as long as the object lives.
class Server {
 public:
  Server(const std::string& folder, const std::string& mode) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    id_ = ::fork();
    if (id_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      if (::chdir(folder.c_str()) != 0) ::_exit(127);
      ::execlp("python3", "python3", LINKGISTIC_RANGE_SERVER, mode.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    char letter = 0;
    while (::read(ends[0], &letter, 1) == 1 && letter != '\n') port_.push_back(letter);
    ::close(ends[0]);
  }
  ~Server() {
    ::kill(id_, SIGTERM);
    ::waitpid(id_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  [[nodiscard]] std::string url(const std::string& name) const {
    return "http://127.0.0.1:" + port_ + "/" + name;
  }

 private:
  pid_t id_ = 0;
  std::string port_;
};

const std::string content = [] {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + "\n";
  return text;
}();
// seq 0 19999 | sha256sum
constexpr const char* content_sum = "9f9b293cb7c2f95697d757b44ef7f4b2047ee102b065e9a5b52a9df53d219e7c";

Download wish(const std::string& url, const std::string& path) {
  return {url, path, content.size(), content_sum};
}

// FIPS 180-4's own examples, and a million letters.
TEST(Sha256, HasThePublishedSums) {
  EXPECT_EQ(sum(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sum(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, NamesAFileItCannotRead) {
  const std::string said = input_error([] { (void)sha256_of_file("/no/such/file"); });
  EXPECT_NE(said.find("/no/such/file"), std::string::npos) << said;
}

TEST(DataSets, HaveSumsOf64DigitsAndNamesOfTheirOwn) {
  for (const DataSet& set : data_sets()) {
    EXPECT_EQ(&data_set(set.name), &set);
    for (const DataFile& file : set.files) {
      EXPECT_EQ(file.sha256.size(), 64U) << file.name;
      EXPECT_EQ(file.sha256.find_first_not_of("0123456789abcdef"), std::string::npos) << file.name;
    }
  }
  EXPECT_THROW((void)data_set("mnist2"), UsageError);
}

TEST(Download, FetchesAFile) {
  const TemporaryFolder folder;
  write_text(folder.file("there"), content);
  const Server server(folder.file(""), "plain");
  std::uint64_t last = 0;
  download(wish(server.url("there"), folder.file("here")), {[&](std::uint64_t bytes) { last = bytes; }, {}});
  EXPECT_EQ(read_text(folder.file("here")), content);
  EXPECT_EQ(last, content.size());
  EXPECT_FALSE(std::filesystem::exists(folder.file("here.part")));
}

TEST(Download, GoesOnWhereItBrokeOff) {
  const TemporaryFolder folder;
  write_text(folder.file("there"), content);
  write_text(folder.file("here.part"), std::string_view(content).substr(0, 70001));
  const Server server(folder.file(""), "ranges");
  download(wish(server.url("there"), folder.file("here")));
  EXPECT_EQ(read_text(folder.file("here")), content);
  EXPECT_EQ(read_text(folder.file("ranges.log")), "70001\n");
}

TEST(Download, BeginsAgainWhereTheServerCannotResume) {
  const TemporaryFolder folder;
  write_text(folder.file("there"), content);
  write_text(folder.file("here.part"), std::string_view(content).substr(0, 70001));
  const Server server(folder.file(""), "plain");
  download(wish(server.url("there"), folder.file("here")));
  EXPECT_EQ(read_text(folder.file("here")), content);
}

TEST(Download, RefusesAFileWithAnotherSumAndKeepsNothingOfIt) {
  const TemporaryFolder folder;
  std::string other = content;
  other[5] = 'x';
  write_text(folder.file("there"), other);
  const std::string said =
      input_error([&] { download(wish("file://" + folder.file("there"), folder.file("here"))); });
  EXPECT_NE(said.find("SHA-256"), std::string::npos) << said;
  EXPECT_EQ(folder.count(), 1U);
}

TEST(Download, SaysThatTheMachineMayBeOffline) {
  const TemporaryFolder folder;
  const std::string said =
      input_error([&] { download(wish("http://127.0.0.1:1/there", folder.file("here"))); });
  EXPECT_NE(said.find("offline"), std::string::npos) << said;
}

TEST(Download, StopsWhenAskedAndKeepsWhatCame) {
  const TemporaryFolder folder;
  write_text(folder.file("here.part"), "1234");
  EXPECT_THROW(download(wish("http://127.0.0.1:1/there", folder.file("here")), {{}, [] { return true; }}),
               Interrupted);
  EXPECT_TRUE(std::filesystem::exists(folder.file("here.part")));
}

}  // namespace
}  // namespace linkgistic
