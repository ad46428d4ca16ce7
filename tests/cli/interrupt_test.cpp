// Ctrl-C, closed pipes and full disks: the right exit code, and nothing half-written.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/class_tables.hpp"
#include "cli/program.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

using namespace std::chrono_literals;

// The program in the background. Its streams are descriptors of ours; -1 is /dev/null.
class Background {
 public:
  Background(std::vector<std::string> arguments, int in, int out, int errors = -1) {
    arguments.insert(arguments.begin(), LINKGISTIC_PROGRAM);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const auto& [from, to] :
         {std::pair{in, STDIN_FILENO}, {out, STDOUT_FILENO}, {errors, STDERR_FILENO}}) {
      if (from >= 0) {
        posix_spawn_file_actions_adddup2(&actions, from, to);
      } else {
        posix_spawn_file_actions_addopen(&actions, to, "/dev/null", O_RDWR, 0);
      }
    }
    EXPECT_EQ(posix_spawn(&child_, argv[0], &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }

  void interrupt() const { kill(child_, SIGINT); }

  // Its exit status, 128 + a signal that ended it, or -1 (and its end) when it is still there after 20 s.
  int wait() const {
    for (int i = 0; i < 2000; ++i) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) == child_) {
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
      std::this_thread::sleep_for(10ms);
    }
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    return -1;
  }

 private:
  pid_t child_ = 0;
};

struct Pipe {
  int ends[2];
  Pipe() { EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
};

// On which the program shows its progress.
class Terminal {
 public:
  Terminal() : screen_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    EXPECT_EQ(grantpt(screen_), 0);
    EXPECT_EQ(unlockpt(screen_), 0);
    program_ = open(ptsname(screen_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    EXPECT_GE(program_, 0);
  }
  ~Terminal() {
    close(program_);
    close(screen_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] int for_program() const { return program_; }

  // Reads until these words are on the screen; false when nothing comes for 20 s.
  bool wait_for(const std::string& words) {
    pollfd readable{screen_, POLLIN, 0};
    while (text_.find(words) == std::string::npos) {
      char block[4096];
      if (poll(&readable, 1, 20'000) != 1) return false;
      const ssize_t count = read(screen_, block, sizeof block);
      if (count <= 0) return false;
      text_.append(block, static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  int screen_, program_ = -1;
  std::string text_;
};

// Scores of `classes` columns s0, s1, ... and a label y, which is the greatest score of most rows.
std::string score_table(std::size_t rows, std::size_t classes) {
  RandomStream random(1);
  std::string text;
  for (std::size_t c = 0; c < classes; ++c) text.append("s").append(std::to_string(c)).append(",");
  text += "y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = random.below(classes);
    for (std::size_t c = 0; c < classes; ++c)
      text += std::to_string(random.normal() + (c == label ? 1.5 : 0)) + ",";
    text += std::to_string(label) + "\n";
  }
  return text;
}

// Long enough to be interrupted in: about a second of reading.
std::string long_table() {
  std::string text = "x,y\n";
  for (int i = 0; i < 1'500'000; ++i) text += std::to_string(i % 1000) + "," + std::to_string(i % 997) + "\n";
  return text;
}

// Waits until the folder holds more than `files`: the temporary file of an output.
bool wait_for_another_file(const TemporaryFolder& folder, std::size_t files) {
  for (int i = 0; i < 10'000; ++i) {
    if (folder.count() > files) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

TEST(Interrupt, WhileReadingLeavesNoModel) {
  const TemporaryFolder folder;
  const Pipe unfinished;
  const std::string rows = "x,y\n1,1\n2,3\n3,4\n";
  ASSERT_EQ(write(unfinished.ends[1], rows.data(), rows.size()), static_cast<ssize_t>(rows.size()));
  const Background program({"regress", "-", "--x", "x", "--y", "y", "--model", folder.file("m.json")},
                           unfinished.ends[0], -1);
  std::this_thread::sleep_for(300ms);
  program.interrupt();
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(folder.count(), 0u);
}

// The chains would take minutes; the search before them takes a moment, which is longer on a busy machine.
TEST(Interrupt, WhileRegressingWritesTheBestModelSoFar) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("in.csv"), "x,y\n1,1\n2,3\n3,4\n4,4.5\n5,7\n");
  const std::string model = folder.file("m.json");
  for (const auto moment : {500ms, 2000ms, 8000ms}) {
    const Background program(
        words("regress " + table + " --x x --y y --inference mcmc --draws 200000 --model " + model), -1, -1);
    std::this_thread::sleep_for(moment);
    program.interrupt();
    EXPECT_EQ(program.wait(), 130);
    if (std::filesystem::exists(model)) break;
  }
  EXPECT_NE(run_well({"show", model}).find("point estimate      mode"), std::string::npos);
  EXPECT_NE(read_text(model).find("stopped before the posterior was found by mcmc"), std::string::npos);
  EXPECT_EQ(csv_rows(run_well({"predict", model, table})).size(), 5U);
}

// The checkpoint says when the first step of the fit is done.
TEST(Interrupt, WhileClassifyingWritesTheBestModelSoFar) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("in.csv"), class_table(5000, 2, 1));
  const std::string model = folder.file("m.json");
  const Background program(
      words("classify " + table + " --label y --l2 1 --v 0.05 --em-iterations 100000 --tolerance 0 --model " +
            model + " --checkpoint " + folder.file("state")),
      -1, -1);
  for (int i = 0; i < 15'000 && !std::filesystem::exists(folder.file("state")); ++i)
    std::this_thread::sleep_for(1ms);
  program.interrupt();
  EXPECT_EQ(program.wait(), 130);
  EXPECT_NE(run_well({"show", model}).find("interrupted"), std::string::npos);
  EXPECT_EQ(csv_rows(run_well({"predict", model, table})).size(), 5000U);
}

// The choice may be over before the signal comes, on a busy machine; of more rows it takes longer.
TEST(Interrupt, WhileTheMapsOfManyClassesAreChosenWritesTheBestModelSoFar) {
  const TemporaryFolder folder;
  const std::string table = folder.file("in.csv"), model = folder.file("m.json");
  for (const std::size_t rows : {10'000, 40'000, 160'000}) {
    write_text(table, score_table(rows, 6));
    std::filesystem::remove(model);
    Terminal terminal;
    const Background program(
        words("calibrate " + table + " --score s0,s1,s2,s3,s4,s5 --label y --model " + model), -1, -1,
        terminal.for_program());
    ASSERT_TRUE(terminal.wait_for("choosing the maps, map 1 of 65"));
    program.interrupt();
    if (program.wait() != 130 || !std::filesystem::exists(model)) continue;
    EXPECT_TRUE(terminal.wait_for("m.json has the best model so far"));
    EXPECT_NE(run_well({"show", model}).find("interrupted: the choice between one map for all classes"),
              std::string::npos);
    EXPECT_EQ(csv_rows(run_well({"predict", model, "-"}, score_table(5, 6))).size(), 5U);
    EXPECT_EQ(folder.count(), 2U);
    return;
  }
  FAIL() << "it was never stopped in time";
}

TEST(Interrupt, WhileTheMapsOfManyClassesAreFittedLeavesNoModel) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("in.csv"), score_table(10'000, 6));
  Terminal terminal;
  const Background program(
      words("calibrate " + table + " --score s0,s1,s2,s3,s4,s5 --label y --maps one_vs_rest" + " --model " +
            folder.file("m.json")),
      -1, -1, terminal.for_program());
  ASSERT_TRUE(terminal.wait_for("fitting, map 1 of 6"));  // the others follow, and then six times the bands
  program.interrupt();
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(folder.count(), 1U);
}

TEST(Interrupt, WhilePredictingLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string table = write_text(folder.file("in.csv"), long_table());
  const std::string model = folder.file("m.json"), out = write_text(folder.file("out.csv"), "old\n");
  run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--model", model}, "x,y\n1,1\n2,3\n3,4\n");
  const Background program({"predict", model, table, "-o", out}, -1, -1);
  ASSERT_TRUE(wait_for_another_file(folder, 3));
  program.interrupt();
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(folder.count(), 3u);
  EXPECT_EQ(read_text(out), "old\n");
}

TEST(Interrupt, WhileWaitingForStandardInputEndsTheProgram) {
  const Pipe never;
  const Background program({"regress", "-", "--x", "x", "--y", "y"}, never.ends[0], -1);
  std::this_thread::sleep_for(300ms);
  program.interrupt();
  EXPECT_EQ(program.wait(), 130);
}

TEST(Interrupt, WhileAReaderIsSlowEndsTheProgram) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--model", model}, "x,y\n1,1\n2,3\n3,4\n");
  const std::string table = write_text(folder.file("in.csv"), long_table());
  const Pipe unread;
  const Background program({"predict", model, table}, -1, unread.ends[1]);
  std::this_thread::sleep_for(500ms);
  program.interrupt();
  EXPECT_EQ(program.wait(), 130);
}

TEST(Output, ToAReaderThatHasGoneEndsQuietly) {
  const TemporaryFolder folder;
  const std::string model = folder.file("m.json");
  run_well({"regress", "-", "--x", "x", "--y", "y", "--quiet", "--model", model}, "x,y\n1,1\n2,3\n3,4\n");
  const std::string line =
      std::string(LINKGISTIC_PROGRAM) + " show " + model + " | true; echo ${PIPESTATUS[0]}";
  const auto result = run_child({"bash", "-c", line}, "");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "0\n");
  EXPECT_EQ(result->errors, "");
}

TEST(Output, ToAFullDiskIsAnError) {
  const auto result =
      run_child({"bash", "-c", std::string(LINKGISTIC_PROGRAM) + " regress - --x x --y y >/dev/full"},
                "x,y\n1,1\n2,3\n3,4\n");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 1);
  EXPECT_NE(result->errors.find("stdout: cannot write: No space left on device"), std::string::npos)
      << result->errors;
}

}  // namespace
}  // namespace linkgistic
