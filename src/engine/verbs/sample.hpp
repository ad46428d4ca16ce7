// sample: rows drawn for a Hessian, with their features. Row n is drawn with probability min(1, share c_n),
// c_n its curvature, by a random number that depends on n, so that the sample is the same however the rows
// are cut. Answers merge by concatenation. The caller multiplies the sample with itself, so no sum depends on
// how the rows are cut. An engine that has all rows, where to multiply them takes less time than to copy
// them, does so itself.
#pragma once

#include "engine/verbs/curvature.hpp"
#include "numeric/aligned_vector.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// The rows that were drawn from one block.
struct SamplePiece {
  std::vector<float> weights;     // (rows): c_n over the probability of being drawn
  AlignedVector<float> features;  // (rows, stride): 1, then z = (raw - shift) scale, then zeros

  auto fields() { return std::tie(weights, features); }
};

struct SampleAnswer {
  std::vector<SamplePiece> pieces;
  /// In place of the pieces: the sum of weight z z' over the rows drawn, (D + 1, D + 1) by columns, the upper
  /// triangle of it.
  std::vector<float> product;

  /// D + 1, rounded up to what vectors read at once.
  [[nodiscard]] static std::size_t stride(std::size_t columns) { return (columns + 64) / 64 * 64; }
  [[nodiscard]] std::size_t rows() const {
    std::size_t n = 0;
    for (const SamplePiece& piece : pieces) n += piece.weights.size();
    return n;
  }

  auto fields() { return std::tie(pieces, product); }
};

struct SampleRequest {
  using Answer = SampleAnswer;
  ScoreRequest scores;          // of one set
  std::uint32_t direction = 0;  // of the set, whose curvature is meant
  ColumnScale scale;
  double share = 0;  // infinite: every row with c_n > 0
  std::uint64_t seed = 0;

  auto fields() { return std::tie(scores, direction, scale, share, seed); }
};

/// c_n over the probability of being drawn, or 0: not drawn.
double drawn_weight(const SampleRequest& r, double c, std::uint64_t row);
/// The same, with the loss of the request's scores.
double drawn_weight(const SampleRequest& r, RowLoss& loss, const ScoredRow& row);

inline SampleAnswer empty_answer(const SampleRequest&) { return {}; }
void merge(SampleAnswer& left, SampleAnswer& right);

}  // namespace linkgistic
