#include "io/download.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "io/sha256.hpp"

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

class Child {
 public:
  explicit Child(std::vector<std::string> arguments) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int error = posix_spawnp(&id_, argv[0], nullptr, nullptr, argv.data(), environ);
    if (error == ENOENT)
      throw InputError("the program " + arguments[0] + " is not installed; it does the downloads");
    if (error != 0)
      throw InputError("cannot run " + arguments[0] + ": " + std::generic_category().message(error));
  }
  ~Child() {
    if (id_ <= 0) return;
    kill(id_, SIGTERM);
    waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Whether it has ended, and how.
  bool ended(int& status) {
    int raw = 0;
    const pid_t got = waitpid(id_, &raw, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    id_ = 0;
    status = got > 0 && WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
    return true;
  }

 private:
  pid_t id_ = 0;
};

constexpr int no_ranges = 33;     // the server cannot resume
constexpr int bad_resume = 36;    // nor can this file be
constexpr int nothing_left = 22;  // with --fail: an HTTP error, 416 when the part is whole already

int run_curl(const Download& what, const std::string& part, const DownloadWatch& watch) {
  Child curl({"curl", "--silent", "--fail", "--location", "--connect-timeout", "20", "--speed-time", "60",
              "--speed-limit", "100", "--retry", "2", "--continue-at", "-", "--output", part, what.url});
  int status = 0;
  while (!curl.ended(status)) {
    if (watch.stop && watch.stop()) throw Interrupted();
    if (watch.progress) watch.progress(size_of(part));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return status;
}

// Exit status of curl in words: the ones that a user meets.
std::string reason(int status) {
  switch (status) {
    case 5:
    case 6:
      return "the address of the server cannot be found: is this machine offline?";
    case 7:
      return "no connection to the server: is this machine offline?";
    case 22:
      return "the server has no such file, or refuses it";
    case 23:
      return "the file cannot be written";
    case 28:
      return "the server does not answer: is this machine offline?";
    case 35:
    case 60:
      return "no secure connection to the server";
    case 37:
      return "there is no such file";
    default:
      return "curl ended with status " + std::to_string(status);
  }
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
