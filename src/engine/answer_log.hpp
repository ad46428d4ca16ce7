// A file of finished work, one record after the other: what was asked, by a hash, and the bytes of the
// answer. A process may end at any moment: a record that is not whole is dropped, and the work goes on after
// the last that is.
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
  /// Reads `path` where it is. `head` says what the log belongs to; `refuse(other head)` is called with that
  /// of a log that belongs to something else, and throws. Records beyond `most_bytes` are not kept. A file
  /// that is no log is an InputError.
  AnswerLog(std::string path, std::string head, const std::function<void(const std::string&)>& refuse,
            std::uint64_t most_bytes);

  /// The recorded answer to this question, or `work()`, recorded. Questions are expected in the order of the
  /// log; at the first that differs the rest of the log is forgotten.
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
