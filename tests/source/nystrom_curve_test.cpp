// Sources as the harmonics of a learned loss: the same curve, whatever the basis and the origin.
#include "source/nystrom_curve.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "source/nystrom_source.hpp"
#include "source/trig_curve.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

struct Case {
  const char* name;
  PriorKind kind;
  BasisKind basis;
  std::optional<double> origin;
};

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class CurveOf : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] std::shared_ptr<const SourceFamily> family(int harmonics) const {
    const Case& c = GetParam();
    if (c.basis == BasisKind::nystrom)
      return std::make_shared<NystromSource>(c.kind, 2 * harmonics, -1.0, 1.0, c.origin);
    return std::make_shared<TrigSource>(c.kind, harmonics, 0.5, c.origin);
  }
};

TEST_P(CurveOf, ASourceHasItsValuesAndSlopes) {
  const auto of = family(8);
  Vector theta = start_theta(of->hyper_parameters());
  for (const double width : {0.0, 3.0}) {  // of the kernel: from a quarter of the range to near the least
    theta[0] += GetParam().basis == BasisKind::nystrom ? width : 0;
    const SourceModel source = of->at(theta);
    RandomStream random(4);
    const Vector g = source.prior.draw(random);
    const Vector kappa = source.map->value(g);
    const TrigCurve curve(trig_coefficients(source, kappa, 2.0, 3.0));
    std::vector<double> t;
    for (int i = 0; i <= 400; ++i) t.push_back(i / 200.0 - 1);
    const Vector nu = source.features->values(t, kappa, 1);
    const Vector slope = source.features->slopes(t, kappa, 1);
    const double size = nu.cwiseAbs().maxCoeff(), steep = slope.cwiseAbs().maxCoeff() / 3;
    for (std::size_t i = 0; i < t.size(); ++i) {
      const Source::Values v = curve.at(2 + 3 * t[i]);
      EXPECT_NEAR(v.value, nu[static_cast<Index>(i)], 1e-7 * size);
      EXPECT_NEAR(v.first, slope[static_cast<Index>(i)] / 3, 1e-6 * steep);
      if (GetParam().kind != PriorKind::gp) {
        EXPECT_GE(v.first, -1e-12 * curve.slope_bound());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bases, CurveOf,
    testing::Values(Case{"trig_isgp", PriorKind::isgp, BasisKind::trig, std::nullopt},
                    Case{"trig_offset_shifted", PriorKind::offset, BasisKind::trig, -2.0},
                    Case{"trig_isgp_shifted", PriorKind::isgp, BasisKind::trig, -1.3},
                    Case{"trig_gp", PriorKind::gp, BasisKind::trig, std::nullopt},
                    Case{"nystrom_isgp", PriorKind::isgp, BasisKind::nystrom, std::nullopt},
                    Case{"nystrom_offset", PriorKind::offset, BasisKind::nystrom, std::nullopt},
                    Case{"nystrom_offset_shifted", PriorKind::offset, BasisKind::nystrom, -2.0},
                    Case{"nystrom_gp", PriorKind::gp, BasisKind::nystrom, std::nullopt}),
    case_name);

// The mean of nu' is a sum of several squares.
TEST(NystromCurve, HasTheMeanOfManySources) {
  const NystromSource family(PriorKind::isgp, 12, -1, 1);
  const SourceModel source = family.at(start_theta(family.hyper_parameters()));
  RandomStream random(9);
  Vector mean = Vector::Zero(source.map->outputs());
  for (int i = 0; i < 5; ++i) mean += source.map->value(source.prior.draw(random)) / 5;
  const auto harmonics = as_harmonics(source, mean);
  ASSERT_TRUE(harmonics.has_value());
  for (double t = -1; t <= 1; t += 0.01) {
    EXPECT_NEAR(harmonics->kappa.dot(harmonics->source.features->at(t)), mean.dot(source.features->at(t)),
                1e-7 * mean.cwiseAbs().maxCoeff());
  }
  const TrigSource trig(PriorKind::isgp, 4, 0.5);
  const SourceModel other = trig.at(start_theta(trig.hyper_parameters()));
  EXPECT_FALSE(as_harmonics(other, Vector::Zero(other.features->size())).has_value());
}

}  // namespace
}  // namespace linkgistic
