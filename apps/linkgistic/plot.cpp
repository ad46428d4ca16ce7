// plot: a picture of a fitted model.
#include <memory>

#include "model.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct PlotFlags : PlotOptions {
  std::string model;
};

}  // namespace

void add_plot(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("plot", "Draw a fitted model as svg, png or pdf");
  const auto options = std::make_shared<PlotFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  add_table_options(*verb, options->data, false);
  add_memory_option(*verb, options->data);
  verb->add_option("--x", options->data.x,
                   "x column, for a regression (default: the one stored in the model)");
  verb->add_option("--score", options->data.score,
                   "Score column, for a calibrator (default: the one stored in the model)");
  verb->add_option("--label", options->data.label,
                   "Label column, for a calibrator (default: the one stored in the model)");
  verb->add_option("--y", options->data.y,
                   "y column, for a regression (default: the one stored in the model)");
  add_response_options(*verb, options->data, "; default: the one stored in the model, if the table has it");
  add_missing_option(*verb, options->data);
  verb->add_option(
          "--what", options->what,
          "fit: the curve, its bands and the latent function; evidence: its profile along each "
          "hyper-parameter (needs regress --profiles); loss, link, source, weight: parts of a classifier's "
          "learned loss")
      ->check(CLI::IsMember({"fit", "evidence", "loss", "link", "source", "weight"}))
      ->capture_default_str();
  verb->add_option("--class", options->class_name, "Class of a classifier (default: the first)");
  verb->add_option("-o,--output", options->output, "Figure to write: .svg, .png or .pdf")->required();
  add_quiet(*verb, context);
  verb->footer(
      "Examples:\n"
      "  linkgistic plot mpg.json cars.csv -o fit.svg\n"
      "  linkgistic plot mpg.json --what evidence -o profiles.pdf\n"
      "  linkgistic plot classifier.json --what link -o link.svg");
  verb->callback([options, &context] {
    check_one_stdin(options->model, options->data.file);
    load_model(options->model)->plot(*options, context);
  });
}

}  // namespace linkgistic
