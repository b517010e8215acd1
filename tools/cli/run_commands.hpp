#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/sweep/execute.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

int run_command(const RunRequest& request, const Console& console);
int sweep_command(const RunRequest& request, const Console& console);
/// The same, and where the results have come from.
struct Swept {
  int exit_status = 0;
  Executed::Published published = Executed::Published::now;
};
Swept sweep_request(const RunRequest& request, const Console& console);
/// Reports the end of a part, which publishes nothing; `out`: the folder that it is for.
void tell_part(const RunRequest& request, const std::string& out, const Console& console);
/// request.scenario: the folder of the run or sweep whose values are kept.
int retime_command(const RunRequest& request, const Console& console);
/// What a run or sweep will take; nothing is written.
int estimate_command(const RunRequest& request, const Console& console);
int tune_command(const RunRequest& request, const Console& console);
int replay_command(const std::string& folder, const Resources& resources, const Console& console);
int check_command(const std::string& folder, bool update, const Console& console);

}  // namespace lagnet::tools
