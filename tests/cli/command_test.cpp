// The command that a report prints makes the model again, bit for bit, whatever the flags were. Options are
// drawn by the tables of fields, so that a new one is tested without a word here.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "calibration/options.hpp"
#include "classification/options.hpp"
#include "cli/program.hpp"
#include "numeric/random.hpp"
#include "regression/options.hpp"

namespace linkgistic {
namespace {

using Line = std::vector<std::string>;

// A command line that is drawn.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  double uniform() { return random_.uniform(); }
  bool coin() { return uniform() < 0.5; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  void add(const Line& words) { line.insert(line.end(), words.begin(), words.end()); }
  void maybe(const Line& words) {
    if (coin()) add(words);
  }

  // Every option that decides the model, or its default, at even odds.
  template <class Options>
  void add_options() {
    const Options options;
    each_field(options, [this](const auto& f, const auto& value) {
      if (f.in_command && coin()) add_field(f, value);
    });
  }

  Line line;

 private:
  double number(const NumberRange& range) {
    const double most = range.words.empty() ? 1 : std::min(range.most, range.least + 1);
    return range.least + (most - range.least) * uniform();
  }
  void add_field(const FieldFacts<bool>& f, bool) { add(words(f.flag)); }
  void add_field(const FieldFacts<int>& f, int) {
    add({f.flag, std::to_string(static_cast<int>(f.allowed.least) + static_cast<int>(below(4)))});
  }
  void add_field(const FieldFacts<double>& f, double) { add({f.flag, shortest(number(f.allowed))}); }
  void add_field(const FieldFacts<std::uint64_t>& f, std::uint64_t) {
    add({f.flag, one_of({std::string("7"), std::to_string(std::numeric_limits<std::uint64_t>::max() - 9)})});
  }
  void add_field(const FieldFacts<std::optional<double>>& f, const std::optional<double>&) {
    add({f.flag, coin() ? "auto" : shortest(number(f.allowed))});
  }
  void add_field(const FieldFacts<Rate>& f, const Rate&) {
    add({f.flag, one_of({std::string("0"), std::string("0.3"), std::string("learn")})});
  }
  void add_field(const FieldFacts<std::optional<bool>>& f, const std::optional<bool>&) {
    add({f.flag, one_of({"auto", "on", "off"})});
  }
  void add_field(const FieldFacts<std::string>& f, const std::string&) {
    if (f.flag == "--device") {  // a GPU need not be there
      add({f.flag, "cpu"});
      return;
    }
    ASSERT_EQ(f.flag, "--loss");
    add({f.flag, one_of({"log", "matsushita", "cost=0.3", "alpha=0.5"})});
  }
  void add_field(const FieldFacts<std::map<std::string, double>>&, const std::map<std::string, double>&) {}
  template <class Enum>
  void add_field(const FieldFacts<Enum>& f, Enum) {
    add({f.flag,
         std::next(f.allowed->begin(), static_cast<std::ptrdiff_t>(below(f.allowed->size())))->first});
  }

  RandomStream random_;
};

// "&lt;" as "<" and so on.
std::string unescaped(std::string text) {
  for (const auto& [name, character] :
       {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&#39;", "'"),
        std::pair("&amp;", "&")}) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at)
      text.replace(at, std::string_view(name).size(), character);
  }
  return text;
}

std::string printed_command(const std::string& page) {
  const std::string open = "<pre><code>";
  const std::size_t begin = page.find(open, page.rfind("Make it again")) + open.size();
  return unescaped(page.substr(begin, page.find("</code>", begin) - begin));
}

// An error for options that cannot stand together.
bool tells_of_two_options(const std::string& error) {
  const auto parts = {"origin = shifted", "direction: the gp prior",
                      "inference = ",     "balanced = true",
                      "l2_by = evidence", "shape = ",
                      "shape: the gp",    "--class-weight 'balanced'",
                      "--trials COLUMN",  "fixed: there is no",
                      "spectrum = ",      "noise = smooth",
                      "guess = "};
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return error.find(part) != std::string::npos; });
}

class Repeated {
 public:
  // Files of the command's TABLE and LABELS.
  std::string table, labels;

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  std::string write(const std::string& name, const std::string& text) {
    return write_text(folder_.file(name), text);
  }

  // Fits by a line that is drawn until it is one that can be, and again by the command of the report.
  template <class Drawn>
  void expect_equal_models(int draws, const Drawn& drawn) {
    int fitted = 0;
    for (std::uint64_t seed = 1; fitted < draws; ++seed) {
      ASSERT_LT(seed, std::uint64_t(20 * draws));
      Draw draw(seed);
      drawn(draw);
      draw.add({"--threads", "1", "--quiet", "--model", file("m.json")});
      std::string line;
      for (const std::string& word : draw.line) line += word + " ";
      SCOPED_TRACE(line);
      const ChildResult result = run_program(draw.line);
      if (result.status == 2 && tells_of_two_options(result.errors)) continue;
      ASSERT_EQ(result.status, 0) << result.errors;
      ++fitted;
      expect_equal_model();
    }
  }

 private:
  void expect_equal_model() const {
    std::string command = printed_command(run_well({"report", file("m.json"), "-o", "-", "--quiet"}));
    SCOPED_TRACE(command);
    put(command, "linkgistic", LINKGISTIC_PROGRAM);
    put(command, "TABLE", table);
    if (!labels.empty()) put(command, "LABELS", labels);
    put(command, "MODEL.json", file("again.json"));
    const auto again = run_child({"sh", "-c", command + " --threads 1 --quiet"}, "");
    ASSERT_TRUE(again && again->status == 0) << (again ? again->errors : "");
    EXPECT_TRUE(read_text(file("again.json")) == read_text(file("m.json")));
  }
  static void put(std::string& command, const std::string& word, const std::string& value) {
    const std::size_t at = command.find(word);
    ASSERT_NE(at, std::string::npos) << word;
    command.replace(at, word.size(), value);
  }

  TemporaryFolder folder_;
};

void regressions_again(int draws) {
  Repeated repeated;
  repeated.expect_equal_models(draws, [&](Draw& draw) {
    const std::string cut = draw.one_of({",", ";"});
    const bool missing = draw.coin();
    std::string text = "the x" + cut + "y's" + cut + "w\n";
    for (int i = 0; i < 40; ++i) {
      const double x = draw.uniform();
      // 1 or 2: a number, a count, an amount and a label at once.
      text += std::to_string(x) + cut + (draw.uniform() < std::tanh(4 * x) ? "2" : "1") + cut +
              (missing && i % 9 == 0 ? "NA" : std::to_string(i % 3)) + "\n";
    }
    repeated.table = repeated.write("t.csv", text);
    draw.add({"regress", repeated.table, "--x", "the x", "--y", "y's"});
    if (missing) draw.add({"--weights", "w", "--missing", "drop"});
    draw.maybe({"--delimiter", cut});
    if (draw.below(4) == 0) draw.add({"--fix", "gamma=0.1234567890123,noise=0.1"});
    draw.add_options<MonotoneRegressionOptions>();
  });
}

void classifiers_again(int draws) {
  Repeated repeated;
  repeated.expect_equal_models(draws, [&](Draw& draw) {
    const bool missing = draw.coin(), apart = draw.below(4) == 0;
    const std::string cut = draw.one_of({",", "\t"});
    std::string text = "id" + cut + "a" + cut + "s" + cut + "w" + (apart ? "\n" : cut + "kind\n"), labels;
    const std::size_t classes = 2 + draw.below(2);
    for (int i = 0; i < 60; ++i) {
      const double a = draw.uniform();
      const std::size_t k = std::min(classes - 1, static_cast<std::size_t>(static_cast<double>(classes) *
                                                                           (0.7 * a + 0.3 * draw.uniform())));
      const std::string label = std::string(1, static_cast<char>('p' + k)) + " <" + std::to_string(k) + ">";
      text += std::to_string(i) + cut + (missing && i % 7 == 0 ? "" : std::to_string(a)) + cut +
              draw.one_of({"u", "v"}) + cut + std::to_string(1 + i % 2) + (apart ? "\n" : cut + label + "\n");
      labels += label + "\n";
    }
    repeated.table = repeated.write("t.csv", text);
    repeated.labels = apart ? repeated.write("labels.txt", labels) : "";
    draw.add({"classify", repeated.table});
    draw.add(apart ? Line{"--labels", repeated.labels} : Line{"--label", "kind"});
    draw.maybe({"--weights", "w"});
    draw.maybe({"--drop", "id,s"});
    draw.maybe({"--delimiter", cut == "\t" ? "tab" : cut});
    if (missing || draw.coin()) draw.add({"--missing", draw.one_of({"drop", "impute"})});
    const std::size_t positive = draw.below(3);
    if (positive == 1) draw.add({"--class", "p <0>"});
    if (positive == 2 && classes == 3) draw.add({"--binary", "p <0>,r <2>"});
    if (positive == 0) draw.maybe({"--class-weight", "q <1>=2.5,p <0>=0.3"});
    draw.add_options<LinkgisticOptions>();
  });
}

void sparse_classifiers_again(int draws) {
  Repeated repeated;
  repeated.expect_equal_models(draws, [&](Draw& draw) {
    const bool zero = draw.coin();
    std::string text;
    for (int i = 0; i < 60; ++i) {
      const double a = draw.uniform();
      text += (a + 0.5 * draw.uniform() > 0.7 ? "1 " : "-1 ") + std::to_string(zero ? 0 : 1) + ":" +
              std::to_string(a) + " 3:" + std::to_string(draw.uniform()) + "\n";
    }
    repeated.table = repeated.write("t.svm", text);
    draw.add({"classify", repeated.table});
    if (zero) draw.add({"--zero-based"});
    draw.maybe({"--class", "-1"});
    draw.add_options<LinkgisticOptions>();
  });
}

void calibrators_again(int draws) {
  Repeated repeated;
  repeated.expect_equal_models(draws, [&](Draw& draw) {
    const bool many = draw.coin(), missing = draw.coin();
    std::string text = "s,t,u,w,won\n";
    for (int i = 0; i < 80; ++i) {
      double score[3];
      for (double& s : score) s = draw.uniform();  // may be probabilities and all else
      const double noise = 0.5 * draw.uniform() - 0.25;
      const std::size_t most = static_cast<std::size_t>(std::max_element(score, score + 3) - score);
      const std::string label = many ? std::string(1, "stu"[i % 5 == 0 ? draw.below(3) : most])
                                     : (score[0] + noise > 0.5 ? "yes" : "no");
      text += (missing && i % 9 == 0 ? "NA" : std::to_string(score[0])) + "," + std::to_string(score[1]) +
              "," + std::to_string(score[2]) + "," + std::to_string(1 + i % 2) + "," + label + "\n";
    }
    repeated.table = repeated.write("t.csv", text);
    draw.add({"calibrate", repeated.table, "--score", many ? "s,t,u" : "s", "--label", "won"});
    draw.maybe({"--weights", "w"});
    if (!many) draw.maybe({"--positive", draw.one_of({"yes", "no"})});
    if (missing) draw.add({"--missing", "drop"});
    draw.maybe({"--delimiter", ","});
    draw.add_options<ClassCalibratorOptions>();
  });
}

TEST(Command, OfAReportMakesTheRegressionAgain) { regressions_again(10); }
TEST(Command, OfAReportMakesTheClassifierAgain) { classifiers_again(10); }
TEST(Command, OfAReportMakesTheClassifierOfSparseRowsAgain) { sparse_classifiers_again(4); }
TEST(Command, OfAReportMakesTheCalibratorAgain) { calibrators_again(8); }

TEST(LongCommand, OfAReportMakesTheRegressionAgain) { regressions_again(150); }
TEST(LongCommand, OfAReportMakesTheClassifierAgain) { classifiers_again(150); }
TEST(LongCommand, OfAReportMakesTheClassifierOfSparseRowsAgain) { sparse_classifiers_again(50); }
TEST(LongCommand, OfAReportMakesTheCalibratorAgain) { calibrators_again(150); }

}  // namespace
}  // namespace linkgistic
