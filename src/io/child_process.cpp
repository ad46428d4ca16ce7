#include "io/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <system_error>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

namespace linkgistic {

std::optional<ChildProcess> ChildProcess::start(std::vector<std::string> arguments,
                                                const ChildStreams& streams) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto redirect = [&actions](int file, int stream) {
    if (file >= 0) posix_spawn_file_actions_adddup2(&actions, file, stream);
  };
  redirect(streams.input, STDIN_FILENO);
  redirect(streams.output, STDOUT_FILENO);
  redirect(streams.errors, STDERR_FILENO);
  pid_t id = 0;
  const int error = posix_spawnp(&id, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return std::nullopt;
  if (error != 0)
    throw InputError("cannot run " + arguments[0] + ": " + std::generic_category().message(error));
  return ChildProcess(id);
}

ChildProcess::~ChildProcess() {
  if (id_ <= 0) return;
  kill(id_, SIGTERM);
  waitpid(id_, nullptr, 0);
}

std::optional<int> ChildProcess::status(bool wait) {
  int raw = 0;
  pid_t got = 0;
  do {
    got = waitpid(id_, &raw, wait ? 0 : WNOHANG);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return std::nullopt;
  id_ = 0;
  if (got < 0) throw InputError("cannot wait for a program: " + std::generic_category().message(errno));
  return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

}  // namespace linkgistic
