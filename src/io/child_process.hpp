// A program run without a shell.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace linkgistic {

/// Files that are a child's standard input, output and error; -1 leaves it the parent's.
struct ChildStreams {
  int input = -1, output = -1, errors = -1;
};

/// If the object is destroyed before the program ends, the program gets SIGTERM.
class ChildProcess {
 public:
  /// Starts the program arguments[0], looked for along PATH; empty if there is no such program, an InputError
  /// if the system refuses a process.
  static std::optional<ChildProcess> start(std::vector<std::string> arguments,
                                           const ChildStreams& streams = {});

  ChildProcess(ChildProcess&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// Exit status, or 128 + the signal that ended it; nothing while it runs.
  [[nodiscard]] std::optional<int> ended() { return status(false); }
  int wait() { return *status(true); }

 private:
  explicit ChildProcess(pid_t id) : id_(id) {}
  std::optional<int> status(bool wait);

  pid_t id_;
};

}  // namespace linkgistic
