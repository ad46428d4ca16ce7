// Ctrl-C: work stops between blocks of rows or steps of a fit and leaves nothing half-written.
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

/// While it lives a second signal ends the program at once: for a fit that is told to stop by the first, and
/// has no file half-written.
class SecondEndsAtOnce {
 public:
  SecondEndsAtOnce();
  ~SecondEndsAtOnce();
  SecondEndsAtOnce(const SecondEndsAtOnce&) = delete;
  SecondEndsAtOnce& operator=(const SecondEndsAtOnce&) = delete;
};

}  // namespace linkgistic
