#include "engine/answer_log.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path_, ignored)))
    write_atomically(path_, std::string(magic) + framed(head), AtomicFile::own);
  open();
  bytes_ = read(head, refuse);
  // A torn tail goes, so that what is appended can be read again.
  if (::ftruncate(file_.descriptor, static_cast<off_t>(bytes_)) != 0)
    throw InputError(path_ + ": the checkpoint cannot be written");
}

AnswerLog::File::~File() {
  if (descriptor >= 0) ::close(descriptor);
}

void AnswerLog::open() {
  // Opening a pipe must not wait for its other end.
  file_.descriptor = ::open(path_.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const int failure = errno;
  struct stat status {};
  const bool regular =
      file_.descriptor >= 0 && ::fstat(file_.descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (regular) return;
  const auto reason = std::generic_category().message(failure);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(path_, ignored)))
    throw InputError(path_ + ": the checkpoint cannot be written: " + reason);
  throw InputError(path_ + ": this is not an ordinary file, and a checkpoint must be one");
}

void AnswerLog::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      throw InputError(path_ +
                       ": the checkpoint cannot be written: " + std::generic_category().message(errno));
    }
  }
}

std::uint64_t AnswerLog::read(const std::string& head,
                              const std::function<void(const std::string&)>& refuse) {
  struct stat status {};
  if (::fstat(file_.descriptor, &status) != 0) throw InputError(path_ + ": the checkpoint cannot be read");
  std::string all(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t have = 0; have < all.size();) {
    const ssize_t more =
        ::pread(file_.descriptor, all.data() + have, all.size() - have, static_cast<off_t>(have));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) throw InputError(path_ + ": the checkpoint cannot be read");
    have += static_cast<std::size_t>(more);
  }
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
  write(frame);
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
