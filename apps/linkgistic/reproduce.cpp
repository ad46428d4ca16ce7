// reproduce: the tables and figures of the paper, on one page.
#include <memory>

#include "io/data_sets.hpp"
#include "output.hpp"
#include "repro/run.hpp"
#include "signals.hpp"
#include "verbs.hpp"

namespace linkgistic {

void add_reproduce(CLI::App& program, Context& context) {
  struct Options {
    std::vector<std::string> parts;
    bool quick = false;
    int threads = 0;
    std::string folder = "repro/out";
  };
  auto* verb = program.add_subcommand("reproduce", "Compute the paper's tables and figures, on one page");
  const auto options = std::make_shared<Options>();
  std::string names = "all";
  for (const repro::Experiment& experiment : repro::experiments()) names += ", " + experiment.name;
  verb->add_option("part", options->parts, names)->required();
  verb->add_flag("--quick", options->quick, "Use few rows, partitions and seeds");
  verb->add_option("--threads", options->threads, "Number of threads; 0: all. No result depends on it")
      ->capture_default_str();
  verb->add_option("-o,--output", options->folder, "Folder to write into")->capture_default_str();
  add_quiet(*verb, context);
  verb->footer(
      "`linkgistic data fetch mnist fmnist kmnist` downloads the images.\n"
      "Examples:\n  linkgistic reproduce all\n  linkgistic reproduce table1 --quick -o here");
  verb->callback([options, &context] {
    repro::Settings settings;
    settings.quick = options->quick;
    settings.threads = options->threads;
    settings.data = data_folder();
    settings.stop = stop_requested;
    settings.say = [&context](const std::string& step) { context.note(step); };
    const PolledWork experiments_poll;
    repro::run(repro::chosen(options->parts), settings, options->folder);
    print(options->folder + "/index.html\n");
  });
}

}  // namespace linkgistic
