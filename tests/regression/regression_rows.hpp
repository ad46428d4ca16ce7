// Rows and model variants that the tests of monotone regression share.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"

namespace linkgistic {

struct Rows {
  std::vector<double> x, y, weight;
};

inline Rows noisy_steps(std::size_t n, std::uint64_t seed) {
  RandomStream random(seed);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.x.push_back(10 * random.uniform());
    rows.y.push_back(3 * std::tanh(rows.x.back() - 6) + 0.5 * random.normal());
    rows.weight.push_back(static_cast<double>(random.below(3)));
  }
  return rows;
}

inline std::vector<double> grid(double lower, double upper, int n = 101) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(lower + (upper - lower) * i / (n - 1));
  return x;
}

inline FittedMonotoneRegression fit(const Rows& rows, MonotoneRegressionOptions options = {}) {
  return MonotoneRegression(std::move(options)).fit(rows.x, rows.y, rows.weight);
}

struct Variant {
  std::string name;
  MonotoneRegressionOptions options;
};

inline std::vector<Variant> variants() {
  std::vector<Variant> result;
  for (const auto& [prior, name] :
       {std::pair{PriorKind::isgp, "isgp"}, {PriorKind::offset, "offset"}, {PriorKind::gp, "gp"}}) {
    for (const auto& [basis, basis_name] :
         {std::pair{BasisKind::trig, "trig"}, {BasisKind::nystrom, "nystrom"}}) {
      for (const auto& [origin, origin_name] :
           {std::pair{Origin::intercept, "intercept"}, {Origin::shifted, "shifted"}}) {
        if (prior == PriorKind::gp && origin == Origin::shifted) continue;
        MonotoneRegressionOptions options;
        options.prior = prior;
        options.basis = basis;
        options.origin = origin;
        options.harmonics = basis == BasisKind::trig ? 10 : 6;
        options.threads = 1;
        result.push_back({std::string(name) + " " + basis_name + " " + origin_name, options});
      }
    }
  }
  return result;
}

}  // namespace linkgistic
