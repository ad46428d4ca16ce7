// The words for the choices of a calibrator.
#pragma once

#include <linkgistic/class_calibrator.hpp>

#include "text/names.hpp"

namespace linkgistic {

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

inline const std::map<std::string, ClassMethod>& class_method_names() {
  static const std::map<std::string, ClassMethod> names{{"auto", ClassMethod::automatic},
                                                        {"maps", ClassMethod::maps},
                                                        {"matrix", ClassMethod::matrix},
                                                        {"temperature", ClassMethod::temperature},
                                                        {"vector", ClassMethod::vector}};
  return names;
}

}  // namespace linkgistic
