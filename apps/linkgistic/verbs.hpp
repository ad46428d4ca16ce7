// The verbs. Each adds a subcommand that runs when it is parsed; results go to standard output, and what
// goes wrong is thrown.
#pragma once

#include <CLI/CLI.hpp>

#include "context.hpp"

namespace linkgistic {

void add_regress(CLI::App& program, Context& context);
void add_classify(CLI::App& program, Context& context);
void add_calibrate(CLI::App& program, Context& context);
void add_predict(CLI::App& program, Context& context);
void add_solve(CLI::App& program, Context& context);
void add_evaluate(CLI::App& program, Context& context);
void add_plot(CLI::App& program, Context& context);
void add_report(CLI::App& program, Context& context);
void add_show(CLI::App& program, Context& context);
void add_export(CLI::App& program, Context& context);
void add_compare(CLI::App& program, Context& context);
void add_data(CLI::App& program, Context& context);
void add_reproduce(CLI::App& program, Context& context);
void add_demo(CLI::App& program, Context& context);
void add_help(CLI::App& program);
void add_completion(CLI::App& program);

/// Throws a UsageError for a word that is not a verb.
void check_verb(const CLI::App& program, const std::string& word);

/// "; did you mean '--model'?", or nothing where there is no name.
std::string did_you_mean(const std::string& dashes, const std::string* name);

/// --quiet, which every verb has.
inline void add_quiet(CLI::App& verb, Context& context) {
  verb.add_flag("--quiet,-q", context.quiet, "No progress, notes or warnings");
}

}  // namespace linkgistic
