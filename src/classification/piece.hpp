// The rows of a fit that another process holds: how they are parted and weighed, from a few numbers that one
// who fits sends to all holders.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "classification/facts.hpp"
#include "engine/wire.hpp"

namespace linkgistic {

/// A part of the cross-validation, without its rows.
struct PlannedPart {
  std::uint32_t number = 0;         // among those of StratifiedParts
  std::vector<std::uint8_t> holds;  // (C): whether rows of the class are held out

  auto fields() { return std::tie(number, holds); }
};

/// What all holders of rows must know.
struct ClassifierPlan {
  RowsShape shape;
  std::uint64_t seed = 0;
  std::uint32_t cv = 0;
  std::vector<PlannedPart> parts;
  bool cross_fit = false;
  bool pairwise = false;
  std::vector<double> factors;  // (C) of the weights
  std::vector<double> origin;   // (D) that double precision is stored about, or empty: 0

  auto fields() { return std::tie(shape, seed, cv, parts, cross_fit, pairwise, factors, origin); }
};

/// Sums over a piece that begins with row `first_row`, for a plan: the weights of the classes, the number of
/// rows of positive weight, and of double precision the sums of the columns. An InputError with row and
/// column for a value that is not finite.
SumNodes piece_sums(std::uint64_t first_row, const RowMatrix& rows, std::span<const std::int32_t> labels,
                    std::span<const float> weights, std::size_t classes, int threads);

/// The plan of a fit of more than few_rows rows, of which so many (C) are of each class: the parts that
/// training_rows makes of them.
ClassifierPlan plan_classifier(const RowsShape& shape, std::span<const std::size_t> class_rows,
                               std::vector<double> factors, std::vector<double> origin,
                               const LinkgisticOptions& options);

/// A contiguous piece of the rows, whole blocks of the grid.
class ClassifierPiece {
 public:
  /// `first_ranks` (C): how many rows of each class come before.
  ClassifierPiece(const ClassifierPlan& plan, std::uint64_t first_row,
                  std::span<const std::uint64_t> first_ranks, RowMatrix rows,
                  std::vector<std::int32_t> labels, std::vector<float> weights, int threads);

  /// The answer to a request of request_message.
  std::string answer(std::string_view request) { return answer_message(*rows_, request); }

 private:
  std::vector<std::int32_t> labels_;
  std::vector<float> weights_;
  std::unique_ptr<CpuRows> rows_;
};

/// Adds what the plan says to the facts of a fit: parts, and classes that have too few rows.
void set_parts(const ClassifierPlan& plan, std::span<const std::size_t> class_rows, TrainingFacts& facts);

}  // namespace linkgistic
