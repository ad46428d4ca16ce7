// The form of a file by its ending.
#include <cctype>
#include <filesystem>

#include <linkgistic/error.hpp>
#include <linkgistic/portable.hpp>

#include "export/writers.hpp"
#include "io/atomic_file.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

// A name of C: letters, digits and underscores, and no digit at first.
std::string c_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool usual =
        std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
    name += usual ? c : '_';
  }
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "predict_" + name : name;
}

}  // namespace

std::string exported_model(const std::string& model_text, const std::string& ending,
                           const std::string& name) {
  const std::string known = ".onnx, .h, .sql and .json";
  if (ending != ".onnx" && ending != ".h" && ending != ".sql" && ending != ".json")
    throw UsageError("export: there is no form " + in_quotes(ending) + "; there are " + known);
  const PortableModel model = portable_model(model_text, "the model");
  if (ending == ".onnx") return onnx_text(model);
  if (ending == ".h") return c_text(model, c_name(name.empty() ? "predict" : name));
  if (ending == ".sql") return sql_text(model, name.empty() ? "input" : name);
  return json_text(model);
}

void export_model(const std::string& model_text, const std::string& path, const std::string& name) {
  write_atomically(path, exported_model(model_text, std::filesystem::path(path).extension().string(), name));
}

}  // namespace linkgistic
