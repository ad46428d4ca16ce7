// How large the numbers may be that rows hold.
#pragma once

#include <cmath>

namespace linkgistic {

/// Of features, which are kept in single precision: the difference of two must fit.
inline constexpr double largest_feature = 1.7e38;

/// Of weights: next to a greater one a row that counts once would be lost to rounding.
inline constexpr double largest_weight = 1e15;

inline constexpr const char* feature_rule = "a feature must lie between -1.7e38 and 1.7e38";
inline constexpr const char* weight_rule = "a weight must lie between 0 and 1e15";

inline bool is_weight(double w) { return w >= 0 && w <= largest_weight; }

}  // namespace linkgistic
