#include "verbs.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "text/nearest.hpp"

namespace linkgistic {

std::string did_you_mean(const std::string& dashes, const std::string* name) {
  return name == nullptr ? "" : "; did you mean '" + dashes + *name + "'?";
}

void check_verb(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  std::string verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    names.push_back(verb->get_name());
    verbs += (verbs.empty() ? "" : ", ") + names.back();
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  throw UsageError("there is no verb '" + word + "'; there are " + verbs +
                   did_you_mean("", nearest(names, word)));
}

}  // namespace linkgistic
