#include "engine/answer_log.hpp"

#include <filesystem>
#include <sstream>

#include <linkgistic/error.hpp>

#include "io/atomic_file.hpp"
#include "numeric/bytes.hpp"
#include "numeric/hash.hpp"

namespace linkgistic {
namespace {

constexpr std::string_view magic = "linkgistic answer log 1\n";

std::uint64_t hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

// Its length, its hash and the bytes themselves.
std::string framed(std::string_view bytes) {
  ByteWriter writer;
  writer(static_cast<std::uint64_t>(bytes.size()));
  writer(hash_of(bytes));
  return writer.bytes() + std::string(bytes);
}

// The next whole frame, or false: there is none.
bool take_frame(std::string_view& left, std::string& bytes) {
  constexpr std::size_t head = 2 * sizeof(std::uint64_t);
  if (left.size() < head) return false;
  ByteReader reader(left.substr(0, head));
  std::uint64_t size = 0;
  std::uint64_t hash = 0;
  reader(size);
  reader(hash);
  if (size > left.size() - head) return false;
  bytes = left.substr(head, size);
  if (hash_of(bytes) != hash) return false;
  left.remove_prefix(head + size);
  return true;
}

}  // namespace

AnswerLog::AnswerLog(std::string path, std::string head,
                     const std::function<void(const std::string&)>& refuse, std::uint64_t most_bytes)
    : path_(std::move(path)), head_(std::move(head)), most_bytes_(most_bytes) {
  if (std::filesystem::exists(path_)) {
    if (!std::filesystem::is_regular_file(path_))
      throw InputError(path_ + ": this is not an ordinary file, and a checkpoint must be one");
    read(refuse);
  }
  rewrite();
}

void AnswerLog::read(const std::function<void(const std::string&)>& refuse) {
  std::ifstream in(path_, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw InputError(path_ + ": the checkpoint cannot be read");
  const std::string all = text.str();
  std::string_view left = all;
  std::string head;
  const bool begun = left.starts_with(magic);
  if (begun) left.remove_prefix(magic.size());
  if (!begun || !take_frame(left, head)) {
    throw InputError(
        path_ +
        ": this is not a checkpoint, or it is damaged; remove it to begin anew, or name another file");
  }
  if (head != head_) refuse(head);
  std::string bytes;
  while (take_frame(left, bytes)) {
    Record record{};
    ByteReader reader(std::string_view(bytes).substr(0, sizeof record.question));
    reader(record.question);
    record.answer = bytes.substr(sizeof record.question);
    records_.push_back(std::move(record));
  }
}

// Writes the log without its torn tail, completely or not at all; later records are appended.
void AnswerLog::rewrite() {
  std::string all(magic);
  all += framed(head_);
  for (const Record& record : records_) {
    ByteWriter writer;
    writer(record.question);
    all += framed(writer.bytes() + record.answer);
  }
  write_atomically(path_, all);
  bytes_ = all.size();
  out_.close();
  out_.open(path_, std::ios::binary | std::ios::app);
  if (!out_) throw InputError(path_ + ": the checkpoint cannot be written");
}

void AnswerLog::append(const Record& record) {
  ByteWriter writer;
  writer(record.question);
  const std::string frame = framed(writer.bytes() + record.answer);
  if (bytes_ + frame.size() > most_bytes_) return;
  bytes_ += frame.size();
  out_.write(frame.data(), static_cast<std::streamsize>(frame.size()));
  out_.flush();
  if (!out_) throw InputError(path_ + ": the checkpoint cannot be written");
}

std::string AnswerLog::recall(std::string_view question, const std::function<std::string()>& work) {
  const std::uint64_t asked = hash_of(question);
  if (next_ < records_.size()) {
    if (records_[next_].question == asked) return std::move(records_[next_++].answer);
    // Recalled records no longer hold their answers, so these are read from the file again.
    const std::size_t kept = next_;
    records_.clear();
    read([](const std::string&) {});
    records_.resize(kept);
    rewrite();
    records_.clear();
    next_ = 0;
  }
  Record record{asked, work()};
  append(record);
  return std::move(record.answer);
}

}  // namespace linkgistic
