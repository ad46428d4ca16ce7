// The progress of a fit.
#pragma once

#include <string>

namespace linkgistic {

struct FitProgress {
  /// A classifier has the phases "l2" and "v" (they are chosen), "first fit" (with the identity as link) and
  /// "em". A regression has "search" (hyper-parameters by the Laplace evidence), "variational"
  /// (hyper-parameters by the bound of the evidence) and "sampling".
  std::string phase;
  int step = 0;  // steps finished in this phase: passes over the rows in the first fit, draws in sampling
  int of = 0;    // greatest number of steps; 0: unknown
  /// l2, v: the loss in summary.l2_tried and v_tried (less is better); em: EmStep::objective; search and
  /// variational: the last value of summary.trace; other phases: 0.
  double objective = 0;
  double seconds = 0;  // since the fit began
};

}  // namespace linkgistic
