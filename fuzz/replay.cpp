// Runs a target on every file of a folder, without a fuzzer: replay TARGET FOLDER.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "target.hpp"

int main(int argc, char** argv) {
  using namespace linkgistic::fuzz;
  const auto target = std::find_if(targets().begin(), targets().end(), [&](const Target& t) {
    return argc == 3 && argv[1] == std::string(t.name);
  });
  if (target == targets().end()) {
    std::fprintf(stderr, "usage: replay TARGET FOLDER\n");
    return 2;
  }
  int accepted = 0, refused = 0;
  for (const auto& file : std::filesystem::directory_iterator(argv[2])) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    try {
      ++(accepts(*target, bytes) ? accepted : refused);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", file.path().c_str(), e.what());
      return 1;
    }
  }
  std::printf("%s: %d accepted, %d refused\n", target->name, accepted, refused);
  return accepted > 0 ? 0 : 1;  // a corpus without one right input tests nothing
}
