// The kinds of posterior in a model file.
#include "model_file/posterior_file.hpp"

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

struct OffsetSource {
  TrigSource family{PriorKind::offset, 2, 0.5};
  SourceModel source = family.at(start_theta(family.hyper_parameters()));
};

PosteriorDraws some_draws(Index dimension) { return {Matrix::Random(dimension, 7), Matrix::Random(4, 7)}; }

TEST(PosteriorFile, BringsBackEveryKind) {
  const OffsetSource o;
  const Index n = o.source.dimension();
  const Vector mode = Vector::LinSpaced(n, -1, 1);
  const Matrix factor = Matrix::Random(n, n).triangularView<Eigen::Lower>();
  const Places at(std::vector<double>{-1.5, 0, 0.5});
  const std::vector<double> levels{0.05, 0.95};
  const std::shared_ptr<const Posterior> kinds[] = {
      std::make_shared<GaussianPosterior>(mode, factor),
      std::make_shared<VariationalPosterior>(mode, factor, Matrix::Random(o.source.map->outputs(), 3)),
      std::make_shared<SamplePosterior>(some_draws(n))};
  for (const auto& posterior : kinds) {
    const auto json = posterior_to_json(*posterior);
    const auto back = posterior_from_json(nlohmann::json::parse(json.dump()), o.source);
    EXPECT_EQ(posterior_to_json(*back), json);
    EXPECT_EQ(back->quantiles(o.source, at, levels, 1), posterior->quantiles(o.source, at, levels, 1));
    EXPECT_EQ(back->point_coefficients(*o.source.map), posterior->point_coefficients(*o.source.map));
  }
}

TEST(PosteriorFile, RefusesSamplesThatDoNotFit) {
  const OffsetSource o;
  const auto good = posterior_to_json(SamplePosterior(some_draws(o.source.dimension())));
  EXPECT_NO_THROW(posterior_from_json(good, o.source));
  for (const char* key : {"draws", "theta"}) {
    auto bad = good;
    bad[key].erase(0);
    EXPECT_THROW(posterior_from_json(bad, o.source), InputError) << key;
  }
  auto bad = good;
  bad["draws"][3].push_back(1.0);
  EXPECT_THROW(posterior_from_json(bad, o.source), InputError);
  bad = good;
  bad["kind"] = "flow";
  EXPECT_THROW(posterior_from_json(bad, o.source), InputError);
}

}  // namespace
}  // namespace linkgistic
