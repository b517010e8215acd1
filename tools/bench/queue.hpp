#pragma once

namespace lagnet::bench {

/// Registers the benchmarks of the structures that hold pending events.
void register_queues();

}  // namespace lagnet::bench
