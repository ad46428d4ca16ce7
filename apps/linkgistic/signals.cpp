#include "signals.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <unistd.h>

#include "exit_code.hpp"
#include "io/atomic_file.hpp"
#include "io/mapped_files.hpp"

namespace linkgistic {
namespace {

volatile std::sig_atomic_t stop = 0;
volatile std::sig_atomic_t polled = 0;

// What follows calls nothing that a signal handler must not call.

void say(const char* text) { (void)!::write(STDERR_FILENO, text, std::strlen(text)); }

[[noreturn]] void end(int code) {
  remove_temporaries();
  _exit(code);
}

// Destructors of JSON values allocate: one that finds no memory cannot throw, and the runtime ends the
// program.
[[noreturn]] void on_terminate() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
    end(exit_input);
  } catch (const std::exception& error) {
    say("linkgistic: error: internal error: ");
    say(error.what());
    say("\n");
  } catch (...) {
  }
  remove_temporaries();
  std::abort();
}

void on_stop(int /*signal*/) {
  if (polled == 0 || stop != 0) {
    say("linkgistic: error: interrupted\n");
    end(exit_interrupted);
  }
  stop = 1;
}

void on_lost_page(int signal, siginfo_t* info, void* /*context*/) {
  const char* const name = mapped_file_at(info->si_addr);
  if (name == nullptr) {  // not a file of ours: the system's own answer follows when the handler returns
    std::signal(signal, SIG_DFL);
    return;
  }
  say("linkgistic: error: ");
  say(name);
  say(": the file has become shorter while it was read\n");
  end(exit_input);
}

}  // namespace

void say_out_of_memory() { say("linkgistic: error: out of memory\n"); }

void install_terminate_handler() { std::set_terminate(on_terminate); }

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_stop;  // without SA_RESTART, so that a waiting write() returns
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = on_lost_page;
  sigaction(SIGBUS, &action, nullptr);
}

bool stop_requested() { return stop != 0; }

PolledWork::PolledWork() { polled = polled + 1; }
PolledWork::~PolledWork() { polled = polled - 1; }

}  // namespace linkgistic
