#include "output.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

#include <unistd.h>

#include <linkgistic/error.hpp>

#include "model.hpp"
#include "signals.hpp"
#include "text/utf8.hpp"

namespace linkgistic {

Output::Output(const std::string& path) {
  if (path != "-") file_.emplace(path);
}

void Output::write(std::string_view text) {
  if (file_) {
    file_->write(text);
  } else {
    write_stdout(text);
  }
}

void Output::commit() {
  if (file_) file_->commit();
}

void write_model(const std::string& model, const std::string& path, const Context& context) {
  if (!path.empty()) {
    check_model_text(model);
    Output file(path);
    file.write(model);
    file.commit();
    if (stop_requested()) context.note(path + " has the best model so far");
  }
  if (stop_requested()) throw Interrupted();
}

void print(std::string_view text) { write_stdout(visible(text)); }

void write_stdout(std::string_view text) {
  while (!text.empty()) {
    if (stop_requested()) throw Interrupted();  // a signal cuts a waiting write() short
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EPIPE) throw ReaderGone();
    if (errno != EINTR) throw InputError("stdout: cannot write: " + std::generic_category().message(errno));
  }
}

void append_number(std::string& text, double value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

std::string rounded(double value, int digits) {
  if (std::isnan(value)) return "undefined";
  char buffer[40];
  return {buffer,
          std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr};
}

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace linkgistic
