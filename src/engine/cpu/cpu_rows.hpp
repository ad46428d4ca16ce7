// A piece of the rows in this machine's memory, answered by vectorised kernels on threads.
#pragma once

#include <memory>
#include <optional>

#include "engine/cpu/margin_cache.hpp"
#include "engine/engine_rows.hpp"

namespace linkgistic {

class CpuRows {
 public:
  /// Rows that begin at leaf `first_leaf`, at the begin of a block, of data of this shape.
  CpuRows(EngineRows rows, const RowsShape& whole, std::uint64_t first_leaf, int threads);

  /// Of the whole data, and the number of parts that these rows know.
  [[nodiscard]] const RowsShape& shape() const { return shape_; }
  [[nodiscard]] std::size_t parts() const { return rows_.parts.size(); }

  Nodes<PassResult> partial(const PassRequest& request);
  Nodes<LineAnswer> partial(const LineRequest& request);
  Nodes<SummaryAnswer> partial(const SummaryRequest& request);
  Nodes<SampleAnswer> partial(const SampleRequest& request);
  Nodes<GramAnswer> partial(const GramRequest& request);
  Nodes<InformationAnswer> partial(const InformationRequest& request);
  Nodes<CellsAnswer> partial(const CellsRequest& request);
  /// The other verbs of scores.
  template <class R>
  Nodes<typename R::Answer> partial(const R& request);

 private:
  /// By the function of a row.
  template <class R>
  Nodes<typename R::Answer> row_by_row(const R& request);
  [[nodiscard]] std::vector<const float*> margins(std::span<const double> beta);
  [[nodiscard]] const float* selected_weights(const Selection& selection, std::size_t first, std::size_t last,
                                              std::vector<float>& made) const;
  /// The curvatures of a softmax (rows, directions), which samples for one direction after the other share;
  /// null where they are few or would take too much memory.
  [[nodiscard]] const double* curvatures(const ScoreRequest& request, std::span<const float* const> scores);
  /// The rows among first .. last-1 that a sample draws, with their features; by their curvatures, if these
  /// are known.
  [[nodiscard]] SamplePiece drawn(const SampleRequest& request, std::size_t first, std::size_t last,
                                  std::span<const float* const> scores, const double* curvatures) const;
  template <class A, class Sum>
  [[nodiscard]] Nodes<A> by_blocks(const Sum& sum) const;
  template <class Body>
  void each_row(std::size_t first, std::size_t last, std::span<const float* const> margins,
                const Body& body) const;

  EngineRows rows_;
  RowsShape shape_;
  RowView view_;  // without a scale
  Grid grid_;
  std::uint64_t first_leaf_;
  int threads_;
  std::optional<ColumnBlocks> column_blocks_;
  LabelledView labelled_;
  std::unique_ptr<MarginCache> cache_;
  ScoreRequest curvatures_of_;  // the scores that the next are of
  std::vector<double> curvatures_;
};

}  // namespace linkgistic
