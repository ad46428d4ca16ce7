// The definition of the fused pass, row by row in double precision. The fast one is tested against it.
#pragma once

#include <span>
#include <vector>

#include "engine/cpu/fused_pass.hpp"

namespace linkgistic {

/// The features z of one row, in double.
std::vector<double> reference_row(const RowView& view, std::size_t row);

/// As fused_pass; margins (C, N) may be empty, and `coupled` classes at a time are one softmax.
PassResult reference_pass(const LabelledView& data, std::span<const PassClass> classes,
                          std::span<const double> beta, std::span<double> margins = {},
                          std::size_t coupled = 1);

}  // namespace linkgistic
