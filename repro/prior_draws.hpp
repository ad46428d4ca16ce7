// Sources drawn from the library's priors, for scores in [-half, half], half of the period.
#pragma once

#include <memory>
#include <vector>

#include "source/trig_curve.hpp"
#include "source/trig_source.hpp"

namespace linkgistic::repro {

struct DrawOptions {
  PriorKind kind = PriorKind::isgp;
  int harmonics = 16;
  double half = 3;
  double a = 1.2, size = 1;  // E nu(x) = mu + size x (isgp and offset)
  double v = 0.3;            // offset
  double gamma = 1, mu = 0;  // of nu0; gamma = 1e300 pins it
};

struct PriorDraw {
  Vector g;
  std::shared_ptr<const TrigCurve> nu;  // straight beyond [-half, half]
};

class PriorDraws {
 public:
  explicit PriorDraws(const DrawOptions& options);
  [[nodiscard]] const SourceModel& model() const { return model_; }
  [[nodiscard]] const DrawOptions& options() const { return options_; }
  [[nodiscard]] PriorDraw source(const Vector& g) const;
  [[nodiscard]] std::vector<PriorDraw> draw(int count, std::uint64_t seed) const;
  /// f as a function of the score: nu' = f^2.
  [[nodiscard]] double f(const PriorDraw& draw, double x) const;

 private:
  DrawOptions options_;
  SourceModel model_;
};

}  // namespace linkgistic::repro
