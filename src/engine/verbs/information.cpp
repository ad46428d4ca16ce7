#include "engine/verbs/information.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/outer_products.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t rows_of_a_product = 128;

std::size_t padded(std::size_t width) {
  return (width + outer_product_padding - 1) / outer_product_padding * outer_product_padding;
}

}  // namespace

InformationAdder::InformationAdder(const InformationRequest& request)
    : request_(request),
      stride_(padded(request.width())),
      waiting_(rows_of_a_product * stride_),
      sum_(stride_ * stride_),
      values_(request.functions[0].count) {}

void InformationAdder::operator()(const ScoredRow& row, const double* z) {
  const ScoreProblem& problem = request_.scores.problems[0];
  if (!(row.weight > 0) || !row.in(problem)) return;
  const bool positive = row.label == problem.label;
  add_values(request_.functions[positive ? 1 : 0], row.scores[0], std::sqrt(row.weight), values_.data());
  const std::size_t width = request_.scores.beta.size();
  double* x = waiting_.data() + rows_ * stride_;
  for (std::size_t j = 0; j < width; ++j) x[j] = values_[0] * z[j];
  std::copy(values_.begin() + 1, values_.end(), x + width);
  if (++rows_ == rows_of_a_product) add_waiting();
}

void InformationAdder::add_waiting() {
  add_outer_products(waiting_.data(), rows_, stride_, sum_.data());
  rows_ = 0;
}

InformationAnswer InformationAdder::answer() {
  add_waiting();
  InformationAnswer answer = empty_answer(request_);
  const std::size_t width = request_.width();
  for (std::size_t j = 0; j < width; ++j) {
    const double* column = sum_.data() + j * stride_;
    std::copy(column, column + j + 1, answer.sum.data() + j * width);
  }
  return answer;
}

}  // namespace linkgistic
