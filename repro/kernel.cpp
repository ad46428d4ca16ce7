// The trigonometric kernel and the integrals psi that it induces: a = 1.2, b = 1, c = 1, as in the paper's
// figure.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "repro/experiment.hpp"
#include "source/trig_source.hpp"

namespace linkgistic::repro {
namespace {

struct Printed {
  static constexpr double a = 1.2, b = 1, c = 1;
};

/// psi_ij(x) = int_0^x phi_i phi_j, by polarisation of the source that the library computes.
double psi(const SourceModel& source, Index i, Index j, double x) {
  const auto nu = [&](bool with_i, bool with_j) {
    Vector g = Vector::Zero(source.dimension());
    if (with_i) g[i] += 1;
    if (with_j) g[j] += 1;
    return source.map->value(g).dot(source.features->at(x));
  };
  return (nu(true, true) - nu(true, false) - nu(false, true)) / 2;
}

/// The same by Simpson's rule.
double psi_by_quadrature(const Basis& basis, Index i, Index j, double x) {
  constexpr int steps = 400;
  Vector phi(basis.size());
  double sum = 0;
  for (int k = 0; k <= steps; ++k) {
    basis.evaluate(x * k / steps, phi);
    sum += (k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2) * phi[i] * phi[j];
  }
  return sum * x / (3 * steps);
}

double kernel_sum(double x, int harmonics) {
  double sum = 0;
  for (int m = 1; m <= harmonics; ++m)
    sum += Printed::b * std::pow(Printed::a, -m) * std::cos(m * std::numbers::pi * Printed::c * x);
  return sum;
}

}  // namespace

Result kernel(const Settings& settings) {
  settings.at("psi and the kernels");
  const std::vector<double> x = grid(-1, 1, 401);
  Figure figure;
  figure.columns = 2;
  figure.height = 420;
  const TrigSource family(PriorKind::isgp, 8, Printed::c);
  const SourceModel source = family.at(start_theta(family.hyper_parameters()));
  Panel elements;
  elements.title = "elements of \u03C8(x), M = 16";
  elements.x_label = "x";
  const struct {
    const char* label;
    Index i, j;
    Colour colour;
  } shown[] = {{"cos 1, cos 1", 0, 0, Colour::primary},
               {"cos 1, cos 2", 0, 1, Colour::secondary},
               {"cos 1, sin 1", 0, 8, Colour::tertiary},
               {"sin 2, sin 2", 9, 9, Colour::quaternary}};
  double psi_error = 0;
  for (const auto& one : shown) {
    std::vector<double> y;
    for (const double at : x) {
      y.push_back(psi(source, one.i, one.j, at));
      psi_error =
          std::max(psi_error, std::abs(y.back() - psi_by_quadrature(*source.basis, one.i, one.j, at)));
    }
    elements.layers.emplace_back(Line{one.label, x, y, one.colour});
  }
  figure.panels.push_back(elements);
  double kernel_error = 0;
  PageTable table{
      "The kernel at 0", {"M", "k(0,0) of the paper's (1 - a^(-M/2))/(a - 1)", "sum of the expansion"}, {}};
  for (const int size : {16, 32, 64}) {
    Panel panel;
    panel.title = "kernel, M = " + std::to_string(size);
    panel.x_label = "x";
    panel.y_label = "k(x, 0)";
    panel.legend = Legend::none;
    std::vector<double> y;
    for (const double at : x) {
      y.push_back(trig_kernel(at, 0, Printed::a, Printed::b, Printed::c, size / 2));
      kernel_error = std::max(kernel_error, std::abs(y.back() - kernel_sum(at, size / 2)));
    }
    panel.layers.emplace_back(Line{"", x, y});
    figure.panels.push_back(panel);
    const std::string key = "M" + std::to_string(size);
    table.rows.push_back(
        {std::to_string(size),
         {Measure{key + ".formula", Printed::b * (1 - std::pow(Printed::a, -size / 2)) / (Printed::a - 1)},
          Measure{key + ".sum", kernel_sum(0, size / 2)}}});
  }
  char error[96];
  std::snprintf(error, sizeof error, "largest difference %.1e (kernel), %.1e (\u03C8)", kernel_error,
                psi_error);
  Result result;
  result.blocks.emplace_back(
      Picture{figure, "\u03C8 and kernels for a = 1.2, b = 1, c = 1",
              "Four elements of psi, and the kernel for 16, 32 and 64 basis functions"});
  result.blocks.emplace_back(table);
  const bool good = kernel_error < 1e-10 && psi_error < 1e-8;
  result.claims.push_back({"The kernel and \u03C8 have closed forms.",
                           "printed forms of k(x, z) carry errors (docs/math.md)", error,
                           good ? Finding::agrees : Finding::differs,
                           good ? "the corrected closed forms agree with the expansion and with quadrature."
                                : "the closed forms do not agree with the expansion or with quadrature."});
  return result;
}

}  // namespace linkgistic::repro
