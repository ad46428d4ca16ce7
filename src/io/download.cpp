#include "io/download.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>
#include <thread>

#include <linkgistic/error.hpp>

#include "io/child_process.hpp"
#include "io/sha256.hpp"

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

constexpr int no_ranges = 33;     // the server cannot resume
constexpr int bad_resume = 36;    // nor can this file be
constexpr int nothing_left = 22;  // with --fail: an HTTP error, 416 when the part is whole already

int run_curl(const Download& what, const std::string& part, const DownloadWatch& watch) {
  auto curl = ChildProcess::start({"curl", "--silent", "--fail", "--location", "--connect-timeout", "20",
                                   "--speed-time", "60", "--speed-limit", "100", "--retry", "2",
                                   "--continue-at", "-", "--output", part, "--url", what.url});
  if (!curl) throw InputError("the program curl is not installed; it does the downloads");
  while (true) {
    if (const auto status = curl->ended()) return *status;
    if (watch.stop && watch.stop()) throw Interrupted();
    if (watch.progress) watch.progress(size_of(part));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

// Exit status of curl in words: the ones that a user meets.
std::string reason(int status) {
  static const std::map<int, const char*> words{
      {5, "the address of the server cannot be found: is this machine offline?"},
      {6, "the address of the server cannot be found: is this machine offline?"},
      {7, "no connection to the server: is this machine offline?"},
      {22, "the server has no such file, or refuses it"},
      {23, "the file cannot be written"},
      {28, "the server does not answer: is this machine offline?"},
      {35, "no secure connection to the server"},
      {37, "there is no such file"},
      {60, "no secure connection to the server"}};
  const auto it = words.find(status);
  return it != words.end() ? it->second : "curl ended with status " + std::to_string(status);
}

}  // namespace

void download(const Download& what, const DownloadWatch& watch) {
  const std::string part = what.path + ".part";
  if (size_of(part) > what.bytes) fs::remove(part);
  if (size_of(part) < what.bytes) {
    int status = run_curl(what, part, watch);
    if (status == no_ranges || status == bad_resume || (status == nothing_left && size_of(part) > 0)) {
      fs::remove(part);
      status = run_curl(what, part, watch);
    }
    if (status != 0) throw InputError(what.url + ": " + reason(status));
  }
  if (watch.progress) watch.progress(size_of(part));
  if (size_of(part) != what.bytes || sha256_of_file(part) != what.sha256) {
    fs::remove(part);
    throw InputError(what.url + ": what came is not the published file (its SHA-256 is not " + what.sha256 +
                     ")");
  }
  std::error_code error;
  fs::rename(part, what.path, error);
  if (error) throw InputError(what.path + ": cannot be written: " + error.message());
}

}  // namespace linkgistic
