// The form of a file by its ending.
#include <filesystem>

#include <linkgistic/error.hpp>
#include <linkgistic/portable.hpp>

#include "export/c_name.hpp"
#include "export/writers.hpp"
#include "io/atomic_file.hpp"
#include "text/message.hpp"

namespace linkgistic {

std::string exported_model(const std::string& model_text, const std::string& ending,
                           const std::string& name) {
  const std::string known = ".onnx, .h, .sql and .json";
  if (ending != ".onnx" && ending != ".h" && ending != ".sql" && ending != ".json")
    throw UsageError("export: there is no form " + in_quotes(ending) + "; there are " + known);
  const std::string function = name.empty() ? "predict" : name;
  if (ending == ".h") check_c_name(function);
  const PortableModel model = portable_model(model_text, "the model");
  if (ending == ".onnx") return onnx_text(model);
  if (ending == ".h") return c_text(model, function);
  if (ending == ".sql") return sql_text(model, name.empty() ? "input" : name);
  return json_text(model);
}

void export_model(const std::string& model_text, const std::string& path, const std::string& name) {
  write_atomically(path, exported_model(model_text, std::filesystem::path(path).extension().string(), name));
}

}  // namespace linkgistic
