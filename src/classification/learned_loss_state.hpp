// What a learned loss is made of, and how it comes from a posterior of a source.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <linkgistic/learned_class_loss.hpp>
#include <linkgistic/learned_loss.hpp>

#include "inference/posterior.hpp"
#include "loss/composite_loss.hpp"
#include "source/trig_curve.hpp"

namespace linkgistic {

struct LearnedLossState {
  std::string base;  // as make_loss reads it
  std::shared_ptr<const TrigCurve> source;
  CompositeLoss loss;
  bool increasing = true;
};

struct LearnedClassLossState {
  std::vector<std::string> class_names;  // (C)
  std::vector<TrigCurve> sources;        // (C)
};

LearnedClassLoss make_learned_class_loss(std::vector<std::string> class_names,
                                         std::vector<TrigCoefficients> sources);

LearnedLoss make_learned_loss(const std::string& base, TrigCoefficients source);

/// The source of scores in [lower, upper] that an estimate from its posterior is.
TrigCoefficients estimated_source(const SourceModel& source, const Posterior& posterior, double lower,
                                  double upper, SourceEstimate estimate, std::uint64_t seed);
/// That of given coordinates g.
TrigCoefficients drawn_source(const SourceModel& source, const Vector& g, double lower, double upper);

}  // namespace linkgistic
