// The definition of all verbs: row by row, in double precision, one sum after the other. Fast engines are
// tested against it.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/engine_rows.hpp"
#include "engine/reference_pass.hpp"

namespace linkgistic {

class ReferenceEngine final : public RowEngine {
 public:
  explicit ReferenceEngine(EngineRows rows)
      : rows_(std::move(rows)), shape_(shape_of(rows_)), view_{rows_.rows, {}} {
    labelled_ = {&view_, rows_.labels, rows_.weights, nullptr,
                 rows_.parts.size() > 0 ? &rows_.parts : nullptr};
  }

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }
  Answer answer(const Request& request) override;

 private:
  PassResult total(const PassRequest& request) const {
    std::vector<PassClass> classes;
    for (std::size_t p = 0; p < request.problems.size(); ++p)
      classes.push_back({request.problems[p].label, &request.table(p), request.problems[p].selection});
    return reference_pass(labelled_, classes, request.beta, {}, request.coupled);
  }

  SummaryAnswer total(const SummaryRequest& request) const {
    SummaryAnswer answer = empty_answer(request);
    for (std::size_t n = 0; n < labelled_.rows(); ++n) {
      const double weight = labelled_.weight(n);
      for (std::size_t s = 0; s < request.selections.size(); ++s)
        if (labelled_.parts == nullptr || rows_.parts.takes(request.selections[s], n))
          answer.weight[s * request.labels + static_cast<std::size_t>(rows_.labels[n])] += weight;
      const std::vector<double> raw = reference_row(view_, n);
      for (std::size_t j = 0; j < request.pivot.size(); ++j) {
        const double x = raw[j] - request.pivot[j];
        answer.first[j] += weight * x;
        answer.second[j] += weight * x * x;
      }
      if (!request.greatest) continue;
      for (const double value : raw) answer.greatest = std::max(answer.greatest, value);
    }
    return answer;
  }

  SampleAnswer total(const SampleRequest& request) const {
    SamplePiece piece;
    RowLoss loss(request.scores);
    each_row(score_coefficients(request), [&](const ScoredRow& row, const std::vector<double>& raw) {
      const double weight = drawn_weight(request, loss, row);
      if (!(weight > 0)) return;
      piece.weights.push_back(static_cast<float>(weight));
      piece.features.push_back(1);
      for (std::size_t j = 0; j < raw.size(); ++j)
        piece.features.push_back(
            static_cast<float>((raw[j] - request.scale.shift_of(j)) * request.scale.scale_of(j)));
      piece.features.resize(piece.weights.size() * SampleAnswer::stride(raw.size()));
    });
    return {{std::move(piece)}, {}};
  }

  GramAnswer total(const GramRequest& request) const {
    const std::size_t width = labelled_.columns() + 1;
    GramAnswer answer{std::vector<double>(width * width)};
    RowLoss loss(request.scores);
    each_row(score_coefficients(request), [&](const ScoredRow& row, const std::vector<double>& raw) {
      if (!loss.takes(0, row)) return;
      const double c = row.weight * loss.curvatures(0, row.label, loss.scores(0, row))[request.direction];
      std::vector<double> z{1};
      for (std::size_t j = 0; j < raw.size(); ++j)
        z.push_back((raw[j] - request.scale.shift_of(j)) * request.scale.scale_of(j));
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t j = i; j < width; ++j) answer.sum[i * width + j] += c * z[i] * z[j];
    });
    return answer;
  }

  // x_n x_n' one after the other, each function read from its table by hand.
  InformationAnswer total(const InformationRequest& request) const {
    InformationAnswer answer = empty_answer(request);
    const std::size_t size = request.width();
    each_row(score_coefficients(request), [&](const ScoredRow& row, const std::vector<double>& raw) {
      const ScoreProblem& problem = request.scores.problems[0];
      if (!row.in(problem)) return;
      const ScoreFunctions& f = request.functions[row.label == problem.label ? 1 : 0];
      const std::size_t nodes = f.values.size() / f.count;
      const double last = f.lower + f.step * static_cast<double>(nodes - 1);
      const double score = std::clamp(row.scores[0], f.lower, last);
      std::size_t node = 0;
      while (node + 2 < nodes && f.lower + f.step * static_cast<double>(node + 1) <= score) ++node;
      const double right = (score - f.lower) / f.step - static_cast<double>(node);
      const auto value = [&](std::size_t i) {
        return (1 - right) * f.values[node * f.count + i] + right * f.values[(node + 1) * f.count + i];
      };
      std::vector<double> x{value(0)};
      for (std::size_t j = 0; j < raw.size(); ++j)
        x.push_back(value(0) * (raw[j] - request.scale.shift_of(j)) * request.scale.scale_of(j));
      for (std::size_t i = 1; i < f.count; ++i) x.push_back(value(i));
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = i; j < size; ++j) answer.sum[j * size + i] += row.weight * x[i] * x[j];
    });
    return answer;
  }

  template <class R>
  typename R::Answer total(const R& request) const {
    auto answer = empty_answer(request);
    auto add = row_adder(request);
    each_row(score_coefficients(request),
             [&](const ScoredRow& row, const std::vector<double>&) { add(row, answer); });
    finish_adding(add, answer);
    return answer;
  }

  template <class Body>
  void each_row(std::span<const double> beta, const Body& body) const {
    const std::size_t width = labelled_.columns() + 1;
    std::vector<double> scores(beta.size() / width);
    for (std::size_t n = 0; n < labelled_.rows(); ++n) {
      const std::vector<double> raw = reference_row(view_, n);
      for (std::size_t p = 0; p < scores.size(); ++p) {
        scores[p] = beta[p * width];
        for (std::size_t j = 0; j < raw.size(); ++j) scores[p] += beta[p * width + j + 1] * raw[j];
      }
      body({n, rows_.labels[n], labelled_.weight(n), scores, labelled_.parts, n}, raw);
    }
  }

  EngineRows rows_;
  RowsShape shape_;
  RowView view_;
  LabelledView labelled_;
};

// Behind the templates that it needs: clang 14 does not find them otherwise.
inline Answer ReferenceEngine::answer(const Request& request) {
  return std::visit([this](const auto& r) -> Answer { return this->total(r); }, request);
}

inline std::unique_ptr<RowEngine> make_reference_engine(EngineRows rows) {
  return std::make_unique<ReferenceEngine>(std::move(rows));
}

}  // namespace linkgistic
