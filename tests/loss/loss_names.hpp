// Every loss that the contract is tested on, listed once. A new loss adds its name here.
#pragma once

namespace linkgistic {

inline constexpr const char* loss_names[] = {
    "log",           "square",     "square,tail=0",       "matsushita", "alpha=0.3",      "alpha=0.5",
    "alpha=1",       "alpha=1.7",  "alpha=1.7,tail=0",    "alpha=3",    "spherical",      "spherical,tail=0",
    "cost=0.15",     "cost=0.5",   "cost=0.9,tail=0.1",   "beta=0,0",   "beta=-0.5,-0.5", "beta=1,1",
    "beta=0.5,-0.3", "beta=1,2.5", "beta=0.25,0.5,tail=0"};

}  // namespace linkgistic
