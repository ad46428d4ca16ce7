// report: one HTML file about a fitted model.
#include <cctype>
#include <filesystem>
#include <memory>

#include <linkgistic/error.hpp>

#include "model.hpp"
#include "text/message.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct ReportFlags : ReportOptions {
  std::string model;
};

// A browser takes a page for what its name says. A name without an ending may be a device.
void check_page_name(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending.empty() || ending == ".html" || ending == ".htm" || ending == ".xhtml") return;
  throw UsageError("report file " + in_quotes(path) +
                   ": a report is an HTML page, so the name must end in .html or .htm; plot draws .svg, .png "
                   "and .pdf");
}

}  // namespace

void add_report(CLI::App& program, Context& context) {
  auto* verb =
      program.add_subcommand("report", "Write one HTML file about a fitted model and how it does on a table");
  const auto options = std::make_shared<ReportFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  add_table_options(*verb, options->data, false);
  add_memory_option(*verb, options->data);
  verb->add_option("--x", options->data.x,
                   "x column, for a regression (default: the one stored in the model)");
  verb->add_option("--y", options->data.y,
                   "y column, for a regression (default: the one stored in the model)");
  verb->add_option("--weights", options->data.weights,
                   "Weight column (default: the one stored in the model, if the table has it)");
  verb->add_option("--score", options->data.score,
                   "Score column, for a calibrator (default: the one stored in the model)");
  verb->add_option("--label", options->data.label, "Label column (default: the one stored in the model)");
  verb->add_option("--labels", options->data.labels, "File of labels in the order of the rows");
  add_response_options(*verb, options->data, "; default: the one stored in the model, if the table has it");
  add_missing_option(*verb, options->data);
  verb->add_option("--train", options->train,
                   "The table that the model was fitted to: the method that the model goes beyond (logistic "
                   "regression, a straight line) is fitted to it, and both are compared on the other table");
  verb->add_option("-o,--output", options->output, "Page to write, .html or .htm; - is standard output")
      ->required();
  add_quiet(*verb, context);
  verb->footer(
      "The page needs no network and no other file.\n\nExamples:\n  linkgistic report mpg.json test.csv "
      "--train train.csv -o "
      "report.html");
  verb->callback([options, &context] {
    check_page_name(options->output);
    check_one_stdin(options->model, options->data.file);
    load_model(options->model)->report(*options, context);
  });
}

}  // namespace linkgistic
