// Processes, here threads, that read the files of a table together have what one has that reads all.
#include "rows/shared_table.hpp"

#include <algorithm>
#include <barrier>
#include <filesystem>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "classification/fingerprint.hpp"
#include "numeric/hash.hpp"
#include "numeric/random.hpp"
#include "rows/feature_file.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

// What the threads of a test tell each other.
class Board {
 public:
  explicit Board(std::size_t count) : messages(count), barrier_(static_cast<std::ptrdiff_t>(count)) {}
  void wait() { barrier_.arrive_and_wait(); }

  std::vector<std::string> messages;

 private:
  std::barrier<> barrier_;
};

class ThreadReaders final : public Readers {
 public:
  ThreadReaders(Board& board, std::size_t number) : board_(board), number_(number) {}

  [[nodiscard]] std::size_t number() const override { return number_; }
  [[nodiscard]] std::size_t count() const override { return board_.messages.size(); }
  std::vector<std::string> all(const std::string& own) override {
    board_.messages[number_] = own;
    board_.wait();
    std::vector<std::string> found = board_.messages;
    board_.wait();
    sent.push_back(own);
    return found;
  }

  std::vector<std::string> sent;

 private:
  Board& board_;
  std::size_t number_;
};

class SharedFiles : public ::testing::Test {
 protected:
  // Files of so many rows each; columns of numbers, of words, of both, a label and a weight.
  void write(const std::vector<std::size_t>& rows) {
    RandomStream random(7);
    const char* words[] = {"u", "v", "w", "3", "4.5"};
    for (std::size_t f = 0; f < rows.size(); ++f) {
      std::ostringstream out;
      out << "a,kind,mixed,y,n\n";
      for (std::size_t i = 0; i < rows[f]; ++i)
        out << 1e3 + random.normal() << "," << words[random.below(3)] << "," << words[random.below(5)] << ","
            << (random.uniform() < 0.3 ? "yes" : "no") << "," << random.below(4) << "\n";
      write_text(path(f), out.str());
    }
    options_.label = "y";
    options_.weights = "n";
  }
  [[nodiscard]] std::string path(std::size_t file) const {
    return folder_.file("part-" + std::to_string(file) + ".csv");
  }
  [[nodiscard]] std::string all_files() const { return folder_.file("part-*.csv"); }

  struct Read {
    FeatureFile file;
    std::optional<RowShare> share;
    std::string error;
    std::vector<std::string> sent;
  };
  [[nodiscard]] std::vector<Read> read_together(std::size_t count, std::size_t few) const {
    Board board(count);
    std::vector<Read> found(count);
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < count; ++p) {
      threads.emplace_back([&, p] {
        ThreadReaders readers(board, p);
        readers.begin_hash = single_rows_head;
        found[p].error =
            input_error([&] { found[p].file = read_feature_file(all_files(), options_, readers, few); });
        found[p].share = readers.share;
        found[p].sent = readers.sent;
      });
    }
    for (std::thread& thread : threads) thread.join();
    return found;
  }

  TemporaryFolder folder_;
  DatasetOptions options_;
};

const float* values_of(const FeatureFile& file) {
  return std::get<DenseRows<float>>(file.rows.storage()).values.data();
}

TEST_F(SharedFiles, AreThoseOfOneProcess) {
  for (const auto& rows : {std::vector<std::size_t>{3000, 5000, 1, 0, 4096, 2500, 7},
                           std::vector<std::size_t>{10, 20, 30}, std::vector<std::size_t>{0, 9000}}) {
    for (std::size_t f = 0; f < 7; ++f) std::filesystem::remove(path(f));
    write(rows);
    const FeatureFile whole = read_feature_file(all_files(), options_);
    const std::size_t width = whole.rows.columns();
    Hash hash(single_rows_head(whole.rows.rows(), width));
    hash.add(std::span<const float>(values_of(whole), whole.rows.rows() * width));
    for (const std::size_t count : {2U, 3U, 5U}) {
      for (const std::size_t few : {0U, 100U}) {
        options_.memory_budget = few == 0 ? 1000 : 0;  // in files that are mapped, or in memory
        const std::vector<Read> found = read_together(count, few);
        options_.memory_budget = 0;
        std::size_t next = 0;
        for (const Read& own : found) {
          ASSERT_EQ(own.error, "");
          ASSERT_TRUE(own.share);
          EXPECT_EQ(own.share->first, next);
          EXPECT_TRUE(own.share->first % 4096 == 0 || own.share->first == whole.rows.rows());
          next = own.share->last;
          EXPECT_EQ(own.share->hash, hash.value());
          EXPECT_EQ(own.file.rows.rows(), whole.rows.rows());
          EXPECT_EQ(own.file.origin, whole.origin);
          EXPECT_EQ(own.file.feature_names, whole.feature_names);
          EXPECT_EQ(own.file.notes, whole.notes);
          EXPECT_EQ(own.file.weights, whole.weights);
          EXPECT_EQ(own.file.labels->codes, whole.labels->codes);
          EXPECT_EQ(own.file.labels->names, whole.labels->names);
          for (std::size_t j = 0; j < whole.encoding.columns.size(); ++j)
            EXPECT_EQ(own.file.encoding.columns[j].median, whole.encoding.columns[j].median);
          const bool all = whole.rows.rows() <= few;
          const std::size_t first = all ? 0 : own.share->first,
                            last = all ? whole.rows.rows() : own.share->last;
          EXPECT_TRUE(std::equal(values_of(own.file) + first * width, values_of(own.file) + last * width,
                                 values_of(whole) + first * width));
          EXPECT_TRUE(std::equal(values_of(own.file), values_of(own.file) + width, values_of(whole)));
        }
        EXPECT_EQ(next, whole.rows.rows());
      }
    }
  }
}

// What a process tells is small next to its rows, and it has not seen the rows of others.
TEST_F(SharedFiles, AreDecodedByOneProcessEach) {
  write({20000, 20000});
  const std::vector<Read> found = read_together(2, 0);
  for (const Read& own : found) {
    ASSERT_EQ(own.error, "");
    std::size_t zeros = 0;
    const std::size_t width = own.file.rows.columns();
    for (std::size_t n = 1; n < own.file.rows.rows(); ++n) {
      const float* row = values_of(own.file) + n * width;
      zeros += std::all_of(row, row + width, [](float v) { return v == 0; }) ? 1 : 0;
    }
    // Rows of others read as zeros, but for the few at the border of the pieces.
    EXPECT_GT(zeros, own.file.rows.rows() - (own.share->last - own.share->first) - 4096);
  }
}

TEST_F(SharedFiles, WithABadCellHaveOneErrorInAllProcesses) {
  write({300, 300, 300});
  write_text(path(1), read_text(path(1)) + "oops,u,v,yes,1\n");
  for (const Read& own : read_together(3, 0))
    EXPECT_PRED_FORMAT2(::testing::IsSubstring, "part-1.csv", own.error);
  write_text(path(2), "a,kind,mixed,y,n\n1,u,v,,1\n");
  for (const Read& own : read_together(3, 0)) EXPECT_NE(own.error, "");
}

}  // namespace
}  // namespace linkgistic
