#include "report/figure/child_process.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw InputError(what + ": " + std::generic_category().message(error));
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, Close>;

TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) fail("cannot create a temporary file", errno);
  return file;
}

std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  if (std::ferror(file)) fail("cannot read a temporary file", errno);
  return text;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("cannot wait for a program", errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<ChildResult> run_child(std::vector<std::string> arguments, const std::string& input) {
  const TemporaryFile in = temporary_file(), out = temporary_file(), err = temporary_file();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    fail("cannot write a temporary file", errno);
  std::rewind(in.get());

  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err.get()), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return std::nullopt;
  if (error != 0) fail("cannot run " + arguments[0], error);
  const int status = wait_for(child);
  return ChildResult{status, content_of(out.get()), content_of(err.get())};
}

}  // namespace linkgistic
