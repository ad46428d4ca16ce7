#include <system_error>

#include <linkgistic/error.hpp>

#include "demo_parts.hpp"
#include "io/atomic_file.hpp"
#include "report/figure/render.hpp"

namespace linkgistic {

DemoFolder::DemoFolder(const std::string& path) : path_(path) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw InputError(path + ": cannot create the folder: " + error.message());
}

void DemoFolder::draw(const Figure& figure, const std::string& name) const {
  for (const char* ending : {".svg", ".png"}) {
    render(figure, file(name + ending));
  }
}

void DemoFolder::page(const Page& page, const std::string& name) const {
  write_atomically(file(name + "-report.html"), html(page));
}

}  // namespace linkgistic
