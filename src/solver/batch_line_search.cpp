#include "solver/batch_line_search.hpp"

#include <cmath>

namespace linkgistic {
namespace {

bool too_long(const LinePoint& begin, const LinePoint& p, const LineSearchOptions& options) {
  return !std::isfinite(p.value) || !falls_enough(begin, p, options) || p.slope > 0;
}

}  // namespace

LineBracket::LineBracket(const LinePoint& at_zero, const LinePoint& at_one)
    : begin(at_zero), end(at_one), low(at_zero) {
  if (too_long(begin, end, {})) {
    high = end;
  } else {
    low = end;
  }
}

// Inside the bracket evenly, where both ends are finite; towards its lower end by powers of two where the
// upper one is far beyond; beyond it by powers of two where there is no upper end.
std::vector<double> LineBracket::steps() const {
  std::vector<double> t(steps_at_once);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto place = static_cast<double>(i + 1);
    if (!high) {
      t[i] = low.t * std::exp2(place);
    } else if (low.t == 0) {
      t[i] = high->t * std::exp2(place - static_cast<double>(t.size()) - 1);
    } else {
      t[i] = low.t + (high->t - low.t) * place / static_cast<double>(t.size() + 1);
    }
  }
  return t;
}

void LineBracket::narrow(std::span<const LinePoint> points, const LineSearchOptions& options) {
  // Beyond the first step the shortest is enough: a loss that always falls becomes flatter and flatter.
  for (const LinePoint& p : points) {
    if (!satisfies_wolfe(begin, p, options)) continue;
    if (!found || (high && std::abs(p.slope) < std::abs(found->slope))) found = p;
  }
  for (const LinePoint& p : points) {
    if (p.t <= low.t || (high && p.t >= high->t)) continue;
    if (too_long(begin, p, options)) {
      high = p;
      break;
    }
    low = p;
  }
  const bool narrow_enough = high && high->t - low.t < 1e-12;
  open = !found && !narrow_enough;
}

std::optional<double> LineBracket::step() const {
  if (found) return found->t;
  if (low.t > 0 && low.value < begin.value) return low.t;
  return std::nullopt;
}

}  // namespace linkgistic
