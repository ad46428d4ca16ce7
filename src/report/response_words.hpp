// What a regression's response is, in words.
#pragma once

#include <string>

#include <linkgistic/monotone_regression.hpp>

namespace linkgistic {

/// "poisson, the curve is the logarithm of the mean of claims for 1 of years"; of a Gaussian "gaussian".
std::string response_words(const FittedMonotoneRegression& fit);
/// Of noise that varies: ".2 to 1.4 from x = 0 to 10, .7 in the root mean square of the rows".
std::string noise_words(const FittedMonotoneRegression& fit);
/// What the mean is on an axis: the column of y, "share of dead", "claims for 1 of years", "P(label = yes)".
std::string mean_words(const FittedMonotoneRegression& fit);
/// The scale of the link: the column of y, "log odds of dead", "log claims".
std::string link_words(const FittedMonotoneRegression& fit);
/// Whether an observation is one label, whose band says nothing.
bool observes_labels(const FittedMonotoneRegression& fit);

}  // namespace linkgistic
