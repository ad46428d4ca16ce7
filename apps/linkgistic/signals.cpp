#include "signals.hpp"

#include <csignal>

#include <unistd.h>

#include "exit_code.hpp"

namespace linkgistic {
namespace {

volatile std::sig_atomic_t stop = 0;
volatile std::sig_atomic_t end_at_once = 0;
volatile std::sig_atomic_t second_ends = 0;

void on_signal(int /*signal*/) {
  if (end_at_once != 0 || (second_ends != 0 && stop != 0)) _exit(exit_interrupted);
  stop = 1;
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;  // without SA_RESTART, so that a waiting write() returns
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

bool stop_requested() { return stop != 0; }

EndAtOnce::EndAtOnce() {
  end_at_once = 1;
  if (stop != 0) _exit(exit_interrupted);
}

EndAtOnce::~EndAtOnce() { end_at_once = 0; }

SecondEndsAtOnce::SecondEndsAtOnce() { second_ends = 1; }
SecondEndsAtOnce::~SecondEndsAtOnce() { second_ends = 0; }

}  // namespace linkgistic
