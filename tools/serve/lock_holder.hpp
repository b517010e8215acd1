#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace lagnet::tools {

/// The process that has the lock (flock) of a file.
struct LockHolder {
  pid_t process = 0;
  bool can_be_told = false;  // it is certain, and a process of this user
};

/// As the kernel lists it, since trying the lock would take it for a moment from a run that begins. Nothing if there is
/// no lock, or no list.
std::optional<LockHolder> lock_holder(const std::filesystem::path& file);

/// Interrupts the process that has the lock, as Ctrl-C does. False if there is none that this user may interrupt. No
/// other process ever gets the signal, even if the holder ends meanwhile and its number is reused.
bool interrupt_lock_holder(const std::filesystem::path& file);

}  // namespace lagnet::tools
