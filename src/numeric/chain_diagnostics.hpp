// Whether several Markov chains have reached the same distribution, and how many independent draws they are
// worth: rank-normalised split R-hat, bulk and tail effective sample size (A. Vehtari, A. Gelman, D. Simpson,
// B. Carpenter and P.-C. Buerkner, Rank-normalization, folding, and localization, Bayesian Analysis 16,
// 2021).
#pragma once

#include "numeric/types.hpp"

namespace linkgistic {

struct ChainDiagnostics {
  double r_hat = 1;     // below 1.01 when the chains agree
  double bulk_ess = 0;  // effective number of draws for the middle of the distribution
  double tail_ess = 0;  // the lesser of those for the 5 % and the 95 % quantile
};

/// chains: (draws, chains) of one quantity, at least 4 draws. A quantity that is the same in all draws has
/// r_hat 1 and all draws count as effective.
ChainDiagnostics diagnose_chains(const Matrix& chains);

/// The effective sample size of the mean of the columns as they stand: autocorrelations summed up to where
/// pairs of them turn negative, made monotone (Geyer's initial monotone sequence).
double effective_sample_size(const Matrix& chains);

}  // namespace linkgistic
