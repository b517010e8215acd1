"""lagnet-scenario(5): every section and kind of a scenario, in the words of `lagnet describe`."""

import itertools
import json
import re

from roff import heading, listed, text

BESIDE = ("topology", "preprocessing", "claim", "range")  # keys that all kinds of one place share
BEGIN = """.SH NAME
lagnet\\-scenario \\- files that say what lagnet simulates
.SH DESCRIPTION
A scenario is a JSON file, in which comments begin with //. Its sections say which data there are, who holds them, who
is linked with whom and how fast, who takes part, what the agents compute, and when it ends. Every key has a default
but data, topology and algorithm; a key that is not known is an error. Units stand last in a key. Paths are relative to
the file.
.PP
.B lagnet validate
says what is wrong with a file,
.B lagnet schema
prints a JSON Schema for editors, and
.B lagnet describe
prints any part of this page.
.SH EXAMPLE
.EX
%s
.EE
"""
EXAMPLE = {"lagnet": 1, "data": {"source": "gaussian_regression", "samples": 2000, "features": 50},
           "problem": {"regularizer": {"kind": "l1", "weight": 0.01}}, "topology": {"kind": "ring", "agents": 10},
           "network": {"latency_ms": 20}, "algorithm": {"kind": "extra"}, "stop": {"rounds": 100}}
END = """.SH SEE ALSO
.BR lagnet (1),
.BR lagnet\\-describe (1),
.BR lagnet\\-validate (1),
.BR lagnet\\-schema (1)
"""


def key(field):
    """A key with what it takes and what it means."""
    value = field["type"] + (f", {field['limits']}" if field["limits"] else "")
    if field["required"]:
        value += ", required"
    elif field["default"]:
        value += f", default {field['default']}"
    return listed(field["key"], [value, field["description"]])


def section(field):
    """The top-level key of a key, as network of network.links[].latency_ms."""
    return re.match(r"\w+", field["key"])[0]


def keys(fields):
    return [line for field in fields for line in key(field)]


def page(ask, version, month):
    """The page, of what ask(words...) answers."""
    described = lambda name: json.loads(ask("describe", name, "--json"))  # noqa: E731
    lines = [heading("lagnet-scenario", 5, month, f"lagnet {version}", "File Formats").rstrip("\n"),
             (BEGIN % text(json.dumps(EXAMPLE, indent=1))).rstrip("\n")]
    lines.append(".SH KEYS")
    for name, fields in itertools.groupby(described("scenario")[0]["fields"], section):
        lines += [f'.SS "{text(name)}"', *keys(fields)]
    for name in BESIDE:
        entry = described(name)[0]
        lines += [f'.SS "{text(name)}"', text(entry["summary"]), *keys(entry["fields"])]
    for category, kinds in json.loads(ask("list", "--json")).items():
        lines.append(f".SH {text(category.replace('_', ' ').upper())}")
        for kind in kinds:
            lines += [f'.SS "{text(kind["kind"])}"', text(kind["summary"])]
            for entry in described(kind["kind"]):
                if entry["name"] == f"{kind['kind']} ({category})":
                    lines += keys(entry["fields"])
    return "\n".join(lines) + "\n" + END

