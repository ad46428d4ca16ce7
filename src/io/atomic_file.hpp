// A file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace linkgistic {

/// Collects text in a temporary file next to `path`; commit() makes it durable and gives it its name,
/// replacing what was there. Without commit() nothing is left behind; a temporary file that a killed process
/// left, `path`.tmp-PROCESS-NUMBER, is removed by the next one that writes `path`. What is not a regular file
/// (a pipe, /dev/stdout) is written directly. Failures are an InputError with the path and the system's
/// reason.
class AtomicFile {
 public:
  static constexpr unsigned all_may_write = 0666, own = 0600;

  /// A new file gets these permissions, less what the umask takes away.
  explicit AtomicFile(const std::string& path, unsigned permissions = all_may_write);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail() const;
  void forget();

  std::string path_;       // as it was given, for messages
  std::string target_;     // where the file goes, links followed
  std::string temporary_;  // empty when written directly, or when the file has its name
  int descriptor_ = -1;
};

/// AtomicFile in one call.
void write_atomically(const std::string& path, std::string_view text,
                      unsigned permissions = AtomicFile::all_may_write);

/// Removes the temporary files of this process. A signal handler that ends the program may call it.
void remove_temporaries() noexcept;

}  // namespace linkgistic
