// The sampler's paths against plain ones, which keep every point of a path from the earliest to the latest.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/logistic.hpp"
#include "numeric/nuts.hpp"

namespace linkgistic {
namespace {

// Independent normals of standard deviations 1, 3 and 0.4, with a pull to the fourth power.
class Bowl final : public LogTarget {
 public:
  [[nodiscard]] Index dimension() const override { return 3; }
  double value_and_gradient(const Vector& x, std::size_t, Vector& gradient) const override {
    const Vector precision{{1, 1.0 / 9, 6.25}};
    gradient = -precision.cwiseProduct(x) - 0.02 * x.squaredNorm() * x;
    return -precision.dot(x.cwiseProduct(x)) / 2 - 0.005 * x.squaredNorm() * x.squaredNorm();
  }
};

// The algorithm as it is written down, with the random numbers in the order of the paper's recursion.
class PlainNuts {
 public:
  PlainNuts(Vector x, std::uint64_t seed, std::uint64_t stream) : x_(std::move(x)), random_(seed, stream) {}

  // Doubles or halves the step until the acceptance of one leapfrog crosses 0.8.
  void find_step() {
    bool before = false;
    for (int i = 0; i < 60; ++i) {
      Point z = begin();
      const double energy_0 = energy(z);
      leap(z, step_);
      const bool accepted = energy_0 - energy(z) > std::log(0.8);
      if (i > 0 && accepted != before) return;
      before = accepted;
      step_ = accepted ? 2 * step_ : step_ / 2;
    }
  }

  Vector draw(int max_depth) {
    Point earliest = begin(), latest = earliest;
    energy_0_ = energy(earliest);
    Tree path{{earliest.p}, earliest.x, 0};
    for (int depth = 0; depth < max_depth; ++depth) {
      const bool forward = random_.uniform() > 0.5;
      Tree added;
      if (!grow(depth, forward ? latest : earliest, forward, added)) break;
      ++doublings;
      const bool goes_on = forward ? straight(path, added) : straight(added, path);
      const double log_chance = added.log_weight - path.log_weight;
      if (log_chance >= 0 || random_.uniform() < std::exp(log_chance)) path.drawn = added.drawn;
      path = {joined(path, added, forward), path.drawn, log_add(path.log_weight, added.log_weight)};
      if (!goes_on) break;
    }
    return x_ = path.drawn;
  }

  int doublings = 0;

 private:
  struct Point {
    Vector x, p;
  };
  struct Tree {
    std::vector<Vector> p;  // momenta, the earliest first
    Vector drawn;
    double log_weight = 0;
  };

  static double energy(const Point& z) {
    Vector gradient;
    return z.p.squaredNorm() / 2 - Bowl().value_and_gradient(z.x, 0, gradient);
  }
  static Vector force(const Vector& x) {
    Vector gradient;
    (void)Bowl().value_and_gradient(x, 0, gradient);
    return gradient;
  }
  static void leap(Point& z, double step) {
    z.p += step / 2 * force(z.x);
    z.x += step * z.p;
    z.p += step / 2 * force(z.x);
  }
  Point begin() {
    Point z{x_, Vector(x_.size())};
    for (double& p : z.p) p = random_.normal();
    return z;
  }

  static Vector sum(const std::vector<Vector>& p) {
    Vector total = Vector::Zero(p.front().size());
    for (const Vector& one : p) total += one;
    return total;
  }
  // Whether neither the whole path nor a half with the next point beyond it turns.
  static bool straight(const Tree& early, const Tree& late) {
    const auto on = [](const Vector& a, const Vector& b, const Vector& all) {
      return a.dot(all) > 0 && b.dot(all) > 0;
    };
    const Vector first = sum(early.p), second = sum(late.p);
    return on(early.p.front(), late.p.back(), first + second) &&
           on(early.p.front(), late.p.front(), first + late.p.front()) &&
           on(early.p.back(), late.p.back(), early.p.back() + second);
  }
  static std::vector<Vector> joined(const Tree& near, const Tree& far, bool forward) {
    std::vector<Vector> all = forward ? near.p : far.p;
    const std::vector<Vector>& rest = forward ? far.p : near.p;
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  // 2^depth points from `end` on, which moves to the last of them.
  bool grow(int depth, Point& end, bool forward, Tree& tree) {
    if (depth == 0) {
      leap(end, forward ? step_ : -step_);
      tree = {{end.p}, end.x, energy_0_ - energy(end)};
      return tree.log_weight > -1000;
    }
    Tree near, far;
    if (!grow(depth - 1, end, forward, near) || !grow(depth - 1, end, forward, far)) return false;
    const bool goes_on = forward ? straight(near, far) : straight(far, near);
    const double total = log_add(near.log_weight, far.log_weight);
    const double log_chance = far.log_weight - total;
    const bool other = log_chance >= 0 || random_.uniform() < std::exp(log_chance);
    tree = {joined(near, far, forward), other ? far.drawn : near.drawn, total};
    return goes_on;
  }

  Vector x_;
  RandomStream random_;
  double step_ = 1, energy_0_ = 0;
};

// 400 draws: of depths from 0 to 4, in both directions. A draw is the end of some steps of a smooth path, and
// the next one begins there: rounding, 1e-16, grows by a small factor in each.
TEST(NutsPath, IsThatOfThePlainAlgorithm) {
  NutsOptions options;
  options.warmup = 0;
  options.draws = 100;
  options.seed = 11;
  const Vector start{{0.5, -2, 0.3}};
  const auto chains =
      sample_nuts(Bowl(), std::vector<NutsStart>(4, {start}), {Matrix::Identity(3, 3)}, options);
  for (std::uint64_t c = 0; c < 4; ++c) {
    PlainNuts plain(start, options.seed, c);
    for (int phase = 0; phase < 4; ++phase) plain.find_step();  // each phase of the warm-up looks for it
    for (Index i = 0; i < options.draws; ++i) {
      const Vector x = plain.draw(options.max_depth);
      ASSERT_LT((chains[c].draws.col(i) - x).cwiseAbs().maxCoeff(), 1e-7) << c << " " << i;
    }
    EXPECT_NEAR(chains[c].mean_depth, plain.doublings / 100.0, 1e-12);
  }
}

}  // namespace
}  // namespace linkgistic
