#include "classification/data.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>

#include "numeric/hash.hpp"
#include "numeric/random.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t few_entries = std::size_t{1} << 22;  // 16 MB in single precision

// The key of one cell. It is 0 for a zero of either sign, so that sparse rows may leave it out.
template <class T>
std::uint64_t cell_key(std::size_t column, T value) {
  if (value == T{0}) return 0;
  Hash hash;
  hash.add(column);
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    hash.add(value);
  } else {
    hash.add(std::bit_cast<std::uint64_t>(static_cast<double>(value)));
  }
  return hash.value();
}

// (N): keys of the rows, which do not depend on the order of a row's cells. The probability that any two
// different rows among 20,000 have the same key is about 1e-11.
template <class Rows>
std::vector<std::uint64_t> row_keys(const Rows& rows) {
  std::vector<std::uint64_t> keys(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i)
    each_value(rows, i, [&](std::size_t j, auto value) { keys[i] += cell_key(j, value); });
  return keys;
}
template <class T>
std::vector<std::uint64_t> row_keys(const ViewRows<T>& rows) {
  std::vector<std::uint64_t> keys(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.columns; ++j) keys[i] += cell_key(j, rows.row(i)[j * rows.column_step]);
  return keys;
}

// The rows of a view are stored about the mean of all rows; the mean of the chosen ones is computed anew.
FeatureRows chosen_rows(const FeatureRows& rows, std::span<const std::size_t> which) {
  const auto* view = std::get_if<ViewRows<double>>(&rows.matrix().storage());
  if (view == nullptr) return FeatureRows(take_rows(rows.matrix(), which), rows.origin());
  std::vector<double> values;
  values.reserve(which.size() * view->columns);
  for (const std::size_t i : which)
    for (std::size_t j = 0; j < view->columns; ++j) values.push_back(view->row(i)[j * view->column_step]);
  return FeatureRows::dense(values, which.size(), view->columns);
}

void make_parts(const LinkgisticOptions& options, TrainingRows& all) {
  const auto count = static_cast<std::size_t>(options.cv);
  StratifiedParts part_of(count, options.seed);
  std::map<std::int32_t, std::size_t> rows;
  for (const std::int32_t label : all.labels) ++rows[label];
  std::vector<std::size_t> counts;
  for (const auto& [label, of_label] : rows) {
    counts.resize(static_cast<std::size_t>(label) + 1);
    counts.back() = of_label;
  }
  all.small_classes = small_classes(counts, count);
  all.parts.resize(all.labels.size() > few_rows && !all.cross_fit ? 1 : count);
  for (std::size_t n = 0; n < all.labels.size(); ++n) {
    const bool small = std::find(all.small_classes.begin(), all.small_classes.end(), all.labels[n]) !=
                       all.small_classes.end();
    const std::size_t part = part_of(all.labels[n]);
    if (!small && part < all.parts.size()) all.parts[part].held_out.push_back(n);
  }
}

// A class of which a part learns no row would have coefficients without bound there: such a part learns from
// the rows that it would hold out.
void keep_classes(TrainingRows& all) {
  std::map<std::int32_t, std::size_t> rows;
  for (const std::int32_t label : all.labels) ++rows[label];
  for (RowPart& part : all.parts) {
    std::map<std::int32_t, std::size_t> learned;
    if (part.train.empty()) learned = rows;
    for (const std::size_t n : part.train) ++learned[all.labels[n]];
    if (part.train.empty())
      for (const std::size_t n : part.held_out) --learned[all.labels[n]];
    const auto unknown = [&](std::size_t n) { return learned[all.labels[n]] == 0; };
    if (!part.train.empty())
      std::copy_if(part.held_out.begin(), part.held_out.end(), std::back_inserter(part.train), unknown);
    std::erase_if(part.held_out, unknown);
  }
  std::erase_if(all.parts, [](const RowPart& part) { return part.held_out.empty(); });
}

// Adds each row's places in the parts to its key, and its label.
void add_places(const TrainingRows& all, std::vector<std::uint64_t>& keys) {
  const auto place = [](std::uint64_t part, std::uint64_t role) {
    Hash hash;
    hash.add(part);
    hash.add(role);
    return hash.value();
  };
  for (std::size_t n = 0; n < keys.size(); ++n) {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(all.labels[n]));
    keys[n] ^= hash.value();
  }
  for (std::size_t i = 0; i < all.parts.size(); ++i) {
    for (const std::size_t n : all.parts[i].train) keys[n] += place(i, 1);
    for (const std::size_t n : all.parts[i].held_out) keys[n] += place(i, 2);
  }
}

// The numbers of these rows among the distinct ones, each once; rows without weight are left out.
std::vector<std::size_t> renumbered(const std::vector<std::size_t>& rows,
                                    const std::vector<std::size_t>& number) {
  std::vector<std::size_t> result;
  for (const std::size_t n : rows)
    if (number[n] < number.size()) result.push_back(number[n]);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

TrainingRows distinct(const TrainingRows& all) {
  const std::size_t rows = all.labels.size();
  std::vector<std::uint64_t> keys =
      std::visit([](const auto& s) { return row_keys(s); }, all.rows.matrix().storage());
  add_places(all, keys);
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < rows; ++n)
    if (all.weights.empty() || all.weights[n] > 0) order.push_back(n);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<std::size_t> first, number(rows, rows);
  std::vector<double> weight;
  for (const std::size_t n : order) {
    if (first.empty() || keys[first.back()] != keys[n]) {
      first.push_back(n);
      weight.push_back(0);
    }
    number[n] = first.size() - 1;
    weight.back() += all.weights.empty() ? 1.0 : static_cast<double>(all.weights[n]);
  }
  TrainingRows result;
  result.rows = chosen_rows(all.rows, first);
  result.small_classes = all.small_classes;
  result.cross_fit = all.cross_fit;
  for (std::size_t i = 0; i < first.size(); ++i) {
    result.own_labels.push_back(all.labels[first[i]]);
    result.weights.push_back(static_cast<float>(weight[i]));
  }
  result.labels = result.own_labels;
  if (std::all_of(weight.begin(), weight.end(), [](double w) { return w == 1; })) result.weights.clear();
  for (const RowPart& part : all.parts)
    result.parts.push_back({renumbered(part.train, number), renumbered(part.held_out, number)});
  return result;
}

}  // namespace

std::size_t StratifiedParts::operator()(std::int32_t label) {
  Class& own = classes_[label];
  if (own.order.empty() || own.rank % parts_ == 0) own.order = order_of(label, own.rank / parts_);
  return own.order[own.rank++ % parts_];
}

std::vector<std::size_t> StratifiedParts::order_of(std::int32_t label, std::uint64_t round) const {
  RandomStream random(seed_ ^ (0x5b17ULL << 32) ^ static_cast<std::uint64_t>(label), round);
  std::vector<std::size_t> order(parts_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = parts_; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

std::vector<std::int32_t> small_classes(std::span<const std::size_t> rows, std::size_t parts) {
  std::vector<std::int32_t> small;
  std::size_t together = 0, all = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    all += rows[k];
    if (rows[k] == 0 || rows[k] >= parts) continue;
    small.push_back(static_cast<std::int32_t>(k));
    together += rows[k];
  }
  if (10 * together > all) small.clear();
  return small;
}

TrainingRows training_rows(const ClassificationData& data, std::vector<float> weights,
                           const LinkgisticOptions& options) {
  TrainingRows all{data.rows, data.labels, {}, std::move(weights), data.parts, false};
  const std::size_t rows = data.labels.size();
  all.cross_fit = options.prior != LinkPrior::none && options.cross_fit.value_or(rows <= few_rows);
  const bool chosen = !options.l2 || (options.prior == LinkPrior::offset && !options.v);
  if (!chosen && !all.cross_fit) all.parts.clear();
  if (all.parts.empty() && (chosen || all.cross_fit)) make_parts(options, all);
  keep_classes(all);
  return rows <= few_rows && data.rows.matrix().entries() <= few_entries ? distinct(all) : all;
}

RowParts row_parts(const std::vector<RowPart>& parts, std::size_t rows) {
  RowParts result(parts.size(), rows);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool others = parts[p].train.empty();
    if (others)
      for (std::size_t n = 0; n < rows; ++n) result.set_train(n, p);
    for (const std::size_t n : parts[p].train) result.set_train(n, p);
    for (const std::size_t n : parts[p].held_out) {
      if (others) result.set_train(n, p, false);
      result.set_held_out(n, p);
    }
  }
  return result;
}

}  // namespace linkgistic
