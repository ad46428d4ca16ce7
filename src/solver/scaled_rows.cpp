#include "solver/scaled_rows.hpp"

#include <cmath>
#include <numeric>

namespace linkgistic {

std::vector<double> ScaledRows::to_raw(std::span<const double> beta) const {
  std::vector<double> raw;
  raw.reserve(beta.size());
  for (std::size_t first = 0; first < beta.size(); first += width()) {
    const std::vector<double> one = scale_.to_raw(beta.subspan(first, width()));
    raw.insert(raw.end(), one.begin(), one.end());
  }
  return raw;
}

PassResult ScaledRows::pass(PassRequest request) const {
  request.beta = to_raw(request.beta);
  PassResult result = engine_.ask(request);
  for (std::size_t first = 0; first < result.gradient.size(); first += width())
    scale_.gradient_from_raw(std::span(result.gradient).subspan(first, width()));
  return result;
}

std::vector<double> ScaledRows::feature_sizes() const {
  const std::size_t columns = width() - 1;
  SummaryRequest request;
  request.selections = {Selection{}};
  request.labels = engine_.shape().labels;
  for (std::size_t j = 0; j < columns; ++j) request.pivot.push_back(scale_.shift_of(j));
  const SummaryAnswer sums = engine_.ask(request);
  const double weight = std::accumulate(sums.weight.begin(), sums.weight.end(), 0.0);
  std::vector<double> sizes(width(), 1.0);
  for (std::size_t j = 0; j < columns; ++j)
    sizes[j + 1] = std::abs(scale_.scale_of(j)) * std::sqrt(sums.second[j] / weight);
  return sizes;
}

std::vector<double> selection_weights(RowEngine& engine, std::vector<Selection> selections,
                                      std::size_t labels) {
  SummaryRequest request;
  request.selections = std::move(selections);
  request.labels = static_cast<std::uint32_t>(labels);
  return engine.ask(request).weight;
}

}  // namespace linkgistic
