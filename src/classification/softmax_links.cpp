#include "classification/softmax_links.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/lbfgs.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {

const std::shared_ptr<const LossTable>& identity_table() {
  static const auto table =
      std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
        return LossNode{m, 1};
      }));
  return table;
}

std::shared_ptr<const LossTable> link_table(const ClassLink& link) {
  return link.is_identity() ? identity_table() : tabulate_link(link.range(), link.source(), link.kappa());
}

SoftmaxLinks::SoftmaxLinks(const LinkHyper& hyper)
    : hyper_(hyper), family_([&] {
        LinkHyper both = hyper;
        both.v = hyper.v + hyper.shared;
        return both;
      }()) {}

LinkFrame SoftmaxLinks::frame(std::span<const ScoreRange> ranges,
                              std::span<const WeightedRows> points) const {
  constexpr double room = 1.02;
  constexpr double information = 2;
  LinkFrame frame;
  std::vector<double> middle(ranges.size());
  double below = 0;
  double above = 0;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    double sum = 0;
    double weight = 0;
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      if (points[k].y[i] != information) continue;
      sum += points[k].weight[i] * points[k].x[i];
      weight += points[k].weight[i];
    }
    middle[k] = weight > 0 ? sum / weight : ranges[k].middle();
    below = std::max(below, middle[k] - ranges[k].lower);
    above = std::max(above, ranges[k].upper - middle[k]);
  }
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    frame.ranges.push_back({middle[k] - room * below, middle[k] + room * above});
    LinkRows rows;
    rows.half = frame.ranges[k].half();
    double weight = 0;
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      if (points[k].y[i] != information) continue;
      rows.t.push_back((points[k].x[i] - frame.ranges[k].middle()) / rows.half);
      rows.share.push_back(points[k].weight[i]);
      weight += points[k].weight[i];
    }
    for (double& share : rows.share) share /= weight;
    frame.square_slope.push_back(square_slope(family_.source(family_.theta(frame.ranges[k])), rows));
    frame.rows.push_back(std::move(rows));
  }
  return frame;
}

LinkSearch SoftmaxLinks::search(const LinkFrame& frame, std::span<const double> ridge,
                                std::span<const ClassLink> previous, LinkSums sums, int threads) const {
  std::vector<Vector> theta;
  std::vector<SourceModel> sources;
  for (const ScoreRange& range : frame.ranges) {
    theta.push_back(family_.theta(range));
    sources.push_back(family_.source(theta.back()));
  }
  Matrix g(sources[0].dimension(), static_cast<Index>(sources.size()));
  for (std::size_t k = 0; k < sources.size(); ++k)
    g.col(static_cast<Index>(k)) = family_.start(sources[k], frame.ranges[k], previous[k]);
  JointLinks joint(frame, std::move(sources), {hyper_.v, hyper_.shared}, ridge, std::move(sums), threads);
  Vector x = joint.from_coordinates(g);
  return {std::move(theta), std::move(joint), std::move(x)};
}

std::vector<ClassLink> SoftmaxLinks::links(const LinkSearch& search, const LinkFrame& frame,
                                           int threads) const {
  std::vector<ClassLink> result(frame.ranges.size());
  parallel_for(result.size(), threads, [&](std::size_t k) {
    const SourceModel& source = search.joint.source(k);
    const auto posterior = std::make_shared<GaussianPosterior>(search.joint.coordinates(search.x, k),
                                                               search.joint.covariance_root(k));
    LinkFacts facts;
    const Vector kappa = posterior->point_coefficients(*source.map);
    facts.slope = std::sqrt(search.joint.square_slope(k));
    facts.newton_iterations = search.joint.evaluations();
    const LinkRows& rows = frame.rows[k];
    const Vector nu = source.features->values(rows.t, kappa, 1);
    for (std::size_t i = 0; i < rows.t.size(); ++i) {
      facts.mean_nu += rows.share[i] * nu[static_cast<Index>(i)];
      facts.mean_margin += rows.share[i] * (frame.ranges[k].middle() + rows.t[i] * rows.half);
    }
    result[k] = ClassLink(frame.ranges[k], search.theta[k], source, posterior, facts);
  });
  return result;
}

SoftmaxLinkFit SoftmaxLinks::fit(const LinkFrame& frame, std::span<const double> ridge,
                                 std::span<const ClassLink> previous, const LinkSums& sums, double tolerance,
                                 int threads) const {
  LinkSearch search = this->search(frame, ridge, previous, sums, threads);
  JointLinks& joint = search.joint;
  DescentOptions descent;
  descent.tolerance = tolerance;
  SoftmaxLinkFit fit;
  fit.objective =
      -descend(
           search.x, [&](const Vector& x, Vector& gradient) { return joint.evaluate(x, gradient); },
           [&] { joint.factor(); }, [&](const Vector& r) { return joint.solve(r); }, descent)
           .value;
  joint.factor();
  fit.loss = joint.loss();
  fit.evaluations = joint.evaluations();
  fit.links = links(search, frame, threads);
  fit.precision = joint.precision();
  fit.precision.links = fit.links;
  return fit;
}

}  // namespace linkgistic
