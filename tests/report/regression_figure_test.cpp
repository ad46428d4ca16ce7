// What the pictures of a regression hold.
#include "report/regression_figure.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

FittedMonotoneRegression fit(PriorKind prior, bool profiles = false) {
  std::vector<double> x, y;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    y.push_back(100 - i - 0.02 * i * i + (i % 3));
  }
  MonotoneRegressionOptions options;
  options.prior = prior;
  options.harmonics = 6;
  options.profiles = profiles;
  return MonotoneRegression(options).fit(x, y).with_columns({{"x", "speed"}, {"y", "range"}});
}

template <class Kind>
const Kind& only(const Panel& panel, const std::string& label = "") {
  const Kind* found = nullptr;
  for (const Layer& layer : panel.layers) {
    const auto* candidate = std::get_if<Kind>(&layer);
    if (candidate != nullptr && candidate->label == label) found = candidate;
  }
  if (found == nullptr) throw std::runtime_error("no such layer");
  return *found;
}

TEST(RegressionFigure, ShowsCurveBandsLatentAndItsSquareOfADecreasingFit) {
  const auto model = fit(PriorKind::offset);
  const Figure figure = regression_figure(model, {{-5, 50}, {120, 20}});
  ASSERT_EQ(figure.panels.size(), 3u);
  EXPECT_EQ(figure.panels[0].y_label, "range");
  EXPECT_EQ(figure.panels[2].x_label, "speed");
  const Line& curve = only<Line>(figure.panels[0], "fit");
  EXPECT_EQ(curve.x.front(), -5);
  EXPECT_EQ(curve.x.back(), 50);
  EXPECT_EQ(curve.y, model.estimate(curve.x));
  EXPECT_TRUE(std::is_sorted(curve.y.rbegin(), curve.y.rend()));
  EXPECT_EQ(only<Points>(figure.panels[0], "data").x, (std::vector<double>{-5, 50}));
  const Line& f = only<Line>(figure.panels[1]);
  const Line& square = only<Line>(figure.panels[2]);
  const Band& band = only<Band>(figure.panels[2]);
  for (std::size_t i = 0; i < f.y.size(); ++i) {
    EXPECT_NEAR(square.y[i], f.y[i] * f.y[i], 1e-12);
    EXPECT_LE(band.lower[i], square.y[i]);
    EXPECT_LE(square.y[i], band.upper[i]);
    EXPECT_GE(band.lower[i], 0);
  }
}

TEST(RegressionFigure, ShowsTheSlopeOfAGaussianProcessAndNoDataWhenThereAreNone) {
  const Figure figure = regression_figure(fit(PriorKind::gp), {});
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[1].y_label, "slope");
  EXPECT_THROW(only<Points>(figure.panels[0], "data"), std::runtime_error);
  EXPECT_LT(only<Line>(figure.panels[1]).y[200], 0);
}

TEST(EvidenceFigure, HasAPanelForEveryLearnedHyperParameterWithTheFitAtZero) {
  const auto model = fit(PriorKind::isgp, true);
  const Figure figure = evidence_figure(model);
  ASSERT_EQ(figure.panels.size(), model.summary().hyper_parameters.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const HyperValue& hyper = model.summary().hyper_parameters[i];
    EXPECT_EQ(figure.panels[i].x_label, hyper.name);
    EXPECT_EQ(only<Marker>(figure.panels[i]).value, hyper.value);
    const Line& line = only<Line>(figure.panels[i]);
    EXPECT_NEAR(line.y[line.y.size() / 2], 0, 1e-6) << hyper.name;
  }
}

TEST(EvidenceFigure, NeedsProfiles) { EXPECT_THROW(evidence_figure(fit(PriorKind::isgp)), UsageError); }

}  // namespace
}  // namespace linkgistic
