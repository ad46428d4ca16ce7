// A file of finished work. Each record has a hash of the question and the bytes of the answer. A process may
// end at any moment: an incomplete record is dropped, and the work resumes after the last complete one.
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace linkgistic {

class AnswerLog {
 public:
  /// Reads the file at `path` if there is one. `head` identifies the work that the log belongs to. For a log
  /// with another head, `refuse(other head)` is called, which throws. Records beyond `most_bytes` are not
  /// kept. Throws an InputError for a file that is not a log.
  AnswerLog(std::string path, std::string head, const std::function<void(const std::string&)>& refuse,
            std::uint64_t most_bytes);

  /// Returns the recorded answer to this question, or records and returns `work()`. Questions must come in
  /// the order of the log; at the first that differs, the rest of the log is discarded.
  std::string recall(std::string_view question, const std::function<std::string()>& work);

  [[nodiscard]] std::size_t recalled() const { return next_; }

 private:
  struct Record {
    std::uint64_t question;
    std::string answer;
  };
  void read(const std::function<void(const std::string&)>& refuse);
  void rewrite();
  void append(const Record& record);

  std::string path_, head_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;
  std::vector<Record> records_;  // those not yet recalled hold their answers
  std::size_t next_ = 0;
  std::ofstream out_;
};

}  // namespace linkgistic
