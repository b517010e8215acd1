#pragma once

namespace lagnet::tools {

/// From now on Ctrl-C (SIGINT), SIGTERM and a closed terminal (SIGHUP, unless it is ignored, as under nohup) end the
/// program as scenarios/files/interruption.hpp has it: with a line on stderr that names the remaining files, and status
/// 128 + the signal's number, as a shell does; or, if all results are in their place, as if no signal had come. Call it
/// once, before any thread is started.
void watch_for_interrupts();

}  // namespace lagnet::tools
