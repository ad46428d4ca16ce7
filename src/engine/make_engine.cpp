#include "engine/make_engine.hpp"

#include <optional>
#include <string_view>

#include <linkgistic/error.hpp>

#include "engine/cuda/cuda_engine.hpp"
#include "engine/local_engine.hpp"

namespace linkgistic {

EngineFactory engine_on(const std::string& device) {
  if (device == "cpu") return make_local_engine;
  constexpr std::string_view first = "cuda";
  std::optional<int> number;
  if (device == first) number = 0;
  if (device.size() > 5 && device.size() < 9 && device.starts_with("cuda:") &&
      device.find_first_not_of("0123456789", 5) == std::string::npos)
    number = std::stoi(device.substr(5));
  if (!number) throw UsageError("device = " + device + ": it is cpu, cuda or cuda:N");
  return [number](const EngineRows& rows, int) { return make_cuda_engine(rows, *number); };
}

}  // namespace linkgistic
