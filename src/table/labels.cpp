#include "table/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include <linkgistic/error.hpp>

#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

std::optional<double> number_of(const std::string& label) {
  double value = 0;
  return parse_number(label, value) == NumberKind::finite ? std::optional(value) : std::nullopt;
}

struct LabelOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto x = number_of(a), y = number_of(b);
    if (x && y && *x != *y) return *x < *y;
    if (x.has_value() != y.has_value()) return x.has_value();
    return a < b;
  }
};

bool is_among(const std::vector<std::string>& labels, const std::string& name) {
  return std::any_of(labels.begin(), labels.end(),
                     [&](const std::string& label) { return canonical_label(label) == name; });
}

// The positive one of the labels that came.
std::string find_positive(const std::string& table, const LabelColumn& labels) {
  const std::vector<std::string> sorted = sorted_labels(labels.names);
  if (sorted.size() == 2) return sorted[1];
  if (sorted.size() == 1) {
    if (const auto number = number_of(sorted[0])) return *number > 0 ? sorted[0] : "1";
  }
  throw InputError(table + ": " + counted(sorted.size(), "different label") +
                   " where two are needed: --positive LABEL says which one is positive");
}

// The class of every column of scores.
std::vector<std::string> match_columns(const std::string& table, const std::vector<std::string>& columns,
                                       const std::vector<std::string>& labels) {
  std::vector<std::string> sorted = sorted_labels(labels);
  std::vector<std::string> found;
  for (const std::string& column : columns) {
    // The longest label that the name ends with.
    std::string best;
    for (const std::string& label : sorted) {
      if (column.ends_with(label) && label.size() > best.size()) best = label;
    }
    if (best.empty() || is_among(found, best)) break;
    found.push_back(best);
  }
  const bool all =
      found.size() == columns.size() &&
      std::all_of(sorted.begin(), sorted.end(), [&](const auto& label) { return is_among(found, label); });
  if (all) return found;
  if (sorted.size() == columns.size()) return sorted;
  throw InputError(table + ": " + counted(columns.size(), "column") + " of scores and " +
                   counted(sorted.size(), "different label") + ": name each column by its class");
}

}  // namespace

std::string canonical_label(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  return parse_number(text, value) == NumberKind::finite ? canonical_label(value) : std::string(text);
}

std::string canonical_label(double value) {
  char buffer[40];
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value)).ptr};
  }
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::vector<std::string> sorted_labels(std::span<const std::string> labels) {
  const std::set<std::string, LabelOrder> names(labels.begin(), labels.end());
  return {names.begin(), names.end()};
}

std::string regression_suspicion(std::span<const std::string> names, std::size_t rows) {
  // Classes that are numbers have many rows each and are whole; beyond a hundred of them we ask all the same.
  constexpr std::size_t many = 20, very_many = 100, rows_of_a_class = 20;
  if (names.size() <= many) return {};
  bool whole = true;
  for (const std::string& name : names) {
    const auto value = number_of(name);
    if (!value) return {};
    whole = whole && *value == std::floor(*value);
  }
  if (whole && names.size() <= very_many && rows >= rows_of_a_class * names.size()) return {};
  return "the labels of " + counted(rows, "row") + " are " + std::to_string(names.size()) +
         " different numbers: this looks like a regression, and here each number is a class of its own";
}

bool LabelCollector::add(std::string_view label) {
  if (label == last_ && !labels_.codes.empty()) {
    labels_.codes.push_back(labels_.codes.back());
    return false;
  }
  last_ = label;
  const auto [spelling, unknown] = spellings_.try_emplace(last_, 0);
  const std::size_t before = labels_.names.size();
  if (unknown) {
    const auto [code, is_new] = codes_.try_emplace(canonical_label(label), static_cast<std::int32_t>(before));
    if (is_new) labels_.names.push_back(code->first);
    spelling->second = code->second;
  }
  labels_.codes.push_back(spelling->second);
  return labels_.names.size() > before;
}

BinaryLabels binary_labels(const std::string& table, const LabelColumn& labels, const std::string& positive,
                           const std::vector<std::string>& known_negatives) {
  BinaryLabels result;
  result.positive = positive.empty() ? find_positive(table, labels) : canonical_label(positive);
  std::vector<std::uint8_t> is_positive;
  for (std::size_t i = 0; i < labels.names.size(); ++i) {
    const std::string& name = labels.names[i];
    is_positive.push_back(name == result.positive ? 1 : 0);
    if (is_positive.back() == 1) continue;
    result.negatives.push_back(name);
    if (known_negatives.empty() || is_among(known_negatives, name)) continue;
    throw InputError(table + ": " + labels.first[i] + ": the model does not know the label " +
                     in_quotes(name) + "; its labels are " + in_quotes(result.positive) + " and " +
                     joined(known_negatives, ", ", in_quotes));
  }
  result.label.reserve(labels.codes.size());
  for (const std::int32_t code : labels.codes)
    result.label.push_back(is_positive[static_cast<std::size_t>(code)]);
  return result;
}

ClassLabels class_labels(const std::string& table, const LabelColumn& labels,
                         const std::vector<std::string>& columns, const std::vector<std::string>& known) {
  ClassLabels result{{}, known.empty() ? match_columns(table, columns, labels.names) : known};
  std::vector<std::int32_t> place;
  for (std::size_t i = 0; i < labels.names.size(); ++i) {
    const auto it = std::find_if(result.names.begin(), result.names.end(), [&](const std::string& name) {
      return canonical_label(name) == labels.names[i];
    });
    if (it == result.names.end()) {
      throw InputError(table + ": " + labels.first[i] + ": there is no class " + in_quotes(labels.names[i]));
    }
    place.push_back(static_cast<std::int32_t>(it - result.names.begin()));
  }
  result.label.reserve(labels.codes.size());
  for (const std::int32_t code : labels.codes) result.label.push_back(place[static_cast<std::size_t>(code)]);
  return result;
}

}  // namespace linkgistic
