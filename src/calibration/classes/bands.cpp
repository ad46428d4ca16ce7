// Credible bands of the probabilities of many classes: quantiles over draws of the maps.
#include <algorithm>
#include <limits>

#include "calibration/classes/fitted.hpp"
#include "calibration/draws.hpp"
#include "calibration/fitted.hpp"
#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "numeric/quantile.hpp"

namespace linkgistic {
namespace {

constexpr Index every = 4;  // draw is used: with 250 an end of a 90 % band has an error of 4 % of its width
constexpr std::size_t chunk_rows = 64;

// sigmoid of the drawn log odds of a map at a score.
void draw_probabilities(const FittedCalibratorState& map, const CalibrationDraws& draws, double score,
                        std::vector<double>& p) {
  const double q = map.warp.at(map.scale.at(score));
  const KnotPlace place = draws.place(q);
  const auto a = draws.nu.col(static_cast<Index>(place.cell));
  const auto b = draws.nu.col(static_cast<Index>(place.cell) + 1);
  const double sign = map.scale.mirrored ? -1 : 1;
  for (Index s = 0, k = 0; s < a.size(); s += every, ++k) {
    p[static_cast<std::size_t>(k)] =
        sigmoid(sign * (map.link(place.between(a[s], b[s])) + calibration_tilt * q));
  }
}

}  // namespace

void set_class_bands(std::span<const FittedMonotoneCalibrator> calibrators, std::span<const double> log_odds,
                     std::size_t classes, double interval, CalibratedClasses& result) {
  const auto levels = central_levels(interval);
  result.lower.resize(log_odds.size());
  result.upper.resize(log_odds.size());
  std::vector<const CalibrationDraws*> draws;
  for (const auto& c : calibrators) draws.push_back(&c.state().draws->get(c.state()));
  const auto count = static_cast<std::size_t>((draws[0]->nu.rows() + every - 1) / every);
  const std::size_t rows = log_odds.size() / classes;
  const int threads = calibrators[0].options().threads;
  parallel_chunks(rows, chunk_rows, threads, [&](std::size_t, std::size_t chunk, std::size_t end) {
    std::vector<std::vector<double>> p(classes, std::vector<double>(count));
    for (std::size_t n = chunk; n < end; ++n) {
      for (std::size_t c = 0; c < classes; ++c) {
        const std::size_t k = calibrators.size() == 1 ? 0 : c;
        draw_probabilities(calibrators[k].state(), *draws[k], log_odds[n * classes + c], p[c]);
      }
      // p_c = sigmoid(l_c)/sum in every draw.
      for (std::size_t s = 0; s < count; ++s) {
        double sum = std::numeric_limits<double>::min();
        for (std::size_t c = 0; c < classes; ++c) sum += p[c][s];
        for (std::size_t c = 0; c < classes; ++c) p[c][s] /= sum;
      }
      for (std::size_t c = 0; c < classes; ++c) {
        const std::size_t i = n * classes + c;
        result.lower[i] = std::min(quantile(p[c], levels[0]), result.probability[i]);
        result.upper[i] = std::max(quantile(p[c], levels[1]), result.probability[i]);
      }
    }
  });
}

}  // namespace linkgistic
