// Rows of a noisy tanh and the posteriors that chains are tried on.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "inference/learn.hpp"
#include "numeric/random.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"

namespace linkgistic {

struct NoisyTanh {
  std::vector<double> x, y, label;
  explicit NoisyTanh(int n, std::uint64_t seed = 41) {
    RandomStream random(seed);
    for (int i = 0; i < n; ++i) {
      x.push_back(2 * random.uniform() - 1);
      y.push_back(std::tanh(2 * x.back()) + 0.3 * random.normal());
      label.push_back(y.back() > 0.2 * random.normal() ? 1 : 0);
    }
  }
};

inline std::shared_ptr<const DataTerm> moments(const SourceFamily& family, const NoisyTanh& rows) {
  auto term = std::make_shared<GaussianMoments>(family.at(start_theta(family.hyper_parameters())).features);
  term->add(rows.x, rows.y, {}, 1);
  return term;
}

inline std::shared_ptr<const DataTerm> labels(const SourceFamily& family, const NoisyTanh& rows) {
  const auto features = family.at(start_theta(family.hyper_parameters())).features;
  return std::make_shared<PointwiseData>(features, std::make_shared<BernoulliResponse>(), rows.x, rows.label,
                                         std::vector<double>(), 1);
}

inline Problem problem_of(const SourceFamily& family, const std::shared_ptr<const DataTerm>& term) {
  return {family, [term](const std::shared_ptr<const Features>&) { return term; }, SourceRange{-1, 1}};
}

}  // namespace linkgistic
