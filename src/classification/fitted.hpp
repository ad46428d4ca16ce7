// What a fitted classifier is made of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/class_link.hpp"
#include "classification/coefficient_errors.hpp"
#include "classification/joint_posterior.hpp"
#include "classification/link_fit.hpp"
#include "classification/link_test.hpp"
#include "classification/weight_posterior.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// Score k of a row is beta_k0 + sum_j beta_kj z_j, its nu links[k] of that.
struct FittedClassifierState {
  LinkgisticOptions options;
  std::shared_ptr<const BaseLoss> base = BaseLoss::log();
  ClassifierSummary summary;
  std::vector<std::string> class_names;     // (C)
  std::vector<std::string> feature_names;   // (D)
  FeatureEncoding encoding;                 // columns of a table to features
  ColumnScale scale;                        // raw values to z
  std::vector<double> beta;                 // (scores, D + 1), intercept first
  std::vector<ClassLink> links;             // (scores)
  bool joint = false;                       // a softmax, whose links' posteriors are joint_roots
  std::optional<WeightPosterior> weights;   // of two classes; none where it is too large or has no ridge
  std::optional<CoefficientErrors> errors;  // with the posterior of the weights
  std::vector<CubicTable> maps;             // (scores): of the links, see set_maps
  std::optional<ProbabilitySpread> spread;  // where the links are joint
  std::optional<WeightSpread> weight_spread;

  /// Call this once the links and the posterior of the weights are set.
  void set_maps() {
    maps.clear();
    for (const ClassLink& link : links) maps.push_back(link.map());
    if (joint) spread.emplace(links);
    if (weights) weight_spread.emplace(*weights);
  }
  [[nodiscard]] std::size_t scores() const { return links.size(); }
};

/// The prior of the links for the options, empty where the link is the identity. `shared` is v_shared.
std::optional<LinkHyper> link_hyper(const LinkgisticOptions& options, double v,
                                    const std::shared_ptr<const BaseLoss>& base, double shared = 0);
/// That of a fit; of a softmax the prior of one link, whose v is the sum of both parts'.
std::optional<LinkHyper> link_hyper(const FittedClassifierState& state);

}  // namespace linkgistic
