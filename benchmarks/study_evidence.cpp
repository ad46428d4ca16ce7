// The bias of the guarded Laplace evidence for several curvature floors, against the evidence by sequential
// Monte Carlo, on data drawn from the prior.
//
//   study_evidence [SETS 6] [PARTICLES 500] [HARMONICS 6] [ROWS 10,100,1000]
//
// A line of the table is a prior, a likelihood, a number of rows and where the hyper-parameters are. Its
// figures are means over the data sets: the guarded log evidence less the exact one for each floor (of isgp
// with log 2 added for the mirrored mode), the standard error of the exact one, and the exact log evidence
// and hyper-prior less those at the hyper-parameters that the floor 1 has learned. For gp with Gaussian noise
// Laplace is exact: those lines show the error of the method.
#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "inference/laplace.hpp"
#include "inference/starts.hpp"
#include "numeric/parallel.hpp"
#include "validation/problem.hpp"

namespace {

using namespace linkgistic;
using namespace linkgistic::validation;

constexpr std::array<double, 6> floors{1e-300, 1e-3, 1e-2, 0.1, 0.3, 1};

// The log evidence by sequential Monte Carlo (P. Del Moral, A. Doucet, A. Jasra, Sequential Monte Carlo
// samplers, JRSS B 68, 2006): particles from the prior pass through p(xi) p(D | xi)^beta, each beta as far
// from the last as leaves 70 % of the particles effective; they are resampled, and moved by Metropolis' rule
// with the mean and covariance that they have.
class ParticleEvidence {
 public:
  ParticleEvidence(const LogJoint& joint, int particles, std::uint64_t seed)
      : joint_(joint),
        n_(particles),
        d_(joint.prior_sd().size()),
        random_(seed),
        log_prior_(-static_cast<double>(d_) / 2 * std::log(2 * std::numbers::pi) -
                   joint.prior_sd().array().log().sum()),
        xi_(d_, n_),
        log_likelihood_(n_) {
    for (Index p = 0; p < n_; ++p) {
      xi_.col(p) = normal(d_);
      log_likelihood_[p] = at(xi_.col(p));
    }
  }

  double value() {
    double beta = 0, sum = 0;
    while (beta < 1) {
      const double next = next_beta(beta);
      const Vector weight = weights(next - beta);
      sum += (next - beta) * log_likelihood_.maxCoeff() + std::log(weight.mean());
      beta = next;
      resample(weight);
      move(beta);
    }
    return sum;
  }

 private:
  static constexpr int moves = 24;
  static constexpr double kept = 0.7;  // of the particles, effective after a step of beta

  Vector normal(Index count) {
    return Vector::NullaryExpr(count, [this] { return random_.normal(); });
  }
  [[nodiscard]] double at(const Vector& xi) const {
    return -joint_.value(xi) + xi.squaredNorm() / 2 - log_prior_;
  }
  // Over their maximum.
  [[nodiscard]] Vector weights(double step) const {
    return (step * (log_likelihood_.array() - log_likelihood_.maxCoeff())).exp();
  }
  [[nodiscard]] double next_beta(double beta) const {
    const auto effective = [&](double next) {
      const Vector w = weights(next - beta);
      return w.sum() * w.sum() / w.squaredNorm() / static_cast<double>(n_);
    };
    if (effective(1) > kept) return 1;
    double low = beta, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (effective(middle) > kept ? low : high) = middle;
    }
    return low;
  }
  // Systematic.
  void resample(const Vector& weight) {
    const Matrix old = xi_;
    const Vector old_value = log_likelihood_;
    const double each = weight.sum() / static_cast<double>(n_);
    double next = each * random_.uniform(), passed = weight[0];
    Index from = 0;
    for (Index p = 0; p < n_; ++p, next += each) {
      while (passed < next && from + 1 < n_) passed += weight[++from];
      xi_.col(p) = old.col(from);
      log_likelihood_[p] = old_value[from];
    }
  }
  // Every other move is to a draw of the Gaussian with the particles' mean and covariance, a little wider;
  // the others are steps of two sizes.
  void move(double beta) {
    constexpr double wider = 1.2;
    const Vector mean = xi_.rowwise().mean();
    const Matrix centred = xi_.colwise() - mean;
    Matrix covariance = centred * centred.transpose() / static_cast<double>(n_);
    covariance.diagonal().array() += 1e-12;
    const Eigen::LLT<Matrix> llt(covariance);
    const Matrix root = llt.matrixL();
    const auto log_density = [&](const Vector& xi) {
      return -llt.matrixL().solve(Vector(xi - mean)).squaredNorm() / (2 * wider * wider);
    };
    for (int k = 0; k < moves; ++k) {
      const bool anywhere = k % 2 == 0;
      const double scale = (k % 4 == 1 ? 2.0 : 0.4) / std::sqrt(static_cast<double>(d_));
      for (Index p = 0; p < n_; ++p) {
        const Vector from = xi_.col(p);
        const Vector to = anywhere ? Vector(mean + wider * (root * normal(d_)))
                                   : Vector(from + scale * (root * normal(d_)));
        const double there = at(to);
        double gain = beta * (there - log_likelihood_[p]) - (to.squaredNorm() - from.squaredNorm()) / 2;
        if (anywhere) gain += log_density(from) - log_density(to);
        if (!(std::log(random_.uniform()) < gain)) continue;
        xi_.col(p) = to;
        log_likelihood_[p] = there;
      }
    }
  }

  const LogJoint& joint_;
  Index n_, d_;
  RandomStream random_;
  double log_prior_;
  Matrix xi_;  // (d, particles), whitened
  Vector log_likelihood_;
};

// Hyper-parameters: those of the truth, with a prior an eighth of its size, and those learned with a floor.
constexpr std::array<double, 3> learned_floors{1e-3, 0.1, 1};
constexpr std::array<const char*, 2 + learned_floors.size()> places{"truth", "truth, size/8", "learned, 1e-3",
                                                                    "learned, 0.1", "learned, 1"};

struct SetBias {
  std::array<std::array<double, floors.size()>, places.size()> bias{};
  std::array<double, places.size()> objective{};  // exact log evidence and log hyper-prior
  std::array<double, places.size()> error{};      // of the exact evidence, by two runs
};

std::vector<Vector> thetas(const DrawnProblem& drawn) {
  const Problem& problem = drawn.inference();
  std::vector<Vector> result{drawn.theta(), drawn.theta()};
  for (std::size_t i = 0; i < problem.hyper.size(); ++i) {
    const auto& name = problem.hyper[i].name;
    if (name == "b" || name == "scale") result[1][static_cast<Index>(i)] -= std::log(8);
  }
  const Problem free = problem.learning(std::vector<bool>(problem.hyper.size(), true));
  for (const double floor : learned_floors) {
    LearnOptions options = drawn.learning();
    options.curvature_floor = floor;
    result.push_back(learn(free.from(drawn.theta()), options).theta);
  }
  return result;
}

SetBias run_set(const Cell& cell, int harmonics, int particles, std::uint64_t set) {
  const DrawnProblem drawn(cell, harmonics, 77, set);
  const Problem& problem = drawn.inference();
  const std::vector<Vector> at = thetas(drawn);
  SetBias result;
  for (std::size_t s = 0; s < places.size(); ++s) {
    const SourceModel source = problem.source_at(at[s]);
    const auto data = problem.data_for(source);
    const LogJoint joint(source, *data, problem.eta(at[s]));
    const Mode mode = find_best_mode(joint, start_points(source, {-1, 1}, 12, set), {-1, 1});
    double runs[2] = {};
    for (const int run : {0, 1}) {
      const auto seed = 1000 * set + 10 * s + static_cast<std::uint64_t>(run);
      runs[run] = ParticleEvidence(joint, particles, seed).value();
    }
    const double exact = (runs[0] + runs[1]) / 2;
    result.error[s] = std::abs(runs[0] - runs[1]) / 2;
    result.objective[s] = exact + problem.log_hyper_prior(at[s], nullptr);
    const double mirror = cell.prior == PriorKind::isgp ? std::log(2.0) : 0;
    for (std::size_t f = 0; f < floors.size(); ++f)
      result.bias[s][f] = laplace_evidence(joint, mode, floors[f]) + mirror - exact;
  }
  return result;
}

void print_cell(const Cell& cell, const std::vector<SetBias>& sets) {
  const auto count = static_cast<double>(sets.size());
  std::string name = cell.name();
  name.resize(name.rfind(' '));
  for (std::size_t s = 0; s < places.size(); ++s) {
    std::array<double, floors.size()> mean{};
    double error = 0, gain = 0;
    for (const SetBias& each : sets) {
      for (std::size_t f = 0; f < floors.size(); ++f) mean[f] += each.bias[s][f] / count;
      error += each.error[s] * each.error[s];
      gain += (each.objective[s] - each.objective.back()) / count;
    }
    std::printf("%-24s %-14s", name.c_str(), places[s]);
    for (const double value : mean) std::printf(" %8.2f", value);
    std::printf(" %6.2f %9.2f\n", std::sqrt(error) / count, gain);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 6;
  const int particles = argc > 2 ? std::atoi(argv[2]) : 500;
  const int harmonics = argc > 3 ? std::atoi(argv[3]) : 6;
  std::vector<int> rows;
  std::istringstream words(argc > 4 ? argv[4] : "10,100,1000");
  for (std::string word; std::getline(words, word, ',');) rows.push_back(std::atoi(word.c_str()));
  std::printf("%-24s %-14s %8s %8s %8s %8s %8s %8s %6s %9s\n", "prior likelihood rows", "hyper-param.",
              "no floor", "1e-3", "1e-2", "0.1", "0.3", "1", "s.e.", "objective");
  for (const PriorKind prior : {PriorKind::isgp, PriorKind::offset, PriorKind::gp}) {
    for (const bool gaussian : {true, false}) {
      for (const int n : rows) {
        const Cell cell{prior, gaussian, n, 0.2, false};
        std::vector<SetBias> found(static_cast<std::size_t>(sets));
        parallel_for(found.size(), 0,
                     [&](std::size_t i) { found[i] = run_set(cell, harmonics, particles, i); });
        print_cell(cell, found);
      }
    }
  }
  return 0;
}
