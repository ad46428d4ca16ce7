// The progress of a fit.
#pragma once

#include <string>

namespace linkgistic {

struct FitProgress {
  /// A classifier has the phases "l2" and "v" (they are chosen), "first fit" (with the identity as link),
  /// "em" and "sampling" (the links, by Markov chains). A regression has "search" (hyper-parameters by the
  /// Laplace evidence), "variational" (hyper-parameters by the bound of the evidence) and "sampling".
  std::string phase;
  /// Steps finished in this phase: passes over the rows in the first fit, draws in sampling. A classifier
  /// also tells the begin of l2, v and sampling, as step 0; of em, step 0 is the E-step after the first fit.
  int step = 0;
  int of = 0;  // greatest number of steps; 0: unknown
  /// l2, v: the loss in summary.l2_tried and v_tried (less is better), 0 at step 0; em: EmStep::objective;
  /// search and variational: the last value of summary.trace; other phases: 0.
  double objective = 0;
  double seconds = 0;  // since the fit began
};

}  // namespace linkgistic
