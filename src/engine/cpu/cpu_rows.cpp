#include "engine/cpu/cpu_rows.hpp"

#include <algorithm>
#include <limits>

#include <hwy/aligned_allocator.h>

#include "engine/cpu/pass_kernels.hpp"
#include "engine/scaled_features.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

bool all_zero(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
}

template <class Dense>
void add_features(const Dense& rows, std::size_t i, const ColumnScale& scale, float* z) {
  for (std::size_t j = 0; j < rows.columns; ++j) {
    z[j] = static_cast<float>((static_cast<double>(rows.at(i, j)) - scale.shift_of(j)) * scale.scale_of(j));
  }
}

void add_features(const CsrRows& rows, std::size_t i, const ColumnScale& scale, float* z) {
  for (std::size_t j = 0; j < rows.columns; ++j)
    z[j] = static_cast<float>(-scale.shift_of(j) * scale.scale_of(j));
  each_value(rows, i, [&](std::size_t j, float x) {
    z[j] += static_cast<float>(static_cast<double>(x) * scale.scale_of(j));
  });
}

// Sparse columns have the pivot 0.
template <class Rows>
void add_moments(const Rows& rows, std::size_t i, double weight, std::span<const double> pivot,
                 SummaryAnswer& to) {
  each_value(rows, i, [&](std::size_t j, auto value) {
    const double x = static_cast<double>(value) - pivot[j];
    to.first[j] += weight * x;
    to.second[j] += weight * x * x;
  });
}

// The greatest of some rows' values.
template <class Dense>
double greatest(const Dense& rows, std::size_t first, std::size_t last) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < rows.columns; ++j) most = std::max(most, static_cast<double>(rows.at(i, j)));
  return most;
}

// Images have white in their first rows.
double greatest(const DenseRows<std::uint8_t>& rows, std::size_t first, std::size_t last) {
  std::uint8_t most = 0;
  for (std::size_t i = first; i < last && most < 255; ++i)
    most = std::max(most, *std::max_element(rows.row(i), rows.row(i) + rows.columns));
  return most;
}

// Values that are not stored are 0.
double greatest(const CsrRows& rows, std::size_t first, std::size_t last) {
  const auto begin = static_cast<std::size_t>(rows.row_start[first]);
  const auto end = static_cast<std::size_t>(rows.row_start[last]);
  double most = end - begin < (last - first) * rows.columns ? 0.0 : -std::numeric_limits<double>::infinity();
  for (std::size_t e = begin; e < end; ++e) most = std::max(most, static_cast<double>(rows.value[e]));
  return most;
}

std::vector<PassClass> pass_classes(const ScoreRequest& r) {
  std::vector<PassClass> classes;
  for (std::size_t p = 0; p < r.problems.size(); ++p)
    classes.push_back({r.problems[p].label, &r.table(p), r.problems[p].selection});
  return classes;
}

// What the kernel needs of a set's classes.
std::vector<kernel::SoftmaxCells> softmax_cells(const CellsRequest& request, std::size_t set,
                                                CellsAnswer& to) {
  std::vector<kernel::SoftmaxCells> result;
  const ScoreRequest& scores = request.of.scores;
  for (std::size_t p = set * scores.coupled; p < (set + 1) * scores.coupled; ++p) {
    const LossTable& link = scores.table(p);
    const std::size_t g = request.of.group[p];
    const CellGrid grid(request.range.lower[g], request.range.upper[g], request.cells, request.kinds());
    result.push_back({link.exact(), 1 / link.step(), link.first_cell(), link.cells(),
                      static_cast<double>(scores.problems[p].label), grid.lower(), grid.width(),
                      request.cells, to.moments[request.kinds() * g * request.cells].data()});
  }
  return result;
}

}  // namespace

CpuRows::CpuRows(EngineRows rows, const RowsShape& whole, std::uint64_t first_leaf, int threads)
    : rows_(std::move(rows)),
      shape_(whole),
      view_{rows_.rows, {}},
      grid_(whole),
      first_leaf_(first_leaf),
      threads_(threads),
      cache_(std::make_unique<MarginCache>(rows_.rows.rows())) {
  if (ColumnBlocks::pay_for(whole))
    column_blocks_.emplace(std::get<CsrRows>(rows_.rows.storage()), grid_, threads);
  labelled_ = {&view_, rows_.labels, rows_.weights, column_blocks_ ? &*column_blocks_ : nullptr,
               rows_.parts.size() > 0 ? &rows_.parts : nullptr};
}

Nodes<PassResult> CpuRows::partial(const PassRequest& request) {
  const std::size_t width = view_.rows.columns() + 1;
  std::vector<float*> margins;
  for (std::size_t p = 0; p < request.problems.size(); ++p) {
    const auto beta = std::span(request.beta).subspan(p * width, width);
    float* known = cache_->find(beta);
    margins.push_back(known != nullptr ? known : cache_->add(beta, request.problems.size()));
  }
  return partial_pass(labelled_, grid_, first_leaf_, pass_classes(request), request.beta, margins, threads_,
                      request.coupled);
}

// Scores that are not cached are computed in one read.
std::vector<const float*> CpuRows::margins(std::span<const double> beta) {
  const std::size_t width = view_.rows.columns() + 1;
  const std::size_t problems = beta.size() / width;
  std::vector<const float*> result;
  std::vector<double> unknown;
  std::vector<float*> to;
  for (std::size_t p = 0; p < problems; ++p) {
    const auto own = beta.subspan(p * width, width);
    float* found = cache_->find(own);
    if (found == nullptr) {
      found = cache_->add(own, problems);
      if (all_zero(own.subspan(1))) {
        std::fill_n(found, view_.rows.rows(), static_cast<float>(own[0]));
      } else {
        unknown.insert(unknown.end(), own.begin(), own.end());
        to.push_back(found);
      }
    }
    result.push_back(found);
  }
  if (!to.empty()) write_margins(view_, unknown, to, threads_);
  return result;
}

// sum(first, last, answer) for every block of rows.
template <class A, class Sum>
Nodes<A> CpuRows::by_blocks(const Sum& sum) const {
  const std::size_t rows = view_.rows.rows();
  const std::size_t blocks = (rows + grid_.block_rows() - 1) / grid_.block_rows();
  const std::uint64_t first_block = first_leaf_ >> grid_.block_level();
  // The last block alone is no work for a second thread.
  const int threads = rows < 2 * grid_.block_rows() ? 1 : threads_;
  auto merge_two = [](A& left, A& right) { merge_answers(left, right); };
  TreeSum<A, decltype(merge_two)> tree(merge_two);
  // Answers may be large: only so many blocks wait to be added.
  constexpr bool large = std::is_same_v<A, GramAnswer> || std::is_same_v<A, OverlapAnswer> ||
                         std::is_same_v<A, InformationAnswer>;
  constexpr std::size_t round = large ? 16 : 256;
  for (std::size_t begin = 0; begin < blocks; begin += round) {
    std::vector<A> answers(std::min(round, blocks - begin));
    parallel_for(answers.size(), threads, [&](std::size_t i) {
      const std::size_t first = (begin + i) * grid_.block_rows();
      answers[i] = sum(first, std::min<std::size_t>(first + grid_.block_rows(), rows));
    });
    for (std::size_t i = 0; i < answers.size(); ++i)
      tree.push({grid_.block_level(), first_block + begin + i, std::move(answers[i])});
  }
  return tree.take_nodes();
}

template <class Body>
void CpuRows::each_row(std::size_t first, std::size_t last, std::span<const float* const> margins,
                       const Body& body) const {
  std::vector<double> scores(margins.size());
  ScoredRow row;
  row.scores = scores;
  row.parts = labelled_.parts;
  for (std::size_t n = first; n < last; ++n) {
    row.number = first_leaf_ * Grid::leaf_rows + n;
    row.place = n;
    row.label = rows_.labels[n];
    row.weight = labelled_.weight(n);
    for (std::size_t p = 0; p < scores.size(); ++p) scores[p] = static_cast<double>(margins[p][n]);
    body(row);
  }
}

template <class R>
Nodes<typename R::Answer> CpuRows::row_by_row(const R& request) {
  const auto scores = margins(score_coefficients(request));
  return by_blocks<typename R::Answer>([&](std::size_t first, std::size_t last) {
    auto answer = empty_answer(request);
    auto add = row_adder(request);
    each_row(first, last, scores, [&](const ScoredRow& row) { add(row, answer); });
    finish_adding(add, answer);
    return answer;
  });
}

template <class R>
Nodes<typename R::Answer> CpuRows::partial(const R& request) {
  return row_by_row(request);
}
template Nodes<RangeAnswer> CpuRows::partial(const RangeRequest&);
template Nodes<CurvatureAnswer> CpuRows::partial(const CurvatureRequest&);
template Nodes<HeldOutAnswer> CpuRows::partial(const HeldOutRequest&);
template Nodes<OverlapAnswer> CpuRows::partial(const OverlapRequest&);

// The weights of rows first .. last-1 in a selection, into `made` where they differ from those of all; null:
// every row counts once.
const float* CpuRows::selected_weights(const Selection& selection, std::size_t first, std::size_t last,
                                       std::vector<float>& made) const {
  if (selection.rows == Selection::Rows::all)
    return rows_.weights.empty() ? nullptr : rows_.weights.data() + first;
  made.clear();
  for (std::size_t n = first; n < last; ++n)
    made.push_back(rows_.parts.takes(selection, n) ? static_cast<float>(labelled_.weight(n)) : 0.0F);
  return made.data();
}

Nodes<CellsAnswer> CpuRows::partial(const CellsRequest& request) {
  const std::size_t coupled = request.of.scores.coupled;
  if (coupled == 1) return row_by_row(request);
  const auto scores = margins(score_coefficients(request));
  return by_blocks<CellsAnswer>([&](std::size_t first, std::size_t last) {
    CellsAnswer answer = empty_answer(request);
    std::vector<float> made;
    for (std::size_t s = 0; s < request.of.scores.sets(); ++s) {
      const std::vector<kernel::SoftmaxCells> of = softmax_cells(request, s, answer);
      const Selection& selection = request.of.scores.problems[s * coupled].selection;
      answer.loss +=
          kernel::softmax_cells_chunk({first, last, coupled, of.data(), scores.data() + s * coupled,
                                       rows_.labels.data(), selected_weights(selection, first, last, made)});
    }
    return answer;
  });
}

Nodes<LineAnswer> CpuRows::partial(const LineRequest& request) {
  const auto scores = margins(score_coefficients(request));
  const std::vector<PassClass> classes = pass_classes(request.from);
  const std::size_t coupled = request.from.coupled;
  return by_blocks<LineAnswer>([&](std::size_t first, std::size_t last) {
    LineAnswer answer = empty_answer(request);
    std::vector<float> direction(last - first), made;
    std::vector<const float*> from(coupled), to(coupled);
    const auto labels = rows_.labels.subspan(first, last - first);
    for (std::size_t s = 0; s < request.from.sets(); ++s) {
      const auto members = std::span(classes).subspan(s * coupled, coupled);
      const float* weights = selected_weights(members[0].selection, first, last, made);
      for (std::size_t k = 0; k < coupled; ++k) {
        from[k] = scores[s * coupled + k] + first;
        to[k] = scores[classes.size() + s * coupled + k] + first;
      }
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = to[0][i] - from[0][i];
      for (std::size_t i = s * request.per_set(); i < (s + 1) * request.per_set(); ++i) {
        const LossNode node = coupled > 1
                                  ? softmax_along(from, to, request.steps[i], labels, weights, members)
                                  : loss_along({from[0], last - first}, direction, request.steps[i], labels,
                                               weights, members[0]);
        answer.value[i] = node.value;
        answer.slope[i] = node.slope;
      }
    }
    return answer;
  });
}

Nodes<SummaryAnswer> CpuRows::partial(const SummaryRequest& request) {
  return by_blocks<SummaryAnswer>([&](std::size_t first, std::size_t last) {
    SummaryAnswer answer = empty_answer(request);
    for (std::size_t n = first; n < last; ++n) {
      const auto label = static_cast<std::size_t>(rows_.labels[n]);
      for (std::size_t s = 0; s < request.selections.size(); ++s)
        if (labelled_.parts == nullptr || rows_.parts.takes(request.selections[s], n))
          answer.weight[s * request.labels + label] += labelled_.weight(n);
    }
    std::visit(
        [&](const auto& rows) {
          if (request.greatest) answer.greatest = greatest(rows, first, last);
          if (request.pivot.empty()) return;
          for (std::size_t n = first; n < last; ++n)
            add_moments(rows, n, labelled_.weight(n), request.pivot, answer);
        },
        rows_.rows.storage());
    return answer;
  });
}

const double* CpuRows::curvatures(const ScoreRequest& request, std::span<const float* const> scores) {
  constexpr std::size_t most = std::size_t{1} << 25;  // 256 MB
  const std::size_t rows = view_.rows.rows();
  const std::size_t directions = request.directions();
  if (directions == 1 || rows * directions > most) return nullptr;
  if (curvatures_of_ == request) return curvatures_.data();
  curvatures_of_ = {};
  curvatures_.assign(rows * directions, 0.0);
  parallel_chunks(rows, Grid::leaf_rows, threads_, [&](std::size_t, std::size_t first, std::size_t last) {
    RowLoss loss(request);
    each_row(first, last, scores, [&](const ScoredRow& row) {
      if (!loss.takes(0, row)) return;
      const auto c = loss.curvatures(0, row.label, loss.scores(0, row));
      for (std::size_t k = 0; k < directions; ++k)
        curvatures_[row.place * directions + k] = row.weight * c[k];
    });
  });
  curvatures_of_ = request;
  return curvatures_.data();
}

SamplePiece CpuRows::drawn(const SampleRequest& request, std::size_t first, std::size_t last,
                           std::span<const float* const> scores, const double* curvatures) const {
  SamplePiece piece;
  std::vector<std::size_t> places;
  const auto draw = [&](std::size_t place, double weight) {
    if (!(weight > 0)) return;
    piece.weights.push_back(static_cast<float>(weight));
    places.push_back(place);
  };
  if (curvatures != nullptr) {
    const double* c = curvatures + request.direction;
    const std::size_t directions = request.scores.directions();
    for (std::size_t n = first; n < last; ++n)
      draw(n, drawn_weight(request, c[n * directions], first_leaf_ * Grid::leaf_rows + n));
  } else {
    RowLoss loss(request.scores);
    each_row(first, last, scores,
             [&](const ScoredRow& row) { draw(row.place, drawn_weight(request, loss, row)); });
  }
  const std::size_t stride = SampleAnswer::stride(view_.rows.columns());
  piece.features.resize(places.size() * stride);
  for (std::size_t i = 0; i < places.size(); ++i) {
    float* z = piece.features.data() + i * stride;
    z[0] = 1;
    std::visit([&](const auto& rows) { add_features(rows, places[i], request.scale, z + 1); },
               rows_.rows.storage());
  }
  return piece;
}

Nodes<SampleAnswer> CpuRows::partial(const SampleRequest& request) {
  const auto scores = margins(score_coefficients(request));
  const double* known = curvatures(request.scores, scores);
  return by_blocks<SampleAnswer>([&](std::size_t first, std::size_t last) {
    SampleAnswer answer;
    SamplePiece piece = drawn(request, first, last, scores, known);
    if (!piece.weights.empty()) answer.pieces.push_back(std::move(piece));
    return answer;
  });
}

Nodes<InformationAnswer> CpuRows::partial(const InformationRequest& request) {
  const auto scores = margins(score_coefficients(request));
  return by_blocks<InformationAnswer>([&](std::size_t first, std::size_t last) {
    InformationAdder add(request);
    std::vector<double> z(view_.rows.columns() + 1);
    each_row(first, last, scores, [&](const ScoredRow& row) {
      if (!(row.weight > 0)) return;
      write_row(view_.rows, row.place, request.scale, z.data());
      add(row, z.data());
    });
    return add.answer();
  });
}

Nodes<GramAnswer> CpuRows::partial(const GramRequest& request) {
  const auto scores = margins(score_coefficients(request));
  const std::size_t width = view_.rows.columns() + 1;
  const std::size_t stride = SampleAnswer::stride(view_.rows.columns());
  const SampleRequest all{request.scores, request.direction, request.scale,
                          std::numeric_limits<double>::infinity(), 0};
  return by_blocks<GramAnswer>([&](std::size_t first, std::size_t last) {
    const SamplePiece piece = drawn(all, first, last, scores, nullptr);
    const auto gram = hwy::AllocateAligned<double>(width * stride);
    std::fill_n(gram.get(), width * stride, 0.0);
    kernel::gram_rows(
        {0, width, piece.weights.size(), stride, piece.features.data(), piece.weights.data(), gram.get()});
    GramAnswer answer;
    for (std::size_t i = 0; i < width; ++i) {
      answer.sum.insert(answer.sum.end(), i, 0.0);
      answer.sum.insert(answer.sum.end(), gram.get() + i * stride + i, gram.get() + i * stride + width);
    }
    return answer;
  });
}

}  // namespace linkgistic
