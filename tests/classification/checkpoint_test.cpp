// Fits that are broken off, by an exception, by stop and by kill -9, and gone on with.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "classification/bent_rows.hpp"

namespace linkgistic {
namespace {

struct BrokenOff {};

// A path with no file, which is gone again at the end.
struct TemporaryPath {
  std::string path;
  explicit TemporaryPath(const std::string& name)
      : path(testing::TempDir() + "linkgistic_" + std::to_string(::getpid()) + "_" + name) {
    std::remove(path.c_str());
  }
  ~TemporaryPath() { std::remove(path.c_str()); }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Case {
  const char* name;
  std::size_t classes;
  LinkgisticOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const char* name, std::size_t classes, const auto& set) {
    LinkgisticOptions o;
    o.harmonics = 6;
    o.em_iterations = 4;
    o.threads = 2;
    set(o);
    all.push_back({name, classes, o});
  };
  add("everything chosen, cross-fitted", 3, [](LinkgisticOptions&) {});
  add("everything chosen on own scores", 2, [](LinkgisticOptions& o) { o.cross_fit = false; });
  add("isgp, cross-fitted, samples", 2, [](LinkgisticOptions& o) {
    o.prior = LinkPrior::isgp;
    o.l2 = 1;
    o.samples = 3;
  });
  add("isgp, own scores, learned hyper-parameters", 3, [](LinkgisticOptions& o) {
    o.prior = LinkPrior::isgp;
    o.cross_fit = false;
    o.learn_hyper = true;
  });
  add("gp, no gain at the last step", 2, [](LinkgisticOptions& o) {
    o.prior = LinkPrior::gp;
    o.cross_fit = false;
    o.l2 = 3;
    o.tolerance = 0;
    o.em_iterations = 8;
  });
  add("logistic regression", 3, [](LinkgisticOptions& o) { o.prior = LinkPrior::none; });
  add("another base", 2, [](LinkgisticOptions& o) {
    o.loss = "matsushita";
    o.l2 = 1;
    o.v = 0.05;
  });
  return all;
}

TEST(Checkpoint, AFitBrokenOffAfterEveryStepEndsInTheSameModel) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const ClassificationData data = bent_rows(400, 4, c.classes, 11);
    const std::string whole = LinkgisticClassifier(c.options).fit(data).to_json();
    const TemporaryPath file("steps.checkpoint");
    LinkgisticOptions options = c.options;
    options.checkpoint = file.path;
    // Broken off as soon as there is anything new in the file.
    std::string before;
    options.on_progress = [&](const FitProgress& p) {
      if (p.phase != "first fit" && contents(file.path) != before) throw BrokenOff{};
    };
    std::string model;
    int broken = 0;
    while (model.empty() && broken < 100) {
      before = contents(file.path);
      options.threads = 1 + broken % 2;  // another number every time
      try {
        model = LinkgisticClassifier(options).fit(data).to_json();
      } catch (const BrokenOff&) {
        ++broken;
      }
    }
    EXPECT_EQ(model, whole);
    EXPECT_GE(broken, 2);
  }
}

TEST(Checkpoint, AStoppedFitIsSoundAndGoesOnToTheSameModel) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const ClassificationData data = bent_rows(300, 4, c.classes, 12);
    const std::string whole = LinkgisticClassifier(c.options).fit(data).to_json();
    const double constant = constant_log_loss(data);
    int stopped = 0;
    for (int most = 1;; most *= 4) {
      SCOPED_TRACE(most);
      const TemporaryPath file("stop.checkpoint");
      LinkgisticOptions options = c.options;
      options.checkpoint = file.path;
      int asked = 0;
      options.stop = [&] { return ++asked == most; };  // only once: the answer holds
      const auto model = LinkgisticClassifier(options).fit(data);
      if (asked < most) {
        EXPECT_EQ(model.to_json(), whole);
        break;
      }
      ++stopped;
      EXPECT_EQ(model.summary().stop, "interrupted");
      EXPECT_FALSE(model.summary().converged);
      EXPECT_LE(log_loss(model, data), constant + 1e-4);
      options.stop = nullptr;
      EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), whole);
    }
    EXPECT_GE(stopped, 3);
  }
}

LinkgisticOptions with_chains() {
  LinkgisticOptions options;
  options.inference = Inference::mcmc;
  options.draws = 300;
  options.harmonics = 4;
  options.l2 = 1;
  options.v = 0.05;
  options.cross_fit = false;
  options.em_iterations = 2;
  return options;
}

// Were a batch of draws made twice, the log would have it twice.
TEST(Checkpoint, FinishedDrawsOfChainsAreNotMadeAgain) {
  const ClassificationData data = bent_rows(300, 3, 3, 16);
  LinkgisticOptions options = with_chains();
  const std::string whole = LinkgisticClassifier(options).fit(data).to_json();
  const TemporaryPath unbroken("unbroken.checkpoint"), file("chains.checkpoint");
  options.checkpoint = unbroken.path;
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), whole);
  const std::uintmax_t size = std::filesystem::file_size(unbroken.path);

  options.checkpoint = file.path;
  std::uintmax_t before = 0;
  options.on_progress = [&](const FitProgress& p) {
    if (p.phase == "sampling" && p.step > 0 && std::filesystem::file_size(file.path) > before + size / 8)
      throw BrokenOff{};
  };
  std::string model;
  int broken = 0;
  while (model.empty() && broken < 20) {
    before = std::filesystem::exists(file.path) ? std::filesystem::file_size(file.path) : 0;
    options.threads = 1 + broken % 3;
    try {
      model = LinkgisticClassifier(options).fit(data).to_json();
    } catch (const BrokenOff&) {
      ++broken;
    }
  }
  EXPECT_GE(broken, 2);
  EXPECT_EQ(model, whole);
  EXPECT_EQ(std::filesystem::file_size(file.path), size);
  options.on_progress = nullptr;
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), whole);
  EXPECT_EQ(std::filesystem::file_size(file.path), size);
}

TEST(Checkpoint, AFitStoppedInItsChainsGoesOnToTheSameModel) {
  const ClassificationData data = bent_rows(300, 3, 2, 17);
  LinkgisticOptions options = with_chains();
  const std::string whole = LinkgisticClassifier(options).fit(data).to_json();
  const TemporaryPath file("stopped-chains.checkpoint");
  options.checkpoint = file.path;
  std::atomic<bool> stop = false;
  options.stop = [&] { return stop.load(); };
  options.on_progress = [&](const FitProgress& p) {
    if (p.phase == "sampling" && p.step >= 500) stop = true;
  };
  const auto stopped = LinkgisticClassifier(options).fit(data);
  const auto& said = stopped.summary().warnings;
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const std::string& warning) {
    return warning.find("stopped before the links were sampled") != std::string::npos;
  }));
  options.stop = nullptr;
  options.on_progress = nullptr;
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), whole);
}

TEST(Checkpoint, SurvivesKillAtAnyMoment) {
  const ClassificationData data = bent_rows(3000, 6, 2, 13);
  LinkgisticOptions options;
  options.threads = 1;  // a child of fork has no other threads
  const std::string whole = LinkgisticClassifier(options).fit(data).to_json();
  const TemporaryPath file("kill.checkpoint"), model("kill.json");
  options.checkpoint = file.path;
  int killed = 0;
  int resumed = 0;
  RandomStream random(5);
  for (int attempt = 0; attempt < 60; ++attempt) {
    if (std::filesystem::exists(file.path)) ++resumed;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      LinkgisticClassifier(options).fit(data).save(model.path);
      ::_exit(0);
    }
    // Longer and longer, so that it comes to an end on any machine.
    const double wait_ms = (2 << (attempt / 6)) * (1 + 9 * random.uniform());
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(wait_ms));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
      break;
    }
    ++killed;
  }
  EXPECT_GE(killed, 1);
  EXPECT_GE(resumed, 1);
  ASSERT_TRUE(std::filesystem::exists(model.path));
  EXPECT_EQ(FittedLinkgisticClassifier::load(model.path).to_json(), whole);
  // What a killed process was writing has another name.
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir())) {
    const std::string name = entry.path().string();
    if (name.rfind(file.path + ".tmp-", 0) == 0) std::filesystem::remove(entry.path());
  }
}

std::string refusal(const LinkgisticOptions& options, const ClassificationData& data) {
  try {
    static_cast<void>(LinkgisticClassifier(options).fit(data));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Checkpoint, OfOtherDataOrOptionsIsRefusedWithWhatToDo) {
  const TemporaryPath file("other.checkpoint");
  LinkgisticOptions options;
  options.l2 = 1;
  options.v = 0.05;
  options.cross_fit = false;
  options.checkpoint = file.path;
  const ClassificationData data = bent_rows(300, 3, 2, 14);
  const std::string first = LinkgisticClassifier(options).fit(data).to_json();
  // It is left there, and gives the same again.
  EXPECT_TRUE(std::filesystem::exists(file.path));
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), first);

  LinkgisticOptions other = options;
  other.l2 = 2;
  EXPECT_NE(refusal(other, data).find("l2 = 1.0, and this one has 2.0"), std::string::npos)
      << refusal(other, data);
  EXPECT_NE(refusal(other, data).find(file.path), std::string::npos);
  EXPECT_NE(refusal(other, data).find("remove it"), std::string::npos);
  other = options;
  other.threads = 1;  // decides nothing
  EXPECT_EQ(refusal(other, data), "");

  ClassificationData changed = data;
  changed.labels[7] = 1 - changed.labels[7];
  EXPECT_NE(refusal(options, changed).find("other data"), std::string::npos);
  changed = data;
  changed.weights.assign(300, 1.0);
  changed.weights[3] = 2;
  EXPECT_NE(refusal(options, changed).find("other data"), std::string::npos);
  EXPECT_NE(refusal(options, bent_rows(300, 3, 2, 15)).find("other data"), std::string::npos);

  for (const char* text : {"", "{}", "no checkpoint"}) {
    std::ofstream(file.path) << text;
    EXPECT_NE(refusal(options, data).find("damaged"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace linkgistic
