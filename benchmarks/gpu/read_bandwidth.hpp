#pragma once

#include <cstddef>

/// Seconds in which the first GPU reads so many bytes of its own memory, the mean of some times.
double seconds_to_read(std::size_t bytes, int times);
