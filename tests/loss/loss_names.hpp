// Every loss that the contract is tested on, listed once. A new loss adds its name here.
#pragma once

#include <cctype>
#include <string>

#include <gtest/gtest.h>

namespace linkgistic {

inline constexpr const char* loss_names[] = {
    "log",           "square",     "square,tail=0",       "matsushita", "alpha=0.3",      "alpha=0.5",
    "alpha=1",       "alpha=1.7",  "alpha=1.7,tail=0",    "alpha=3",    "spherical",      "spherical,tail=0",
    "cost=0.15",     "cost=0.5",   "cost=0.9,tail=0.1",   "beta=0,0",   "beta=-0.5,-0.5", "beta=1,1",
    "beta=0.5,-0.3", "beta=1,2.5", "beta=0.25,0.5,tail=0"};

/// The loss as the name of a test.
inline std::string test_name(const testing::TestParamInfo<const char*>& loss) {
  std::string name;
  for (const char c : std::string(loss.param))
    name += c == '-' ? "minus" : std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : "_";
  return name;
}

}  // namespace linkgistic
