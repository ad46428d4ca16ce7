#include "engine/verbs/information.hpp"

#include <cmath>

namespace linkgistic {
namespace {

constexpr Index rows_of_a_product = 128;

}  // namespace

InformationAdder::InformationAdder(const InformationRequest& request)
    : request_(request),
      waiting_(static_cast<Index>(request.width()), rows_of_a_product),
      values_(request.functions[0].count) {}

void InformationAdder::operator()(const ScoredRow& row, const double* z, InformationAnswer& to) {
  const ScoreProblem& problem = request_.scores.problems[0];
  if (!(row.weight > 0) || !row.in(problem)) return;
  const bool positive = row.label == problem.label;
  add_values(request_.functions[positive ? 1 : 0], row.scores[0], std::sqrt(row.weight), values_.data());
  const auto width = static_cast<Index>(request_.scores.beta.size());
  double* x = waiting_.col(rows_).data();
  for (Index j = 0; j < width; ++j) x[j] = values_[0] * z[j];
  std::copy(values_.begin() + 1, values_.end(), x + width);
  if (++rows_ == rows_of_a_product) finish(to);
}

void InformationAdder::finish(InformationAnswer& to) {
  if (rows_ == 0) return;
  Eigen::Map<Matrix> sum(to.sum.data(), waiting_.rows(), waiting_.rows());
  sum.selfadjointView<Eigen::Upper>().rankUpdate(waiting_.leftCols(rows_));
  rows_ = 0;
}

}  // namespace linkgistic
