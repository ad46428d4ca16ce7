// demo: the main job on data that need no file.
#include <memory>

#include <linkgistic/error.hpp>

#include "demo_parts.hpp"
#include "demo_problem.hpp"
#include "io/atomic_file.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "report/figure/render.hpp"
#include "report/regression_figure.hpp"
#include "report/regression_page.hpp"
#include "report/regression_text.hpp"
#include "table/row_stream.hpp"
#include "table/toys.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t toy_rows = 200;

struct DemoFlags {
  std::string folder = "linkgistic-demo";
  std::uint64_t seed = 0;
};

RowsForPlot read_auto_mpg() {
  TableRows rows(open_auto_mpg(), {"weight", "mpg", ""}, MissingValues::drop);
  RowsForPlot all;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
    all.x.insert(all.x.end(), block.x.begin(), block.x.end());
    all.y.insert(all.y.end(), block.y.begin(), block.y.end());
  }
  return all;
}

void run_problem(const DemoProblem& problem, const DemoFolder& folder) {
  const Contest contest = run_contest(problem);
  print(problem.name + ": " + problem.y + " against " + problem.x + ", " +
        std::to_string(contest.train.x.size()) + " rows to learn from, " +
        std::to_string(contest.test.x.size()) + " held out\n" + contest_table(contest) + "\n");
  folder.draw(contest_figure(problem, contest), problem.name + "-methods");

  MonotoneRegressionOptions settings;
  settings.profiles = true;
  const auto fit = MonotoneRegression(settings)
                       .fit(problem.rows.x, problem.rows.y)
                       .with_columns({{"x", problem.x}, {"y", problem.y}});
  fit.save(folder.file(problem.name + ".json"));
  folder.draw(regression_figure(fit, problem.rows), problem.name + "-fit");
  folder.draw(evidence_figure(fit), problem.name + "-evidence");
  if (problem.name == "auto-mpg") folder.page(regression_page(fit, {}), "auto-mpg");
  print(regression_text(fit) + "\n");
}

void demo(const DemoFlags& options) {
  const DemoFolder folder(options.folder);
  const Toy toy = regression_toy(toy_rows, options.seed);
  print(
      "MONOTONE REGRESSION\n\nThe tables have the held-out error of the three priors (offset is the "
      "default), isotonic\n"
      "regression (PAVA) and a straight line; * marks the best. Below each is the default fitted to all "
      "rows.\n\n");
  run_problem({"auto-mpg", "weight", "mpg", read_auto_mpg(), options.seed}, folder);
  run_problem({"toy", "x", "y", {toy.x, toy.y}, options.seed}, folder);
  write_atomically(folder.file("auto-mpg.csv"), auto_mpg_csv());
  demo_classification(folder, options.seed);
  demo_calibration(folder, options.seed);
  print("Written into " + options.folder +
        "/: for auto-mpg and toy the model (.json) and the figures -fit, -evidence and -methods (.svg, "
        ".png);\n"
        "auto-mpg.csv, the data; the models origin.json and scores.json with their tables -train.csv and "
        "-test.csv;\n"
        "and the reports auto-mpg-report.html, origin-report.html and scores-report.html. Try:\n  linkgistic "
        "regress " +
        folder.file("auto-mpg.csv") + " --x horsepower --y mpg --missing drop\n");
}

}  // namespace

void add_demo(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("demo", "Fit, compare and plot embedded data");
  const auto options = std::make_shared<DemoFlags>();
  verb->add_option("-o,--output", options->folder, "Folder to write into")->capture_default_str();
  add_seed(*verb, options->seed, "Seed of the split and of the toy");
  add_quiet(*verb, context);
  verb->footer("Examples:\n  linkgistic demo\n  linkgistic demo -o here --seed 3");
  verb->callback([options] { demo(*options); });
}

}  // namespace linkgistic
