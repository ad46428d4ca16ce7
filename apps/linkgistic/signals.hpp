// Signals: Ctrl-C stops a fit with its best model so far and ends everything else at once; nothing is left
// half-written. An input file that loses its end while it is read is an error that names it.
#pragma once

namespace linkgistic {

/// From now on SIGINT and SIGTERM end the program, its temporary files removed; a closed pipe and a file that
/// grows beyond its limit are errors of write() instead of signals.
void install_signal_handlers();

/// From now on an exception that nobody can catch removes temporary files, says what it was and ends the
/// program: for want of memory with exit_input.
void install_terminate_handler();

/// Says on standard error that there is no memory; allocates none.
void say_out_of_memory();

/// While it lives the first SIGINT or SIGTERM only sets a flag that the work polls; a second one ends the
/// program at once.
class PolledWork {
 public:
  PolledWork();
  ~PolledWork();
  PolledWork(const PolledWork&) = delete;
  PolledWork& operator=(const PolledWork&) = delete;
};

/// Whether the user asked polled work to stop.
bool stop_requested();

}  // namespace linkgistic
