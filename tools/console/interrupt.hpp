#pragma once

#include <filesystem>

namespace lagnet::tools {

/// From now on Ctrl-C (SIGINT) and SIGTERM remove the folder of remove_when_interrupted, or leave that of
/// keep_when_interrupted as it is, say so on stderr, and end the program with status 128 + the signal's number, as a
/// shell does. Call it once, before any thread is started.
void watch_for_interrupts();

/// The folder that a broken-off run must not leave behind; the last one given counts.
void remove_when_interrupted(const std::filesystem::path& folder);

/// A folder instead whose finished parts stay, for the same command to go on from; the last one given of either counts.
void keep_when_interrupted(const std::filesystem::path& folder);

/// Does not return if the program is being ended by an interruption. What fails because the folder is gone is then not
/// told as an error.
void yield_to_interrupt();

}  // namespace lagnet::tools
