// Ctrl-C: work stops between blocks of rows and leaves nothing half-written.
#pragma once

namespace linkgistic {

/// From now on SIGINT and SIGTERM set a flag, and a closed pipe is an error of write() instead of a signal.
void install_signal_handlers();

/// Whether the user asked to stop.
bool stop_requested();

/// While it lives a signal ends the program at once: for reads that may wait forever, before any output
/// is begun.
class EndAtOnce {
 public:
  EndAtOnce();
  ~EndAtOnce();
  EndAtOnce(const EndAtOnce&) = delete;
  EndAtOnce& operator=(const EndAtOnce&) = delete;
};

}  // namespace linkgistic
