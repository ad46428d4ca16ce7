// A program run to its end: text in, text out.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "io/child_process.hpp"

namespace linkgistic {

struct ChildResult {
  int status;  // exit status, or 128 + the signal that ended it
  std::string output;
  std::string errors;
};

/// Runs the program with `input` on its standard input; empty if there is no such program. The three streams
/// are unnamed temporary files, not pipes, so that neither a program that stops reading (SIGPIPE) nor a large
/// output (both sides waiting) can hurt.
inline std::optional<ChildResult> run_child(std::vector<std::string> arguments, const std::string& input) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using TemporaryFile = std::unique_ptr<std::FILE, Close>;
  const TemporaryFile in(std::tmpfile()), out(std::tmpfile()), err(std::tmpfile());
  if (!in || !out || !err) throw std::runtime_error("no temporary file");
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    throw std::runtime_error("cannot write a temporary file");
  std::rewind(in.get());
  const auto content_of = [](std::FILE* file) {
    std::rewind(file);
    std::string text;
    std::vector<char> buffer(1 << 16);
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file))
      text.append(buffer.data(), n);
    return text;
  };
  auto child =
      ChildProcess::start(std::move(arguments), {fileno(in.get()), fileno(out.get()), fileno(err.get())});
  if (!child) return std::nullopt;
  const int status = child->wait();
  return ChildResult{status, content_of(out.get()), content_of(err.get())};
}

}  // namespace linkgistic
