// The entry points that libFuzzer calls: fuzz TARGET [libFuzzer's options and folders].
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "json_mutator.hpp"
#include "target.hpp"

namespace {

const linkgistic::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (const auto& target : linkgistic::fuzz::targets())
    if (*argc > 1 && std::strcmp((*argv)[1], target.name) == 0) chosen = &target;
  if (chosen == nullptr) {
    std::fprintf(stderr, "usage: fuzz TARGET [OPTION ...] [FOLDER ...]\n");
    std::exit(2);
  }
  std::rotate(*argv + 1, *argv + 2, *argv + *argc);
  --*argc;
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  linkgistic::fuzz::accepts(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (chosen->is_json && seed % 4 != 0) {
    const std::string changed =
        linkgistic::fuzz::mutate_json({reinterpret_cast<const char*>(data), size}, seed);
    if (!changed.empty() && changed.size() <= most) {
      std::memcpy(data, changed.data(), changed.size());
      return changed.size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
}
