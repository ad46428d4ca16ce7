#include "classification/piece.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "classification/pairs.hpp"
#include "classification/weights.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// Of so many rows of a class, those that a part holds out: one of each whole round, and of the last one what
// its order says.
std::size_t held_out(const StratifiedParts& order, std::size_t part, std::int32_t label, std::size_t rows,
                     std::size_t parts) {
  std::size_t count = rows / parts;
  const std::vector<std::size_t> last = order.order_of(label, rows / parts);
  for (std::size_t i = 0; i < rows % parts; ++i) count += last[i] == part ? 1 : 0;
  return count;
}

RowParts piece_parts(const ClassifierPlan& plan, std::span<const std::uint64_t> first_ranks,
                     std::span<const std::int32_t> labels) {
  RowParts parts(plan.parts.size(), labels.size());
  if (plan.parts.empty()) return parts;
  StratifiedParts part_of(plan.cv, plan.seed);
  for (std::size_t k = 0; k < first_ranks.size(); ++k)
    part_of.begin_at(static_cast<std::int32_t>(k), first_ranks[k]);
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const std::size_t own = part_of(labels[n]);
    for (std::size_t p = 0; p < plan.parts.size(); ++p) {
      const PlannedPart& part = plan.parts[p];
      if (part.number == own && part.holds[static_cast<std::size_t>(labels[n])] != 0) {
        parts.set_held_out(n, p);
      } else {
        parts.set_train(n, p);
      }
    }
  }
  return parts;
}

RowMatrix about(RowMatrix rows, const std::vector<double>& origin) {
  const auto* view = std::get_if<ViewRows<double>>(&rows.storage());
  if (view == nullptr || origin.empty()) return rows;
  ViewRows<double> centred = *view;
  centred.origin = origin;
  return RowMatrix(std::move(centred));
}

template <class Rows>
void check_values(const Rows& rows, std::uint64_t first_row) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    each_value(rows, i, [&](std::size_t j, auto value) {
      if (std::isfinite(static_cast<double>(value))) return;
      throw InputError("row " + std::to_string(first_row + i + 1) + ", column " + std::to_string(j + 1) +
                       ": " + shortest(static_cast<double>(value)) + " is not a finite number");
    });
  }
}

}  // namespace

SumNodes piece_sums(std::uint64_t first_row, const RowMatrix& rows, std::span<const std::int32_t> labels,
                    std::span<const float> weights, std::size_t classes, int threads) {
  for (std::size_t n = 0; n < labels.size(); ++n)
    if (labels[n] < 0 || static_cast<std::size_t>(labels[n]) >= classes)
      throw InputError("the label of row " + std::to_string(first_row + n + 1) + " is of no class");
  SumNodes nodes = class_sums(labels, weights, first_row, classes);
  const SumNodes counts = sums_of_rows(
      labels.size(), first_row / sum_leaf_rows, 1,
      [&](std::size_t n, std::span<double> sum) { sum[0] += weights.empty() || weights[n] > 0 ? 1 : 0; });
  SumNodes columns;
  if (const auto* view = std::get_if<ViewRows<double>>(&rows.storage())) {
    columns = column_sums(*view, first_row, threads);
  } else {
    std::visit([&](const auto& storage) { check_values(storage, first_row); }, rows.storage());
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::vector<double>& all = nodes[i].value;
    all.push_back(counts[i].value[0]);
    if (!columns.empty()) all.insert(all.end(), columns[i].value.begin(), columns[i].value.end());
  }
  return nodes;
}

ClassifierPlan plan_classifier(const RowsShape& shape, std::span<const std::size_t> class_rows,
                               std::vector<double> factors, std::vector<double> origin,
                               const LinkgisticOptions& options) {
  if (shape.rows <= few_rows) throw InputError("so few rows are fitted in one place");
  if (options.device != "cpu")
    throw UsageError("device = " + options.device + ": rows that other processes hold are summed on cpu");
  ClassifierPlan plan{shape,
                      options.seed,
                      static_cast<std::uint32_t>(options.cv),
                      {},
                      false,
                      fits_pairs(class_rows.size(), options),
                      std::move(factors),
                      std::move(origin)};
  plan.cross_fit = options.prior != LinkPrior::none && options.cross_fit.value_or(false);
  const bool chosen = !options.l2 || (options.prior == LinkPrior::offset && !options.v);
  if (!chosen && !plan.cross_fit) return plan;
  const std::vector<std::int32_t> small = small_classes(class_rows, plan.cv);
  const StratifiedParts order(plan.cv, plan.seed);
  for (std::uint32_t p = 0; p < (plan.cross_fit ? plan.cv : 1); ++p) {
    PlannedPart part{p, std::vector<std::uint8_t>(class_rows.size())};
    bool any = false;
    for (std::size_t k = 0; k < class_rows.size(); ++k) {
      const auto label = static_cast<std::int32_t>(k);
      if (std::find(small.begin(), small.end(), label) != small.end()) continue;
      const std::size_t held = held_out(order, p, label, class_rows[k], plan.cv);
      // A class of which the part would learn no row is not held out.
      part.holds[k] = held > 0 && held < class_rows[k] ? 1 : 0;
      any = any || part.holds[k] != 0;
    }
    if (any) plan.parts.push_back(std::move(part));
  }
  return plan;
}

void set_parts(const ClassifierPlan& plan, std::span<const std::size_t> class_rows, TrainingFacts& facts) {
  facts.parts = plan.parts.size();
  facts.cross_fit = plan.cross_fit;
  if (plan.parts.empty()) return;
  for (const std::int32_t label : small_classes(class_rows, plan.cv))
    facts.small_classes.emplace_back(label, class_rows[static_cast<std::size_t>(label)]);
}

ClassifierPiece::ClassifierPiece(const ClassifierPlan& plan, std::uint64_t first_row,
                                 std::span<const std::uint64_t> first_ranks, RowMatrix rows,
                                 std::vector<std::int32_t> labels, std::vector<float> weights, int threads)
    : labels_(std::move(labels)), weights_(std::move(weights)) {
  if (first_row % Grid(plan.shape).block_rows() != 0 || labels_.size() != rows.rows() ||
      (!weights_.empty() && weights_.size() != rows.rows()) || first_ranks.size() != plan.factors.size())
    throw InputError("a piece of the rows does not fit the plan");
  weigh_classes(plan.factors, labels_, weights_);
  RowParts parts = piece_parts(plan, first_ranks, labels_);
  if (plan.pairwise) parts = pair_parts(parts, labels_, plan.factors.size());
  rows_ = std::make_unique<CpuRows>(
      EngineRows{about(std::move(rows), plan.origin), labels_, weights_, std::move(parts)}, plan.shape,
      first_row / Grid::leaf_rows, threads);
}

}  // namespace linkgistic
