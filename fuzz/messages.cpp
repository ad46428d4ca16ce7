// Messages between the process that fits and those that hold rows.
#include <array>
#include <cstdint>

#include "engine/score_wire.hpp"
#include "engine/wire.hpp"
#include "target.hpp"

namespace linkgistic::fuzz {
namespace {

constexpr std::size_t row_count = 6, column_count = 2;

// Six rows of two columns and three labels, two parts.
CpuRows small_rows() {
  static const std::array<std::int32_t, row_count> labels{0, 1, 2, 0, 1, 2};
  EngineRows rows;
  rows.rows = RowMatrix(
      DenseRows<float>{row_count, column_count, std::vector<float>{0, 1, 2, -1, 3, 4, -2, 5, 1, 1, 0, 2}});
  rows.labels = labels;
  rows.parts = RowParts(2, row_count);
  for (std::size_t n = 0; n < row_count; ++n) {
    rows.parts.set_train(n, n % 2);
    rows.parts.set_held_out(n, 1 - n % 2);
  }
  const RowsShape shape = shape_of(rows);
  return {std::move(rows), shape, 0, 1};
}

// The bytes in two halves, the first byte the size of the first one.
std::array<std::string, 2> halves(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto size = static_cast<std::uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  return {std::string(bytes.substr(0, size)), size < bytes.size() ? std::string(bytes.substr(size)) : ""};
}

}  // namespace

void requests(std::string_view bytes) {
  CpuRows rows = small_rows();
  const std::string answer = answer_message(rows, instructions_head() + std::string(bytes));
  const std::array<std::string, 1> alone{answer};
  require(merge_answer_messages(alone) == answer, "an answer alone stays as it is");
}

void answers(std::string_view bytes) {
  if (bytes.empty()) return;
  if (bytes.front() != 0) {
    merge_answer_messages(halves(bytes));
    return;
  }
  const auto reply = [&](const std::string&) { return std::string(bytes.substr(1)); };
  const auto engine = make_remote_engine({row_count, column_count, 12, false, 3}, reply);
  (void)engine->ask(SummaryRequest{{{}}, 3, {0, 0}, true});
}

void score_messages(std::string_view bytes) {
  if (bytes.empty()) return;
  static const std::array<double, 5> scores{0.1, 0.2, 0.2, 0.7, 0.9};
  static const std::array<std::uint8_t, 5> labels{0, 1, 0, 1, 1};
  const std::string rest(bytes.substr(1));
  switch (static_cast<std::uint8_t>(bytes.front()) % 4) {
    case 0:
      (void)answer_scores({scores, labels, {}}, 0, instructions_head() + rest);
      return;
    case 1:
      (void)merge_score_answers(halves(rest));
      return;
    case 2:
      (void)make_remote_scores([&](const std::string&) { return rest; })->ask(CountsRequest{});
      return;
    default:
      (void)make_remote_scores([&](const std::string&) { return rest; })->ask(ScoreCheckRequest{});
  }
}

}  // namespace linkgistic::fuzz
