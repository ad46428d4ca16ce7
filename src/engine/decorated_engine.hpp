// Engines that wrap another engine: one counts the requests, and one records the answers in a file.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "engine/answer_log.hpp"
#include "engine/row_engine.hpp"

namespace linkgistic {

/// Calls `on_answer(n)` after the n-th pass over the rows.
class CountedEngine final : public RowEngine {
 public:
  /// The engine must outlive it.
  CountedEngine(RowEngine& engine, std::function<void(std::size_t)> on_pass)
      : engine_(engine), on_pass_(std::move(on_pass)) {}

  [[nodiscard]] const RowsShape& shape() const override { return engine_.shape(); }
  Answer answer(const Request& request) override;

 private:
  RowEngine& engine_;
  std::function<void(std::size_t)> on_pass_;
  std::size_t passes_ = 0;
};

/// The checkpoint: each answer is written to a log, and answers that the log has are not computed again. A
/// fit that makes the same requests resumes where it was interrupted and ends with the same bits. Samples of
/// rows, which are large and quick to take, are not recorded.
class RecordedEngine final : public RowEngine {
 public:
  /// The engine and the log must outlive it.
  RecordedEngine(RowEngine& engine, AnswerLog& log) : engine_(engine), log_(log) {}

  [[nodiscard]] const RowsShape& shape() const override { return engine_.shape(); }
  Answer answer(const Request& request) override;

 private:
  RowEngine& engine_;
  AnswerLog& log_;
};

}  // namespace linkgistic
