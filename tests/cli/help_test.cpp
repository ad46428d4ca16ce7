// What the program says of itself: help of verbs, the manual page, completions of shells.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace linkgistic {
namespace {

// The words of a text that begin with two dashes, without what follows a name.
std::set<std::string> flags_in(const std::string& text) {
  std::set<std::string> flags;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
    std::size_t end = at + 2;
    while (end < text.size() &&
           (std::islower(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-' ||
            std::isdigit(static_cast<unsigned char>(text[end])) != 0))
      ++end;
    if (end > at + 2) flags.insert(text.substr(at, end - at));
  }
  return flags;
}

// The verbs, from the program's own complaint.
std::vector<std::string> verbs() {
  const std::string said = run_program({"nonsense"}).errors;
  const std::size_t first = said.find("there are ") + 10;
  std::string list = said.substr(first, said.find_first_of(";\n", first) - first);
  std::replace(list.begin(), list.end(), ',', ' ');
  return words(list);
}

std::string without_dashes_escaped(std::string text) {
  for (std::size_t at = text.find("\\-"); at != std::string::npos; at = text.find("\\-", at))
    text.erase(at, 1);
  return text;
}

TEST(Help, OfAVerbIsThatOfItsFlag) {
  ASSERT_GE(verbs().size(), 16U);
  for (const std::string& verb : verbs())
    EXPECT_EQ(run_well({"help", verb}), run_well({verb, "--help"})) << verb;
  EXPECT_EQ(run_well({"help"}), run_well({"--help"}));
}

TEST(Help, AnswersAMistypedVerbWithTheOneThatWasMeant) {
  const ChildResult result = run_program({"help", "clasify"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("did you mean 'classify'?"), std::string::npos) << result.errors;
}

TEST(ManualPage, HasEveryFlagOfEveryVerb) {
  const std::string page = without_dashes_escaped(run_well({"help", "--man"}));
  const std::set<std::string> known = flags_in(page);
  for (const std::string& verb : verbs()) {
    EXPECT_NE(page.find(".SS " + verb + "\n"), std::string::npos) << verb;
    for (const std::string& flag : flags_in(run_well({verb, "--help"})))
      EXPECT_TRUE(known.contains(flag)) << verb << " " << flag;
  }
}

TEST(ManualPage, IsReadWithoutAWarning) {
  const auto result = run_child({"groff", "-man", "-Tascii", "-ww", "-z"}, run_well({"help", "--man"}));
  if (!result) GTEST_SKIP() << "there is no groff";
  EXPECT_EQ(result->errors, "");
}

// What bash offers for the last of some words.
std::vector<std::string> offered(const std::string& line) {
  const std::string script =
      run_well({"completion", "bash"}) + "COMP_WORDS=(" + line +
      ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_linkgistic\necho \"${COMPREPLY[@]}\"\n";
  const auto result = run_child({"bash", "--noprofile", "--norc", "-s"}, script);
  EXPECT_TRUE(result && result->status == 0 && result->errors.empty()) << line;
  return result ? words(result->output) : std::vector<std::string>();
}

TEST(Completion, OfBashOffersVerbsFlagsAndWords) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(offered("linkgistic cal"), Words{"calibrate"});
  EXPECT_EQ(offered("linkgistic classify data.csv --multi"), Words{"--multiclass"});
  EXPECT_EQ(offered("linkgistic regress data.csv --prior of"), Words{"offset"});
  EXPECT_EQ(offered("linkgistic completion z"), Words{"zsh"});
  EXPECT_EQ(offered("linkgistic regress dat"), Words{});  // names of files
}

TEST(Completion, OfEveryShellIsItsLanguage) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto result = run_child({shell, "-n"}, run_well({"completion", shell}));
    if (!result) continue;  // there is no such shell
    EXPECT_EQ(result->status, 0) << shell << "\n" << result->errors;
  }
}

}  // namespace
}  // namespace linkgistic
