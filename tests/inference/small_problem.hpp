// A few rows of a curve with their prior, for inference that is checked by brute force.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "inference/log_joint.hpp"
#include "numeric/random.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {

struct SmallProblem {
  std::shared_ptr<const SourceFamily> family;
  Vector theta, eta;
  SourceModel source;
  std::shared_ptr<const DataTerm> data;
  std::vector<double> x, y;

  SmallProblem(std::shared_ptr<const SourceFamily> f, bool gaussian, std::size_t n, std::uint64_t seed,
               double noise = 0.3)
      : family(std::move(f)), theta(start_theta(family->hyper_parameters())), source(family->at(theta)) {
    RandomStream random(seed);
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(2 * random.uniform() - 1);
      const double nu = 1.5 * x.back() + std::tanh(4 * x.back());
      y.push_back(gaussian                                     ? nu + noise * random.normal()
                  : random.uniform() < 1 / (1 + std::exp(-nu)) ? 1
                                                               : 0);
    }
    rebuild(gaussian, noise);
  }
  void rebuild(bool gaussian, double noise) {
    if (gaussian) {
      auto moments = std::make_shared<GaussianMoments>(source.features);
      moments->add(x, y, {}, 1);
      data = moments;
      eta = Vector::Constant(1, -2 * std::log(noise));
    } else {
      data = std::make_shared<PointwiseData>(source.features, std::make_shared<BernoulliResponse>(), x, y,
                                             std::vector<double>{}, 1);
      eta = Vector();
    }
  }
  [[nodiscard]] LogJoint joint() const { return {source, *data, eta}; }
};

}  // namespace linkgistic
