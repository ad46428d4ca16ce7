// The words for the choices of a model, the same in program, files and messages.
#pragma once

#include <map>
#include <string>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>
#include <linkgistic/inference.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/source.hpp>

namespace linkgistic {

inline const std::map<std::string, PriorKind>& prior_names() {
  static const std::map<std::string, PriorKind> names{
      {"isgp", PriorKind::isgp}, {"offset", PriorKind::offset}, {"gp", PriorKind::gp}};
  return names;
}

inline const std::map<std::string, Inference>& inference_names() {
  static const std::map<std::string, Inference> names{
      {"laplace", Inference::laplace}, {"variational", Inference::variational}, {"mcmc", Inference::mcmc}};
  return names;
}

inline const std::map<std::string, Quantity>& quantity_names() {
  static const std::map<std::string, Quantity> names{
      {"nu", Quantity::nu}, {"response", Quantity::response}, {"latent", Quantity::latent}};
  return names;
}

inline const std::map<std::string, BasisKind>& basis_names() {
  static const std::map<std::string, BasisKind> names{{"trig", BasisKind::trig},
                                                      {"nystrom", BasisKind::nystrom}};
  return names;
}

inline const std::map<std::string, Origin>& origin_names() {
  static const std::map<std::string, Origin> names{{"intercept", Origin::intercept},
                                                   {"shifted", Origin::shifted}};
  return names;
}

inline const std::map<std::string, Direction>& direction_names() {
  static const std::map<std::string, Direction> names{{"increasing", Direction::increasing},
                                                      {"decreasing", Direction::decreasing},
                                                      {"auto", Direction::automatic}};
  return names;
}

inline const std::map<std::string, LinkPrior>& link_prior_names() {
  static const std::map<std::string, LinkPrior> names{{"none", LinkPrior::none},
                                                      {"isgp", LinkPrior::isgp},
                                                      {"offset", LinkPrior::offset},
                                                      {"gp", LinkPrior::gp}};
  return names;
}

inline const std::map<std::string, Standardize>& standardize_names() {
  static const std::map<std::string, Standardize> names{
      {"auto", Standardize::automatic}, {"on", Standardize::on}, {"off", Standardize::off}};
  return names;
}

inline const std::map<std::string, ScoreKind>& score_kind_names() {
  static const std::map<std::string, ScoreKind> names{{"auto", ScoreKind::automatic},
                                                      {"decision", ScoreKind::decision},
                                                      {"log_odds", ScoreKind::log_odds},
                                                      {"probability", ScoreKind::probability}};
  return names;
}

inline const std::map<std::string, ClassMaps>& class_maps_names() {
  static const std::map<std::string, ClassMaps> names{
      {"auto", ClassMaps::automatic}, {"one_vs_rest", ClassMaps::one_vs_rest}, {"shared", ClassMaps::shared}};
  return names;
}

inline const std::map<std::string, SourceEstimate>& estimate_names() {
  static const std::map<std::string, SourceEstimate> names{
      {"mode", SourceEstimate::mode}, {"mean", SourceEstimate::mean}, {"sample", SourceEstimate::sample}};
  return names;
}

/// The word for a value.
template <class Enum>
const std::string& name_of(const std::map<std::string, Enum>& names, Enum value) {
  for (const auto& [name, v] : names) {
    if (v == value) return name;
  }
  throw std::logic_error("a choice without a name");
}

/// The value of a word; an InputError lists the words there are.
template <class Enum>
Enum value_of(const std::map<std::string, Enum>& names, const std::string& word) {
  const auto it = names.find(word);
  if (it != names.end()) return it->second;
  std::string known;
  for (const auto& entry : names) known += (known.empty() ? "" : ", ") + entry.first;
  throw InputError("'" + word + "' is none of " + known);
}

}  // namespace linkgistic
