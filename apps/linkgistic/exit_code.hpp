// What the program returns to the shell.
#pragma once

namespace linkgistic {

inline constexpr int exit_ok = 0;
inline constexpr int exit_input = 1;     // a file, its data or the machine are at fault
inline constexpr int exit_usage = 2;     // the command line is
inline constexpr int exit_internal = 3;  // the program is
inline constexpr int exit_interrupted = 130;

}  // namespace linkgistic
