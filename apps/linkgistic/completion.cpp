// completion: what a shell needs to complete verbs, flags and their words.
#include "completion.hpp"

#include <map>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> names_of(const std::vector<VerbFacts>& verbs) {
  std::vector<std::string> names;
  for (const VerbFacts& verb : verbs) names.push_back(verb.name);
  return names;
}

// In single quotes, as every shell reads it.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// The first sentence, on one line.
std::string brief(const std::string& words) {
  const std::size_t end = words.find_first_of(".;:");
  std::string text = words.substr(0, end);
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::string bash(const std::vector<VerbFacts>& verbs) {
  std::string text =
      "# Completion of linkgistic for bash: eval \"$(linkgistic completion bash)\"\n"
      "_linkgistic() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags= words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      joined(names_of(verbs), " ") +
      " --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const VerbFacts& verb : verbs) {
    for (const OptionFacts& option : verb.options) {
      if (option.choices.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& flag : option.flags) patterns.push_back("'" + verb.name + " " + flag + "'");
      text += "    " + joined(patterns, "|") + ") words='" + joined(option.choices, " ") + "' ;;\n";
    }
    for (const OptionFacts& argument : verb.arguments) {
      if (!argument.choices.empty())
        text +=
            "    '" + verb.name + " " + verb.name + "') words='" + joined(argument.choices, " ") + "' ;;\n";
    }
  }
  text += "  esac\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const VerbFacts& verb : verbs) {
    std::vector<std::string> flags;
    for (const OptionFacts& option : verb.options)
      flags.insert(flags.end(), option.flags.begin(), option.flags.end());
    text += "    " + verb.name + ") flags='" + joined(flags, " ") + "' ;;\n";
  }
  return text +
         "  esac\n"
         "  if [ -n \"$words\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  elif [ \"${word:0:1}\" = - ]; then\n"
         "    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _linkgistic linkgistic\n";
}

// Brackets and colons separate the parts of a specification.
std::string zsh_words(const std::string& words) {
  std::string text;
  for (const char c : brief(words)) {
    if (c == '[' || c == ']' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

std::string zsh(const std::vector<VerbFacts>& verbs) {
  std::string text =
      "#compdef linkgistic\n"
      "# Completion of linkgistic for zsh: eval \"$(linkgistic completion zsh)\"\n"
      "_linkgistic() {\n"
      "  local -a verbs\n"
      "  verbs=(\n";
  for (const VerbFacts& verb : verbs) text += "    " + quoted(verb.name + ":" + zsh_words(verb.words)) + "\n";
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  local verb=$words[2]\n"
      "  (( CURRENT-- ))\n"
      "  shift words\n"
      "  case $verb in\n";
  for (const VerbFacts& verb : verbs) {
    text += "    " + verb.name + ") _arguments";
    for (const OptionFacts& option : verb.options) {
      for (const std::string& flag : option.flags) {
        const std::string action =
            option.choices.empty() ? "_files" : "(" + joined(option.choices, " ") + ")";
        text += " \\\n      " + quoted("*" + flag + "[" + zsh_words(option.words) + "]" +
                                       (option.value.empty() ? "" : ":" + option.value + ":" + action));
      }
    }
    for (const OptionFacts& argument : verb.arguments) {
      text += " \\\n      " +
              quoted(":" + argument.name + ":" +
                     (argument.choices.empty() ? "_files" : "(" + joined(argument.choices, " ") + ")"));
    }
    text += " ;;\n";
  }
  return text +
         "  esac\n"
         "}\n"
         "# A file of site-functions is run as the function itself.\n"
         "if [ \"$funcstack[1]\" = _linkgistic ]; then _linkgistic; else compdef _linkgistic linkgistic; "
         "fi\n";
}

std::string fish(const std::vector<VerbFacts>& verbs) {
  std::string text = "# Completion of linkgistic for fish: linkgistic completion fish | source\n";
  for (const VerbFacts& verb : verbs) {
    text += "complete -c linkgistic -f -n __fish_use_subcommand -a " + verb.name + " -d " +
            quoted(brief(verb.words)) + "\n";
  }
  for (const VerbFacts& verb : verbs) {
    const std::string where = "complete -c linkgistic -n '__fish_seen_subcommand_from " + verb.name + "'";
    for (const OptionFacts& option : verb.options) {
      text += where;
      for (const std::string& flag : option.flags)
        text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      if (!option.value.empty()) text += " -r";
      if (!option.choices.empty()) text += " -f -a '" + joined(option.choices, " ") + "'";
      text += " -d " + quoted(brief(option.words)) + "\n";
    }
    for (const OptionFacts& argument : verb.arguments) {
      if (!argument.choices.empty()) text += where + " -f -a '" + joined(argument.choices, " ") + "'\n";
    }
  }
  return text;
}

using Writer = std::string (*)(const std::vector<VerbFacts>&);

const std::map<std::string, Writer>& writers() {
  static const std::map<std::string, Writer> all{{"bash", bash}, {"fish", fish}, {"zsh", zsh}};
  return all;
}

}  // namespace

std::vector<std::string> completed_shells() {
  std::vector<std::string> names;
  for (const auto& entry : writers()) names.push_back(entry.first);
  return names;
}

std::string completion(const std::string& shell, const std::vector<VerbFacts>& verbs) {
  return writers().at(shell)(verbs);
}

}  // namespace linkgistic
