#include "engine/cuda/cuda_library.hpp"

#include <array>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <dlfcn.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "liblinkgistic_cuda.so";

// The file that holds this code: a program, a shared library or Python's module.
fs::path own_file() {
  Dl_info info{};
  static const char here = 0;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  fs::path path = fs::weakly_canonical(info.dli_fname, ignored);
  // A program may be known by the word it was called with.
  if (!fs::exists(path, ignored)) path = fs::read_symlink("/proc/self/exe", ignored);
  return path;
}

// Next to it; beside a program in bin; where a build has both; the folder of the wheel linkgistic-cuda13.
std::vector<fs::path> places() {
  const fs::path folder = own_file().parent_path();
  return {folder / file_name, folder.parent_path() / "lib" / file_name, folder.parent_path() / file_name,
          folder.parent_path() / "linkgistic_cuda13" / file_name};
}

struct Loaded {
  const lg_cuda_api* api = nullptr;
  std::string why;
};

Loaded load() {
  std::error_code ignored;
  for (const fs::path& path : places()) {
    if (!fs::exists(path, ignored)) continue;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return {nullptr, std::string(path) + " cannot be loaded: " + dlerror()};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what dlsym is made for
    const auto entry = reinterpret_cast<decltype(&linkgistic_cuda)>(dlsym(library, "linkgistic_cuda"));
    const lg_cuda_api* api = entry == nullptr ? nullptr : entry(LG_CUDA_VERSION);
    if (api == nullptr) return {nullptr, std::string(path) + " is that of another version"};
    return {api, {}};
  }
  return {nullptr, std::string(file_name) +
                       " is not installed (Python: pip install linkgistic-cuda13; from source: build with "
                       "-DLINKGISTIC_WITH_CUDA=ON)"};
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

const lg_cuda_api& cuda_library() {
  if (loaded().api == nullptr) throw UsageError("device = cuda: " + loaded().why);
  return *loaded().api;
}

std::string cuda_devices() {
  if (loaded().api == nullptr) return "none: " + loaded().why;
  std::array<char, 4096> text{};
  const bool found = loaded().api->describe(text.data(), text.size()) == 0;
  return (found ? "" : "none: ") + std::string(text.data());
}

}  // namespace linkgistic
