// show: what was fitted.
#include <memory>

#include "model.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct ShowFlags {
  std::string model;
  bool json = false;
};

}  // namespace

void add_show(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("show", "Print a summary of a fitted model");
  const auto options = std::make_shared<ShowFlags>();
  verb->add_option("model", options->model, "Model file; - is standard input")->required();
  verb->add_flag("--json", options->json, "Print one JSON object");
  add_quiet(*verb, context);
  verb->footer("Examples:\n  linkgistic show mpg.json\n  linkgistic show mpg.json --json");
  verb->callback([options] { print(load_model(options->model)->show(options->json)); });
}

}  // namespace linkgistic
