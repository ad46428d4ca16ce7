#include "report/figure/axis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace linkgistic {
namespace {

const std::string minus = "\u2212";

std::string fixed(double value, int decimals) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::fixed, decimals).ptr;
  return std::string(buffer, end);
}

Tic plain_tic(double value, int decimals) {
  return {value, {(value < 0 ? minus : "") + fixed(value, decimals)}};
}

/// mantissa x 10^exponent; a mantissa that would read 1 is not written.
Tic power_tic(double value, double mantissa, int exponent, int decimals) {
  if (value == 0) return {0.0, {"0"}};
  const std::string digits = mantissa != 1 || decimals > 0 ? fixed(mantissa, decimals) + "\u00d7" : "";
  return {value,
          {(value < 0 ? minus : "") + digits + "10",
           (exponent < 0 ? minus : "") + std::to_string(std::abs(exponent))}};
}

double ten_to(int exponent) { return std::pow(10.0, exponent); }

/// Multiples of mantissa x 10^exponent within the range.
std::vector<Tic> multiples(Range range, double mantissa, int exponent) {
  const double step = mantissa * ten_to(exponent);
  const double largest = std::max(std::abs(range.lower), std::abs(range.upper));
  const int top = static_cast<int>(std::floor(std::log10(largest)));
  const bool as_power = largest >= 1e5 || top < -3;
  const double slack = 1e-9 * step;
  std::vector<Tic> result;
  for (double k = std::ceil((range.lower - slack) / step); k * step <= range.upper + slack; ++k) {
    const double value = k == 0 ? 0.0 : k * step;
    if (as_power)
      result.push_back(
          power_tic(value, std::abs(value) / ten_to(top), top, std::clamp(top - exponent, 0, 12)));
    else
      result.push_back(plain_tic(value, std::clamp(-exponent, 0, 12)));
  }
  return result;
}

std::vector<Tic> linear_tics(Range range, double wished) {
  // Steps 1, 2, 5 x 10^e from coarse to fine, until there are as many as wished, but for a quarter.
  const double span = range.upper - range.lower;
  int exponent = static_cast<int>(std::floor(std::log10(span)));
  for (;; --exponent)
    for (const double mantissa : {5.0, 2.0, 1.0}) {
      std::vector<Tic> result = multiples(range, mantissa, exponent);
      if (static_cast<double>(result.size()) >= std::max(2.0, 0.75 * wished)) return result;
    }
}

/// Products of the mantissas and powers of ten 10^e with e divisible by stride, within the range.
std::vector<Tic> products(Range range, std::initializer_list<double> mantissas, int stride) {
  const bool plain = range.lower >= 0.9e-3 && range.upper < 1.1e5;
  const int first = static_cast<int>(std::floor(std::log10(range.lower)));
  const int last = static_cast<int>(std::floor(std::log10(range.upper)));
  std::vector<Tic> result;
  for (int exponent = first; exponent <= last; ++exponent)
    for (const double mantissa : mantissas) {
      const double value = mantissa * ten_to(exponent);
      if (exponent % stride != 0 || value < range.lower * (1 - 1e-9) || value > range.upper * (1 + 1e-9))
        continue;
      result.push_back(plain ? plain_tic(value, std::max(0, -exponent))
                             : power_tic(value, mantissa, exponent, 0));
    }
  return result;
}

std::vector<Tic> log_tics(Range range, double wished) {
  const double decades = std::log10(range.upper) - std::log10(range.lower);
  const double most = std::max(3.0, 2 * wished);
  if (decades < std::log10(3.0)) return linear_tics(range, wished);
  for (const auto mantissas : {std::initializer_list<double>{1, 2, 5}, {1, 3}, {1}}) {
    std::vector<Tic> result = products(range, mantissas, 1);
    if (static_cast<double>(result.size()) <= most) return result;
  }
  return products(range, {1}, static_cast<int>(std::ceil(decades / most)));
}

}  // namespace

bool on_axis(double value, bool log) { return std::abs(value) <= 1e300 && (!log || value >= 1e-300); }

void AxisExtent::add(double value) {
  if (!on_axis(value, log_)) return;
  if (!range_) range_ = Range{value, value};
  range_->lower = std::min(range_->lower, value);
  range_->upper = std::max(range_->upper, value);
}

void AxisExtent::add(const std::vector<double>& values) {
  for (const double value : values) add(value);
}

Range AxisExtent::padded(double margin) const {
  if (!range_) return log_ ? Range{1, 10} : Range{0, 1};
  auto [lower, upper] = *range_;
  if (log_) {
    const double decades = std::log10(upper) - std::log10(lower);
    const double factor = decades < 1e-9 ? 2 : std::pow(10, margin * decades);
    return {std::max(lower / factor, 1e-305), std::min(upper * factor, 1e305)};
  }
  // A constant still needs an axis with a length that its numbers can show.
  const double largest = std::max(std::abs(lower), std::abs(upper));
  const double length = upper - lower;
  const double pad = length > std::max(1e-9 * largest, 1e-290) ? margin * length
                     : largest > 1e-290                        ? 0.1 * largest
                                                               : 0.5;
  const bool bars_up = base_ && lower == 0;
  const bool bars_down = base_ && upper == 0 && !bars_up;
  return {bars_up ? lower : lower - pad, bars_down ? upper : upper + pad};
}

std::vector<Tic> tics(Range range, bool log, double wished) {
  return log ? log_tics(range, wished) : linear_tics(range, wished);
}

}  // namespace linkgistic
