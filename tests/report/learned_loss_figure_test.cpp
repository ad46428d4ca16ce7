// What the pictures of a learned loss hold.
#include "report/learned_loss_figure.hpp"

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

const Line& line_of(const Panel& panel, const std::string& label) {
  for (const Layer& layer : panel.layers) {
    const auto* line = std::get_if<Line>(&layer);
    if (line != nullptr && line->label == label) return *line;
  }
  throw std::runtime_error("no such line");
}

TEST(LearnedLossFigure, DrawsTheLossOfBothLabelsBesideTheBase) {
  const LearnedLoss loss = LearnedLoss::canonical("log");
  const Figure figure = learned_loss_figure(loss, "loss");
  ASSERT_EQ(figure.panels.size(), 1U);
  const Line& one = line_of(figure.panels[0], "label 1");
  const Line& zero = line_of(figure.panels[0], "label 0");
  EXPECT_NEAR(one.x.front(), -1.2, 1e-12);
  for (std::size_t i = 0; i < one.x.size(); ++i) {
    EXPECT_EQ(one.y[i], loss.at(1, one.x[i]).value);
    EXPECT_EQ(zero.y[i], loss.at(0, one.x[i]).value);
  }
  // The identity is straight: the base lies under the learned loss.
  EXPECT_NEAR(line_of(figure.panels[0], "log loss, straight source").y[7], one.y[7], 1e-14);
}

TEST(LearnedLossFigure, DrawsLinkAndSourceWithTheirBands) {
  const LearnedLoss loss = LearnedLoss::canonical("log");
  const SourceBand band{{-1, 1}, {-2, 0}, {0, 2}};
  const Figure link = learned_loss_figure(loss, "link", band, "margin", "class 3");
  EXPECT_EQ(link.title, "class 3");
  EXPECT_EQ(link.panels.back().x_label, "margin");
  const auto& shown = std::get<Band>(link.panels[0].layers[0]);
  EXPECT_NEAR(shown.lower[1], 0.5, 1e-15);
  EXPECT_NEAR(shown.upper[0], 0.5, 1e-15);
  const Figure source = learned_loss_figure(loss, "source", band);
  ASSERT_EQ(source.panels.size(), 2U);
  EXPECT_EQ(std::get<Band>(source.panels[0].layers[0]).upper, band.upper);
  EXPECT_EQ(line_of(source.panels[1], "").y.front(), 1);
}

TEST(LearnedLossFigure, DrawsTheWeightAndTheSlopeOfTheLink) {
  const Figure figure = learned_loss_figure(LearnedLoss::canonical("square"), "weight");
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[1].x_label, "probability");
  // The identity leaves chi' = w.
  const Line& weight = line_of(figure.panels[0], "");
  const Line& slope = line_of(figure.panels[1], "");
  for (std::size_t i = 0; i < weight.y.size(); ++i) EXPECT_NEAR(slope.y[i], weight.y[i], 1e-12 * weight.y[i]);
  EXPECT_THROW(learned_loss_figure(LearnedLoss::canonical("log"), "fit"), UsageError);
}

}  // namespace
}  // namespace linkgistic
