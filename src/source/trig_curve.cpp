#include "source/trig_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <linkgistic/error.hpp>

#include "source/integrated_harmonics.hpp"
#include "source/nystrom_curve.hpp"

namespace linkgistic {
namespace {

constexpr double unit = std::numbers::pi / 2;  // d theta / dt

}  // namespace

TrigCurve::TrigCurve(TrigCoefficients coefficients) : c_(std::move(coefficients)) {
  if (!(c_.half > 0) || c_.cosine.size() != c_.sine.size())
    throw InputError("a source needs a range that is not empty and the same number of sines and cosines");
}

Source::Values TrigCurve::at(double x) const {
  const double t = (x - c_.middle) / c_.half;
  const double inside = std::clamp(t, -1.0, 1.0);
  Values v{c_.constant + c_.line * inside, c_.line, 0};
  for (std::size_t i = 0; i < c_.cosine.size(); ++i) {
    const double k = unit * static_cast<double>(i + 1);
    const double cosine = std::cos(k * inside);
    const double sine = std::sin(k * inside);
    v.value += c_.cosine[i] * cosine + c_.sine[i] * sine;
    v.first += k * (c_.sine[i] * cosine - c_.cosine[i] * sine);
    v.second -= k * k * (c_.cosine[i] * cosine + c_.sine[i] * sine);
  }
  // The line goes on outside, so far that no value overflows.
  constexpr double farthest = 1e100;
  v.value += v.first * std::clamp(t - inside, -farthest, farthest);
  v.first /= c_.half;
  v.second = t == inside ? v.second / (c_.half * c_.half) : 0.0;
  return v;
}

TrigCoefficients trig_coefficients(const SourceModel& source, const Vector& kappa, double middle,
                                   double half) {
  if (const auto harmonics = as_harmonics(source, kappa))
    return trig_coefficients(harmonics->source, harmonics->kappa, middle, half);
  TrigCoefficients c{middle, half, kappa[0], 0, {}, {}, 0};
  const auto* integrated = dynamic_cast<const IntegratedHarmonics*>(source.features.get());
  const double origin = integrated != nullptr ? integrated->origin() : 0;
  const Index first = integrated != nullptr ? 2 : 1;
  const Index n = (kappa.size() - first) / 2;
  if (integrated != nullptr) c.line = kappa[1];
  c.constant -= origin * c.line;
  double steepest = c.line;
  // Amplitudes are far from overflow; std::hypot would make wheels need glibc 2.35, and RHEL 9 has 2.34.
  const auto amplitude = [](double a, double b) { return std::sqrt(a * a + b * b); };
  for (Index j = 1; j <= n; ++j) {
    const double of_cosine = kappa[first + j - 1];
    const double of_sine = kappa[first + n + j - 1];
    const double k = unit * static_cast<double>(j);
    if (integrated != nullptr) {
      // int cos k(t - r) = sin k(t - r)/k, int sin k(t - r) = (1 - cos k(t - r))/k from r on.
      const double cosine = std::cos(k * origin);
      const double sine = std::sin(k * origin);
      c.sine.push_back((of_cosine * cosine - of_sine * sine) / k);
      c.cosine.push_back(-(of_cosine * sine + of_sine * cosine) / k);
      c.constant += of_sine / k;
      steepest += amplitude(of_cosine, of_sine);
    } else {
      c.cosine.push_back(of_cosine);
      c.sine.push_back(of_sine);
      steepest += k * amplitude(of_cosine, of_sine);
    }
  }
  c.slope_bound = steepest / half;
  return c;
}

}  // namespace linkgistic
