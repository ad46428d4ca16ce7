// What the library throws. It never prints and never aborts.
#pragma once

#include <stdexcept>
#include <string>

namespace linkgistic {

/// Anything the caller can be told in words.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data or a file are at fault; the message names file, line, column or argument.
class InputError : public Error {
 public:
  using Error::Error;
};

/// An option has a value that it cannot have; the message names option, value and the constraint it breaks.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The caller asked for the work to stop (see StopToken).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace linkgistic
