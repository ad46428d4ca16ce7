// A file of finished work. Each record has a hash of the question and the bytes of the answer. A process may
// end at any moment: an incomplete record is dropped, and the work resumes after the last complete one.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace linkgistic {

/// An answer depends on its question alone, so questions may come in any order and from several threads.
class AnswerLog {
 public:
  /// Reads the file at `path` if there is one, and otherwise makes it, for its owner alone. A link is not
  /// followed: who may write the folder could have put it there. `head` identifies the work that the
  /// log belongs to. For a log with another head, `refuse(other head)` is called, which throws. Records
  /// beyond `most_bytes` are not kept. Throws an InputError for a file that is not a log.
  AnswerLog(std::string path, const std::string& head, const std::function<void(const std::string&)>& refuse,
            std::uint64_t most_bytes);

  /// Returns the recorded answer to this question, or records and returns `work()`.
  std::string recall(std::string_view question, const std::function<std::string()>& work);

 private:
  struct File {
    int descriptor = -1;
    File() = default;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();
  };
  void open();
  void write(std::string_view bytes);
  /// Returns the number of bytes up to the end of the last complete record.
  std::uint64_t read(const std::string& head, const std::function<void(const std::string&)>& refuse);
  void append(std::uint64_t question, const std::string& answer);

  std::string path_;
  std::uint64_t most_bytes_;
  std::mutex mutex_;  // of what follows
  std::uint64_t bytes_ = 0;
  std::unordered_multimap<std::uint64_t, std::string> answers_;  // that no question has taken yet
  File file_;
};

}  // namespace linkgistic
