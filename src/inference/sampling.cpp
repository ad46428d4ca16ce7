#include "inference/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <linkgistic/error.hpp>

#include "inference/joint_target.hpp"
#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// No direction is taken to be wider than sqrt(1/least_curvature) of the prior's standard deviation.
constexpr double least_curvature = 0.25;

Matrix guarded(const Matrix& h) {
  const SymmetricEigen eigen((h + h.transpose()) / 2);
  return eigen.with(eigen.eigenvalues().cwiseMax(least_curvature));
}

// Whether f and -f are the same model.
bool is_symmetric(const SourceModel& source) {
  return source.basis && source.prior.mean.head(source.basis->size()).isZero();
}

struct WeightedMode {
  Mode mode;
  Vector kappa;
  double log_mass = 0;  // Laplace's, up to a constant
};

// The different modes, the heaviest first, those of less than e^-negligible of its mass left out. f and -f
// are two modes where the prior tells them apart, so each mode is tried from its mirror image as well.
std::vector<WeightedMode> find_modes(const LogJoint& joint, const std::vector<Vector>& starts,
                                     double negligible, const std::function<bool()>& stop) {
  constexpr std::size_t most = 8;
  const SourceModel& source = joint.source();
  std::vector<WeightedMode> modes;
  const auto add = [&](const Vector& start) {
    if (stop && stop()) throw Interrupted();
    Mode mode = find_mode(joint, start);
    const Vector kappa = source.map->value(mode.g);  // the same for f and -f
    const bool symmetric = is_symmetric(source);
    const bool known = std::any_of(modes.begin(), modes.end(), [&](const WeightedMode& m) {
      return (m.kappa - kappa).norm() < 1e-4 * (1 + kappa.norm()) &&
             (symmetric || (m.mode.g - mode.g).norm() < 1e-3 * (1 + mode.g.norm()));
    });
    if (known || !mode.g.allFinite()) return;
    const double log_det = Cholesky(guarded(mode.whitened_hessian)).log_determinant();
    const double log_mass = mode.log_joint - log_det / 2;
    modes.push_back({std::move(mode), kappa, log_mass});
  };
  for (const Vector& start : starts) add(start);
  if (source.basis && !is_symmetric(source)) {
    const std::size_t found = modes.size();
    for (std::size_t i = 0; i < found; ++i) {
      Vector mirrored = modes[i].mode.g;
      mirrored.head(source.basis->size()) *= -1;
      add(mirrored);
    }
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const auto& a, const auto& b) { return a.log_mass > b.log_mass; });
  const double least = modes.front().log_mass - negligible;
  std::erase_if(modes, [&](const WeightedMode& m) { return m.log_mass < least; });
  if (modes.size() > most) modes.erase(modes.begin() + most, modes.end());
  return modes;
}

// The modes in which the chains begin: in proportion to the root of their mass, spread evenly.
std::vector<std::size_t> assign_modes(const std::vector<WeightedMode>& modes, int chains) {
  std::vector<double> share;
  double total = 0;
  for (const auto& m : modes) {
    share.push_back(std::exp((m.log_mass - modes.front().log_mass) / 2));
    total += share.back();
  }
  std::vector<std::size_t> result;
  double sum = 0;
  std::size_t at = 0;
  for (int c = 0; c < chains; ++c) {
    const double place = (c + 0.5) / chains * total;
    while (at + 1 < share.size() && sum + share[at] < place) sum += share[at++];
    result.push_back(at);
  }
  return result;
}

// (d, d): lower L with L L' the inverse of the curvature of the target at x, guarded in units of `scale`.
Matrix laplace_factor(const JointTarget& target, const Vector& x, std::size_t label, const Vector& scale) {
  constexpr double step = 1e-4;
  const Index d = x.size();
  Matrix h(d, d);
  for (Index i = 0; i < d; ++i) {
    Vector gradient[2];
    for (const int side : {0, 1}) {
      Vector at = x;
      at[i] += (side == 0 ? -step : step) * scale[i];
      target.value_and_gradient(at, label, gradient[side]);
    }
    h.col(i) = scale.cwiseProduct(gradient[0] - gradient[1]) / (2 * step);
  }
  if (!h.allFinite()) return scale.asDiagonal();
  return scale.asDiagonal() * Cholesky(Cholesky(guarded(h)).inverse()).lower();
}

// centre + step, the step halved while it leads to where no typical draw is: there a chain would creep.
Vector spread_start(const JointTarget& target, const Vector& centre, Vector step, std::size_t label) {
  Vector gradient;
  const double least =
      target.value_and_gradient(centre, label, gradient) - 2 * static_cast<double>(centre.size()) - 10;
  for (int halvings = 0; halvings < 6; ++halvings, step /= 2) {
    if (target.value_and_gradient(centre + step, label, gradient) > least) return centre + step;
  }
  return centre;
}

SamplingDiagnostics diagnose(const Sampling& draws, const std::vector<NutsChain>& chains,
                             const SourceModel& source, const std::vector<bool>& learned,
                             const SourceRange& range) {
  constexpr Index places = 9;
  const auto n_chains = static_cast<Index>(chains.size());
  const Index per_chain = draws.g.cols() / n_chains;
  Matrix phi(source.features->size(), places);
  for (Index i = 0; i < places; ++i) {
    const double x = range.lower + (range.upper - range.lower) * static_cast<double>(i) / (places - 1);
    source.features->evaluate(x, phi.col(i));
  }
  Matrix nu(draws.g.cols(), places);
  for (Index s = 0; s < draws.g.cols(); ++s) {
    nu.row(s) = source.map->value(draws.g.col(s)).transpose() * phi;
  }
  SamplingDiagnostics result;
  const auto total = static_cast<double>(draws.g.cols());
  result.curve = {1, total, total};
  const auto add = [&](const Vector& quantity, ChainDiagnostics& worst) {
    const ChainDiagnostics d = diagnose_chains(quantity.reshaped(per_chain, n_chains));
    worst.r_hat = std::max(worst.r_hat, d.r_hat);
    worst.bulk_ess = std::min(worst.bulk_ess, d.bulk_ess);
    worst.tail_ess = std::min(worst.tail_ess, d.tail_ess);
  };
  for (Index i = 0; i < places; ++i) add(nu.col(i), result.curve);
  const bool any = std::find(learned.begin(), learned.end(), true) != learned.end();
  result.hyper = any ? ChainDiagnostics{1, total, total} : result.curve;
  for (std::size_t i = 0; i < learned.size(); ++i) {
    if (learned[i]) add(draws.theta.row(static_cast<Index>(i)).transpose(), result.hyper);
  }
  for (const NutsChain& c : chains) {
    result.divergences += c.divergences;
    result.deepest_paths += c.deepest_paths;
    result.acceptance += c.acceptance / static_cast<double>(n_chains);
    result.mean_depth += c.mean_depth / static_cast<double>(n_chains);
    result.jumps += static_cast<double>(c.jumps) / static_cast<double>(draws.g.cols());
    result.gradients += c.gradients;
  }
  result.chains = static_cast<int>(n_chains);
  result.draws = static_cast<int>(per_chain);
  return result;
}

}  // namespace

bool SamplingDiagnostics::good() const {
  return curve.r_hat < 1.01 && std::min(curve.bulk_ess, curve.tail_ess) >= 100.0 * chains &&
         hyper.r_hat < 1.05 && divergences * 100 <= chains * draws;
}

std::string SamplingDiagnostics::words() const {
  const bool on_all = r_hat() < 1.01 && std::min(bulk_ess(), tail_ess()) >= 100.0 * chains;
  const bool apart = good() && !on_all;
  std::ostringstream out;
  out.precision(4);
  const auto mixing = [&](double r_hat, double bulk, double tail) {
    out << "R-hat " << r_hat << ", effective draws " << std::lround(bulk) << " in the bulk and "
        << std::lround(tail) << " in the tails of " << chains * draws;
  };
  out << (apart    ? "the chains agree on the curve ("
          : good() ? "the chains agree ("
                   : "the chains do not agree well: sample longer (");
  if (apart) {
    mixing(curve.r_hat, curve.bulk_ess, curve.tail_ess);
  } else {
    mixing(r_hat(), bulk_ess(), tail_ess());
  }
  out << ", divergences " << divergences << ")";
  if (apart) {
    out << ", less closely on the hyper-parameters (";
    mixing(hyper.r_hat, hyper.bulk_ess, hyper.tail_ess);
    out << ")";
  }
  return out.str();
}

Sampling sample_posterior(const Problem& given, const LaplaceFit& fit, const SamplingOptions& options) {
  Problem problem = given.from(fit.theta);
  std::vector<bool>& sampled = problem.learned;
  if (problem.basis_moves()) std::fill_n(sampled.begin(), problem.source_hyper(), false);
  const auto data = problem.data_for(fit.source);
  const LogJoint joint(fit.source, *data, problem.eta(fit.theta));

  auto starts = start_points(fit.source, problem.range, options.start_draws, options.seed);
  starts.insert(starts.begin(), fit.mode.g);
  // At other hyper-parameters the modes have other shares: keep faint ones where some are sampled.
  const bool moving = std::find(sampled.begin(), sampled.end(), true) != sampled.end();
  const auto modes = find_modes(joint, starts, moving ? 20 : 8, options.stop);

  std::vector<JointTarget::Place> places;
  for (const auto& m : modes) places.push_back({m.mode.g, m.mode.whitened_hessian});
  const bool symmetric = is_symmetric(fit.source);
  const JointTarget target(problem, *data, places, symmetric ? fit.source.basis->size() : 0);

  Vector scale = Vector::Ones(target.dimension());
  for (Index k = target.free_dimension(); k < scale.size(); ++k) {
    const Index i = target.learned()[static_cast<std::size_t>(k - target.free_dimension())];
    scale[k] = problem.hyper[static_cast<std::size_t>(i)].prior_sd;
  }
  std::vector<Vector> centres;
  std::vector<Matrix> factors;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    centres.push_back(target.coordinates(modes[i].mode.g, fit.theta, i));
    factors.push_back(laplace_factor(target, centres[i], i, scale));
  }
  std::vector<NutsStart> begin;
  for (const std::size_t mode : assign_modes(modes, options.chains)) {
    RandomStream random(options.seed, begin.size());
    Vector z(target.dimension());
    for (double& value : z) value = random.normal();
    begin.push_back({spread_start(target, centres[mode], factors[mode] * z, mode), mode});
  }
  NutsOptions nuts;
  nuts.warmup = options.warmup;
  nuts.draws = options.draws;
  nuts.target_acceptance = options.target_acceptance;
  nuts.seed = options.seed + 0x9E3779B97F4A7C15;  // not the numbers that drew the starts
  nuts.threads = options.threads;
  nuts.stop = options.stop;
  nuts.on_draw = options.on_draw;
  nuts.recall = options.recall;
  const auto chains = sample_nuts(target, begin, factors, nuts);

  Sampling result;
  const Index total = static_cast<Index>(options.chains) * options.draws;
  result.g.resize(fit.source.dimension(), total);
  result.theta.resize(fit.theta.size(), total);
  result.log_joint.resize(total);
  Index s = 0;
  for (const NutsChain& chain : chains) {
    for (Index i = 0; i < chain.draws.cols(); ++i, ++s) {
      const Vector x = chain.draws.col(i);
      Vector g = target.g(x, chain.labels[static_cast<std::size_t>(i)]);
      fix_sign(fit.source, problem.range, g);
      result.g.col(s) = g;
      result.theta.col(s) = target.theta(x);
      result.log_joint[s] = chain.log_density[i];
    }
  }
  result.diagnostics = diagnose(result, chains, fit.source, sampled, problem.range);
  result.diagnostics.modes = static_cast<int>(modes.size());
  return result;
}

Sampling sample_until_good(const Problem& problem, const LaplaceFit& fit, const SamplingOptions& options) {
  Sampling first = sample_posterior(problem, fit, options);
  if (first.diagnostics.good()) return first;
  SamplingOptions careful = options;
  careful.target_acceptance = 1 - (1 - options.target_acceptance) / 4;
  careful.warmup *= 2;
  careful.draws *= 2;
  try {
    Sampling second = sample_posterior(problem, fit, careful);
    const bool better = second.diagnostics.good() || second.diagnostics.r_hat() < first.diagnostics.r_hat();
    return better ? second : first;
  } catch (const Interrupted&) {  // the first is whole
    return first;
  }
}

}  // namespace linkgistic
