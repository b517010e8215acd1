"""What of the tree does not keep the rules of rooms.py yet. These lists only shrink."""

# Includes against the order: (room, room that it includes).
UPWARD = {
    ("algorithms/dual", "algorithms/federated"),
    ("algorithms/hybrid", "algorithms/federated"),
    ("algorithms/interface", "sim/accounts"),
    ("algorithms/local", "algorithms/interface"),
    ("algorithms/local", "sim/agents"),
    ("algorithms/objectives/losses", "algorithms/interface"),
    ("algorithms/objectives/regularizers", "algorithms/interface"),
    ("algorithms/objectives/sets", "algorithms/interface"),
    ("scenarios/run", "scenarios/results"),
    ("sim/exchange", "sim/engine"),
    ("topologies", "sim/agents"),
    ("topologies", "topologies/generators"),
}
# Files above the limit without a reason.
TOO_LONG = {
    "algorithms/hybrid/hyfdca.cpp",
    "algorithms/peers/fd_primal_dual.cpp",
    "scenarios/assembly/assemble.cpp",
    "scenarios/compare/comparison.cpp",
    "scenarios/json/choice.hpp",
    "sim/agents/agent.cpp",
    "sim/agents/agent.hpp",
    "sim/engine/simulation.cpp",
}
# Rooms without README.md.
WITHOUT_SIGN = set()
# Sources without a header of their own name.
WITHOUT_HEADER = {
    "algorithms/central/solve_centrally.cpp",
    "scenarios/compare/replay.cpp",
    "scenarios/report/scenario_differences.cpp",
    "sim/agents/agent_exchange.cpp",
    "sim/engine/simulation_look_ahead.cpp",
    "tools/bench/queue.cpp",
    "tools/cli/claims_command.cpp",
    "tools/cli/compare_command.cpp",
    "tools/cli/diff_command.cpp",
    "tools/cli/inspect_commands.cpp",
    "tools/cli/reproduce_command.cpp",
    "tools/cli/run_commands.cpp",
    "topologies/spectrum.cpp",
}
