#include "fit_progress.hpp"

#include <algorithm>
#include <cstdio>

#include "output.hpp"

namespace linkgistic {
namespace {

constexpr int bar_width = 20;
constexpr double seconds_between = 0.05;  // seconds

std::string phase_words(const FitProgress& p) {
  if (p.phase == "em") return "EM step ";
  if (p.phase == "l2" || p.phase == "v") return "choosing " + p.phase + ", step ";
  if (p.phase == "search") return "learning hyper-parameters, step ";
  if (p.phase == "sampling") return "sampling, draw ";
  if (p.phase == "maps tried") return "choosing the maps, map ";
  if (p.phase == "maps") return "fitting, map ";
  return p.phase + (p.phase == "first fit" ? ", pass " : ", step ");
}

std::string seconds_text(double seconds) {
  char buffer[32];
  if (seconds < 100) {
    std::snprintf(buffer, sizeof buffer, "%.1f s", seconds);
  } else {
    std::snprintf(buffer, sizeof buffer, "%d min %02d s", static_cast<int>(seconds) / 60,
                  static_cast<int>(seconds) % 60);
  }
  return buffer;
}

}  // namespace

std::string progress_text(const FitProgress& p, double phase_start) {
  std::string text = phase_words(p) + std::to_string(p.step);
  if (p.of > 0) {
    text += " of " + std::to_string(p.of);
    const int full = std::clamp(p.step * bar_width / p.of, 0, bar_width);
    text += " [" + std::string(static_cast<std::size_t>(full), '#') +
            std::string(static_cast<std::size_t>(bar_width - full), ' ') + "]";
  }
  const bool begins = p.step == 0 && p.phase != "em";
  const bool with_objective =
      !begins && p.phase != "first fit" && p.phase != "sampling" && !p.phase.starts_with("maps");
  if (with_objective) text += " objective " + rounded(p.objective, 7);
  text += (with_objective ? ", " : " ") + seconds_text(p.seconds);
  if (p.of > 0 && p.step > 0 && p.step < p.of) {
    text += ", at most " + seconds_text((p.seconds - phase_start) / p.step * (p.of - p.step)) + " left";
  }
  return text;
}

FitProgressLine::~FitProgressLine() {
  if (drawn_) print_error("\r\x1b[K");
}

void FitProgressLine::tell(const FitProgress& progress) {
  if (context_.quiet) return;
  const bool new_phase = progress.phase != phase_;
  if (new_phase) {
    phase_ = progress.phase;
    phase_start_ = progress.seconds;
  }
  if (on_terminal()) {
    if (!new_phase && progress.seconds < drawn_at_ + seconds_between) return;
    drawn_ = true;
    drawn_at_ = progress.seconds;
    print_error("\r\x1b[K" + progress_text(progress, phase_start_));
  } else if (progress.phase == "em") {
    print_error("linkgistic: EM step " + std::to_string(progress.step) + ": objective " +
                rounded(progress.objective, 7) + ", " + seconds_text(progress.seconds) + "\n");
  }
}

}  // namespace linkgistic
