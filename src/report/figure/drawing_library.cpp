#include "report/figure/drawing_library.hpp"

#include <string>

#include <dlfcn.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

// The last of the libraries; it needs all others, and their functions are found through it.
constexpr const char* last_library = "libpangocairo-1.0.so.0";

[[noreturn]] void fail_to_load() {
  const char* const why = dlerror();
  throw InputError("figures need Cairo and Pango, which cannot be loaded" +
                   (why == nullptr ? std::string() : std::string(": ") + why));
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) fail_to_load();
}

DrawingLibrary load() {
  // It is never closed: Cairo and Pango keep what they need to the end of the program.
  void* const library = dlopen(last_library, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) fail_to_load();
  DrawingLibrary functions;
#define LINKGISTIC_FIND(name) find(library, #name, functions.name);
  LINKGISTIC_DRAWING_FUNCTIONS(LINKGISTIC_FIND)
#undef LINKGISTIC_FIND
  return functions;
}

}  // namespace

const DrawingLibrary& drawing() {
  static const DrawingLibrary functions = load();
  return functions;
}

}  // namespace linkgistic
