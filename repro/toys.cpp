// The figures of the regression toy: GP and ISGP, the latent f near and far, evidence profiles.
#include <algorithm>
#include <array>
#include <cmath>

#include "numeric/parallel.hpp"
#include "repro/experiment.hpp"
#include "repro/statistics.hpp"
#include "repro/toy_fit.hpp"

namespace linkgistic::repro {
namespace {

constexpr std::size_t toy_rows = 60;
constexpr std::uint64_t toy_seed = 1;

int harmonics(const Settings& settings) { return settings.quick ? 12 : 32; }

ToyFit fit_toy(const Settings& settings, PriorKind prior) {
  return {regression_toy(toy_rows, toy_seed), prior, true, harmonics(settings), settings.stop};
}

std::vector<double> values(const std::vector<double>& x, const std::function<double(double)>& f) {
  std::vector<double> y;
  for (const double at : x) y.push_back(f(at));
  return y;
}

/// nu' of the truth.
double slope(const Toy& toy, double x) { return (toy.truth(x + 1e-4) - toy.truth(x - 1e-4)) / 2e-4; }

Panel curve_panel(const std::string& label, const std::vector<double>& x, const ToyCurve& curve,
                  Colour colour) {
  Panel panel;
  panel.y_label = label;
  panel.layers.emplace_back(Band{"90 %", x, curve.lower, curve.upper, colour, 0.25});
  panel.layers.emplace_back(Line{"mode", x, curve.middle, colour, 1.8});
  return panel;
}

Figure toy_figure(const ToyFit& fit, const Toy& toy, double lower, double upper) {
  const std::vector<double> x = grid(lower, upper, 601), inside = grid(0, 100, 401);
  std::vector<double> root = values(inside, [&](double at) { return std::sqrt(slope(toy, at)); });
  const std::vector<double> square = values(inside, [&](double at) { return slope(toy, at); });
  Figure figure;
  figure.height = 560;
  figure.share_x = true;
  Panel nu = curve_panel("\u03BD", x, fit.nu(x), Colour::primary);
  nu.layers.emplace_back(Points{"data", toy.x, toy.y});
  nu.layers.emplace_back(
      Line{"truth", inside, values(inside, toy.truth), Colour::secondary, 1.3, Dash::dashed});
  Panel f = curve_panel("f", x, fit.f(x), Colour::tertiary);
  f.layers.emplace_back(
      Line{"\u00B1 root of the true slope", inside, root, Colour::secondary, 1.3, Dash::dashed});
  for (double& value : root) value = -value;
  f.layers.emplace_back(Line{"", inside, root, Colour::secondary, 1.3, Dash::dashed});
  Panel f2 = curve_panel("f\u00B2", x, fit.f_squared(x), Colour::quaternary);
  f2.layers.emplace_back(Line{"true slope", inside, square, Colour::secondary, 1.3, Dash::dashed});
  f2.x_label = "x";
  figure.panels = {nu, f, f2};
  return figure;
}

double root_mean_square(const ToyFit& fit, const Toy& toy) {
  const std::vector<double> x = grid(0, 100, 401);
  const ToyCurve nu = fit.nu(x);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(nu.middle[i] - toy.truth(x[i]), 2);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

double largest_fall(const ToyFit& fit) {
  const std::vector<double> x = grid(0, 100, 1001);
  const ToyCurve nu = fit.nu(x);
  double top = nu.middle.front(), fall = 0;
  for (const double value : nu.middle) {
    top = std::max(top, value);
    fall = std::max(fall, top - value);
  }
  return fall;
}

/// Fits of both priors to data sets of other seeds.
struct Repeats {
  std::vector<double> gp_error, isgp_error;
  int gp_falls = 0, isgp_falls = 0;
  double gp_fall = 0, isgp_fall = 0;

  [[nodiscard]] TableRow row(const std::string& name, int falls, double fall,
                             const std::vector<double>& error) const {
    const MeanError mean = mean_error(error);
    return {name,
            {Measure{name + " falls", static_cast<double>(falls)}, Measure{name + " largest fall", fall},
             Measure{name + " mean rms", mean.mean}, Measure{name + " mean rms error", mean.error}}};
  }
};

Repeats repeat(const Settings& settings) {
  const std::size_t sets = settings.quick ? 3 : 20;
  constexpr double visible = 0.01;  // of a range of 20 with noise 1
  std::vector<std::array<double, 4>> each(sets);
  parallel_for(sets, settings.threads, [&](std::size_t i) {
    const Toy toy = regression_toy(toy_rows, toy_seed + i);
    const ToyFit gp(toy, PriorKind::gp, true, harmonics(settings), settings.stop),
        isgp(toy, PriorKind::isgp, true, harmonics(settings), settings.stop);
    each[i] = {root_mean_square(gp, toy), largest_fall(gp), root_mean_square(isgp, toy), largest_fall(isgp)};
  });
  Repeats result;
  for (const auto& [gp_error, gp_fall, isgp_error, isgp_fall] : each) {
    result.gp_error.push_back(gp_error);
    result.isgp_error.push_back(isgp_error);
    result.gp_falls += gp_fall > visible ? 1 : 0;
    result.isgp_falls += isgp_fall > 1e-9 ? 1 : 0;
    result.gp_fall = std::max(result.gp_fall, gp_fall);
    result.isgp_fall = std::max(result.isgp_fall, isgp_fall);
  }
  return result;
}

}  // namespace

Result regression_toy_figure(const Settings& settings) {
  const Toy toy = regression_toy(toy_rows, toy_seed);
  const std::vector<double> x = grid(0, 100, 401);
  Figure figure;
  figure.columns = 2;
  figure.height = 260;
  PageTable table{
      "Distance from the truth", {"Prior", "root mean square", "largest fall of the curve", "noise (1)"}, {}};
  for (const PriorKind prior : {PriorKind::gp, PriorKind::isgp}) {
    const std::string name = prior == PriorKind::gp ? "GP" : "ISGP";
    settings.at(name);
    const ToyFit fit = fit_toy(settings, prior);
    Panel panel = curve_panel("y", x, fit.nu(x), Colour::primary);
    panel.title = name + " prior";
    panel.x_label = "x";
    panel.layers.emplace_back(Points{"data", toy.x, toy.y});
    panel.layers.emplace_back(Line{"truth", x, values(x, toy.truth), Colour::secondary, 1.3, Dash::dashed});
    figure.panels.push_back(panel);
    table.rows.push_back(
        {name,
         {Measure{name + ".rms", root_mean_square(fit, toy)}, Measure{name + ".fall", largest_fall(fit)},
          Measure{name + ".noise", fit.noise()}}});
  }
  Result result;
  result.blocks.emplace_back(Picture{figure,
                                     "Posterior under a GP and an ISGP prior, hyper-parameters by evidence",
                                     "Two fits of the same 60 points; the second one never falls"});
  result.blocks.emplace_back(table);
  const Repeats repeats = repeat(settings);
  const auto count = std::to_string(repeats.gp_error.size());
  result.blocks.emplace_back(
      PageTable{"The same over " + count + " data sets of 60 points",
                {"Prior", "data sets on which the curve falls", "largest fall", "root mean square", "s.e."},
                {repeats.row("GP", repeats.gp_falls, repeats.gp_fall, repeats.gp_error),
                 repeats.row("ISGP", repeats.isgp_falls, repeats.isgp_fall, repeats.isgp_error)}});
  const bool shown = repeats.gp_falls > 0, monotone = repeats.isgp_falls == 0;
  result.claims.push_back({"The ISGP fit of the regression toy is monotone, the GP fit need not be.",
                           "a picture; its function is not printed, ours is another",
                           "the GP falls on " + std::to_string(repeats.gp_falls) + " and the ISGP on " +
                               std::to_string(repeats.isgp_falls) + " of " + count + " data sets",
                           !monotone ? Finding::differs
                           : shown   ? Finding::agrees
                                     : Finding::untold,
                           !monotone ? "an ISGP curve falls."
                           : shown   ? "only the ISGP never falls."
                                     : "neither falls on these data."});
  const MeanError gain = paired(repeats.gp_error, repeats.isgp_error);
  const Side side = side_of(gain);
  result.claims.push_back({"The ISGP is nearer to the monotone truth than the GP.", "a picture",
                           "root mean square error lower by " + with_error(gain, 3) + " over " + count +
                               " data sets, so the ISGP is " + gain_text(gain, 3),
                           side == Side::above   ? Finding::agrees
                           : side == Side::below ? Finding::differs
                                                 : Finding::untold,
                           side == Side::above   ? "the monotone prior pays."
                           : side == Side::below ? "the GP is nearer on this function."
                                                 : "the difference is within two standard errors."});
  return result;
}

Result zoomed_toy(const Settings& settings) {
  settings.at("ISGP");
  const Toy toy = regression_toy(toy_rows, toy_seed);
  const ToyFit fit = fit_toy(settings, PriorKind::isgp);
  const std::vector<double> x = grid(-100, 99, 200);
  std::vector<double> later = x;
  for (double& value : later) value += 200;
  const ToyCurve one = fit.f(x), next = fit.f(later);
  double difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    difference = std::max(difference, std::abs(one.middle[i] - next.middle[i]));
  Result result;
  result.blocks.emplace_back(
      Picture{toy_figure(fit, toy, 0, 100), "Zoomed in: \u03BD, f and f\u00B2 = \u03BD'",
              "Posterior of the source and of its latent functions on the data's range"});
  result.blocks.emplace_back(Picture{toy_figure(fit, toy, -200, 300), "Zoomed out: the period of f is 200",
                                     "The same from -200 to 300, where the latent function repeats itself"});
  char text[64];
  std::snprintf(text, sizeof text, "largest |f(x + 200) - f(x)| = %.1e", difference);
  result.claims.push_back(
      {"With c = 1/100 the inferred f has period 200 (the captions' \u03BD = f\u00B2 is \u03BD' = f\u00B2).",
       "period 200", text, difference < 1e-6 ? Finding::agrees : Finding::differs,
       difference < 1e-6 ? "f repeats itself after 200." : "f does not repeat itself after 200."});
  return result;
}

Result evidence_profiles(const Settings& settings) {
  settings.at("profiles");
  const ToyFit fit = fit_toy(settings, PriorKind::isgp);
  Figure figure;
  figure.columns = 2;
  PageTable table{
      "Log evidence along each hyper-parameter (x in [-1, 1], y standardised), the others held",
      {"Hyper-parameter", "optimum", "highest above the optimum", "drop at the ends (least of two)"},
      {}};
  double gamma_drop = 0, least_other = 1e300, highest = 0;
  for (const ToyProfile& profile : fit.profiles(settings.quick ? 21 : 41)) {
    Panel panel;
    panel.x_label = profile.name;
    panel.y_label = "log evidence";
    panel.legend = Legend::none;
    panel.log_x = profile.log_axis;
    panel.layers.emplace_back(Line{"", profile.value, profile.log_evidence});
    panel.layers.emplace_back(Points{"", {profile.at}, {profile.best}, Colour::tertiary, 6, 1});
    figure.panels.push_back(panel);
    const double top =
        *std::max_element(profile.log_evidence.begin(), profile.log_evidence.end()) - profile.best;
    const double drop = profile.best - std::max(profile.log_evidence.front(), profile.log_evidence.back());
    highest = std::max(highest, top);
    if (profile.name == "gamma")
      gamma_drop = drop;
    else
      least_other = std::min(least_other, drop);
    table.rows.push_back({profile.name,
                          {Measure{profile.name + ".at", profile.at}, Measure{profile.name + ".above", top},
                           Measure{profile.name + ".drop", drop}}});
  }
  figure.height = 170.0 * static_cast<double>((figure.panels.size() + 1) / 2);
  Result result;
  result.blocks.emplace_back(Picture{figure, "Log evidence around the optimum (dots)",
                                     "One panel a hyper-parameter: a hill with the optimum at its top"});
  result.blocks.emplace_back(table);
  result.claims.push_back({"Evidence maximisation finds a stable optimum, flat in \u03B3 alone.", "a picture",
                           "no profile is more than " + fixed(highest, 3) +
                               " above the optimum; it drops by " + fixed(std::max(gamma_drop, 0.0), 3) +
                               " along \u03B3 and by at least " + fixed(least_other, 3) + " along the others",
                           highest > 0.1 || gamma_drop >= least_other ? Finding::differs : Finding::agrees,
                           highest > 0.1 ? "the optimum is not one along every axis."
                           : gamma_drop < least_other
                               ? "it is an optimum along every axis, and flattest in \u03B3."
                               : "it is an optimum along every axis, but \u03B3 is not the flattest here."});
  return result;
}

}  // namespace linkgistic::repro
