#include "man_page.hpp"

#include <linkgistic/version.hpp>

namespace linkgistic {
namespace {

// A dash that can be copied, no escapes, and no command where a line begins with a point or a quote.
std::string troff(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + troff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + troff(text) + "\\fR"; }

std::string as_it_stands(const std::string& text) { return ".PP\n.nf\n" + troff(text) + "\n.fi\n"; }

std::string with_value(const OptionFacts& option) {
  std::string text;
  for (const std::string& flag : option.flags) text += (text.empty() ? "" : ", ") + bold(flag);
  if (option.value.empty()) return text;
  std::string value;
  for (const std::string& word : option.choices) value += (value.empty() ? "" : "|") + word;
  return text + " " + italic(value.empty() ? option.value : value);
}

std::string described(const OptionFacts& option) {
  std::string words = option.words;
  if (!words.empty() && words.back() != '.') words += '.';
  if (!option.preset.empty()) words += " Default: " + option.preset + ".";
  return troff(words) + "\n";
}

std::string section(const VerbFacts& verb) {
  std::string text =
      ".SS " + troff(verb.name) + "\n" + troff(verb.words) + ".\n.PP\n" + bold("linkgistic " + verb.name);
  for (const OptionFacts& argument : verb.arguments)
    text += " " + (argument.required ? italic(argument.name) : "[" + italic(argument.name) + "]");
  text += " [" + italic("options") + "]\n";
  for (const OptionFacts& argument : verb.arguments)
    text += ".TP\n" + italic(argument.name) + "\n" + described(argument);
  for (const OptionFacts& option : verb.options)
    text += ".TP\n" + with_value(option) + "\n" + described(option);
  return text + (verb.footer.empty() ? "" : as_it_stands(verb.footer));
}

}  // namespace

std::string man_page(const std::string& words, const std::vector<VerbFacts>& verbs,
                     const std::string& footer) {
  std::string text =
      ".TH LINKGISTIC 1 \"\" \"linkgistic " + std::string(version) + "\"\n" +
      ".SH NAME\nlinkgistic \\- monotone regression, calibration and classification that learn their loss\n"
      ".SH SYNOPSIS\n" +
      bold("linkgistic") + " " + italic("verb") + " [" + italic("arguments") + "]\n.SH DESCRIPTION\n" +
      troff(words) + "\n.SH VERBS\n";
  for (const VerbFacts& verb : verbs) text += section(verb);
  return text + ".SH EXIT STATUS AND EXAMPLES\n" + as_it_stands(footer);
}

}  // namespace linkgistic
