// Where results go: standard output, or a file that appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "context.hpp"
#include "io/atomic_file.hpp"

namespace linkgistic {

/// The reader of our standard output has closed it; no more output is needed.
struct ReaderGone {};

class Output {
 public:
  /// "-" is standard output.
  explicit Output(const std::string& path);

  /// Throws ReaderGone, Interrupted, or an InputError with the system's reason.
  void write(std::string_view text);
  /// Gives the file its name. Without it there is no file.
  void commit();

 private:
  std::optional<AtomicFile> file_;
};

/// Writes bytes to standard output as they are.
void write_stdout(std::string_view text);

/// Writes text for readers, or JSON, to standard output; control characters are shown, not sent.
void print(std::string_view text);

/// Writes the model of a fit to a file, if one was named. Throws Interrupted after a stop, when the file has
/// the best model so far.
void write_model(const std::string& model, const std::string& path, const Context& context);

/// The shortest text that reads back as the same number.
void append_number(std::string& text, double value);

/// `value` with `digits` significant digits, for readers.
std::string rounded(double value, int digits = 5);

/// A field of a CSV row, in quotes where it must be.
std::string field(const std::string& text);

}  // namespace linkgistic
