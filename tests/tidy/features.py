"""Options of network, compute and participation whose effects nothing declares: retiming and others refuse them."""

import re

LINES = "scenarios/format/features.cpp"
SECTIONS = {  # the struct whose keys are those of a section
    "scenarios/format/network_options.hpp": ("NetworkOptions", "network"),
    "scenarios/format/compute_options.hpp": ("ComputeOptions", "compute"),
    "scenarios/format/participation_options.hpp": ("ParticipationOptions", "participation"),
}
KINDS = {  # what the kinds of a file are chosen for
    "scenarios/format/kinds/latency_kinds.hpp": ["network.latency_ms"],
    "scenarios/format/kinds/speed_kinds.hpp": ["compute.speed_flops_per_s"],
    "scenarios/format/kinds/clock_kinds.hpp": ["compute.clock"],
    "scenarios/format/kinds/availability_kinds.hpp": ["participation.availability"],
    "scenarios/format/kinds/participation_kinds.hpp": ["participation.clients", "participation.missing_neighbor"],
}


def declared(text):
    """The kinds that the lines name, by key; some have none."""
    kinds = {}
    for key, words in re.findall(r'^ *\{"([\w.]+)", "([\w ]*)", ', text, re.M):
        kinds.setdefault(key, set()).update(words.split())
    return kinds


def check_features(texts):
    known = declared(texts.get(LINES, ""))
    for path, (struct, section) in SECTIONS.items():
        text = texts.get(path, "")
        begin = re.search(rf"^struct {struct} \{{", text, re.M)
        end = text.index("\n};", begin.start()) if begin else 0
        for found in re.finditer(r'\bfield\(\s*"(\w+)"', text[:end]):
            key, line = f"{section}.{found[1]}", text.count("\n", 0, found.start()) + 1
            if found.start() > begin.start() and key not in known:
                yield path, line, f"{key} has no line in {LINES}: declare its effects"
    for path, keys in KINDS.items():
        text = texts.get(path, "")
        for found in re.finditer(r'\bkind = "(\w+)"', text):
            line = text.count("\n", 0, found.start()) + 1
            if not any(found[1] in known.get(key, ()) for key in keys):
                yield path, line, f"{found[1]} is in no line of {' or '.join(keys)} in {LINES}: declare its effects"
