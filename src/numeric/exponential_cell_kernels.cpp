// The moments of a cell lie in the SIMD lanes: a row adds its powers to them, times each of its weights.
#include "numeric/exponential_cells.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numeric/exponential_cell_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>
#include <complex>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace linkgistic::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

constexpr std::size_t positions = 256;  // rows whose cells are found together

// (1, t, ..., t^(L-1)) in the L lanes, and t^L.
class Powers {
 public:
  explicit Powers(D d) : lanes_(hn::Lanes(d)) {
    const auto at = [&](std::size_t bit) {
      alignas(64) double wanted[8];
      for (std::size_t lane = 0; lane < 8; ++lane) wanted[lane] = (lane & bit) != 0 ? 1 : 0;
      return hn::Load(d, wanted);
    };
    odd_ = at(1), second_ = at(2), fourth_ = at(4);
  }

  void of(D d, double t, V& first, V& step) const {
    const V one = hn::Set(d, 1.0), zero = hn::Zero(d);
    V power = hn::Set(d, t);
    first = one;
    for (std::size_t bit = 1; bit < lanes_; bit *= 2) {
      const V chosen = bit == 1 ? odd_ : bit == 2 ? second_ : fourth_;
      first = hn::Mul(first, hn::IfThenElse(hn::Gt(chosen, zero), power, one));
      power = hn::Mul(power, power);
    }
    step = power;
  }

 private:
  std::size_t lanes_;
  V odd_, second_, fourth_;
};

void add_rows(const double* theta, const double* a, const double* b, std::size_t rows, double cells_a_radian,
              double first, double last, double* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const Powers powers(d);
  alignas(64) double cell[positions + 8], t[positions + 8];
  for (std::size_t from = 0; from < rows; from += positions) {
    const std::size_t some = std::min(positions, rows - from);
    for (std::size_t n = 0; n < some; n += lanes) {
      const V at = hn::Mul(hn::LoadU(d, theta + from + n), hn::Set(d, cells_a_radian));
      const V k = hn::Min(hn::Max(hn::Round(at), hn::Set(d, first)), hn::Set(d, last));
      const V off = hn::Sub(at, k);
      hn::Store(hn::Sub(k, hn::Set(d, first)), d, cell + n);
      hn::Store(hn::Add(off, off), d, t + n);
    }
    for (std::size_t n = 0; n < some; ++n) {
      double* of_a =
          sums + static_cast<std::size_t>(cell[n]) * (ExponentialCells::measures * ExponentialCells::moments);
      double* of_b = of_a + ExponentialCells::moments;
      V power, step;
      powers.of(d, t[n], power, step);
      const V weight_a = hn::Set(d, a[from + n]), weight_b = hn::Set(d, b[from + n]);
      for (std::size_t m = 0; m < ExponentialCells::moments; m += lanes) {
        hn::Store(hn::MulAdd(weight_a, power, hn::Load(d, of_a + m)), d, of_a + m);
        hn::Store(hn::MulAdd(weight_b, power, hn::Load(d, of_b + m)), d, of_b + m);
        power = hn::Mul(power, step);
      }
    }
  }
}

// Harmonic j of cell k turns the moments by root[(j k) mod C].
void add_turned(const double* own, std::size_t k, const std::complex<double>* root, std::size_t circle,
                std::size_t harmonics, double* re, double* im) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t m = 0; m < ExponentialCells::moments; m += lanes) {
    const V moment = hn::Load(d, own + m);
    for (std::size_t j = 0; j < harmonics; ++j) {
      const std::complex<double> turn = root[k * j & (circle - 1)];
      double* to_re = re + j * ExponentialCells::moments + m;
      double* to_im = im + j * ExponentialCells::moments + m;
      hn::Store(hn::MulAdd(hn::Set(d, turn.real()), moment, hn::Load(d, to_re)), d, to_re);
      hn::Store(hn::MulAdd(hn::Set(d, turn.imag()), moment, hn::Load(d, to_im)), d, to_im);
    }
  }
}

}  // namespace
}  // namespace linkgistic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic {

HWY_EXPORT(add_rows);
HWY_EXPORT(add_turned);

void add_to_cells(std::span<const double> theta, const double* a, const double* b, double cells_a_radian,
                  std::int64_t first, std::int64_t last, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)
  (theta.data(), a, b, theta.size(), cells_a_radian, static_cast<double>(first), static_cast<double>(last),
   sums);
}

void add_turned_moments(const double* own, std::size_t k, std::span<const std::complex<double>> root,
                        std::size_t harmonics, double* re, double* im) {
  HWY_DYNAMIC_DISPATCH(add_turned)(own, k, root.data(), root.size(), harmonics, re, im);
}

}  // namespace linkgistic
#endif  // HWY_ONCE
