#pragma once

#include <filesystem>
#include <optional>

#include "sim/base/types.hpp"

/// The part of this computer that the process may use. It decides how much runs in parallel, never a result.
namespace lagnet {

/// The cores that it may run on: those of its affinity (`taskset`, batch systems), or as many as the quota of its
/// control groups is worth if that is less; at least 1. `root`: where /proc and /sys are looked for.
unsigned usable_cores(const std::filesystem::path& root = "/");

/// The memory that it may take: the least limit of its control groups (version 2 and 1) and of a batch system
/// (SLURM_MEM_PER_NODE, in MiB); nothing where none of them says.
std::optional<Bytes> memory_limit(const std::filesystem::path& root = "/");

/// The memory budget of all runs, in bytes: the set value, or three quarters of the available or allowed memory,
/// whichever is less, as of the first call. The largest number where the system does not say.
Bytes memory_budget();
/// Nothing: three quarters of what is available or allowed now.
void set_memory_budget(std::optional<Bytes> bytes);

/// The memory that the system could give now without swapping (MemAvailable of Linux); nothing where it does not say.
std::optional<Bytes> available_memory(const std::filesystem::path& root = "/");

}  // namespace lagnet
