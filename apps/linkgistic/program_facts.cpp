#include "program_facts.hpp"

#include <utility>

namespace linkgistic {
namespace {

// CLI11 writes the words of a check into the type: "TEXT:{auto,on,off}".
void split_type(const std::string& type, OptionFacts& facts) {
  const std::size_t open = type.find(":{");
  facts.value = type.substr(0, open);
  if (open == std::string::npos) return;
  std::string word;
  for (const char c : type.substr(open + 2)) {
    if (c != ',' && c != '}') {
      word += c;
      continue;
    }
    facts.choices.push_back(std::exchange(word, {}));
  }
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_lnames()) facts.flags.push_back("--" + name);
  for (const std::string& name : option.get_snames()) facts.flags.push_back("-" + name);
  facts.name = option.get_name(true, false);
  if (option.get_items_expected_max() > 0) split_type(option.get_type_name(), facts);
  facts.preset = option.get_default_str();
  facts.words = option.get_description();
  facts.required = option.get_required();
  return facts;
}

}  // namespace

std::vector<VerbFacts> verbs_of(const CLI::App& program) {
  std::vector<VerbFacts> verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    VerbFacts& facts =
        verbs.emplace_back(VerbFacts{verb->get_name(), verb->get_description(), {}, {}, verb->get_footer()});
    for (const CLI::Option* option : verb->get_options()) {
      if (option == verb->get_help_ptr()) continue;
      (option->get_positional() ? facts.arguments : facts.options).push_back(facts_of(*option));
    }
    if (verb->get_help_ptr() != nullptr) facts.options.push_back(facts_of(*verb->get_help_ptr()));
  }
  return verbs;
}

}  // namespace linkgistic
