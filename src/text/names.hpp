// The words for the choices of a model, the same in program, files and messages.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include <linkgistic/error.hpp>
#include <linkgistic/inference.hpp>
#include <linkgistic/response.hpp>
#include <linkgistic/source.hpp>

#include "text/message.hpp"

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

inline const std::map<std::string, SpectrumKind>& spectrum_names() {
  static const std::map<std::string, SpectrumKind> names{
      {"analytic", SpectrumKind::analytic},
      {"matern12", SpectrumKind::matern12},
      {"matern32", SpectrumKind::matern32},
      {"matern52", SpectrumKind::matern52},
      {"squared-exponential", SpectrumKind::squared_exponential},
      {"auto", SpectrumKind::automatic}};
  return names;
}

inline const std::map<std::string, NoiseKind>& noise_names() {
  static const std::map<std::string, NoiseKind> names{{"constant", NoiseKind::constant},
                                                      {"smooth", NoiseKind::smooth}};
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

inline const std::map<std::string, Shape>& shape_names() {
  static const std::map<std::string, Shape> names{{"auto", Shape::automatic},
                                                  {"increasing", Shape::increasing},
                                                  {"decreasing", Shape::decreasing},
                                                  {"convex", Shape::convex},
                                                  {"concave", Shape::concave},
                                                  {"increasing-convex", Shape::increasing_convex},
                                                  {"increasing-concave", Shape::increasing_concave},
                                                  {"decreasing-convex", Shape::decreasing_convex},
                                                  {"decreasing-concave", Shape::decreasing_concave}};
  return names;
}

inline const std::map<std::string, ResponseKind>& response_names() {
  static const std::map<std::string, ResponseKind> names{
      {"gaussian", ResponseKind::gaussian},   {"student", ResponseKind::student},
      {"bernoulli", ResponseKind::bernoulli}, {"binomial", ResponseKind::binomial},
      {"poisson", ResponseKind::poisson},     {"negative-binomial", ResponseKind::negative_binomial},
      {"gamma", ResponseKind::gamma}};
  return names;
}

inline const std::map<std::string, PredictionScale>& scale_names() {
  static const std::map<std::string, PredictionScale> names{{"mean", PredictionScale::mean},
                                                            {"link", PredictionScale::link}};
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
  throw InputError("'" + word + "' is not one of " +
                   joined(names, ", ", [](const auto& entry) { return entry.first; }));
}

}  // namespace linkgistic
