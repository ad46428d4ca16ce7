// Readers of IDX and libsvm files, plain and compressed, whole and broken.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include <linkgistic/error.hpp>

#include "io/file_bytes.hpp"
#include "rows/idx_reader.hpp"
#include "rows/libsvm_reader.hpp"

namespace linkgistic {
namespace {

using namespace std::string_literals;

class RowReaders : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / ("linkgistic_rows_"s + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(folder_ / name, std::ios::binary) << contents;
    return (folder_ / name).string();
  }

  std::string write_gz(const std::string& name, const std::string& contents) const {
    const std::string path = (folder_ / name).string();
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, contents.data(), static_cast<unsigned>(contents.size()));
    gzclose(file);
    return path;
  }

  std::filesystem::path folder_;
};

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_MESSAGE(action, part) \
  EXPECT_PRED_FORMAT2(::testing::IsSubstring, part, message_of([&] { action; }))

const std::string images = "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03"s + "\x01\x02\x03\xff\0\x05"s;
const std::string labels = "\0\0\x08\x01\0\0\0\x02"s + "\x07\x09"s;

TEST_F(RowReaders, ReadImagesAndLabelsPlainAndCompressed) {
  for (const bool compressed : {false, true}) {
    const std::string image_path = compressed ? write_gz("i.gz", images) : write("i", images);
    const std::string label_path = compressed ? write_gz("l.gz", labels) : write("l", labels);
    const LabelledImages read = read_idx(image_path, label_path);
    ASSERT_EQ(read.rows.rows(), 2U);
    ASSERT_EQ(read.rows.columns(), 3U);
    EXPECT_EQ(read.rows.at(0, 2), 3);
    EXPECT_EQ(read.rows.at(1, 0), 255);
    EXPECT_EQ(read.labels, (std::vector<std::int32_t>{7, 9}));
  }
}

TEST_F(RowReaders, SayWhatIsWrongWithAnIdxFile) {
  EXPECT_MESSAGE(read_idx_rows((folder_ / "none").string()), "cannot open");
  EXPECT_MESSAGE(read_idx_rows(write("short", "\0\0"s)), "too short");
  EXPECT_MESSAGE(read_idx_rows(write("magic", "PK\x03\x04 and more"s)), "bad magic number 0x504b0304");
  EXPECT_MESSAGE(read_idx_rows(write("float", "\0\0\x0d\x01\0\0\0\0"s)), "only IDX files of unsigned bytes");
  EXPECT_MESSAGE(read_idx_rows(write("header", images.substr(0, 10))), "ends inside the IDX header");
  EXPECT_MESSAGE(read_idx_rows(write("cut", images.substr(0, 20))), "announces 6 values, the file has 4");
  EXPECT_MESSAGE(read_idx_rows(write("long", images + "x")), "too long");
  EXPECT_MESSAGE(read_idx_rows(write("labels", labels)), "holds labels");
  EXPECT_MESSAGE(read_idx_labels(write("images", images)), "labels have one");
  EXPECT_MESSAGE(read_idx(write("i", images), write("l", "\0\0\x08\x01\0\0\0\x01\x07"s)), "has 2 images but");
}

TEST_F(RowReaders, SayThatACompressedFileIsTruncatedOrDamaged) {
  std::string large = images;
  large.resize(100000, '\x2a');
  const std::string whole_path = write_gz("whole.gz", large);
  EXPECT_EQ(read_file_bytes(whole_path).size(), large.size());
  std::ifstream file(whole_path, std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(file)), {});
  for (const std::size_t size : {std::size_t{2}, std::size_t{11}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_MESSAGE(read_idx_rows(write("cut.gz", packed.substr(0, size))), "truncated");
  }
  std::string damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);  // in the CRC
  EXPECT_MESSAGE(read_idx_rows(write("crc.gz", damaged)), "damaged gzip data");
  const std::string twice = write("twice.gz", packed + packed);
  EXPECT_EQ(read_file_bytes(twice).size(), 2 * large.size());
}

TEST_F(RowReaders, ReadLibsvmRowsWithCommentsQidAndEmptyRows) {
  const std::string text =
      "# a comment line\n"
      "+1 qid:3 1:0.5 4:-2e1 # trailing\r\n"
      "\n"
      "-1\n"
      "2.5\t2:7";
  for (const bool compressed : {false, true}) {
    const SparseFile read = read_libsvm(compressed ? write_gz("t.gz", text) : write("t", text));
    ASSERT_EQ(read.labels, (std::vector<double>{1, -1, 2.5}));
    ASSERT_EQ(read.rows.columns(), 4U);
    EXPECT_EQ(read.rows.at(0, 0), 0.5);
    EXPECT_EQ(read.rows.at(0, 3), -20);
    EXPECT_EQ(read.rows.at(1, 0), 0);
    EXPECT_EQ(read.rows.at(2, 1), 7);
  }
}

TEST_F(RowReaders, TakeTheIndexBaseAsTold) {
  const std::string zero = write("zero", "1 0:3 2:4\n");
  const std::string one = write("one", "1 1:3 3:4\n");
  EXPECT_MESSAGE(read_libsvm(zero), "line 1: index 0");
  EXPECT_EQ(read_libsvm(zero, {IndexBase::zero, 0}).rows.at(0, 2), 4);
  EXPECT_EQ(read_libsvm(one, {IndexBase::zero, 0}).rows.at(0, 3), 4);
  EXPECT_EQ(read_libsvm(one, {IndexBase::one, 10}).rows.columns(), 10U);
  EXPECT_MESSAGE(read_libsvm(one, {IndexBase::one, 2}), "line 1: index 3 is beyond the 2 columns");
}

TEST_F(RowReaders, NameTheLineOfABadLibsvmEntry) {
  const std::string good = "1 1:1\n0 2:1\n";
  EXPECT_MESSAGE(read_libsvm(write("a", "")), "has no rows");
  EXPECT_MESSAGE(read_libsvm(write("b", good + "x 1:1")), "line 3: label 'x'");
  EXPECT_MESSAGE(read_libsvm(write("c", good + "1 1")), "line 3: '1' is not index:value");
  EXPECT_MESSAGE(read_libsvm(write("d", good + "1 1:")), "line 3: value ''");
  EXPECT_MESSAGE(read_libsvm(write("e", good + "1 1:nan")), "line 3: value 'nan'");
  EXPECT_MESSAGE(read_libsvm(write("f", good + "1 1:1e39")), "line 3");
  EXPECT_MESSAGE(read_libsvm(write("g", good + "1 2:1 2:3")), "line 3: index 2 after 2");
  EXPECT_MESSAGE(read_libsvm(write("h", good + "1 -1:3")), "line 3: '-1:3' is not index:value");
  EXPECT_MESSAGE(read_libsvm(write("i", good + "1 3000000000:3")), "line 3: index 3000000000 is too large");
  EXPECT_MESSAGE(read_libsvm(write("j", good + "1 0:3")), "line 3: index 0");
}

}  // namespace
}  // namespace linkgistic
