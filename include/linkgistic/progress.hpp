// How far a fit is.
#pragma once

#include <string>

namespace linkgistic {

struct FitProgress {
  /// Of a classifier: "l2" and "v" are chosen, "first fit" is of the identity link, "em" the last. Of a
  /// regression: "search" for the hyper-parameters by the Laplace evidence, "variational" by the bound of the
  /// evidence, "sampling" the last.
  std::string phase;
  int step = 0;  // finished in this phase; of the first fit: passes over the rows; of sampling: draws
  int of = 0;    // at most; 0: not known
  /// l2, v: what summary.l2_tried, v_tried have (less is better); em: EmStep::objective; search, variational:
  /// what summary.trace has; the others: 0.
  double objective = 0;
  double seconds = 0;  // since the fit began
};

}  // namespace linkgistic
