// Random jobs in one process: memory stays flat, no handle is left open, and every answer is that of a
// process that does nothing else.
//   soak SECONDS SEED   jobs for so long, then some of them again, each by `soak --one KIND SEED`
//   soak --one KIND SEED   one job; prints the hash of its answers
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <malloc.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "numeric/hash.hpp"
#include "threads/models.hpp"

namespace linkgistic {
namespace {

constexpr std::uint64_t kinds = 6;

template <class Product>
std::uint64_t hash_of(const ThreadedRows& rows, int threads, const std::string& file) {
  const auto fitted = Product::fit(rows, threads);
  fitted.save(file);
  const Answers answers = Product::answers(Product::Fitted::load(file), rows);
  Hash hash;
  hash.add(answers.numbers.data(), answers.numbers.size() * sizeof(double));
  hash.add(answers.text.data(), answers.text.size());
  return hash.value();
}

// One job: a fit that is written, read and asked, or an error.
std::uint64_t job(std::uint64_t kind, std::uint64_t seed, const std::string& file) {
  RandomStream random(seed, 1);
  const ThreadedRows rows(100 + random.below(3000));
  const int threads = 1 + static_cast<int>(random.below(3));
  switch (kind) {
    case 0:
      return hash_of<Regression>(rows, threads, file);
    case 1:
      return hash_of<Calibration>(rows, threads, file);
    case 2:
      return hash_of<ClassCalibration>(rows, threads, file);
    case 3:
      return hash_of<Classification>(rows, threads, file);
    default:
      break;
  }
  try {
    if (kind == 4) (void)MonotoneRegression().fit(rows.x, std::span(rows.y).first(rows.y.size() - 1));
    if (kind == 5) (void)FittedMonotoneCalibrator::from_json("{\"kind\": " + std::to_string(seed), "text");
  } catch (const InputError& error) {
    Hash hash;
    const std::string text = error.what();
    hash.add(text.data(), text.size());
    return hash.value();
  }
  return 0;  // an error that did not come is no answer of any process
}

std::size_t open_handles() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

// Bytes that are allocated and not freed, of all arenas and mappings.
std::size_t bytes_in_use() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::optional<std::uint64_t> answer_of_fresh_process(std::uint64_t kind, std::uint64_t seed) {
  const std::string command = std::filesystem::read_symlink("/proc/self/exe").string() + " --one " +
                              std::to_string(kind) + " " + std::to_string(seed);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  unsigned long long value = 0;
  const bool read = std::fscanf(pipe, "%llu", &value) == 1;
  return ::pclose(pipe) == 0 && read ? std::optional<std::uint64_t>(value) : std::nullopt;
}

struct Done {
  std::uint64_t kind, seed, answer;
};

// Each kind of job has come with each number of threads by then, and the workspaces that threads keep have
// the size of the largest.
constexpr std::size_t warm_up_jobs = 60;

// Jobs until the time is over, and at least as many as those of the warm-up. After the warm-up what is in use
// may grow by 16 KiB, a workspace or two, or by 80 bytes a job: one in ten that leaks its smallest array, 100
// numbers, is found.
int soak(double seconds, std::uint64_t seed, const std::string& file) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto share = [&] { return std::chrono::duration<double>(Clock::now() - begin).count() / seconds; };
  RandomStream random(seed);
  std::vector<Done> done;
  done.reserve(1 << 16);
  std::size_t warm = 0, warm_jobs = 0, most = 0, handles = 0;
  while ((share() < 1 || done.size() < 2 * warm_up_jobs) && done.size() < done.capacity()) {
    Done next{random.below(kinds), random.below(1 << 30), 0};
    next.answer = job(next.kind, next.seed, file);
    done.push_back(next);
    if (share() < 0.2 || done.size() < warm_up_jobs) {
      warm = std::max(warm, bytes_in_use());
      warm_jobs = done.size();
      handles = open_handles();
    } else {
      most = std::max(most, bytes_in_use());
    }
  }
  const std::size_t last = bytes_in_use(), last_handles = open_handles();
  std::size_t compared = 0, different = 0;
  for (; compared < std::min<std::size_t>(12, done.size()); ++compared) {
    const Done& one = done[random.below(done.size())];
    if (answer_of_fresh_process(one.kind, one.seed) != one.answer) ++different;
  }
  const std::size_t jobs = done.size() - warm_jobs;
  const std::size_t bound = std::max<std::size_t>(16384, 80 * jobs);
  const bool flat = last <= warm + bound, closed = last_handles == handles;
  std::printf(
      "C++: %zu jobs, %zu of them after warm-up; %zu bytes in use then, at most %zu later, %zu at the "
      "end (bound +%zu); %zu handles, %zu at the end; %zu of %zu answers differ from those of fresh "
      "processes\n",
      done.size(), jobs, warm, most, last, bound, handles, last_handles, different, compared);
  return flat && closed && different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace linkgistic

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string file = "/tmp/linkgistic-soak-" + std::to_string(::getpid()) + ".json";
  int code = 2;
  if (words.size() == 3 && words[0] == "--one") {
    const std::uint64_t answer = linkgistic::job(std::stoull(words[1]), std::stoull(words[2]), file);
    std::printf("%llu\n", static_cast<unsigned long long>(answer));
    code = 0;
  } else if (words.size() == 2) {
    code = linkgistic::soak(std::stod(words[0]), std::stoull(words[1]), file);
  } else {
    std::fputs("usage: soak SECONDS SEED | soak --one KIND SEED\n", stderr);
  }
  std::filesystem::remove(file);
  return code;
}
