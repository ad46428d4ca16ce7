#include "response_rows.hpp"

#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "table/labels.hpp"
#include "text/message.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

std::map<std::string, std::string> roles_of(const DataOptions& options) {
  std::map<std::string, std::string> roles;
  for (const auto& [role, name] : {std::pair{"x", options.x},
                                   {"y", options.y},
                                   {"weight", options.weights},
                                   {"offset", options.offset},
                                   {"exposure", options.exposure},
                                   {"trials", options.trials}}) {
    if (!name.empty()) roles[role] = name;
  }
  return roles;
}

std::vector<NamedColumn> columns_of(const std::map<std::string, std::string>& names, bool labelled,
                                    std::map<std::string, std::size_t>& places) {
  std::vector<NamedColumn> columns;
  for (const auto& [role, name] : names) {
    places[role] = columns.size();
    const CellType type = role == "weight"          ? CellType::weight
                          : role == "y" && labelled ? CellType::text
                                                    : CellType::number;
    columns.push_back({name, type});
  }
  return columns;
}

}  // namespace

void check_columns(const DataOptions& options, const Response& response) {
  const std::string name(response.name());
  if (!options.exposure.empty() && !response.takes_exposure())
    throw UsageError("--exposure: the response " + name + " takes none");
  if (!options.trials.empty() && !response.takes_trials())
    throw UsageError("--trials: the response " + name + " takes none");
  if (response.takes_trials() && options.trials.empty())
    throw UsageError("--trials COLUMN: the response " + name + " needs the number of trials of each row");
  if (!options.positive.empty() && name != "bernoulli")
    throw UsageError("--positive: the response " + name + " has no labels");
}

ResponseRows::ResponseRows(std::unique_ptr<Table> table, const DataOptions& options, const Response& response,
                           const ResponseLabels& labels)
    : response_(response),
      table_(table->name()),
      names_(roles_of(options)),
      rows_(std::move(table), columns_of(names_, response.name() == "bernoulli", places_),
            missing_of(options)),
      labelled_(response.name() == "bernoulli") {
  if (labelled_) read_labels(labels);
}

void ResponseRows::read_labels(const ResponseLabels& known) {
  LabelCollector collected;
  while (const std::size_t count = rows_.next()) {
    for (std::size_t r = 0; r < count; ++r)
      collected.add(rows_.text(places_.at("y"), r), [&] { return rows_.place(r); });
  }
  const BinaryLabels found = binary_labels(table_, collected.take(), known.positive, known.negatives);
  label_.assign(found.label.begin(), found.label.end());
  labels_ = {found.positive, found.negatives};
  rows_.rewind();
}

std::span<const double> ResponseRows::column(const std::string& role) const {
  const auto it = places_.find(role);
  return it == places_.end() ? std::span<const double>() : rows_.column(it->second);
}

RowBlock ResponseRows::next() {
  const std::size_t count = rows_.next();
  RowBlock block{column("x"), {}, column("weight"), column("offset"), column("exposure"), column("trials")};
  block.y = labelled_ ? std::span<const double>(label_).subspan(row_, count) : column("y");
  row_ += count;
  check(block);
  return block;
}

void ResponseRows::rewind() {
  rows_.rewind();
  row_ = 0;
}

std::optional<KnownRows> ResponseRows::known_rows() const {
  if (labelled_ || places_.size() > 2) return std::nullopt;
  const auto x = rows_.known_column(places_.at("x")), y = rows_.known_column(places_.at("y"));
  if (!x || !y || x->rows != y->rows) return std::nullopt;
  if (!response_.is_valid(y->lower) || !response_.is_valid(y->upper)) return std::nullopt;
  return KnownRows{x->rows, x->lower, x->upper, y->lower, y->upper};
}

void ResponseRows::check(const RowBlock& block) const {
  const auto refuse = [&](const char* role, std::size_t i, double value, const std::string& rule) {
    throw InputError(table_ + ": " + rows_.place(i) + ", column " + in_quotes(names_.at(role)) + ": " +
                     shortest(value) + ": it must be " + rule);
  };
  const bool good_y = response_.all_valid(block.y);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (!good_y && !response_.is_valid(block.y[i])) refuse("y", i, block.y[i], std::string(response_.rule()));
    if (!block.exposure.empty() && !(block.exposure[i] > 0))
      refuse("exposure", i, block.exposure[i], "positive");
    if (block.trials.empty()) continue;
    const double trials = block.trials[i];
    if (!(trials > 0 && trials == std::floor(trials))) refuse("trials", i, trials, "a positive whole number");
    if (trials < block.y[i])
      refuse("trials", i, trials, "at least the number of successes, " + shortest(block.y[i]));
  }
}

void note_dropped(const ResponseRows& rows, const Context& context) {
  if (rows.dropped() > 0) context.note(counted(rows.dropped(), "row") + " with a missing value left out");
}

}  // namespace linkgistic
