// How an objective went, step by step.
#pragma once

#include <span>
#include <string>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// The values at steps 1, 2, ...; the scale leaves out the few worst of a long trace, whose end is what
/// matters.
Figure trace_figure(std::span<const double> values, const std::string& step, const std::string& objective);

}  // namespace linkgistic
