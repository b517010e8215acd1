"""Options and claims of lagnet's own methods, with which they are proven: steps for samples of length 1, and what
their sources promise of such problems. What is not here has the options of `lagnet describe`, and claims a linear
rate."""

from __future__ import annotations

from typing import Any

Settings = dict[str, Any]

STEP: Settings = {"step": 0.4}
CLIENT: Settings = {"client_step": 0.4}
GD: Settings = {"alone": "proximal_gradient"}
TOP_1: Settings = {"compressor": {"kind": "top_k", "k": 1}}
AVERAGES: Settings = {"rate": "neighborhood", "span": False, "repeats": True}  # of what agents find alone
NEAR: Settings = {"rate": "neighborhood"}
SPECTRUM: Settings = {"copies": False}  # its steps depend on the spectrum of the graph
ROWS: Settings = {"span": False, "repeats": False}  # works on single samples

SETTINGS: dict[str, tuple[Settings, Settings]] = {
    # peers
    "gossip_averaging": ({}, AVERAGES),
    "dgd": (STEP, {**NEAR, **GD}),
    "extra": (STEP, GD),
    "nids": (STEP, {}),  # a step ahead of gradient descent: round k reports x^(k+1)
    "gradient_tracking": ({"step": 0.1}, GD),
    "k_gt": ({"step": 0.1}, GD),
    "led": ({"step": 0.2}, GD),
    "lt_admm": ({"step": 0.2}, {}),
    "relay_sgd": ({"step": 0.1}, GD),
    "choco_gossip": ({"gamma": 0.3, **TOP_1}, {**AVERAGES, "rotates": False}),
    "choco_sgd": ({"step": 0.05, "gamma": 0.3, **TOP_1}, {**NEAR, "rotates": False}),
    "lead": ({"step": 0.2}, {}),
    "beer": ({"step": 0.05, "gamma": 0.3, **TOP_1}, {"rotates": False}),
    "push_diging": ({"step": 0.1}, GD),
    "push_pull": ({"step": 0.1}, GD),
    "subgradient_push": ({"step": 0.3}, {"rate": "neighborhood"}),
    "push_sum": ({}, AVERAGES),
    "network_dane": ({"mu": 1.0}, {"span": False}),
    "apapc": ({}, {**SPECTRUM, "accelerated": True}),
    "opapc": ({}, {**SPECTRUM, "accelerated": True}),
    "adom_plus": ({}, SPECTRUM),
    "fd_primal_dual": ({}, {"rate": "sublinear", "doubles": False}),
    "accel_tracking": ({}, {"regularizers": ["l2"]}),
    # a server and clients
    "fed_avg": (CLIENT, GD),
    "scaffold": (CLIENT, GD),
    "fed_mid": (CLIENT, {**NEAR}),
    "fed_dual_avg": (CLIENT, {"rate": "sublinear"}),
    "fast_fed_da": ({"mu": 0.1}, NEAR),
    "c_fed_da": ({"mu": 0.1}, NEAR),
    "mc_fed_da": ({"mu": 0.1, "stages": [{"lambda": 0.04, "rounds": 7, "local_steps": 2},
                                         {"lambda": 0.02, "rounds": 4000}]}, NEAR),
    "dispa": ({}, ROWS),
    "a_dispa": ({}, ROWS),
    "cocoa": ({}, ROWS),
    "cocoa_plus": ({}, ROWS),
    "hyfdca": ({"local_steps": 4, "gamma": 0.5}, ROWS),
    "hybrid_fed_avg": ({"local_steps": 4}, {**NEAR, **ROWS}),
    "hyfem": ({"local_steps": 4, "mu": 0.1}, {**NEAR, **ROWS}),
    "fed_bcd": ({"step": 0.3}, {}),
    "d3ca": ({"local_steps": 4}, {**NEAR, **ROWS}),
    "block_splitting_admm": ({"penalty": 1.0}, {"rounds": 10000}),
    "distributed_proximal_gradient": (STEP, GD),
    "distributed_fista": (STEP, {"accelerated": True}),
    "consensus_admm": ({"penalty": 1.0}, {"span": False, "copies": False}),
    "fed_prox": ({**CLIENT, "mu": 0.1}, {}),
    "fed_nova": (CLIENT, GD),
    "fed_dyn": ({"alpha": 0.5, **CLIENT}, {}),
    "hier_avg": (CLIENT, {}),
    "fed_at": ({"tiers": 2, **CLIENT}, NEAR),
    "prox_skip": ({"step": 0.4, "p": 0.4}, {"draws": "common"}),
    "diana": (STEP, GD),
    "ef21": ({"step": 0.2, **TOP_1}, {"rotates": False}),
    "ef_sgd": ({"step": 0.1}, {}),
    "ef21_pp": ({"step": 0.2}, GD),
    "ef21_bc": ({"step": 0.2}, GD),
    "marina": ({"step": 0.2, "p": 0.5}, {"draws": "common"}),
    "dasha": ({"step": 0.2}, {}),
    "dasha_pp": ({"step": 0.2}, {}),
    "tamuna": ({"step": 0.4, "p": 0.4}, {"draws": "common"}),
    "locodl": ({"step": 0.2, "p": 0.4}, {"draws": "common"}),
    "fednl": ({}, {"span": False}),
    "giant": ({"line_search": True}, {"span": False}),
    "dane": ({"mu": 1.0}, {"span": False}),
    # asynchronous
    "fed_async": (CLIENT, NEAR),
    "fed_buff": (CLIENT, NEAR),
    "fed_compass": ({"min_local_steps": 1, "max_local_steps": 3, "client_step": 0.1}, NEAR),
    "async_gradient": ({"step": 0.1}, NEAR),
    "async_admm": ({"penalty": 1.0}, {}),
    "pairwise_gossip": ({}, AVERAGES),
    "ad_psgd": ({"step": 0.1}, {"rate": "none"}),  # agents that update more often weigh more
    "asy_sonata": ({"step": 0.3}, {"rounds": 6000}),
    "edge_admm": ({"penalty": 1.0}, {}),
    "fd_edge_admm": ({"penalty": 5.0}, {}),
    "walkman": ({}, {}),
}

# Methods with rounds whose messages are one vector of the size of an iterate each, or two.
ONE_ITERATE = """fed_avg gossip_averaging accel_tracking netlasso dpag dgd extra nids decentralized_admm led lt_admm
relay_sgd fed_mid fed_dual_avg cocoa_plus cocoa distributed_proximal_gradient distributed_fista consensus_admm fed_prox
fed_dyn hier_avg prox_skip ssda msda apapc opapc dane""".split()
TWO_ITERATES = "gradient_tracking k_gt scaffold c_fed_da push_pull adom_plus network_dane".split()

for kind in ONE_ITERATE + TWO_ITERATES:
    options, claims = SETTINGS.get(kind, ({}, {}))
    SETTINGS[kind] = (options, {**claims, "scalars": 1 if kind in ONE_ITERATE else 2})
