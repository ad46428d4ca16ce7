// export: a fitted model for other programs.
#include <filesystem>
#include <memory>

#include <linkgistic/error.hpp>
#include <linkgistic/portable.hpp>

#include "model_file/model_file.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct ExportFlags {
  std::string model, output, name;
};

}  // namespace

void add_export(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("export", "Write a fitted model as ONNX, C, SQL or a table of numbers");
  const auto options = std::make_shared<ExportFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  verb->add_option("-o,--output", options->output, "File to write: .onnx, .h, .sql or .json")->required();
  verb->add_option(
      "--name", options->name,
      "Name of the function of C (default: predict) or of the table that the query reads (default: input)");
  add_quiet(*verb, context);
  verb->footer(
      "ONNX has one input of floats (rows, features) and as last output the probabilities (rows, classes), "
      "or the\n"
      "estimate of a regression. A query adds the columns p_CLASS or estimate to those of the table. "
      "Features of a\n"
      "table with text columns are those that `show` lists; the query makes them itself.\n\n"
      "Examples:\n"
      "  linkgistic export m.json -o m.onnx\n"
      "  linkgistic export m.json -o m.h --name risk\n"
      "  linkgistic export cal.json -o cal.sql --name scores");
  verb->callback([options] {
    const std::string ending = std::filesystem::path(options->output).extension().string();
    const std::string text = [&] {
      try {
        return exported_model(read_model_text(options->model), ending, options->name);
      } catch (const InputError& error) {
        const std::string what = error.what();
        if (what.starts_with(options->model)) throw;
        throw InputError(options->model + ": " + what);
      }
    }();
    Output file(options->output);
    file.write(text);
    file.commit();
  });
}

}  // namespace linkgistic
