// Runs the program and gives what it said.
#pragma once

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/run_child.hpp"
#include "table/files.hpp"

namespace linkgistic {

/// linkgistic ARGUMENTS..., with `input` on its standard input.
inline ChildResult run_program(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), LINKGISTIC_PROGRAM);
  const auto result = run_child(std::move(arguments), input);
  if (!result) throw std::runtime_error("there is no program " LINKGISTIC_PROGRAM);
  return *result;
}

/// The same for one that must succeed without a word on standard error, except that chains disagree: their
/// draws differ from one processor to another. What it printed.
inline std::string run_well(std::vector<std::string> arguments, const std::string& input = "") {
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  const ChildResult result = run_program(std::move(arguments), input);
  EXPECT_EQ(result.status, 0) << line << "\n" << result.errors;
  std::istringstream errors(result.errors);
  for (std::string said; std::getline(errors, said);) {
    EXPECT_NE(said.find("the chains do not agree well"), std::string::npos) << line << "\n" << said;
  }
  return result.output;
}

/// The words of a line, cut at spaces.
inline std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

/// Rows of a CSV text after its header.
inline std::vector<std::vector<double>> csv_rows(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      rows.back().push_back(std::strtod(field.c_str(), nullptr));
  }
  return rows;
}

}  // namespace linkgistic
