#pragma once

#include <filesystem>

namespace lagnet::tools {

/// From now on Ctrl-C (SIGINT) and SIGTERM remove the folder of set_unfinished, or leave it as it is if it stays, say
/// so on stderr, and end the program with status 128 + the signal's number, as a shell does. Call it once, before any
/// thread is started.
void watch_for_interrupts();

/// The folder that a broken-off run must not leave behind; or, if it stays, that has finished parts, for the same
/// command to go on from. The last one given counts.
void set_unfinished(const std::filesystem::path& folder, bool stays);

/// Does not return if the program is being ended by an interruption. What fails because the folder is gone is then not
/// told as an error.
void yield_to_interrupt();

}  // namespace lagnet::tools
