// The program linkgistic: one verb a run.
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/version.hpp>

#include "context.hpp"
#include "engine/cuda/cuda_library.hpp"
#include "exit_code.hpp"
#include "output.hpp"
#include "overwrite.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "text/nearest.hpp"
#include "verbs.hpp"

namespace {

using namespace linkgistic;

void add_verbs(CLI::App& program, Context& context) {
  add_regress(program, context);
  add_classify(program, context);
  add_calibrate(program, context);
  add_predict(program, context);
  add_evaluate(program, context);
  add_solve(program, context);
  add_plot(program, context);
  add_report(program, context);
  add_show(program, context);
  add_export(program, context);
  add_compare(program, context);
  add_data(program, context);
  add_reproduce(program, context);
  add_demo(program, context);
  add_help(program);
  add_completion(program);
}

// The flag that was meant by one that the verb does not have.
std::string flag_hint(const CLI::App& program) {
  for (const CLI::App* verb : program.get_subcommands()) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb->get_options())
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    for (const std::string& word : verb->remaining()) {
      if (!word.starts_with("--")) continue;
      const std::string* name = nearest(names, word.substr(2, word.find('=') - 2));
      if (name != nullptr) return did_you_mean("--", name);
    }
  }
  return "";
}

std::string help_hint(const CLI::App& program) {
  const auto verbs = program.get_subcommands();
  return " (linkgistic " + (verbs.empty() ? "" : verbs.front()->get_name() + " ") + "--help)";
}

// Arrays as long as the table are made and freed one after the other. What is freed stays for the next one:
// the system would clear each page that it takes back before it comes again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int largest_kept = 32 << 20, most_kept = 256 << 20;  // bytes; the first is the greatest allowed
  mallopt(M_MMAP_THRESHOLD, largest_kept);
  mallopt(M_TRIM_THRESHOLD, most_kept);
#endif
}

int fail(int code, const std::string& message) {
  if (stop_requested()) code = exit_interrupted;
  if (!is_first_rank()) return code;
  report_error(code == exit_interrupted ? "interrupted" : message);
  return code;
}

int fail_without_memory() {
  if (is_first_rank()) say_out_of_memory();
  return stop_requested() ? exit_interrupted : exit_input;
}

int run(CLI::App& program, int argc, char** argv) {
  try {
    if (argc > 1 && argv[1][0] != '-') check_verb(program, argv[1]);
    // Verbs but for classify have no work for other ranks.
    if (!is_first_rank() && (argc < 2 || std::string_view(argv[1]) != "classify")) return exit_ok;
    program.parse(argc, argv);
    return exit_ok;
  } catch (const Served&) {
    return exit_ok;
  } catch (const CLI::Success& wish) {
    return program.exit(wish);
  } catch (const CLI::ParseError& error) {
    return fail(exit_usage, error.what() + flag_hint(program) + help_hint(program));
  } catch (const ReaderGone&) {
    return exit_ok;
  } catch (const Interrupted& error) {
    return fail(exit_interrupted, error.what());
  } catch (const UsageError& error) {
    return fail(exit_usage, error.what());
  } catch (const InputError& error) {
    return fail(exit_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail_without_memory();
  } catch (const std::exception& error) {
    return fail(exit_internal, std::string("internal error: ") + error.what());
  }
}

int start(int argc, char** argv) {
  install_signal_handlers();
  install_terminate_handler();
  Context context;
  context.quiet = join_ranks() > 0;
  CLI::App program(
      "Monotone regression, classification and calibration with learned curves and credible bands.\n"
      "Results go to standard output, everything else to standard error.");
  program.name("linkgistic");
  program.set_version_flag("--version",
                           [] { return std::string("linkgistic ") + version + "\ncuda " + cuda_devices(); });
  program.require_subcommand(1);
  program.get_formatter()->column_width(28);
  program.footer(
      "Exit codes: 0 done, 1 the input or the machine is at fault (a full disk, no memory left), 2 the "
      "command\n"
      "line, 3 the program, 130 interrupted.\n"
      "Examples:\n"
      "  linkgistic regress cars.csv --x weight --y mpg --model mpg.json\n"
      "  linkgistic classify train.csv --label y --model m.json\n"
      "  linkgistic calibrate scores.csv --score s --label y --model cal.json\n"
      "  linkgistic predict mpg.json new.csv --interval 0.9 -o out.csv\n"
      "  linkgistic evaluate mpg.json test.csv --json\n"
      "  linkgistic plot mpg.json cars.csv -o fit.svg\n"
      "  linkgistic show mpg.json\n"
      "  linkgistic demo");
  add_verbs(program, context);
  program.parse_complete_callback([&program] {
    for (const CLI::App* verb : program.get_subcommands()) refuse_overwriting(*verb);
  });
  const int code = run(program, argc, argv);
  leave_ranks(code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  try {
    return start(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail_without_memory();
  } catch (...) {
    return exit_internal;
  }
}
