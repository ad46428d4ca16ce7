// Requests become plain arrays for liblinkgistic_cuda.so, and its numbers answers.
#include "engine/cuda/cuda_engine.hpp"

#include <array>
#include <map>
#include <utility>

#include <linkgistic/error.hpp>

#include "engine/cuda/cuda_library.hpp"

namespace linkgistic {
namespace {

// Numbers of tables: one table keeps its number, and another that lies where it lay gets a new one.
class TableNumbers {
 public:
  std::uint64_t number_of(const std::shared_ptr<const LossTable>& table) {
    Known& known = numbers_[table.get()];
    if (known.table.lock() != table) known = {table, ++last_};
    if (numbers_.size() > 4096)
      std::erase_if(numbers_, [](const auto& n) { return n.second.table.expired(); });
    return known.number;
  }

 private:
  struct Known {
    std::weak_ptr<const LossTable> table;
    std::uint64_t number = 0;
  };
  std::map<const LossTable*, Known> numbers_;
  std::uint64_t last_ = 0;
};

lg_cuda_problem plain(const ScoreProblem& p) {
  return {p.label, p.table, static_cast<std::int32_t>(p.selection.rows), p.selection.part};
}

// A request's scores as the library takes them; valid while the request is.
struct PlainScores {
  std::vector<lg_cuda_table> tables;
  std::vector<lg_cuda_problem> problems;
  lg_cuda_scores scores{};
  [[nodiscard]] const lg_cuda_scores* get() const { return &scores; }

  PlainScores(const ScoreRequest& r, std::span<const double> beta, TableNumbers& numbers) {
    for (const auto& table : r.tables)
      tables.push_back({numbers.number_of(table), table->packed(), table->exact(), table->step(),
                        table->cells(), table->first_cell()});
    for (const ScoreProblem& p : r.problems) problems.push_back(plain(p));
    scores = {tables.data(),   static_cast<std::uint32_t>(tables.size()),
              problems.data(), static_cast<std::uint32_t>(problems.size()),
              r.coupled,       beta.data()};
  }
};

lg_cuda_scale plain(const ColumnScale& scale) {
  return {scale.shift.empty() ? nullptr : scale.shift.data(),
          scale.scale.empty() ? nullptr : scale.scale.data()};
}

std::vector<lg_cuda_functions> plain(std::span<const ScoreFunctions> functions) {
  std::vector<lg_cuda_functions> result;
  for (const ScoreFunctions& f : functions)
    result.push_back(
        {f.lower, f.step, f.count, static_cast<std::uint32_t>(f.values.size() / f.count), f.values.data()});
  return result;
}

// Sums of products come with element (i, j), i <= j, at i size + j; these answers have them by columns.
void transpose(std::vector<double>& sum, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i + 1; j < size; ++j) std::swap(sum[i * size + j], sum[j * size + i]);
}

void copy_row(const DenseRows<std::uint8_t>& rows, std::size_t i, std::uint8_t* to) {
  std::copy_n(rows.row(i), rows.columns, to);
}
template <class Dense>
void copy_row(const Dense& rows, std::size_t i, float* to) {
  for (std::size_t j = 0; j < rows.columns; ++j) to[j] = rows.at(i, j);
}

// Reads rows of any dense storage for the library.
template <class Dense>
void read_rows(void* context, std::uint64_t first, std::uint64_t count, void* to) {
  const Dense& rows = *static_cast<const Dense*>(context);
  using Value = std::conditional_t<std::is_same_v<Dense, DenseRows<std::uint8_t>>, std::uint8_t, float>;
  for (std::uint64_t i = 0; i < count; ++i)
    copy_row(rows, first + i, static_cast<Value*>(to) + i * rows.columns);
}

class CudaEngine final : public RowEngine {
 public:
  CudaEngine(const EngineRows& rows, int device) : library_(cuda_library()), shape_(shape_of(rows)) {
    lg_cuda_rows plain{};
    plain.rows = shape_.rows;
    plain.columns = shape_.columns;
    plain.entries = shape_.entries;
    plain.labels = rows.labels.data();
    plain.weights = rows.weights.empty() ? nullptr : rows.weights.data();
    if (rows.parts.size() > 0) {
      plain.words = rows.parts.words();
      plain.train = rows.parts.train_words().data();
      plain.held_out = rows.parts.held_out_words().data();
    }
    std::vector<float> values;
    std::visit([&](const auto& storage) { describe(storage, plain, values); }, rows.rows.storage());
    lg_cuda_engine* engine = nullptr;
    std::array<char, 1024> error{};
    if (library_.open(device, &plain, &engine, error.data(), error.size()) != 0)
      throw UsageError(std::string("device = cuda: ") + error.data());
    engine_.reset(engine);
  }

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }
  Answer answer(const Request& request) override {
    return std::visit([this](const auto& r) -> Answer { return total(r); }, request);
  }

 private:
  template <class Dense>
  static void describe(const Dense& rows, lg_cuda_rows& to, std::vector<float>&) {
    to.storage = std::is_same_v<Dense, DenseRows<std::uint8_t>> ? LG_CUDA_BYTES : LG_CUDA_FLOATS;
    to.read = read_rows<Dense>;
    // The library gives it back to `read_rows`, which changes nothing.
    to.context = const_cast<Dense*>(&rows);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }
  static void describe(const CsrRows& rows, lg_cuda_rows& to, std::vector<float>& values) {
    to.storage = LG_CUDA_SPARSE;
    to.row_start = rows.row_start.data();
    to.column = rows.column.data();
    to.value = rows.value.floats();
    if (to.value != nullptr || rows.value.size() == 0) return;
    for (std::size_t e = 0; e < rows.value.size(); ++e) values.push_back(rows.value[e]);
    to.value = values.data();
  }

  void check(int status) const {
    if (status != 0) throw InputError(std::string("GPU: ") + library_.error(engine_.get()));
  }
  PlainScores plain_scores(const ScoreRequest& r) { return {r, r.beta, numbers_}; }

  PassResult total(const PassRequest& r) {
    PassResult answer = empty_answer(r);
    const lg_cuda_pass_answer to{answer.loss.data(),  answer.residual_size.data(), answer.lower.data(),
                                 answer.upper.data(), answer.least_signed.data(),  answer.gradient.data()};
    check(library_.pass(engine_.get(), plain_scores(r).get(), &to));
    return answer;
  }

  LineAnswer total(const LineRequest& r) {
    LineAnswer answer = empty_answer(r);
    const std::vector<double> beta = score_coefficients(r);
    const PlainScores scores(r.from, beta, numbers_);
    check(library_.line(engine_.get(), &scores.scores, r.steps.data(),
                        static_cast<std::uint32_t>(r.per_set()), answer.value.data(), answer.slope.data()));
    return answer;
  }

  SummaryAnswer total(const SummaryRequest& r) {
    SummaryAnswer answer = empty_answer(r);
    std::vector<lg_cuda_problem> selections;
    for (const Selection& s : r.selections)
      selections.push_back({0, 0, static_cast<std::int32_t>(s.rows), s.part});
    double greatest = 0;
    check(library_.summary(engine_.get(), selections.data(), static_cast<std::uint32_t>(selections.size()),
                           r.labels, r.pivot.empty() ? nullptr : r.pivot.data(), answer.weight.data(),
                           answer.first.data(), answer.second.data(), &greatest));
    if (r.greatest) answer.greatest = greatest;
    return answer;
  }

  RangeAnswer total(const RangeRequest& r) {
    RangeAnswer answer = empty_answer(r);
    std::uint64_t bad_row = 0;
    check(library_.range(engine_.get(), plain_scores(r.scores).get(), r.group.data(), r.groups,
                         answer.lower.data(), answer.upper.data(), &bad_row));
    if (bad_row < shape_.rows) throw_not_finite(bad_row);
    return answer;
  }

  CellsAnswer total(const CellsRequest& r) {
    CellsAnswer answer = empty_answer(r);
    static_assert(sizeof(CellMoments) == 4 * sizeof(double));
    check(library_.cells(engine_.get(), plain_scores(r.of.scores).get(), r.of.group.data(), r.of.groups,
                         r.range.lower.data(), r.range.upper.data(), r.cells,
                         answer.moments.empty() ? nullptr : answer.moments.front().data(), &answer.loss));
    return answer;
  }

  CurvatureAnswer total(const CurvatureRequest& r) {
    CurvatureAnswer answer = empty_answer(r);
    check(library_.curvature(engine_.get(), plain_scores(r).get(), answer.sum.data()));
    return answer;
  }

  HeldOutAnswer total(const HeldOutRequest& r) {
    HeldOutAnswer answer = empty_answer(r);
    check(library_.held_out(engine_.get(), plain_scores(r.scores).get(), r.candidate.data(), r.candidates,
                            r.most_loss, answer.loss.data(), answer.squared_difference.data(),
                            &answer.weight));
    return answer;
  }

  SampleAnswer total(const SampleRequest& r) {
    std::uint64_t rows = 0;
    check(library_.sample(engine_.get(), plain_scores(r.scores).get(), r.direction, r.share, r.seed, &rows));
    if (rows == 0) return {};
    const std::size_t width = shape_.columns + 1;
    SampleAnswer answer{{}, std::vector<float>(width * width)};
    const lg_cuda_scale scale = plain(r.scale);
    check(library_.sample_product(engine_.get(), &scale, answer.product.data()));
    return answer;
  }

  GramAnswer total(const GramRequest& r) {
    GramAnswer answer = empty_answer(r);
    const lg_cuda_scale scale = plain(r.scale);
    check(library_.gram(engine_.get(), plain_scores(r.scores).get(), r.direction, &scale, answer.sum.data()));
    return answer;
  }

  InformationAnswer total(const InformationRequest& r) {
    InformationAnswer answer = empty_answer(r);
    const lg_cuda_scale scale = plain(r.scale);
    const std::vector<lg_cuda_functions> functions = plain(r.functions);
    check(library_.information(engine_.get(), plain_scores(r.scores).get(), &scale, functions.data(),
                               answer.sum.data()));
    transpose(answer.sum, r.width());
    return answer;
  }

  OverlapAnswer total(const OverlapRequest& r) {
    OverlapAnswer answer = empty_answer(r);
    const std::vector<lg_cuda_functions> functions = plain(r.functions);
    check(library_.overlap(engine_.get(), plain_scores(r.of.scores).get(), r.of.group.data(), r.of.groups,
                           functions.data(), answer.sum.data()));
    transpose(answer.sum, r.size());
    return answer;
  }

  const lg_cuda_api& library_;
  RowsShape shape_;
  std::unique_ptr<lg_cuda_engine, void (*)(lg_cuda_engine*)> engine_{nullptr, library_.close};
  TableNumbers numbers_;
};

}  // namespace

std::unique_ptr<RowEngine> make_cuda_engine(const EngineRows& rows, int device) {
  return std::make_unique<CudaEngine>(rows, device);
}

}  // namespace linkgistic
