#include "repro/run.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/version.hpp>

#include "io/atomic_file.hpp"
#include "io/data_sets.hpp"
#include "numeric/parallel.hpp"
#include "numeric/stopwatch.hpp"
#include "report/figure/render.hpp"

namespace linkgistic::repro {
namespace {

std::string time_text(double seconds) {
  return seconds < 90 ? fixed(seconds, 1) + " s" : fixed(seconds / 60, 1) + " minutes";
}

/// The sets of an experiment that are not there; of KMNIST its test part is enough.
std::string missing_sets(const Experiment& experiment, const std::string& folder) {
  std::string missing;
  for (const std::string& name : experiment.sets) {
    const DataSet& set = data_set(name);
    const bool there = std::all_of(set.files.begin(), set.files.end(), [&](const DataFile& file) {
      return (name == "kmnist" && file.name.starts_with("train")) || is_present(folder, set, file);
    });
    if (!there) missing += (missing.empty() ? "" : " ") + name;
  }
  return missing;
}

/// Processor seconds of all threads, which a busy machine does not stretch as it does the time by the clock.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Cost {
  double seconds = 0, processor = 0;
  Cost& operator+=(const Cost& other) {
    seconds += other.seconds;
    processor += other.processor;
    return *this;
  }
};

struct Finished {
  const Experiment* experiment;
  Result result;
  Cost cost;
};

Cost total(const std::vector<Finished>& all) {
  Cost sum;
  for (const Finished& finished : all) sum += finished.cost;
  return sum;
}

/// Writes the files of the pictures, and draws them for the page, which is written again after each
/// experiment.
void draw_pictures(Finished& finished, const std::filesystem::path& folder) {
  int count = 0;
  for (PageBlock& block : finished.result.blocks) {
    const auto* picture = std::get_if<Picture>(&block);
    if (picture == nullptr) continue;
    const std::string name = finished.experiment->name + "-" + std::to_string(++count);
    for (const char* ending : {".svg", ".png", ".pdf"}) render(picture->figure, folder / (name + ending));
    block = drawn(*picture);
  }
}

std::string numbers(const std::vector<Finished>& all) {
  nlohmann::ordered_json json;
  for (const Finished& finished : all) {
    auto& object = json[finished.experiment->name] = nlohmann::ordered_json::object();
    for (const PageBlock& block : finished.result.blocks) {
      const auto* table = std::get_if<PageTable>(&block);
      if (table == nullptr) continue;
      for (const TableRow& row : table->rows) {
        for (const auto& cell : row.cells)
          if (const auto* measure = std::get_if<Measure>(&cell)) object[measure->key] = measure->value;
      }
    }
  }
  return json.dump(1) + "\n";
}

std::string command(const Settings& settings, const std::string& name) {
  return "linkgistic reproduce " + name + (settings.quick ? " --quick" : "");
}

/// Text in a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result.push_back('\\');
    result.push_back(c);
  }
  return result + " | ";
}

std::string results_text(const std::vector<Finished>& all, const Settings& settings) {
  const Cost sum = total(all);
  std::string text =
      "# Results\n\nlinkgistic " + std::string(version) + ", " +
      std::to_string(thread_count(settings.threads)) + " threads, " + time_text(sum.seconds) + " in all, " +
      time_text(sum.processor) +
      " of processor time.\n\n| claim | command | paper | ours | verdict |\n|---|---|---|---|---|\n";
  for (const Finished& finished : all) {
    std::string how = "`";
    how += command(settings, finished.experiment->name) + "` (" + time_text(finished.cost.seconds) + ")";
    for (const Claim& claim : finished.result.claims)
      text += "| " + cell(claim.claim) + cell(how) + cell(claim.paper) + cell(claim.ours) + claim.verdict() +
              " |\n";
  }
  return text;
}

PageSection overview(const std::vector<Finished>& all, const Settings& settings) {
  PageSection section{"Overview", {}};
  const Cost sum = total(all);
  section.blocks.emplace_back(
      Paragraph{"Everything on this page was computed in " + time_text(sum.seconds) + " on " +
                std::to_string(thread_count(settings.threads)) + " threads, " + time_text(sum.processor) +
                " of processor time. The paper's authors report about two CPU months. Verdicts "
                "are made from the numbers of this run."});
  if (settings.quick) {
    section.blocks.emplace_back(Warning{
        "This is a quick run: few rows, partitions and seeds, to see that all of it works. Its verdicts say "
        "little; run it without --quick."});
  }
  PageTable table{"Claims of the paper", {"Claim", "Part", "Paper", "Ours", "Verdict"}, {}};
  PageTable times{"Time of each part", {"Part", "Time", "Processor time"}, {}};
  for (const Finished& finished : all) {
    for (const Claim& claim : finished.result.claims)
      table.rows.push_back(
          {claim.claim, {finished.experiment->title, claim.paper, claim.ours, claim.verdict()}});
    times.rows.push_back(
        {finished.experiment->title, {time_text(finished.cost.seconds), time_text(finished.cost.processor)}});
  }
  section.blocks.emplace_back(table);
  section.blocks.emplace_back(times);
  return section;
}

Page page_of(const std::vector<Finished>& all, const Settings& settings) {
  Page page{"All your loss are belong to Bayes, reproduced",
            "Tables and figures of Walder and Nock (NeurIPS 2020), by linkgistic",
            {overview(all, settings)}};
  for (const Finished& finished : all) {
    PageSection section{finished.experiment->title, {}};
    section.blocks.emplace_back(Command{command(settings, finished.experiment->name)});
    for (const Claim& claim : finished.result.claims)
      section.blocks.emplace_back(Paragraph{claim.claim + " Paper: " + claim.paper + ". Ours: " + claim.ours +
                                            ". " + claim.verdict()});
    section.blocks.insert(section.blocks.end(), finished.result.blocks.begin(), finished.result.blocks.end());
    section.blocks.emplace_back(Paragraph{"Computed in " + time_text(finished.cost.seconds) + "."});
    page.sections.push_back(std::move(section));
  }
  return page;
}

void write_files(const std::vector<Finished>& all, const Settings& settings,
                 const std::filesystem::path& out) {
  write_atomically((out / "numbers.json").string(), numbers(all));
  write_atomically((out / "results.md").string(), results_text(all, settings));
  write_atomically((out / "index.html").string(), html(page_of(all, settings)));
}

}  // namespace

std::vector<const Experiment*> chosen(const std::vector<std::string>& names) {
  std::vector<const Experiment*> result;
  for (const std::string& name : names) {
    const std::size_t before = result.size();
    std::string known = "all";
    for (const Experiment& experiment : experiments()) {
      known += ", " + experiment.name;
      if (name == "all" || name == experiment.name || experiment.name.starts_with(name + "-"))
        result.push_back(&experiment);
    }
    if (result.size() == before) throw UsageError("there is no part '" + name + "'; there are " + known);
  }
  return result;
}

void run(const std::vector<const Experiment*>& which, const Settings& settings, const std::string& folder) {
  const std::filesystem::path out = folder;
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) throw InputError(folder + ": cannot create the folder: " + error.message());
  std::vector<Finished> all;
  for (const Experiment* experiment : which) {
    const Stopwatch clock;
    const double processor = processor_seconds();
    settings.at(experiment->title);
    Finished finished{experiment, {}, {}};
    if (const std::string missing = missing_sets(*experiment, settings.data); missing.empty()) {
      finished.result = experiment->run(settings);
    } else {
      const std::string message = "not run: its data are not in " + settings.data +
                                  "; get them with linkgistic data fetch " + missing;
      if (which.size() == 1) throw InputError(experiment->name + " " + message);
      finished.result.blocks.emplace_back(Warning{"This part was " + message});
    }
    draw_pictures(finished, out);
    finished.cost = {clock.seconds(), processor_seconds() - processor};
    all.push_back(std::move(finished));
    write_files(all, settings, out);
  }
}

}  // namespace linkgistic::repro
