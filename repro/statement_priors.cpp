// Section 3 of the paper on draws from the priors: sources, their losses, and what they keep of a margin
// loss.
#include <algorithm>
#include <cmath>
#include <functional>

#include "loss/composite_loss.hpp"
#include "repro/prior_draws.hpp"
#include "repro/statements.hpp"
#include "repro/statistics.hpp"

namespace linkgistic::repro {
namespace {

constexpr double no_spread = 1e300;  // gamma that pins nu0

/// The priors whose draws are sources.
std::vector<PriorDraws> increasing_priors(double gamma = 1) {
  std::vector<PriorDraws> result;
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset})
    result.emplace_back(DrawOptions{.kind = kind, .gamma = gamma});
  return result;
}

double simpson(const std::function<double(double)>& f, double x) {
  constexpr int steps = 2000;
  double sum = 0;
  for (int k = 0; k <= steps; ++k) sum += (k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2) * f(x * k / steps);
  return sum * x / (3 * steps);
}

Statement definition_two() {
  double error = 0, caption = 0;
  for (const PriorDraws& prior : increasing_priors()) {
    for (const PriorDraw& draw : prior.draw(5, 1)) {
      const double nu0 = draw.g[draw.g.size() - 1];
      for (const double x : {-2.7, -0.4, 1.1, 2.9}) {
        const auto square = [&](double z) { return std::pow(prior.f(draw, z), 2); };
        const double nu = draw.nu->at(x).value;
        error = std::max(error, std::abs(nu - nu0 - simpson(square, x)));
        caption = std::max(caption, std::abs(nu - square(x)));
      }
    }
  }
  return {"definition 2",
          "Definition 2, equation nu",
          "\u03BD(x) = \u03BD0 + \u222B f\u00B2 = \u03BD0 + w'\u03C8(x)w",
          "largest difference from quadrature of f\u00B2",
          error,
          1e-7,
          "the captions' \u03BD = f\u00B2",
          caption};
}

Statement gradient() {
  constexpr double h = 1e-4;
  double error = 0, planted = 0;
  for (const PriorDraws& prior : increasing_priors()) {
    for (const PriorDraw& draw : prior.draw(20, 2)) {
      for (const double x : grid(-2.9, 2.9, 30)) {
        const double f = prior.f(draw, x);
        const double slope = (draw.nu->at(x + h).value - draw.nu->at(x - h).value) / (2 * h);
        error = std::max(error, std::abs(slope - f * f));
        planted = std::max(planted, std::abs(slope - std::abs(f)));
      }
    }
  }
  return {"gradient",
          "Equation explicitgradient",
          "\u03BD' = f\u00B2",
          "largest difference from differences of \u03BD",
          error,
          1e-4,
          "|f| in place of f\u00B2",
          planted};
}

/// The share of draws that do not rise strictly over every one of 2,000 cells; the most zeros of f in it.
struct Rises {
  double share = 0;
  int zeros = 0;
};
Rises rises(const PriorDraws& prior, int count) {
  Rises result;
  const std::vector<double> x = grid(-prior.options().half, prior.options().half, 2001);
  for (const PriorDraw& draw : prior.draw(count, 3)) {
    bool strictly = true;
    int zeros = 0;
    double last = draw.nu->at(x[0]).value, last_f = prior.f(draw, x[0]);
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double value = draw.nu->at(x[i]).value, f = prior.f(draw, x[i]);
      strictly = strictly && value > last;
      zeros += f * last_f < 0 ? 1 : 0;
      last = value;
      last_f = f;
    }
    result.share += strictly ? 0 : 1.0 / count;
    result.zeros = std::max(result.zeros, zeros);
  }
  return result;
}

Statement source_lemma(int count) {
  double share = 0;
  int zeros = 0;
  for (const PriorDraws& prior : increasing_priors()) {
    const Rises one = rises(prior, count);
    share = std::max(share, one.share);
    zeros = std::max(zeros, one.zeros);
  }
  const PriorDraws gp(DrawOptions{.kind = PriorKind::gp});
  return {"source lemma",
          "Definition 1, Lemma lemSOURCE",
          "a draw is a source with probability one: f has isolated zeros only (at most " +
              std::to_string(zeros) + " on half of the period, of 2K = 32 possible on all of it)",
          "share of draws that do not rise strictly over each of 2,000 cells",
          share,
          0,
          "draws of the gp prior",
          rises(gp, count).share};
}

struct MarginSlope {
  std::function<double(double)> value, slope;
};
const MarginSlope logistic_margin{[](double z) { return softplus(-z); },
                                  [](double z) { return -sigmoid(-z); }};
const MarginSlope exponential_margin{[](double z) { return std::exp(-z); },
                                     [](double z) { return -std::exp(-z); }};
const MarginSlope square_margin{[](double z) { return (1 - z) * (1 - z); },
                                [](double z) { return 2 * (z - 1); }};

/// thREPRES (i) for one draw: g^-1(v) = G'(-x)/(G'(-x) + G'(x)) at x = nu^-1(v) must rise within [0, 1]. The
/// largest violation: beyond the ends, or a fall.
double not_a_link(const MarginSlope& margin, const Source& source) {
  double most = 0, last = -1e300;
  for (const double x : grid(-2.9, 2.9, 59)) {
    const double v = source.at(x).value;
    const double back = invert_source(source, v);
    const double u = margin.slope(-back) / (margin.slope(-back) + margin.slope(back));
    most = std::max({most, -u, u - 1, last - u});
    last = u;
  }
  return most;
}

Statement representable(int count) {
  double most = 0, planted = 0;
  for (const PriorDraws& prior : increasing_priors()) {
    for (const PriorDraw& draw : prior.draw(count, 4)) {
      for (const MarginSlope* margin : {&logistic_margin, &exponential_margin})
        most = std::max(most, not_a_link(*margin, *draw.nu));
      planted = std::max(planted, not_a_link(square_margin, *draw.nu));
    }
  }
  return {"theorem representable",
          "Theorem thREPRES (i)",
          "for a decreasing convex G and any draw there is a canonical link with which (G, \u03C7) is "
          "proper; in it "
          "g\u207B\u00B9(\u03BD(0)) = 1/2, which is the proof's g\u207B\u00B9(0) where \u03BD(0) = 0",
          "by how much g\u207B\u00B9 leaves [0, 1] or falls, at most",
          most,
          1e-9,
          "the square margin loss, which rises beyond 1",
          planted};
}

/// The share of draws for which the slope of G o nu^-1 at 0, by differences, is not negative.
double uncalibrated(const PriorDraws& prior, int count) {
  double share = 0;
  for (const PriorDraw& draw : prior.draw(count, 5)) {
    const auto composed = [&](double z) { return square_margin.value(invert_source(*draw.nu, z)); };
    share += composed(1e-4) - composed(-1e-4) < 0 ? 0 : 1.0 / count;
  }
  return share;
}

Statement calibrated(int count) {
  double share = 0;
  for (const PriorDraws& prior : increasing_priors(no_spread))
    share = std::max(share, uncalibrated(prior, count));
  const PriorDraws printed(DrawOptions{.gamma = 0.01});
  return {"theorem calibrated",
          "Theorem thREPRES (ii)",
          "G \u2218 \u03BD\u207B\u00B9 is classification calibrated where G is",
          "share of draws with a slope of at least 0 at 0 (square margin "
          "loss)",
          share,
          0,
          "the ISGP with its own random \u03BD0, \u03B3 = 0.01",
          uncalibrated(printed, count),
          "it needs \u03BD(0) = 0, which the proof takes for granted and an ISGP with a random \u03BD0 does "
          "not have; for a "
          "decreasing G it holds without it."};
}

/// The largest (loss of the canonical link - mean loss over draws) in standard errors.
double below_canonical(const PriorDraws& prior, int count) {
  const std::vector<PriorDraw> draws = prior.draw(count, 6);
  double most = -1e300;
  for (const char* name : {"log", "matsushita", "cost=0.3"}) {
    const auto loss = make_loss(name);
    for (const double x : grid(-2.8, 2.8, 8)) {
      for (const int y : {0, 1}) {
        std::vector<double> values;
        for (const PriorDraw& draw : draws) values.push_back(loss->canonical(y, draw.nu->at(x).value));
        const MeanError mean = mean_error(values);
        most = std::max(most, (loss->canonical(y, x) - mean.mean) / mean.error);
      }
    }
  }
  return most;
}

Statement expectation(int count) {
  double most = -1e300;
  for (const PriorDraws& prior : increasing_priors()) most = std::max(most, below_canonical(prior, count));
  const PriorDraws biased(DrawOptions{.size = 0.3, .mu = 1});
  return {"theorem expectation",
          "Theorem thEXPECT",
          "under an unbiased ISGP the expected loss is at least that of the canonical link",
          "largest shortfall of the mean over draws, in standard errors",
          most,
          4,
          "a biased ISGP, k(0,0) = 0.3 and \u03BC = 1",
          below_canonical(biased, count)};
}

/// The largest |mean over draws of nu(x) - (mu + size x)| in standard errors; with `cosines` only half of the
/// basis is kept, whose kernel is not translation invariant.
double mean_off(const PriorDraws& prior, int count, bool cosines) {
  std::vector<PriorDraw> draws = prior.draw(count, 7);
  const Index harmonics = prior.options().harmonics;
  if (cosines) {
    for (PriorDraw& draw : draws) {
      Vector g = draw.g;
      g.head(harmonics) *= std::sqrt(2.0);
      g.segment(harmonics, harmonics).setZero();
      draw = prior.source(g);
    }
  }
  double most = 0;
  for (const double x : grid(-2.8, 2.8, 8)) {
    std::vector<double> values;
    for (const PriorDraw& draw : draws) values.push_back(draw.nu->at(x).value);
    const MeanError mean = mean_error(values);
    const double expected = prior.options().mu + prior.options().size * x;
    most = std::max(most, std::abs(mean.mean - expected) / mean.error);
  }
  return most;
}

Statement prior_mean(int count) {
  double most = 0;
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    const DrawOptions options{.kind = kind, .size = 0.8, .gamma = 4, .mu = 0.5};
    most = std::max(most, mean_off(PriorDraws(options), count, false));
  }
  return {"theorem prior mean",
          "Theorem isgppriormeanfunc",
          "E \u03BD(x) = \u03BC + k(0,0) x for a translation invariant kernel",
          "largest difference of the mean over draws, in standard errors",
          most,
          4.5,
          "cosines alone, whose kernel is not translation invariant",
          mean_off(PriorDraws(DrawOptions{.gamma = 4}), count, true)};
}

Statement lipschitz(int count) {
  double most = 0, planted = 0;
  for (const PriorDraws& prior : increasing_priors()) {
    const bool constant = prior.options().kind == PriorKind::offset;
    const double phi = prior.options().harmonics + (constant ? 1 : 0);  // cos^2 + sin^2 = 1 a harmonic
    for (const PriorDraw& draw : prior.draw(count, 8)) {
      const CompositeLoss loss(make_loss("log"), draw.nu);
      const double norm = draw.g.head(draw.g.size() - 1).squaredNorm() / prior.options().half;
      const double steepest = loss.lipschitz_on(-3, 3);
      most = std::max(most, steepest / (phi * norm));
      planted = std::max(planted, steepest / norm);
    }
  }
  return {"lemma lipschitz",
          "Lemma after the prior mean",
          "the Lipschitz constant of the learned loss is at most \u2016\u03C6\u2016\u00B2 "
          "\u2016w\u2016\u00B2 Lip(l), Lip = 1 in \u03BD",
          "largest measured constant over the bound",
          most,
          1,
          "the bound without \u2016\u03C6\u2016\u00B2",
          planted};
}

Statement composite_link() {
  double error = 0, planted = 0;
  constexpr double h = 1e-5;
  for (const PriorDraws& prior : increasing_priors()) {
    for (const PriorDraw& draw : prior.draw(20, 9)) {
      const CompositeLoss loss(make_loss("log"), draw.nu);
      for (const double u : grid(0.2, 0.8, 13)) {
        const double x = loss.link(Probability(u));
        if (std::abs(x) > 2.9) continue;
        const double f2 = std::pow(prior.f(draw, x), 2), w = 1 / (u * (1 - u));
        if (f2 < 0.05) continue;  // differences of chi do not see a pole
        const double slope = (loss.link(Probability(u + h)) - loss.link(Probability(u - h))) / (2 * h);
        error = std::max(error, std::abs(slope / (w / f2) - 1));
        planted = std::max(planted, std::abs(slope / (w * f2) - 1));
      }
    }
  }
  return {"composite link",
          "Equation eqNU, after the Lipschitz lemma",
          "\u03C7 = \u03BD\u207B\u00B9 \u2218 (-L') has the slope w(u)/f\u00B2(\u03C7(u))",
          "largest relative difference from differences of \u03C7",
          error,
          1e-3,
          "proportional to f\u00B2",
          planted};
}

}  // namespace

std::vector<Statement> prior_statements(const Settings& settings) {
  const int few = settings.quick ? 30 : 200, many = settings.quick ? 1000 : 10000;
  return {definition_two(),  gradient(),       source_lemma(few), representable(few), calibrated(few),
          expectation(many), prior_mean(many), lipschitz(few),    composite_link()};
}

}  // namespace linkgistic::repro
