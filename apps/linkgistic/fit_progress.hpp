// How far a fit is.
#pragma once

#include <string>

#include <linkgistic/progress.hpp>

#include "context.hpp"

namespace linkgistic {

/// On a terminal one line with a bar that goes away with the object; elsewhere one line an EM step; nothing
/// when the user is quiet.
class FitProgressLine {
 public:
  explicit FitProgressLine(const Context& context) : context_(context) {}
  ~FitProgressLine();
  FitProgressLine(const FitProgressLine&) = delete;
  FitProgressLine& operator=(const FitProgressLine&) = delete;

  void tell(const FitProgress& progress);

 private:
  const Context& context_;
  bool drawn_ = false;
  std::string phase_;
  double phase_start_ = 0, drawn_at_ = 0;  // seconds
};

/// "EM step 3 of 10 [######              ] objective -1234.5, 2.1 s, at most 4.9 s left" for a phase that
/// began at `phase_start` seconds.
std::string progress_text(const FitProgress& progress, double phase_start);

}  // namespace linkgistic
