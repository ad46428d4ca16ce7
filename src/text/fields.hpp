// Tables of fields: name, meaning and allowed values of each member of an options, summary or metrics struct,
// in one place. Checks, flags and their help, docstrings, model files and the command in a report are made
// from them. A struct has a function fields(const Struct&) that returns its table, a tuple of fields.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/response.hpp>

#include "text/print_number.hpp"

namespace linkgistic {

/// The numbers that a field may have; any number if there are no words.
struct NumberRange {
  double least = 0, most = 0;
  std::string words = {};  // "from 1 to 64", after "it must be"
  bool least_too = true, most_too = true;

  [[nodiscard]] bool holds(double v) const {
    return words.empty() || ((least_too ? v >= least : v > least) && (most_too ? v <= most : v < most));
  }
};

inline NumberRange from_to(int least, int most) {
  return {double(least), double(most), "from " + std::to_string(least) + " to " + std::to_string(most)};
}
inline NumberRange rate_range() { return {0, 1, "at least 0 and below 1, or learn", true, false}; }
inline NumberRange at_least(int least) {
  return {double(least), std::numeric_limits<double>::infinity(), "at least " + std::to_string(least)};
}

/// Words for the values of an enumeration or, if wanted, of a truth value; numbers have a range.
template <class T>
using Allowed = std::conditional_t<std::is_enum_v<T> || std::is_same_v<T, bool>,
                                   const std::map<std::string, T>*, NumberRange>;

/// What is known of a field of type T, whatever struct it is in.
template <class T>
struct FieldFacts {
  std::string name;  // of the member, in model files, in Python and in messages
  Allowed<T> allowed = {};
  std::string words = {};       // the meaning of an option, in sentences without markup
  std::string flag = {};        // of the program; with a word behind it: a value of another option's flag
  std::string flag_words = {};  // more help for it
  std::string type = {};        // in the words of Python; empty: that of T
  bool in_file = true;          // kept in the model file
  bool in_command = true;       // part of the command that makes the model again
  bool came_later = false;      // files of earlier versions lack it: it then has its default
  std::function<bool(const T&)> left_out = {};  // of files and commands; none: never
};

/// A field of S. Its modifiers are written behind it in the table.
template <class S, class T>
struct Field : FieldFacts<T> {
  T S::*member = nullptr;

  [[nodiscard]] const T& of(const S& s) const { return s.*member; }
  [[nodiscard]] T& of(S& s) const { return s.*member; }

  Field flagged(const std::string& as, const std::string& more = {}) && {
    this->flag = as;
    this->flag_words = more;
    return std::move(*this);
  }
  Field typed(const std::string& as) && {
    this->type = as;
    return std::move(*this);
  }
  Field not_in_file() && {
    this->in_file = false;
    return std::move(*this);
  }
  Field later() && {
    this->came_later = true;
    return std::move(*this);
  }
  /// Files and commands name it only where it has another value than its default.
  Field left_out_at_default() && {
    this->left_out = [preset = S{}.*member](const T& value) { return value == preset; };
    return std::move(*this);
  }
  /// It changes nothing that a model keeps.
  Field passing() && {
    this->in_file = this->in_command = false;
    return std::move(*this);
  }
};

/// A field of the member `outer` of S.
template <class S, class Inner, class T>
struct NestedField : FieldFacts<T> {
  Inner S::*outer = nullptr;
  T Inner::*member = nullptr;

  [[nodiscard]] const T& of(const S& s) const { return s.*outer.*member; }
  [[nodiscard]] T& of(S& s) const { return s.*outer.*member; }
};

/// A field without a flag.
template <class S, class T>
Field<S, T> field(const std::string& name, T S::*member, Allowed<T> allowed = {}) {
  return {{name, std::move(allowed)}, member};
}

/// An option: its flag is --name, with dashes.
template <class S, class T>
Field<S, T> option(const std::string& name, T S::*member, Allowed<T> allowed, const std::string& words) {
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return {{name, std::move(allowed), words, flag}, member};
}
template <class S, class T>
Field<S, T> option(const std::string& name, T S::*member, const std::string& words) {
  return option(name, member, {}, words);
}

/// What every fit has.
template <class S>
Field<S, int> threads_option(int S::*member) {
  return option("threads", member, {0, std::numeric_limits<double>::infinity(), "0 (all) or positive"},
                "Number of threads; 0: all, and at most eight for each processor. The result does not depend "
                "on it.")
      .passing();
}
template <class S>
Field<S, int> draws_option(int S::*member) {
  return option("draws", member, at_least(100), "Draws of each of the four chains of mcmc, at least 100.");
}

/// A field of an outer struct's member. The outer struct's files had it not at first.
template <class S, class Inner, class T>
NestedField<S, Inner, T> nested(const Field<Inner, T>& f, Inner S::*outer) {
  NestedField<S, Inner, T> result{static_cast<const FieldFacts<T>&>(f), outer, f.member};
  result.came_later = true;
  return result;
}

/// The fields of a member, as fields of S.
template <class S, class Inner, class... T>
auto within(Inner S::*outer, const std::tuple<Field<Inner, T>...>& table) {
  return std::apply([outer](const auto&... f) { return std::make_tuple(nested(f, outer)...); }, table);
}

/// visit(field, value) for every field of s, in the order of the table.
template <class S, class Visit>
void each_field(S& s, const Visit& visit) {
  std::apply([&](const auto&... f) { (visit(f, f.of(s)), ...); }, fields(s));
}

/// Whether files and commands leave this value of a field out.
template <class T>
bool is_left_out(const FieldFacts<T>& f, const T& value) {
  return f.left_out && f.left_out(value);
}

/// Whether there is a table for T.
template <class T>
concept HasFields = requires(const T& t) {
  fields(t);
};

/// Throws UsageError for a number outside its range, with its name, its value and the constraint.
inline void check_number(const NumberRange& range, const std::string& name, double value) {
  if (!range.holds(value)) throw UsageError(name + " = " + shortest(value) + ": it must be " + range.words);
}
template <class T>
void check_range(const FieldFacts<T>& f, const T& value) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    check_number(f.allowed, f.name, double(value));
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    if (value) check_number(f.allowed, f.name, *value);
  } else if constexpr (std::is_same_v<T, Rate>) {
    if (!value.learned) check_number(f.allowed, f.name, value.value);
  } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
    for (const auto& [name, number] : value) check_number(f.allowed, f.name + ": " + name, number);
  }
}

/// The same for all fields.
template <class S>
void check_ranges(const S& s) {
  each_field(s, [](const auto& f, const auto& value) { check_range(f, value); });
}

}  // namespace linkgistic
