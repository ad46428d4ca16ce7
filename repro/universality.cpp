// The universality theorem as a number: how near sources of K harmonics come to given links.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "inference/starts.hpp"
#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "repro/statements.hpp"
#include "response/gaussian_moments.hpp"
#include "source/spectrum.hpp"
#include "source/trig_source.hpp"

namespace linkgistic::repro {
namespace {

constexpr double reach = 3;  // scores in [-reach, reach]

struct Link {
  const char* name;
  std::function<double(double)> log_odds;  // of the score
  Colour colour;
};

double log_odds(double one, double zero) { return std::log(one) - std::log(zero); }

const Link links[] = {
    {"probit",
     [](double x) { return log_odds(std::erfc(-x / std::sqrt(2.0)), std::erfc(x / std::sqrt(2.0))); },
     Colour::primary},
    {"cauchit",
     [](double x) {
       const double angle = std::atan(x) / 3.141592653589793;
       return log_odds(0.5 + angle, 0.5 - angle);
     },
     Colour::secondary},
    {"complementary log-log",
     [](double x) { return log_odds(-std::expm1(-std::exp(x)), std::exp(-std::exp(x))); }, Colour::tertiary},
    // Two steps of width 0.1 with plateaus of almost constant probability.
    {"step-like",
     [](double x) {
       const double p = 0.1 + 0.4 * sigmoid(20 * (x + 1)) + 0.4 * sigmoid(20 * (x - 1)) + 0.002 * x;
       return log_odds(p, 1 - p);
     },
     Colour::quaternary}};

/// What no source comes near to: log odds that fall in the middle.
const Link falling{"falling", [](double x) { return x - 2 * std::sin(1.5 * x); }, Colour::reference};

struct Distance {
  double probability = 0, slope = 0;  // largest, the second over the mean slope
};

struct Case {
  const Link* link;
  bool whole, constant;
  int harmonics;
};

double slope_of(const Link& link, double x) {
  constexpr double h = 1e-4;
  return (link.log_odds(x + h) - link.log_odds(x - h)) / (2 * h);
}

/// Least squares in nu on a fine grid, from f = sqrt(nu') with no change of sign, one in the middle, or two
/// that leave f a mean of 0 over the range: the basis without a constant has it over a whole period.
Distance nearest(const Case& c) {
  const Link& link = *c.link;
  const double frequency = c.whole ? 1.0 : 0.5;
  const TrigSource family(c.constant ? PriorKind::offset : PriorKind::isgp, c.harmonics, frequency);
  const auto& hyper = family.hyper_parameters();
  const HyperLayout at = hyper_layout(c.constant ? PriorKind::offset : PriorKind::isgp);
  Vector theta = start_theta(hyper);
  const auto set = [&](Index i, double value) {
    theta[i] = hyper[static_cast<std::size_t>(i)].to_theta(value);
  };
  set(at.a, 1.02);  // a wide prior: it only keeps the least squares regular
  set(at.amplitude, 1e3);
  set(at.gamma, 1e-6);
  const SourceModel source = family.at(theta);
  const std::vector<double> t = grid(-1, 1, 1601);
  std::vector<double> nu;
  for (const double x : t) nu.push_back(link.log_odds(reach * x));
  GaussianMoments moments(source.features);
  moments.add(t, nu, {}, 1);
  const Vector eta = Vector::Constant(1, std::log(1e8));
  const LogJoint joint(source, moments, eta);
  const Vector places = Vector::LinSpaced(801, -1, 1);
  const Vector root =
      places.unaryExpr([&](double x) { return std::sqrt(std::max(reach * slope_of(link, reach * x), 0.0)); });
  double total = root.sum(), part = 0, first = -0.5, second = 0.5, middle = 0;
  for (Index i = 0; i < places.size(); ++i) {  // where a quarter, half and three quarters of f are passed
    const double next = part + root[i];
    for (auto [share, place] : {std::pair{0.25, &first}, std::pair{0.5, &middle}, std::pair{0.75, &second}})
      if (part < share * total && next >= share * total) *place = places[i];
    part = next;
  }
  std::vector<Vector> starts;
  for (int changes = 0; changes < 3; ++changes) {
    const Vector f = places.binaryExpr(root, [&](double x, double value) {
      if (changes == 1) return x < middle ? -value : value;
      if (changes == 2) return x > first && x < second ? value : -value;
      return value;
    });
    starts.push_back(project_latent(source, places, f, link.log_odds(0)));
  }
  const Mode mode = find_best_mode(joint, starts, {});
  const Vector kappa = source.map->value(mode.g);
  const std::vector<double> fine = grid(-1, 1, 4001);
  const Vector values = source.features->values(fine, kappa, 1),
               slopes = source.features->slopes(fine, kappa, 1);
  Distance result;
  const double mean_slope = (nu.back() - nu.front()) / (2 * reach);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    const auto n = static_cast<Index>(i);
    const double x = reach * fine[i];
    result.probability =
        std::max(result.probability, std::abs(sigmoid(values[n]) - sigmoid(link.log_odds(x))));
    result.slope = std::max(result.slope, std::abs(slopes[n] / reach - slope_of(link, x)) / mean_slope);
  }
  return result;
}

}  // namespace

Universality universality(const Settings& settings) {
  const std::vector<int> sizes =
      settings.quick ? std::vector<int>{2, 8} : std::vector<int>{2, 4, 8, 16, 32, 64};
  std::vector<Case> cases;
  for (const Link& link : links) {
    for (const bool whole : {false, true}) {
      for (const bool constant : {false, true}) {
        for (const int k : sizes) cases.push_back({&link, whole, constant, k});
      }
    }
  }
  std::vector<Distance> distance(cases.size());
  parallel_for(cases.size(), settings.threads, [&](std::size_t i) { distance[i] = nearest(cases[i]); });
  Universality result;
  result.table.caption =
      "Largest distance of the probabilities (of the slopes of \u03BD) from given links, by K";
  result.table.head = {"Link", "Domain", "f"};
  for (const int k : sizes)
    result.table.head.insert(result.table.head.end(), {"K = " + std::to_string(k), "slope"});
  Figure& figure = result.picture.figure;
  figure.columns = 2;
  figure.height = 460;
  double smooth = 0, crossing = 0, crossing_slope = 1e300;
  for (const bool whole : {false, true}) {
    for (const bool constant : {false, true}) {
      Panel panel;
      panel.title = std::string(whole ? "whole period, " : "half of the period, ") +
                    (constant ? "with a constant" : "without");
      panel.x_label = "K";
      panel.y_label = "distance";
      panel.log_x = panel.log_y = true;
      if (!figure.panels.empty()) panel.legend = Legend::none;
      for (const Link& link : links) {
        const std::string name = link.name;
        TableRow row{name, {whole ? "whole period" : "half", constant ? "with a constant" : "without"}};
        std::vector<double> x, y;
        for (std::size_t i = 0; i < cases.size(); ++i) {
          const Case& c = cases[i];
          if (c.link != &link || c.whole != whole || c.constant != constant) continue;
          const std::string key = "universality " + name + (whole ? " whole" : " half") +
                                  (constant ? " constant " : " plain ") + std::to_string(c.harmonics);
          row.cells.emplace_back(Measure{key, distance[i].probability});
          row.cells.emplace_back(Measure{key + " slope", distance[i].slope});
          x.push_back(c.harmonics);
          y.push_back(std::max(distance[i].probability, 1e-12));
          if (c.harmonics != sizes.back()) continue;
          const bool steps = &link == &links[3];
          if (!whole && !steps) smooth = std::max(smooth, distance[i].probability);
          if (whole && !constant && !steps) {
            crossing = std::max(crossing, distance[i].probability);
            crossing_slope = std::min(crossing_slope, distance[i].slope);
          }
        }
        result.table.rows.push_back(std::move(row));
        panel.layers.emplace_back(Line{name, x, y, link.colour, 1.6});
      }
      figure.panels.push_back(std::move(panel));
    }
  }
  result.picture.caption = "Distance of the nearest source against K";
  result.picture.description =
      "Four panels: half and whole period, with and without a constant; four links each";
  const std::string at = " at K = " + std::to_string(sizes.back());
  result.statements = {
      {"universality", "Theorem on universal kernels",
       "sources come as near to the probit, cauchit and complementary log-log links as one likes, on half of "
       "the "
       "period",
       "largest distance of probabilities" + at, smooth, settings.quick ? 1e-3 : 1e-5,
       "a link that falls, from which every source stays away",
       nearest({&falling, false, true, sizes.back()}).probability,
       "the theorem says that some source gives the loss itself; what universality gives is approximation."},
      {"universality of the print", "Theorem on universal kernels, section 4.3",
       "the same for the paper's kernel, without a constant, on its whole domain [-1/c, 1/c]",
       "largest distance of probabilities" + at, crossing, settings.quick ? 0.1 : 0.02,
       "the slopes of \u03BD there, over their mean (least of three links)", crossing_slope,
       "the paper's kernel is not universal there: f has mean 0 over the period and crosses zero, so \u03BD "
       "comes near "
       "slowly and its slope does not."}};
  return result;
}

}  // namespace linkgistic::repro
