// What the library throws. It never prints and never aborts.
#pragma once

#include <stdexcept>
#include <string>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// Anything the caller can be told in words.
class LINKGISTIC_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data or a file are at fault; the message names file, line, column or argument.
class LINKGISTIC_API InputError : public Error {
 public:
  using Error::Error;
};

/// An option has a value that it cannot have; the message names option, value and the constraint it breaks.
class LINKGISTIC_API UsageError : public Error {
 public:
  using Error::Error;
};

/// The caller asked for the work to stop: `stop` of the options said yes.
class LINKGISTIC_API Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace linkgistic
