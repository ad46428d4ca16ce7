#include "io/file_list.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <glob.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.front() == '.' || name.front() == '_' || is_folder(entry->path())) continue;
    files.push_back(entry->path().string());
  }
  if (error) throw InputError(folder + ": cannot read the folder: " + error.message());
  if (files.empty()) throw InputError(folder + ": is a folder without files");
  return files;
}

std::vector<std::string> matches_of(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> files;
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  for (std::size_t i = 0; status == 0 && i < found.gl_pathc; ++i)
    if (!is_folder(found.gl_pathv[i])) files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (status != 0 && status != GLOB_NOMATCH) throw InputError(pattern + ": cannot look for such files");
  if (files.empty()) throw InputError(pattern + ": no file has such a name");
  return files;
}

}  // namespace

std::vector<std::string> files_of(const std::string& path) {
  std::error_code none;
  std::vector<std::string> files;
  if (path != "-" && is_folder(path)) {
    files = files_in(path);
  } else if (path != "-" && !fs::exists(path, none) && path.find_first_of("*?[") != path.npos) {
    files = matches_of(path);
  } else {
    return {path};
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace linkgistic
