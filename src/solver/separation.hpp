// Rows that a plane separates: without a ridge longer weights lower the loss for ever, so they end at a loss.
#pragma once

#include <span>

#include "engine/fused_pass.hpp"

namespace linkgistic {

/// The mean loss of a row where such weights end: right labels have a probability of about .999.
inline constexpr double separated_loss = 1e-3;

/// Whether every row is on its own side at the margins (N) and the mean loss below `separated_loss`.
bool is_separated(const LabelledView& data, const PassClass& one_class, std::span<const float> margins,
                  double mean_loss);

/// The c < 1 at which margins c times as long have that mean loss, by bisection.
double separated_length(const LabelledView& data, const PassClass& one_class, std::span<const float> margins,
                        double total_weight);

}  // namespace linkgistic
