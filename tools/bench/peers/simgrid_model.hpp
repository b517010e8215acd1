#pragma once

#include <simgrid/s4u.hpp>

#include <xbt/log.h>

namespace lagnet::bench {

/// SimGrid's fluid model alone, without factors fitted to real TCP. To be called once there is an Engine. What is not
/// set here, such as lazy updates, is as SimGrid comes.
inline void use_simgrid_model() {
  // Otherwise each setting is a line on standard error.
  xbt_log_control_set("xbt_cfg.threshold:warning");
  for (const char* setting : {"network/model:CM02", "network/latency-factor:1", "network/bandwidth-factor:1",
                              "network/weight-S:0", "network/TCP-gamma:0", "network/crosstraffic:no"})
    simgrid::s4u::Engine::set_config(setting);
}

constexpr double simgrid_no_limit = 1e15;  // bytes/s

}  // namespace lagnet::bench
