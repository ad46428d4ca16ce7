#include "numeric/nuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <linkgistic/error.hpp>

#include "numeric/bytes.hpp"
#include "numeric/decompositions.hpp"
#include "numeric/dual_averaging.hpp"
#include "numeric/logistic.hpp"
#include "numeric/lower_triangular.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double divergence = 1000;

// A point in phase space; momentum and force, d log density/du, are those of u.
struct PhasePoint : TargetPoint {
  Vector p, force;
};

// A stretch of a path: its outer momenta, the sum of all of them, and a point drawn by exp(-energy).
struct Stretch {
  Vector p_first, p_last, p_sum;
  TargetPoint drawn;
  double log_weight = -infinity;
};

bool goes_on(const Vector& p_first, const Vector& p_last, const Vector& sum) {
  return p_first.dot(sum) > 0 && p_last.dot(sum) > 0;
}

// Where a chain is, and what it has counted: with the metrics, all that its next draws depend on.
struct ChainState {
  TargetPoint at;
  RandomStream random = RandomStream(0);
  double step = 0;
  DualAveraging averaging = DualAveraging();
  double acceptance = 0, mean_depth = 0;
  int divergences = 0, deepest_paths = 0, jumps = 0;
  std::int64_t gradients = 0;

  auto fields() {
    return std::tie(at, random, step, averaging, acceptance, mean_depth, divergences, deepest_paths, jumps,
                    gradients);
  }
};

// Draws that follow each other, and where they end.
struct ChainBatch {
  Matrix x;                         // (D, draws)
  Vector log_density;               // (draws)
  std::vector<std::size_t> labels;  // (draws)
  ChainState end;

  auto fields() { return std::tie(x, log_density, labels, end); }
};

class Chain {
 public:
  Chain(const LogTarget& target, const NutsStart& start, const std::vector<Matrix>& factors,
        const NutsOptions& options, std::uint64_t stream)
      : target_(target), options_(options), factors_(factors) {
    now_.random = RandomStream(options.seed, stream);
    now_.at.x = start.x;
    now_.at.label = start.label;
    evaluate(now_.at);
    if (!std::isfinite(now_.at.log_density)) throw InputError("a chain starts where the density is 0");
  }

  // The metrics may be new: the search for the step begins again.
  ChainBatch warm_up(int draws) {
    find_step();
    return make(draws, /*warm=*/true);
  }

  NutsChain sample() {
    if (options_.warmup > 0) now_.step = now_.averaging.final_step();
    if (now_.step == 0) find_step();
    now_.jumps = 0;
    ChainBatch made = make(options_.draws, /*warm=*/false);
    NutsChain result;
    result.draws = std::move(made.x);
    result.log_density = std::move(made.log_density);
    result.labels = std::move(made.labels);
    result.step = now_.step;
    result.acceptance = now_.acceptance;
    result.mean_depth = now_.mean_depth;
    result.divergences = now_.divergences;
    result.deepest_paths = now_.deepest_paths;
    result.jumps = now_.jumps;
    result.gradients = now_.gradients;
    return result;
  }

 private:
  static constexpr int batch_draws = 250;  // a record of some 10 KB

  struct Path {
    double acceptance = 0;
    int depth = 0;
    bool divergent = false;
  };

  // The next draws, batch by batch.
  ChainBatch make(int draws, bool warm) {
    ChainBatch all{Matrix(now_.at.x.size(), draws), Vector(draws), {}, {}};
    for (int i = 0; i < draws; i += batch_draws) {
      const int count = std::min(batch_draws, draws - i);
      const ChainBatch batch = options_.recall ? recalled(count, warm) : moved(count, warm);
      all.x.middleCols(i, count) = batch.x;
      all.log_density.segment(i, count) = batch.log_density;
      all.labels.insert(all.labels.end(), batch.labels.begin(), batch.labels.end());
    }
    return all;
  }

  ChainBatch recalled(int draws, bool warm) {
    ByteWriter question;
    question(now_);
    question(factors_);
    question(draws);
    question(warm);
    question(options_.draws);
    question(options_.target_acceptance);
    question(options_.max_depth);
    bool known = true;
    ChainBatch batch = from_bytes<ChainBatch>(options_.recall(question.bytes(), [&] {
      known = false;
      return to_bytes(moved(draws, warm));
    }));
    now_ = batch.end;
    if (known && options_.on_draw)
      for (int i = 0; i < draws; ++i) options_.on_draw();
    return batch;
  }

  ChainBatch moved(int draws, bool warm) {
    ChainBatch batch{Matrix(now_.at.x.size(), draws), Vector(draws), {}, {}};
    for (int i = 0; i < draws; ++i) {
      if (i % 16 == 0 && options_.stop && options_.stop()) throw Interrupted();
      const Path path = move();
      batch.x.col(i) = now_.at.x;
      batch.log_density[i] = now_.at.log_density;
      batch.labels.push_back(now_.at.label);
      if (warm) {
        now_.averaging.update(path.acceptance);
        now_.step = now_.averaging.step();
      } else {
        now_.acceptance += path.acceptance / options_.draws;
        now_.mean_depth += static_cast<double>(path.depth) / options_.draws;
        now_.divergences += path.divergent ? 1 : 0;
        now_.deepest_paths += path.depth >= options_.max_depth ? 1 : 0;
      }
    }
    batch.end = now_;
    return batch;
  }

  void evaluate(TargetPoint& point) {
    point.log_density = target_.value_and_gradient(point.x, point.label, point.gradient);
    if (!std::isfinite(point.log_density) || !point.gradient.allFinite()) {
      point.log_density = -infinity;
      point.gradient.setZero(point.x.size());
    }
    ++now_.gradients;
  }

  void leapfrog(PhasePoint& z, double step) {
    const Matrix& factor = factors_[z.label];
    z.p += step / 2 * z.force;
    add_lower_product(factor, step, z.p, z.x);
    evaluate(z);
    lower_transposed_product(factor, z.gradient, z.force);
    z.p += step / 2 * z.force;
  }

  static double energy(const PhasePoint& z) { return z.p.squaredNorm() / 2 - z.log_density; }

  PhasePoint with_new_momentum() {
    PhasePoint z;
    static_cast<TargetPoint&>(z) = now_.at;
    z.p.resize(now_.at.x.size());
    for (double& p : z.p) p = now_.random.normal();
    lower_transposed_product(factors_[z.label], z.gradient, z.force);
    return z;
  }

  // Doubles or halves the step until one leapfrog is accepted with probability about 0.8.
  void find_step() {
    if (!(now_.step > 0)) now_.step = 1;
    int direction = 0;
    for (int i = 0; i < 60; ++i) {
      PhasePoint z = with_new_momentum();
      const double before = energy(z);
      leapfrog(z, now_.step);
      const double gain = before - energy(z);
      const int wanted = gain > std::log(0.8) ? 1 : -1;
      if (direction != 0 && wanted != direction) break;
      direction = wanted;
      now_.step *= wanted > 0 ? 2 : 0.5;
    }
    now_.averaging = DualAveraging(now_.step, options_.target_acceptance);
  }

  // 2^depth steps from z on, which ends at the last of them. False if the path turned or diverged within.
  bool extend(int depth, PhasePoint& z, double step, double energy_0, Stretch& out, Path& path, int& steps) {
    if (depth == 0) {
      leapfrog(z, step);
      ++steps;
      double gain = energy_0 - energy(z);
      if (std::isnan(gain)) gain = -infinity;
      path.divergent = path.divergent || gain < -divergence;
      path.acceptance += std::min(1.0, std::exp(gain));
      out = {z.p, z.p, z.p, static_cast<const TargetPoint&>(z), gain};
      return !path.divergent;
    }
    Stretch second;
    if (!extend(depth - 1, z, step, energy_0, out, path, steps)) return false;
    if (!extend(depth - 1, z, step, energy_0, second, path, steps)) return false;
    return join(out, second, /*biased=*/false);
  }

  // first becomes first and second together. A biased draw prefers the second.
  bool join(Stretch& first, Stretch& second, bool biased) {
    const double total = log_add(first.log_weight, second.log_weight);
    const double log_chance = second.log_weight - (biased ? first.log_weight : total);
    if (log_chance >= 0 || now_.random.uniform() < std::exp(log_chance)) std::swap(first.drawn, second.drawn);
    first.log_weight = total;
    const Vector sum = first.p_sum + second.p_sum;
    const bool on = goes_on(first.p_first, second.p_last, sum) &&
                    goes_on(first.p_first, second.p_first, first.p_sum + second.p_first) &&
                    goes_on(first.p_last, second.p_last, second.p_sum + first.p_last);
    first.p_sum = sum;
    first.p_last.swap(second.p_last);
    return on;
  }

  Path move() {
    if (target_.jump(now_.at, now_.random)) ++now_.jumps;
    Path path;
    int steps = 0;
    bool reversed = false;  // whole.p_first is the latest
    PhasePoint ends[2] = {with_new_momentum(), {}};
    ends[1] = ends[0];
    const double energy_0 = energy(ends[0]);
    Stretch whole{ends[0].p, ends[0].p, ends[0].p, static_cast<const TargetPoint&>(ends[0]), 0};
    while (path.depth < options_.max_depth) {
      const bool forward = now_.random.uniform() > 0.5;
      Stretch added;
      if (!extend(path.depth, ends[forward ? 1 : 0], forward ? now_.step : -now_.step, energy_0, added, path,
                  steps))
        break;
      ++path.depth;
      // Seen from its other end, a path has its first and last momentum exchanged; the criterion is the same.
      if (forward == reversed) {
        whole.p_first.swap(whole.p_last);
        reversed = !reversed;
      }
      if (!join(whole, added, /*biased=*/true)) break;
    }
    path.acceptance /= std::max(1, steps);
    now_.at = std::move(whole.drawn);
    if (options_.on_draw) options_.on_draw();
    return path;
  }

  const LogTarget& target_;
  const NutsOptions& options_;
  const std::vector<Matrix>& factors_;  // by label
  ChainState now_;
};

// The covariance of a label's draws in u about the means of their chains, as a new factor; shrunk to the
// identity, which is the present one, by as many draws as there are dimensions.
Matrix adapted_factor(const Matrix& factor, const std::vector<ChainBatch>& phases, std::size_t label) {
  const Index d = factor.rows();
  Matrix sum = static_cast<double>(d) * Matrix::Identity(d, d);
  double count = static_cast<double>(d);
  for (const auto& phase : phases) {
    std::vector<Index> own;
    for (std::size_t i = 0; i < phase.labels.size(); ++i) {
      if (phase.labels[i] == label) own.push_back(static_cast<Index>(i));
    }
    if (own.size() < 2) continue;
    const Matrix draws = phase.x(Eigen::all, own);
    const Matrix u = factor.triangularView<Eigen::Lower>().solve(draws.colwise() - draws.rowwise().mean());
    sum.noalias() += u * u.transpose();
    count += static_cast<double>(own.size() - 1);
  }
  const Cholesky root(sum / count);
  return root.positive() ? Matrix(factor * root.lower()) : factor;
}

}  // namespace

std::vector<NutsChain> sample_nuts(const LogTarget& target, const std::vector<NutsStart>& starts,
                                   std::vector<Matrix> factors, const NutsOptions& options) {
  std::vector<Chain> chains;
  chains.reserve(starts.size());
  for (std::size_t c = 0; c < starts.size(); ++c) chains.emplace_back(target, starts[c], factors, options, c);
  const int first = options.warmup * 3 / 20;
  const int second = options.warmup / 5;
  const int third = options.warmup * 2 / 5;
  const int phases[] = {first, second, third, options.warmup - first - second - third};
  for (int phase = 0; phase < 4; ++phase) {
    std::vector<ChainBatch> made(chains.size());
    parallel_for(chains.size(), options.threads,
                 [&](std::size_t c) { made[c] = chains[c].warm_up(phases[phase]); });
    if (phase == 0 || phase == 3) continue;
    for (std::size_t l = 0; l < factors.size(); ++l) factors[l] = adapted_factor(factors[l], made, l);
  }
  std::vector<NutsChain> result(chains.size());
  parallel_for(chains.size(), options.threads, [&](std::size_t c) { result[c] = chains[c].sample(); });
  return result;
}

}  // namespace linkgistic
