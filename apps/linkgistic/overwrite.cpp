#include "overwrite.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "io/file_list.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr std::string_view outputs[] = {"output", "model", "figure", "checkpoint"};
constexpr std::string_view inputs[] = {"train", "labels", "test-labels"};

bool is_one_of(const CLI::Option& option, const auto& names) {
  const auto& own = option.get_lnames();
  return std::any_of(own.begin(), own.end(), [&](const std::string& name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  });
}

// A regular file that there is; "-" is standard input, which may be one.
struct File {
  std::string option, path;
  struct stat status {};

  [[nodiscard]] bool is_there() {
    const bool found = path == "-" ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(path.c_str(), &status) == 0;
    return found && S_ISREG(status.st_mode);
  }
  [[nodiscard]] bool is(const File& other) const {
    return status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino;
  }
};

// What cannot be listed is left to the verb, which says so when it opens it.
std::vector<std::string> listed(const std::string& path) {
  try {
    return files_of(path);
  } catch (const InputError&) {
    return {};
  }
}

std::vector<File> files_read(const CLI::App& verb) {
  std::vector<File> files;
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional() && !is_one_of(*option, inputs)) continue;
    for (const std::string& given : option->results())
      for (const std::string& path : listed(given))
        if (File file{option->get_name(), path}; file.is_there()) files.push_back(file);
  }
  return files;
}

}  // namespace

void refuse_overwriting(const CLI::App& verb) {
  const std::vector<File> read = files_read(verb);
  for (const CLI::Option* option : verb.get_options()) {
    if (!is_one_of(*option, outputs) || option->get_positional()) continue;
    for (const std::string& path : option->results()) {
      File output{option->get_name(), path};
      if (path == "-" || !output.is_there()) continue;
      for (const File& input : read) {
        if (!output.is(input)) continue;
        throw UsageError(output.option + " " + in_quotes(path) + " is the file that is read as " +
                         (input.path == "-" ? "standard input" : in_quotes(input.path)) + " (" +
                         input.option + "): choose another name, nothing is written over an input");
      }
    }
  }
}

}  // namespace linkgistic
