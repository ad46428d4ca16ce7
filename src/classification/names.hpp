// The words for the choices of a classifier and its learned loss.
#pragma once

#include <linkgistic/linkgistic_classifier.hpp>

#include "text/names.hpp"

namespace linkgistic {

inline const std::map<std::string, LinkPrior>& link_prior_names() {
  static const std::map<std::string, LinkPrior> names{{"none", LinkPrior::none},
                                                      {"isgp", LinkPrior::isgp},
                                                      {"offset", LinkPrior::offset},
                                                      {"gp", LinkPrior::gp}};
  return names;
}

inline const std::map<std::string, Multiclass>& multiclass_names() {
  static const std::map<std::string, Multiclass> names{
      {"softmax", Multiclass::softmax}, {"ovr", Multiclass::ovr}, {"ovo", Multiclass::ovo}};
  return names;
}

inline const std::map<std::string, RidgeChoiceBy>& ridge_choice_names() {
  static const std::map<std::string, RidgeChoiceBy> names{{"cv", RidgeChoiceBy::cv},
                                                          {"evidence", RidgeChoiceBy::evidence}};
  return names;
}

inline const std::map<std::string, Standardize>& standardize_names() {
  static const std::map<std::string, Standardize> names{
      {"auto", Standardize::automatic}, {"on", Standardize::on}, {"off", Standardize::off}};
  return names;
}

inline const std::map<std::string, SourceEstimate>& estimate_names() {
  static const std::map<std::string, SourceEstimate> names{
      {"mode", SourceEstimate::mode}, {"mean", SourceEstimate::mean}, {"sample", SourceEstimate::sample}};
  return names;
}

}  // namespace linkgistic
