// The exceptions of the library, which never prints and never aborts.
#pragma once

#include <stdexcept>
#include <string>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// The base of all exceptions; the message is for the user.
class LINKGISTIC_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data or a file is at fault; the message names file, line, column or argument.
class LINKGISTIC_API InputError : public Error {
 public:
  using Error::Error;
};

/// An option has an invalid value; the message names option, value and the constraint it breaks.
class LINKGISTIC_API UsageError : public Error {
 public:
  using Error::Error;
};

/// The caller stopped the work, by the option `stop`, before there was a result.
class LINKGISTIC_API Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace linkgistic
