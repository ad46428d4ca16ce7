#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <linkgistic/error.hpp>

#include "report/figure/render.hpp"
#include "validation/results.hpp"

namespace linkgistic::validation {
namespace {

constexpr double level = 0.9;

std::string number(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// (coverage - 90 %) in standard errors.
double deviation(const MethodResult& m) {
  return (m.coverage.value() - level) / std::max(m.coverage.error(), 1e-9);
}

std::vector<std::string> methods_of(const std::vector<CellResult>& results) {
  std::vector<std::string> names;
  for (const char* name : {"laplace", "variational", "mcmc"}) {
    if (!results.empty() && results.front().methods.contains(name)) names.emplace_back(name);
  }
  return names;
}

void coverage_table(std::ostream& out, const std::vector<CellResult>& results, bool learned) {
  const auto methods = methods_of(results);
  out << "| prior, likelihood, rows, noise |";
  for (const auto& m : methods) out << ' ' << m << " | s.e. |";
  out << "\n|---|";
  for (std::size_t i = 0; i < methods.size(); ++i) out << "---|---|";
  out << '\n';
  for (const auto& r : results) {
    if (r.cell.learned != learned) continue;
    std::string name = r.cell.name();
    name.resize(name.rfind(' '));
    out << "| " << name << " |";
    for (const auto& m : methods) {
      const MethodResult& result = r.methods.at(m);
      const bool off =
          m == "mcmc" ? std::abs(deviation(result)) > 3.5 : std::abs(result.coverage.value() - level) > 0.04;
      out << ' ' << number("%.3f", result.coverage.value()) << (off ? " (!)" : "") << " | "
          << number("%.3f", result.coverage.error()) << " |";
    }
    out << '\n';
  }
  out << '\n';
}

// Mean coverage over cells, and its standard error: the cells are independent.
struct Pooled {
  double value = 0, error = 0;
};
template <class Takes>
Pooled pooled(const std::vector<CellResult>& results, const std::string& method, const Takes& takes) {
  double sum = 0, variance = 0;
  int cells = 0;
  for (const auto& r : results) {
    if (!takes(r)) continue;
    const Mean& coverage = r.methods.at(method).coverage;
    sum += coverage.value();
    variance += coverage.error() * coverage.error();
    ++cells;
  }
  return {sum / cells, std::sqrt(variance) / cells};
}

void pooled_table(std::ostream& out, const std::vector<CellResult>& results) {
  const auto methods = methods_of(results);
  out << "| cells |";
  for (const auto& m : methods) out << ' ' << m << " | s.e. |";
  out << "\n|---|";
  for (std::size_t i = 0; i < methods.size(); ++i) out << "---|---|";
  out << '\n';
  const auto line = [&](const char* name, const auto& takes) {
    if (std::none_of(results.begin(), results.end(), takes)) return;
    out << "| " << name << " |";
    for (const auto& m : methods) {
      const Pooled p = pooled(results, m, takes);
      out << ' ' << number("%.4f", p.value) << " | " << number("%.4f", p.error) << " |";
    }
    out << '\n';
  };
  line("known", [](const CellResult& r) { return !r.cell.learned; });
  line("learned", [](const CellResult& r) { return r.cell.learned; });
  line("all", [](const CellResult&) { return true; });
  out << '\n';
}

void bar(std::ostream& out, const std::string& what, const char* bar, const std::string& measured, bool met) {
  out << "| " << what << " | " << bar << " | " << measured << " | " << (met ? "met" : "not met") << " |\n";
}

// What has to hold, of the methods that were run.
void bars_table(std::ostream& out, const std::vector<CellResult>& results) {
  const auto methods = methods_of(results);
  const auto has = [&](const char* m) {
    return std::find(methods.begin(), methods.end(), m) != methods.end();
  };
  out << "| what | bar | measured | |\n|---|---|---|---|\n";
  if (has("laplace")) {
    double least = 1, most = 0;
    for (const auto& r : results) {
      least = std::min(least, r.methods.at("laplace").coverage.value());
      most = std::max(most, r.methods.at("laplace").coverage.value());
    }
    bar(out, "coverage of the default, laplace, all cells", "0.86 to 0.94",
        number("%.3f to ", least) + number("%.3f", most), least >= 0.86 && most <= 0.94);
    double worst = 0;
    std::string where = "-";
    for (const auto& r : results) {
      for (const auto& m : methods) {
        if (m == "laplace") continue;
        const double ratio =
            r.methods.at(m).square_error.value() / r.methods.at("laplace").square_error.value();
        if (!(ratio > worst) && std::isfinite(ratio)) continue;
        worst = ratio;
        where = m + ", " + r.cell.name();
      }
    }
    bar(out, "mean squared error over that of laplace, worst cell (" + where + ")", "at most 10",
        number("%.3g", worst), worst <= 10);
  }
  if (has("mcmc")) {
    double worst = 0;
    std::string where = "-";
    for (const auto& r : results) {
      const double d = std::abs(deviation(r.methods.at("mcmc")));
      if (d <= worst) continue;
      worst = d;
      where = r.cell.name();
    }
    bar(out, "coverage of mcmc, worst cell (" + where + ")", "within 3.5 s.e. of 0.9",
        number("%.2f s.e.", worst), worst <= 3.5);
    const Pooled all = pooled(results, "mcmc", [](const CellResult&) { return true; });
    bar(out, "coverage of mcmc, pooled over all cells", "within 2 s.e. of 0.900",
        number("%.4f", all.value) + number(" +- %.4f", all.error),
        std::abs(all.value - level) <= 2 * all.error);
    const double p = bonferroni(results);
    bar(out, "ranks of mcmc uniform, chi-square with Bonferroni", "p > 0.01", number("p = %.3g", p),
        p > 0.01);
  }
  out << '\n';
}

void error_table(std::ostream& out, const std::vector<CellResult>& results) {
  const auto methods = methods_of(results);
  out << "| cell |";
  for (const auto& m : methods) out << " MSE " << m << " | width | ms |";
  out << "\n|---|";
  for (std::size_t i = 0; i < methods.size(); ++i) out << "---|---|---|";
  out << '\n';
  for (const auto& r : results) {
    out << "| " << r.cell.name() << " |";
    for (const auto& m : methods) {
      const MethodResult& result = r.methods.at(m);
      out << ' ' << number("%.3g", result.square_error.value()) << " | "
          << number("%.3g", result.width.value()) << " | " << number("%.0f", result.milliseconds.value())
          << " |";
    }
    out << '\n';
  }
  out << '\n';
}

void rank_table(std::ostream& out, const std::vector<CellResult>& results) {
  out << "| cell | least p | of | R-hat < 1.01 | median ESS | divergent paths |\n|---|---|---|---|---|---|\n";
  for (const auto& r : results) {
    double least = 1;
    std::string which = "-";
    for (const auto& [name, counts] : r.ranks) {
      const double p = uniformity(counts);
      if (p < least) {
        least = p;
        which = name;
      }
    }
    out << "| " << r.cell.name() << " | " << number("%.2g", least) << " | " << which << " | "
        << number("%.0f %%", 100 * r.converged) << " | " << number("%.0f", r.median_ess) << " | "
        << number("%.2f %%", 100 * r.divergences.value()) << " |\n";
  }
  out << '\n';
}

// One panel a prior, likelihood and treatment of the hyper-parameters: ranks of nu over all its cells and
// places.
Figure rank_figure(const std::vector<CellResult>& results) {
  std::map<std::string, std::array<double, rank_bins>> panels;
  std::vector<std::string> order;
  for (const auto& r : results) {
    Cell cell = r.cell;
    std::istringstream words(cell.name());
    std::string prior, likelihood;
    words >> prior >> likelihood;
    std::string title = prior;
    title += ", " + likelihood + (cell.learned ? ", learned" : ", known");
    if (!panels.contains(title)) order.push_back(title);
    auto& sums = panels[title];
    for (const auto& [name, counts] : r.ranks) {
      if (name.rfind("nu", 0) != 0) continue;
      for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += counts[i];
    }
  }
  Figure figure;
  figure.title = "Rank of the true source among draws of mcmc: level where the posterior is right";
  figure.columns = 4;
  figure.width = 760;
  figure.height = 60 + 150 * std::ceil(static_cast<double>(order.size()) / 4);
  for (const auto& title : order) {
    Histogram bars;
    double total = 0;
    for (const double c : panels[title]) total += c / rank_bins;
    for (std::size_t i = 0; i < rank_bins; ++i) {
      bars.x.push_back((static_cast<double>(i) + 0.5) / rank_bins);
      bars.y.push_back(panels[title][i] / total);
      bars.width.push_back(1.0 / rank_bins);
    }
    Panel panel;
    panel.title = title;
    panel.x_label = "rank";
    panel.y_range = Range{0, 1.5};
    panel.x_range = Range{0, 1};
    panel.legend = Legend::none;
    panel.layers = {bars, Marker{"", 1, false}};
    figure.panels.push_back(panel);
  }
  return figure;
}

}  // namespace

double bonferroni(const std::vector<CellResult>& results) {
  double least = 1;
  int tests = 0;
  for (const auto& r : results) {
    for (const auto& [name, counts] : r.ranks) {
      least = std::min(least, uniformity(counts));
      ++tests;
    }
  }
  return std::min(1.0, least * std::max(tests, 1));
}

void write_page(const std::filesystem::path& path, const std::vector<CellResult>& results,
                const RunOptions& options) {
  std::ofstream out(path);
  if (!out) throw InputError(path.string() + ": cannot be written");
  out << "# Validation\n\nWritten by `" << options.command << "`, in " << number("%.0f", options.seconds)
      << " s on " << options.threads << " threads.\n\n"
      << "Data sets are drawn from the model itself, " << options.sets
      << " a cell: x uniform on [-1, 1], K = " << options.harmonics
      << " harmonics. `known`: the hyper-parameters are given (a = 1.5, prior slope 1, for Bernoulli 3; v = "
         "0.3; gamma "
         "= 1; mu = 0). `learned`: they are drawn from the weak priors of [math.md](math.md) (the noise "
         "within a factor "
         "e^0.25 or so of its level) and learned from each data set. `mcmc`: 4 chains of "
      << options.draws << " draws after " << options.warmup << ".\n\n";
  bars_table(out, results);
  out << "## Coverage of 90 % bands\n\nShare of the range that the band of nu covers, with its standard "
         "error over data "
         "sets. (!): mcmc more than 3.5 standard errors from 0.9, another method outside 0.86 to "
         "0.94.\n\n### Known "
         "hyper-parameters\n\n";
  coverage_table(out, results, false);
  out << "### Learned hyper-parameters\n\n";
  coverage_table(out, results, true);
  out << "### Pooled\n\nMeans over the cells, with the standard errors of the means: a bias that all cells "
         "share, "
         "and that none of them shows.\n\n";
  pooled_table(out, results);
  out << "## Simulation-based calibration\n\nThe rank of the truth among 99 draws of mcmc, spread over the "
         "chains, is "
         "uniform if the draws come from the posterior (S. Talts and others, Validating Bayesian inference "
         "algorithms "
         "with simulation-based calibration, 2018). Of nu at five places and, where learned, of the "
         "hyper-parameters; "
         "chi-square of 20 bins.\n\n";
  rank_table(out, results);
  const auto picture = std::filesystem::path(path).replace_filename(path.stem().string() + "-ranks.svg");
  render(rank_figure(results), picture);
  out << "![Rank histograms](" << picture.filename().string() << ")\n\n";
  out << "## Error, width and time\n\nMean squared error of the point estimate (Laplace: mode; otherwise: "
         "mean), mean width "
         "of the band, milliseconds of one thread a data set (the fit of the hyper-parameters, which all "
         "share, is "
         "counted in laplace).\n\n";
  error_table(out, results);
}

}  // namespace linkgistic::validation
