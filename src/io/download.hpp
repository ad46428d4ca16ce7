// Downloads a file with the program curl. A download resumes where it was interrupted, and its checksum is
// verified; the file appears complete or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace linkgistic {

struct Download {
  std::string url;
  std::string path;  // its folder is there
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct DownloadWatch {
  std::function<void(std::uint64_t)> progress;  // bytes so far, about ten times a second
  std::function<bool()> stop;                   // true ends it with Interrupted; what came so far is kept
};

/// Collects the file in path + ".part", from which a later call resumes, and gives it its name when size and
/// SHA-256 are right; a part with a wrong sum is removed. Throws an InputError with the reason: no curl, no
/// connection, no such file, wrong sum.
void download(const Download& what, const DownloadWatch& watch = {});

}  // namespace linkgistic
