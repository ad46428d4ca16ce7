// Table 1: each of four features of auto-mpg against mpg, five-way partitions, trained on one part (Small) or
// four (Large). The printed numbers are proportional to the mean squared error (docs/math.md, "Errata of the
// paper").
#include <algorithm>
#include <cmath>
#include <functional>

#include "repro/auto_mpg_runs.hpp"
#include "repro/departures.hpp"
#include "repro/statistics.hpp"

namespace linkgistic::repro {
namespace {

using namespace auto_mpg;

/// A row of the comparison of inferences: Laplace, variational and sampled, on the partitions of the last.
TableRow inference_row(const AutoMpgProblem& problem, const char* prior, const std::vector<double>& laplace,
                       const std::vector<double>& variational, const std::vector<double>& sampled) {
  const auto first = [&](const std::vector<double>& values) {
    return mean_error({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(sampled.size())}).mean;
  };
  const std::string key = std::string("Small ") + problem.feature + " " + prior + " inference ";
  return {problem.feature,
          {prior, Measure{key + "laplace", first(laplace)}, Measure{key + "variational", first(variational)},
           Measure{key + "mcmc", mean_error(sampled).mean}}};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string name_of(const AutoMpgProblem& problem) {
  return std::string(problem.small ? "Small " : "Large ") + problem.feature;
}

using Outcomes = std::vector<Outcome>;  // a problem each

/// The errors of a method over partitions.
using Errors = std::function<const std::vector<double>&(const Outcome&)>;
Errors errors_of(std::size_t method) {
  return [method](const Outcome& outcome) -> const std::vector<double>& { return outcome.mse[method]; };
}

/// How the order of two of the paper's methods on each Small problem, and ours with paired differences, go
/// together. The paper's order is that of its numbers.
struct Comparison {
  std::string text;
  int same = 0, level = 0, opposite = 0;
};
Comparison compare(const Outcomes& outcomes, const Errors& mine, const Errors& other, std::size_t paper_mine,
                   std::size_t paper_other, int digits = 2) {
  Comparison result;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!problems[i].small) continue;
    const MeanError gain = paired(other(outcomes[i]), mine(outcomes[i]));
    const bool paper_ahead = problems[i].printed[paper_mine] < problems[i].printed[paper_other];
    const Side side = side_of(gain);
    (side == Side::level                    ? result.level
     : (side == Side::above) == paper_ahead ? result.same
                                            : result.opposite)++;
    result.text +=
        (result.text.empty() ? "" : ", ") + std::string(problems[i].feature) + " " + gain_text(gain, digits);
  }
  return result;
}

/// One claim a method: against GP and against PAVA on the Small problems.
Claim ahead_on_small(const Outcomes& outcomes, const std::string& method, const Errors& mine,
                     const std::string& gp_name, const Errors& gp_errors) {
  const Comparison to_gp = compare(outcomes, mine, gp_errors, isgp, gp);
  const Comparison to_pava = compare(outcomes, mine, errors_of(pava), isgp, pava);
  const int opposite = to_gp.opposite + to_pava.opposite, same = to_gp.same + to_pava.same;
  Claim claim{
      method + " has a lower error than GP and PAVA on the Small problems.",
      "ISGP ahead of both on displacement, horsepower and weight, behind both on acceleration",
      "gain in mean squared error against " + gp_name + ": " + to_gp.text + "; against PAVA: " + to_pava.text,
      opposite > 0 ? Finding::differs
      : same >= 5  ? Finding::agrees
                   : Finding::untold,
      std::to_string(same) + " of 8 orders are the paper's ISGP's, " + std::to_string(opposite) +
          " are the opposite, and the others are level within two standard errors."};
  return claim;
}

/// log(error/PAVA's), mean over the four features: Small less Large, a partition an entry.
Claim better_on_small(const Outcomes& outcomes, const std::string& method, const Errors& mine,
                      std::size_t paper) {
  double printed = 0;
  std::vector<double> change(mine(outcomes.front()).size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const double sign = problems[i].small ? 0.25 : -0.25;
    printed += sign * std::log(problems[i].printed[paper] / problems[i].printed[pava]);
    for (std::size_t p = 0; p < change.size(); ++p)
      change[p] += sign * std::log(mine(outcomes[i])[p] / outcomes[i].mse[pava][p]);
  }
  const MeanError ours = mean_error(change);
  const auto percent = [](double log_ratio) { return fixed(100 * std::expm1(log_ratio), 1) + " %"; };
  const Side side = side_of(ours);
  return {
      method + " is relatively better with less data: its error over PAVA's is lower on Small than on Large.",
      "ratio to PAVA changes by " + percent(printed) + " from Large to Small (mean of four features)",
      "it changes by " + percent(ours.mean) + " (s.e. " + fixed(100 * ours.error, 1) + ")",
      side == Side::below   ? Finding::agrees
      : side == Side::above ? Finding::differs
                            : Finding::untold,
      side == Side::below   ? "with less data it gains on PAVA."
      : side == Side::above ? "with less data it loses against PAVA."
                            : "the change is within two standard errors."};
}

/// GP, ISGP, PAVA and linear, two by two on the eight problems; pairs that are level say nothing.
Claim same_order(const Outcomes& outcomes) {
  int same = 0, opposite = 0, level = 0;
  for (std::size_t q = 0; q < problems.size(); ++q) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Side side = side_of(paired(outcomes[q].mse[j], outcomes[q].mse[i]));
        const bool paper_ahead = problems[q].printed[i] < problems[q].printed[j];
        (side == Side::level ? level : (side == Side::above) == paper_ahead ? same : opposite)++;
      }
    }
  }
  return {"Order of GP, ISGP, PAVA and linear on the eight problems.", "48 pairs",
          std::to_string(same) + " pairs in the same order, " + std::to_string(opposite) +
              " in the opposite one, " + std::to_string(level) + " level within two standard errors",
          opposite == 0          ? Finding::agrees
          : same >= 3 * opposite ? Finding::untold
                                 : Finding::differs,
          opposite == 0
              ? "no order is the opposite of the paper's."
              : "most orders that can be told are the paper's, but not all; the printed numbers are "
                "known as mean squared errors to 2 or 3 % only."};
}

/// What became of the mean of the lemma at the maximum of the bare evidence.
struct Explosions {
  int fits = 0, worse_than_constant = 0;
  double worst = 0;
  std::vector<double> mean_errors;
};

Explosions add_explosions(const Outcomes& outcomes, PageTable& table) {
  Explosions all;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::vector<double> mean, mode, eigenvalue;
    int bad = 0;
    for (const PrintedScore& fold : outcomes[i].printed) {
      mean.push_back(fold.mean);
      mode.push_back(fold.mode);
      eigenvalue.push_back(fold.eigenvalue);
      bad += fold.mean > fold.constant || !std::isfinite(fold.mean) ? 1 : 0;
    }
    const std::string key = name_of(problems[i]) + " printed ";
    const double worst = *std::max_element(mean.begin(), mean.end());
    table.rows.push_back(
        {name_of(problems[i]),
         {std::to_string(bad) + " of " + std::to_string(mean.size()),
          Measure{key + "median mean", median(mean)}, Measure{key + "worst mean", worst},
          Measure{key + "median mode", median(mode)},
          Measure{key + "worst mode", *std::max_element(mode.begin(), mode.end())},
          Measure{key + "least eigenvalue", *std::min_element(eigenvalue.begin(), eigenvalue.end())}}});
    all.fits += static_cast<int>(mean.size());
    all.worse_than_constant += bad;
    all.worst = std::max(all.worst, worst);
    all.mean_errors.insert(all.mean_errors.end(), mean.begin(), mean.end());
  }
  return all;
}

Claim explosion_claim(const Explosions& all) {
  const double share = 100.0 * all.worse_than_constant / all.fits;
  return {"Maximum marginal likelihood with the predictive mean of the lemma predicts mpg (ISGP as printed).",
          "errors of 18 to 52 in units of the mean squared error",
          std::to_string(all.worse_than_constant) + " of " + std::to_string(all.fits) + " fits (" +
              fixed(share, 0) +
              " %) are worse than the training mean of mpg as a constant; the worst has a mean "
              "squared error of " +
              scientific(all.worst),
          share > 1 ? Finding::differs : Finding::agrees,
          share > 1
              ? "the evidence grows without bound where an eigenvalue of the Hessian goes to 0, and the "
                "lemma's mean has the inverse of it; Table 1 cannot be the lemma's mean at the maximum of "
                "the printed evidence. The mode at the same hyper-parameters stays sound."
              : "the printed algorithm is stable on these rows."};
}

}  // namespace

Result table1(const Settings& settings) {
  const int partitions = settings.quick ? 1 : 20;
  PageTable error{
      "Test mean squared error, mean over " + std::to_string(partitions) +
          " random five-way partitions with the standard error over partitions; the paper's "
          "printed number divided by 41.5 (Large) or 42.3 (Small)",
      {"Problem", "Method", "Paper", "As printed", "s.e.", "Ours", "s.e.", "Ours: predictive NLL a row"},
      {}};
  const int sampled_partitions = settings.quick ? 1 : 2;
  PageTable inference{"The Small problems by inference, test mean squared error over the first " +
                          std::to_string(sampled_partitions) + " of the partitions",
                      {"Feature", "Prior", "Laplace", "variational", "exact (draws)"},
                      {}};
  Outcomes outcomes;
  for (const AutoMpgProblem& problem : problems) {
    const std::string name = name_of(problem);
    settings.at("table 1: " + name);
    outcomes.push_back(run_problem(problem, partitions, settings));
    const Outcome& outcome = outcomes.back();
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const MeanError mse = mean_error(outcome.mse[m]);
      const std::string key = name + " " + methods[m];
      TableRow row{name, {methods[m], m < 4 ? fixed(problem.printed[m] / factor(problem.small), 1) : "-"}};
      if (m == gp || m == isgp) {
        const MeanError printed = mean_error(m == gp ? outcome.printed_gp : outcome.printed_mean);
        row.cells.emplace_back(Measure{key + " as printed", printed.mean});
        row.cells.emplace_back(Measure{key + " as printed error", printed.error});
      } else {
        row.cells.insert(row.cells.end(), {"-", "-"});
      }
      row.cells.emplace_back(Measure{key + " mse", mse.mean});
      row.cells.emplace_back(Measure{key + " error", mse.error});
      row.cells.emplace_back(Measure{key + " nll", mean_error(outcome.nll[m]).mean});
      error.rows.push_back(std::move(row));
    }
    const MeanError mode = mean_error(outcome.printed_mode);
    error.rows.push_back({name,
                          {"ISGP, the mode in place of the lemma's mean", "-",
                           Measure{name + " ISGP as printed mode", mode.mean},
                           Measure{name + " ISGP as printed mode error", mode.error}, "-", "-", "-"}});
    if (!problem.small || (settings.quick && std::string(problem.feature) != "weight")) continue;
    settings.at("table 1: " + name + ", draws from the posterior");
    inference.rows.push_back(
        inference_row(problem, "ISGP", outcome.mse[isgp], outcome.mse[4],
                      run_sampled(problem, PriorKind::isgp, sampled_partitions, settings)));
    inference.rows.push_back(
        inference_row(problem, "offset", outcome.mse[5], outcome.mse[6],
                      run_sampled(problem, PriorKind::offset, sampled_partitions, settings)));
  }
  PageTable explosions{"ISGP as printed, fit by fit: mean squared errors",
                       {"Problem", "mean worse than a constant", "mean, median", "mean, worst",
                        "mode, median", "mode, worst", "least eigenvalue of the whitened Hessian"},
                       {}};
  const Explosions exploded = add_explosions(outcomes, explosions);
  Result result;
  result.blocks.emplace_back(Paragraph{
      "'Paper' is the printed \"negative log likelihood\" in units of the mean squared error that it is "
      "proportional to, known to 2 or 3 %. 'As printed' is the paper's algorithm run to the letter, 'Ours' "
      "the "
      "library. Standard errors are over partitions of the same 392 or 398 rows: they tell methods apart on "
      "these "
      "rows, not on new ones. Two errors count as different beyond two standard errors of the paired "
      "difference."});
  result.blocks.emplace_back(regression_settings(printed_options(PriorKind::isgp, settings),
                                                 our_options(PriorKind::isgp, Inference::laplace, settings)));
  result.blocks.emplace_back(error);
  result.blocks.emplace_back(explosions);
  result.blocks.emplace_back(inference);
  result.claims.push_back(explosion_claim(exploded));
  const Errors printed_gp = [](const Outcome& o) -> const std::vector<double>& { return o.printed_gp; };
  const Errors printed_mean = [](const Outcome& o) -> const std::vector<double>& { return o.printed_mean; };
  const Errors printed_mode = [](const Outcome& o) -> const std::vector<double>& { return o.printed_mode; };
  result.claims.push_back(
      ahead_on_small(outcomes, "ISGP as printed", printed_mean, "GP as printed", printed_gp));
  result.claims.push_back(
      ahead_on_small(outcomes, "ISGP as printed with its mode", printed_mode, "GP as printed", printed_gp));
  for (const std::size_t m : {isgp, std::size_t{4}, std::size_t{5}, std::size_t{6}})
    result.claims.push_back(
        ahead_on_small(outcomes, std::string("Ours: ") + methods[m], errors_of(m), "GP", errors_of(gp)));
  result.claims.push_back(better_on_small(outcomes, "GP as printed", printed_gp, gp));
  result.claims.push_back(better_on_small(outcomes, "ISGP as printed with its mode", printed_mode, isgp));
  for (const std::size_t m : {gp, isgp})
    result.claims.push_back(better_on_small(outcomes, std::string("Ours: ") + methods[m], errors_of(m), m));
  result.claims.push_back(same_order(outcomes));
  return result;
}

}  // namespace linkgistic::repro
