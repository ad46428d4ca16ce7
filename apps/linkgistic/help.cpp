// help and completion: what the program says of itself.
#include <memory>

#include <linkgistic/error.hpp>

#include "completion.hpp"
#include "man_page.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkgistic {

void add_help(CLI::App& program) {
  struct Flags {
    std::string verb;
    bool man = false;
  };
  auto* verb = program.add_subcommand("help", "Print the help of a verb, or the manual page");
  const auto options = std::make_shared<Flags>();
  verb->add_option("verb", options->verb, "The verb; without it, the help of the program");
  verb->add_flag("--man", options->man, "Print the manual page, for man -l -");
  verb->footer("Examples:\n  linkgistic help regress\n  linkgistic help --man | man -l -");
  verb->callback([options, &program] {
    if (options->man)
      return print(man_page(program.get_description(), verbs_of(program), program.get_footer()));
    if (options->verb.empty()) {
      // program.help() would be that of this verb.
      return print(
          program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal));
    }
    check_verb(program, options->verb);
    print(program.get_subcommand(options->verb)->help("linkgistic"));
  });
}

void add_completion(CLI::App& program) {
  auto* verb =
      program.add_subcommand("completion", "Print what a shell needs to complete verbs, flags and words");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "The shell")->required()->check(CLI::IsMember(completed_shells()));
  verb->footer(
      "Examples:\n"
      "  eval \"$(linkgistic completion bash)\"      # in .bashrc\n"
      "  eval \"$(linkgistic completion zsh)\"       # in .zshrc, after compinit\n"
      "  linkgistic completion fish | source       # in config.fish");
  verb->callback([shell, &program] { print(completion(*shell, verbs_of(program))); });
}

}  // namespace linkgistic
