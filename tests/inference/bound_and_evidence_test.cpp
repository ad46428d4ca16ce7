// The variational bound against the evidence: by quadrature where few coordinates allow it, and by annealed
// importance sampling.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include "inference/laplace.hpp"
#include "inference/small_problem.hpp"
#include "inference/starts.hpp"
#include "inference/variational.hpp"

namespace linkgistic {
namespace {

// Log evidence by a tensor grid of the trapezium rule, spectrally accurate for such integrands.
double log_evidence(const LogJoint& joint, int nodes, double reach) {
  const Index d = joint.prior_sd().size();
  const double h = 2 * reach / (nodes - 1);
  std::vector<int> at(static_cast<std::size_t>(d), 0);
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  Vector xi(d);
  while (true) {
    for (Index i = 0; i < d; ++i) xi[i] = -reach + h * at[static_cast<std::size_t>(i)];
    const double value = -joint.value(xi);
    if (value > largest) {
      sum = sum * std::exp(largest - value) + 1;
      largest = value;
    } else {
      sum += std::exp(value - largest);
    }
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == nodes) at[i++] = 0;
    if (i == at.size()) break;
  }
  return largest + std::log(sum) + static_cast<double>(d) * std::log(h) +
         joint.prior_sd().array().log().sum();
}

struct Estimate {
  double value, standard_error;
};

// Log evidence by annealed importance sampling (R. Neal, Statistics and Computing 11, 2001): particles drawn
// from the prior pass through p(xi) p(D | xi)^beta, beta from 0 to 1, by moves that leave each invariant:
// xi -> sqrt(1 - s^2) xi + s z, z ~ N(0, I), keeps the prior, and Metropolis' rule sees the likelihood alone.
// The mean of their weights is the evidence, however badly they mix.
Estimate annealed_log_evidence(const LogJoint& joint, int particles, int temperatures, std::uint64_t seed) {
  const Index d = joint.prior_sd().size();
  const double log_prior =
      -static_cast<double>(d) / 2 * std::log(2 * std::numbers::pi) - joint.prior_sd().array().log().sum();
  const auto log_likelihood = [&](const Vector& xi) {
    return -joint.value(xi) + xi.squaredNorm() / 2 - log_prior;
  };
  std::vector<double> log_weight;
  for (int p = 0; p < particles; ++p) {
    RandomStream random(seed, static_cast<std::uint64_t>(p));
    const auto normal = [&] { return random.normal(); };
    Vector xi = Vector::NullaryExpr(d, normal);
    double at = log_likelihood(xi);
    double weight = 0, beta = 0, step = 0.5;
    for (int k = 1; k <= temperatures; ++k) {
      const double next = std::pow(static_cast<double>(k) / temperatures, 3);
      weight += (next - beta) * at;
      beta = next;
      const Vector moved = std::sqrt(1 - step * step) * xi + step * Vector::NullaryExpr(d, normal);
      const double there = log_likelihood(moved);
      const bool taken = std::log(random.uniform()) < beta * (there - at);
      if (taken) xi = moved, at = there;
      // About one proposal in three is taken.
      step = std::clamp(step * (taken ? 1.04 : 0.98), 0.01, 0.99);
    }
    log_weight.push_back(weight);
  }
  const double most = *std::max_element(log_weight.begin(), log_weight.end());
  double sum = 0, squares = 0;
  for (const double w : log_weight) {
    sum += std::exp(w - most);
    squares += std::exp(2 * (w - most));
  }
  const double n = particles;
  return {most + std::log(sum / n), std::sqrt((squares / n - sum * sum / n / n) / n) / (sum / n)};
}

VariationalFit best_bound(const SmallProblem& problem, const LogJoint& joint) {
  const Mode mode = find_best_mode(joint, start_points(problem.source, {-1, 1}, 8, 1), {-1, 1});
  // From the mode, as wide as the prior.
  const Index d = joint.prior_sd().size();
  return maximise_bound(joint, site_at(joint, mode.g, Matrix::Zero(d, d)));
}

TEST(MaximiseBound, IsBelowTheEvidenceByQuadratureAndRisesAtEveryIteration) {
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset, PriorKind::gp}) {
    for (const bool gaussian : {true, false}) {
      for (const std::size_t n : {1U, 4U, 20U}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + " " + std::to_string(n) +
                     (gaussian ? " gaussian" : " bernoulli"));
        // One harmonic: three coordinates (w, nu0), four with the constant of the offset prior; there the
        // origin is pinned and leaves three.
        const std::optional<double> pinned =
            kind == PriorKind::offset ? std::optional<double>(-2.0) : std::nullopt;
        const SmallProblem problem(std::make_shared<TrigSource>(kind, 1, 0.5, pinned), gaussian, n, 11 + n,
                                   0.6);
        const LogJoint joint = problem.joint();
        const double exact = log_evidence(joint, 91, 7.5);
        // The error of the rule falls as exp(-c nodes^2): from 1e-4 to less than 1e-6.
        EXPECT_NEAR(log_evidence(joint, 73, 7.5), exact, 1e-4);
        const VariationalFit fit = best_bound(problem, joint);
        EXPECT_TRUE(fit.converged);
        EXPECT_LE(fit.bound, exact + 1e-6);
        // Gaussian process with Gaussian noise: the posterior is Gaussian and the bound is the evidence.
        if (kind == PriorKind::gp && gaussian) {
          EXPECT_NEAR(fit.bound, exact, 1e-6);
        }
        // One of two mirrored modes costs log 2; nothing here is far beyond that.
        EXPECT_GT(fit.bound, exact - (kind == PriorKind::isgp ? 1.5 : 0.8));
        for (std::size_t i = 1; i < fit.trace.size(); ++i) EXPECT_GE(fit.trace[i], fit.trace[i - 1]);
        EXPECT_GT(fit.bound, fit.trace.front());
      }
    }
  }
}

TEST(AnnealedEvidence, IsThatOfQuadrature) {
  for (const bool gaussian : {true, false}) {
    const SmallProblem problem(std::make_shared<TrigSource>(PriorKind::isgp, 1, 0.5), gaussian, 20, 31, 0.6);
    const LogJoint joint = problem.joint();
    const Estimate annealed = annealed_log_evidence(joint, 300, 1000, 7);
    EXPECT_LT(annealed.standard_error, 0.1);
    EXPECT_NEAR(annealed.value, log_evidence(joint, 91, 7.5), 4 * annealed.standard_error);
  }
}

// Three harmonics: seven or eight coordinates.
TEST(MaximiseBound, IsBelowTheEvidenceByAnnealing) {
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset, PriorKind::gp}) {
    for (const bool gaussian : {true, false}) {
      const SmallProblem problem(std::make_shared<TrigSource>(kind, 3, 0.5), gaussian, 25, 41, 0.6);
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + (gaussian ? " gaussian" : " bernoulli"));
      const LogJoint joint = problem.joint();
      const VariationalFit fit = best_bound(problem, joint);
      const Estimate annealed = annealed_log_evidence(joint, 500, 2000, 8);
      EXPECT_LT(annealed.standard_error, 0.1);
      EXPECT_LT(fit.bound, annealed.value + 4 * annealed.standard_error);
      EXPECT_GT(fit.bound, annealed.value - 2);
      if (kind == PriorKind::gp && gaussian) {  // the bound is the evidence
        EXPECT_NEAR(fit.bound, annealed.value, 4 * annealed.standard_error);
      }
    }
  }
}

}  // namespace
}  // namespace linkgistic
