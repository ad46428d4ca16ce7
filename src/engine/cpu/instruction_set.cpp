#include "engine/cpu/instruction_set.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace linkgistic {

std::string instruction_set() { return hwy::TargetName(hwy::SupportedTargets() & -hwy::SupportedTargets()); }

}  // namespace linkgistic
