#include "engine/answer_log.hpp"

#include <filesystem>
#include <system_error>

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
bool take_frame(std::string_view& left, std::string_view& bytes) {
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

AnswerLog::AnswerLog(std::string path, const std::string& head,
                     const std::function<void(const std::string&)>& refuse, std::uint64_t most_bytes)
    : path_(std::move(path)), most_bytes_(most_bytes) {
  if (std::filesystem::exists(path_)) {
    if (!std::filesystem::is_regular_file(path_))
      throw InputError(path_ + ": this is not an ordinary file, and a checkpoint must be one");
    bytes_ = read(head, refuse);
    // A torn tail goes, so that what is appended can be read again.
    std::error_code failure;
    if (bytes_ < std::filesystem::file_size(path_)) std::filesystem::resize_file(path_, bytes_, failure);
    if (failure) throw InputError(path_ + ": the checkpoint cannot be written");
  } else {
    const std::string begin = std::string(magic) + framed(head);
    write_atomically(path_, begin);
    bytes_ = begin.size();
  }
  out_.open(path_, std::ios::binary | std::ios::app);
  if (!out_) throw InputError(path_ + ": the checkpoint cannot be written");
}

std::uint64_t AnswerLog::read(const std::string& head,
                              const std::function<void(const std::string&)>& refuse) {
  std::string all(std::filesystem::file_size(path_), '\0');
  std::ifstream in(path_, std::ios::binary);
  in.read(all.data(), static_cast<std::streamsize>(all.size()));
  if (!in) throw InputError(path_ + ": the checkpoint cannot be read");
  std::string_view left = all;
  std::string_view bytes;
  const bool begun = left.starts_with(magic);
  if (begun) left.remove_prefix(magic.size());
  if (!begun || !take_frame(left, bytes)) {
    throw InputError(
        path_ +
        ": this is not a checkpoint, or it is damaged; remove it to begin anew, or name another file");
  }
  if (bytes != head) refuse(std::string(bytes));
  while (take_frame(left, bytes)) {
    std::uint64_t question = 0;
    ByteReader(bytes.substr(0, sizeof question))(question);
    answers_.emplace(question, bytes.substr(sizeof question));
  }
  return all.size() - left.size();
}

void AnswerLog::append(std::uint64_t question, const std::string& answer) {
  const std::string frame = framed(to_bytes(question) + answer);
  const std::lock_guard lock(mutex_);
  if (bytes_ + frame.size() > most_bytes_) return;
  bytes_ += frame.size();
  out_.write(frame.data(), static_cast<std::streamsize>(frame.size()));
  out_.flush();
  if (!out_) throw InputError(path_ + ": the checkpoint cannot be written");
}

std::string AnswerLog::recall(std::string_view question, const std::function<std::string()>& work) {
  const std::uint64_t asked = hash_of(question);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = answers_.find(asked); known != answers_.end())
      return std::move(answers_.extract(known).mapped());
  }
  std::string answer = work();
  append(asked, answer);
  return answer;
}

}  // namespace linkgistic
