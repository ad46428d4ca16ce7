// Public data sets by name: where they come from, what their files are, and the folder they are kept in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace linkgistic {

struct DataFile {
  std::string name;  // below the folder of its set
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct DataSet {
  std::string name;  // and of its folder
  std::string what;
  std::string licence;  // as commonly stated
  std::vector<std::string>
      url;  // folders that have the files, tried in this order; none: part of the program
  std::vector<DataFile> files;
};

const std::vector<DataSet>& data_sets();

/// UsageError that lists the names when there is no such set.
const DataSet& data_set(const std::string& name);

/// $LINKGISTIC_DATA; without it $XDG_CACHE_HOME/linkgistic, or ~/.cache/linkgistic.
std::string data_folder();

/// FOLDER/SET/FILE.
std::string data_path(const std::string& folder, const DataSet& set, const DataFile& file);

/// Whether the file is there with its size; its sum is checked when it is fetched.
bool is_present(const std::string& folder, const DataSet& set, const DataFile& file);

}  // namespace linkgistic
