// Rows of every storage and requests of every verb, on which engines are compared.
#pragma once

#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "engine/engine_rows.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

enum class Storage { bytes, floats, doubles, sparse, wide_sparse };

struct Data {
  RowMatrix rows;
  std::vector<std::int32_t> labels;
  std::vector<float> weights;
  RowParts parts;
  [[nodiscard]] EngineRows engine_rows() const { return {rows, labels, weights, parts}; }
};

inline RowMatrix make_matrix(Storage storage, std::size_t n, std::size_t d, RandomStream& random) {
  if (storage == Storage::bytes) {
    std::vector<std::uint8_t> values(n * d);
    for (auto& v : values) v = static_cast<std::uint8_t>(random.below(256));
    return RowMatrix(DenseRows<std::uint8_t>{n, d, std::move(values)});
  }
  if (storage == Storage::floats || storage == Storage::doubles) {
    std::vector<double> values(n * d);
    for (auto& v : values) v = random.normal();
    if (storage == Storage::floats) return float_rows(values, n, d);
    return RowMatrix(ViewRows<double>{n, d, std::move(values), d, 1, std::vector<double>(d, 0.1)});
  }
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t first = random.below(d);
    for (std::size_t e = 0; e < std::min(d, 1 + i % 90); ++e) {  // every column at most once
      column.push_back(static_cast<std::int32_t>((first + 7 * e) % d));
      value.push_back(static_cast<float>(random.normal()));
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  return RowMatrix(CsrRows{n, d, std::move(start), std::move(column), std::move(value)});
}

/// Rows of three labels, in two parts.
inline Data make_data(Storage storage, std::size_t n, bool weighted, std::size_t columns = 0) {
  RandomStream random(7);
  Data data;
  if (columns == 0) columns = storage == Storage::wide_sparse ? 5000 : 11;
  data.rows = make_matrix(storage, n, columns, random);
  data.parts = RowParts(2, n);
  for (std::size_t i = 0; i < n; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(random.below(3)));
    if (weighted) data.weights.push_back(static_cast<float>(random.below(4)) / 2);
    const std::uint64_t part = random.below(3);  // 2: no part holds the row out
    for (std::size_t p = 0; p < 2; ++p)
      part == p ? data.parts.set_held_out(i, p) : data.parts.set_train(i, p);
  }
  return data;
}

// Six problems over all rows, those of a part and those that it holds out.
inline ScoreRequest make_scores(const Data& data) {
  RandomStream random(5);
  const double size = std::holds_alternative<DenseRows<std::uint8_t>>(data.rows.storage()) ? 2e-3 : 0.2;
  ScoreRequest r;
  r.tables = {std::make_shared<const LossTable>(LossTable::logistic())};
  for (const Selection s :
       {Selection{}, Selection{Selection::Rows::train, 1}, Selection{Selection::Rows::held_out, 0},
        Selection{Selection::Rows::unheld, 0}, Selection{Selection::Rows::train, 0}, Selection{}})
    r.problems.push_back({static_cast<std::int32_t>(r.problems.size() % 3), 0, s});
  for (std::size_t i = 0; i < r.problems.size() * (data.rows.columns() + 1); ++i)
    r.beta.push_back(size * random.normal());
  return r;
}

// The same scores as two sets of three classes, with bent links.
inline ScoreRequest make_softmax(const Data& data) {
  ScoreRequest r = make_scores(data);
  r.coupled = 3;
  const auto bent = [](double size) {
    return std::make_shared<const LossTable>(LossTable::tabulate(-4, 4, 6, [&](int, double m) {
      return LossNode{m + size * std::sin(m), 1 + size * std::cos(m)};
    }));
  };
  r.tables = {bent(0), bent(0.5), bent(-0.8)};
  for (std::size_t p = 0; p < r.problems.size(); ++p) {
    r.problems[p].table = static_cast<std::int32_t>(p % 3);
    r.problems[p].selection = r.problems[p / 3 * 3 + 1].selection;
  }
  return r;
}

// Each class has two functions of its score.
inline OverlapRequest overlap_request(const ScoreRequest& scores) {
  OverlapRequest r{{scores, {0, 1, 2, 0, 1, 2}, 3}, {}};
  for (const double size : {1.0, 0.5, 2.0})
    r.functions.push_back({-2, 2, 2, {size, 0.5, 2 * size, -1, 0, size}});
  return r;
}

// A factor of the features and two functions of the score, others for each label.
inline InformationRequest information_request(const ScoreRequest& scores, std::size_t width) {
  ColumnScale scale;
  for (std::size_t j = 1; j < width; ++j) {
    scale.shift.push_back(0.1 * static_cast<double>(j % 3));
    scale.scale.push_back(1 + 0.5 * static_cast<double>(j % 2));
  }
  return {
      scores, scale, {{-2, 1.5, 3, {1, 0.5, 2, 0.5, -1, 0, 2, 1, 0.25}}, {-2, 2, 3, {0.5, 0, 1, 1, 1, -1}}}};
}

inline std::vector<Request> requests_of(const Data& data, RowEngine& reference, bool softmax) {
  const ScoreRequest scores = softmax ? make_softmax(data) : make_scores(data);
  const std::size_t width = data.rows.columns() + 1;
  PassRequest pass;
  static_cast<ScoreRequest&>(pass) = scores;
  LineRequest line{scores, scores.beta, {}};
  for (double& b : line.end) b *= 1.5;
  for (std::size_t i = 0; i < 2 * scores.sets(); ++i)
    line.steps.push_back(0.3 + 0.1 * static_cast<double>(i));
  const RangeRequest range{scores, {0, 0, 1, 1, 0, 2}, 3};
  CurvatureRequest curvature;
  static_cast<ScoreRequest&>(curvature) = scores;
  SampleRequest sample;
  const auto members = static_cast<std::ptrdiff_t>(scores.coupled);
  sample.scores = {scores.tables,
                   {scores.problems.begin() + members, scores.problems.begin() + 2 * members},
                   {scores.beta.begin(), scores.beta.begin() + members * static_cast<std::ptrdiff_t>(width)},
                   scores.coupled};
  sample.direction = static_cast<std::uint32_t>(scores.directions() - 1);
  sample.share = 0.1;
  sample.seed = 4;
  HeldOutRequest held_out{scores, {0, 0, 0, 1, 1, 1}, 2, 1.0};
  if (softmax) held_out.candidate = {0, 1};
  SummaryRequest summary{{Selection{}, {Selection::Rows::train, 1}}, 3, {}, true};
  if (!data.rows.is_sparse()) summary.pivot.assign(width - 1, 0.5);
  if (data.rows.is_sparse()) summary.pivot.assign(width - 1, 0.0);
  std::vector<Request> all{summary,   pass,   line,    range, CellsRequest{range, reference.ask(range), 32},
                           curvature, sample, held_out};
  if (width < 1000) all.emplace_back(GramRequest{sample.scores, sample.direction, {}});
  if (width < 1000 && !softmax) all.emplace_back(information_request(sample.scores, width));
  if (softmax) all.emplace_back(overlap_request(scores));
  return all;
}

// Those of problems alone, then those of a softmax.
inline std::vector<Request> all_requests(const Data& data, RowEngine& reference) {
  std::vector<Request> all = requests_of(data, reference, false);
  for (Request& request : requests_of(data, reference, true)) all.push_back(std::move(request));
  return all;
}

// Numbers of an answer, in the order of its bytes.
template <class A>
std::vector<double> numbers(A answer) {
  std::vector<double> all;
  const auto add = [&](const auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, double>) {
      all.push_back(field);
    } else if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::vector<SamplePiece>>) {
      for (const SamplePiece& piece : field) {
        all.insert(all.end(), piece.weights.begin(), piece.weights.end());
      }
      for (const SamplePiece& piece : field)
        all.insert(all.end(), piece.features.begin(), piece.features.end());
    } else if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::vector<CellMoments>>) {
      for (const CellMoments& m : field) all.insert(all.end(), m.begin(), m.end());
    } else {
      all.insert(all.end(), field.begin(), field.end());
    }
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, answer.fields());
  return all;
}

}  // namespace linkgistic
