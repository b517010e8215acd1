"""lagnet: a discrete-event network simulator for distributed convex optimization, for Python.

run, sweep, tune and retime write folders of results and give them: Result of one run, Results of several, with frames
of pandas, graphs of networkx, figures and pages. Scenarios are files, dictionaries or objects with completion; data are
arrays, topologies graphs. tools/python/README.md of the sources is the tutorial.

pandas, networkx, matplotlib and tqdm are imported where they are needed and nowhere else.

>>> import lagnet
>>> runs = lagnet.sweep(lagnet.example("gossip"), algorithm=["extra", "dgd"], set={"stop.rounds": 60})
>>> print(runs.compare(to=[1e-1]).answer.splitlines()[0])
extra is first to 1e-1.
"""

from typing import Any

from . import inside_main  # noqa: F401, first: the compiled module must not be loaded elsewhere
from . import kinds
from .agents import Agent
from .artifacts import artifact
from .commands import Tuned, run, sweep, tune
from .comparison import Comparison, compare
from .compressors import Compressor, compressor
from .errors import (AgentError, Deadlock, Diverged, InputError, Interrupted, LagnetError, Problem, ProgramMissing,
                     RunFailed, RunWarning, ScenarioError, SystemFailure)
from .kinds import Scenario
from .methods import Peers, ServerAndClients
from .objectives import Loss, Metric, Regularizer
from .pages import Figure, Page, figure, report
from .plots import plot
from .process import example, program, scenarios
from .proofs import Goldens, Replay, check, explain, papers, replay, reproduce, retime
from .reproductions import Reproduction
from .results import Claims, Remark, Result, Results, read
from .words import Description, describe, schema, validate, version
from .words import list_kinds as list

__all__ = [
    "Agent", "AgentError", "Claims", "Comparison", "Compressor", "Deadlock", "Description", "Diverged", "Figure",
    "Goldens", "InputError", "Interrupted", "LagnetError", "Loss", "Metric", "Page", "Peers", "Problem",
    "ProgramMissing", "Regularizer", "Remark", "Replay", "Reproduction", "Result", "Results", "RunFailed",
    "RunWarning", "Scenario", "ScenarioError", "ServerAndClients", "SystemFailure", "Tuned", "artifact", "check",
    "compare", "compressor", "describe", "example", "explain", "figure", "kinds", "list", "papers", "plot",
    "program", "read", "replay", "report", "reproduce", "retime", "run", "scenarios", "schema", "sweep", "tune",
    "validate", "version",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'lagnet' has no attribute {name!r}")
