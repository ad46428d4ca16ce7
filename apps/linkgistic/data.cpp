// data: the public data sets, their folder, and how to get them.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include <linkgistic/error.hpp>

#include "io/atomic_file.hpp"
#include "io/data_sets.hpp"
#include "io/download.hpp"
#include "io/sha256.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "table/toys.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct DataFlags {
  std::vector<std::string> names;
  std::string name, mirror;
};

std::string megabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

void list() {
  const std::string folder = data_folder();
  std::string text = "In " + folder + ":\n";
  for (const DataSet& set : data_sets()) {
    std::uint64_t bytes = 0;
    std::size_t present = 0;
    for (const DataFile& file : set.files) {
      bytes += file.bytes;
      present += is_present(folder, set, file) ? 1 : 0;
    }
    text += "  " + set.name + std::string(10 - set.name.size(), ' ') + std::to_string(present) + " of " +
            std::to_string(set.files.size()) + " files there, " + megabytes(bytes) + ". " + set.what + ". " +
            set.licence + ".\n            " + (set.url.empty() ? "part of this program" : set.url.front()) +
            "\n";
  }
  print(text);
}

/// One line on a terminal, of the files of one set.
class Bar {
 public:
  Bar(const Context& context, const std::string& what, std::uint64_t bytes)
      : shown_(!context.quiet && on_terminal()), what_(what), bytes_(bytes) {}
  ~Bar() {
    if (drawn_) print_error("\r\033[K");
  }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

  void at(std::uint64_t done) {
    if (!shown_) return;
    drawn_ = true;
    const double share = bytes_ == 0 ? 1 : static_cast<double>(done) / static_cast<double>(bytes_);
    const auto full = static_cast<std::size_t>(30 * share);
    print_error("\r" + what_ + " [" + std::string(full, '#') + std::string(30 - full, ' ') + "] " +
                megabytes(done) + " of " + megabytes(bytes_) + "\033[K");
  }

 private:
  bool shown_, drawn_ = false;
  std::string what_;
  std::uint64_t bytes_;
};

bool is_right(const std::string& folder, const DataSet& set, const DataFile& file) {
  return is_present(folder, set, file) && sha256_of_file(data_path(folder, set, file)) == file.sha256;
}

/// From the first of the addresses that has it; what the last one said when none has.
void fetch_file(const std::vector<std::string>& urls, const DataFile& file, const std::string& path,
                const Context& context) {
  for (std::size_t i = 0; i < urls.size(); ++i) {
    try {
      const std::string slash = urls[i].ends_with('/') ? "" : "/";
      const PolledWork download_polls;
      Bar bar(context, file.name, file.bytes);
      download({urls[i] + slash + file.name, path, file.bytes, file.sha256},
               {[&](std::uint64_t done) { bar.at(done); }, stop_requested});
      return;
    } catch (const InputError& error) {
      if (i + 1 == urls.size()) {
        throw InputError(std::string(error.what()) + "; a file that you have from elsewhere belongs at " +
                         path);
      }
      context.warn(error.what());
    }
  }
}

void fetch(const DataSet& set, const std::string& mirror, const Context& context) {
  const std::string folder = data_folder();
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder) / set.name, error);
  if (error) throw InputError(folder + "/" + set.name + ": cannot create the folder: " + error.message());
  std::vector<std::string> urls = set.url;
  if (!mirror.empty()) urls = {mirror + (mirror.ends_with('/') ? "" : "/") + set.name};
  for (const DataFile& file : set.files) {
    const std::string path = data_path(folder, set, file);
    if (is_right(folder, set, file)) {
      context.note(path + ": is there");
    } else if (set.url.empty()) {
      write_atomically(path, auto_mpg_csv());
      context.note(path + ": written");
    } else {
      fetch_file(urls, file, path, context);
      context.note(path + ": fetched, " + megabytes(file.bytes));
    }
  }
}

void path(const std::string& name) {
  const std::string folder = data_folder();
  print((name.empty() ? folder : (std::filesystem::path(folder) / data_set(name).name).string()) + "\n");
}

}  // namespace

void add_data(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("data", "Public data sets: list, fetch, path");
  const auto options = std::make_shared<DataFlags>();
  verb->require_subcommand(1);
  auto* lister = verb->add_subcommand("list", "The sets, with what is there");
  lister->callback([] { list(); });
  auto* fetcher = verb->add_subcommand("fetch", "Download sets; a broken download is resumed");
  fetcher->add_option("name", options->names, "Sets, or all")->required();
  fetcher->add_option("--mirror", options->mirror,
                      "URL of a folder that has a folder for each set, to download from");
  add_quiet(*fetcher, context);
  fetcher->callback([options, &context] {
    std::vector<const DataSet*> sets;
    for (const std::string& name : options->names) {
      for (const DataSet& set : data_sets())
        if (name == "all") sets.push_back(&set);
      if (name != "all") sets.push_back(&data_set(name));
    }
    for (const DataSet* set : sets) fetch(*set, options->mirror, context);
  });
  auto* teller = verb->add_subcommand("path", "The folder of the data, or of one set");
  teller->add_option("name", options->name, "A set");
  teller->callback([options] { path(options->name); });
  verb->footer(
      "The folder is $LINKGISTIC_DATA, or linkgistic in $XDG_CACHE_HOME (~/.cache).\n"
      "Examples:\n  linkgistic data list\n  linkgistic data fetch mnist fmnist\n  linkgistic data path "
      "mnist");
}

}  // namespace linkgistic
