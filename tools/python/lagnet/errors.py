"""What can go wrong, by what a caller can do about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Result


class LagnetError(Exception):
    """What lagnet raises, but for a TypeError about an argument of another type; the text is that of the program."""


class ProgramMissing(LagnetError):
    """The program `lagnet` is neither in this package nor on the path."""


class SystemFailure(LagnetError):
    """The system lacks something, such as memory or disk, or lagnet has an internal error (exit status 3)."""


class Interrupted(LagnetError):
    """Another process ended the program, by SIGTERM or SIGHUP for instance. Ctrl-C is a KeyboardInterrupt."""


class InputError(LagnetError, ValueError):
    """Wrong input, such as a folder that holds no results (exit status 2). Nothing was written."""


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scenario.

    pointer: the JSON pointer of the value, "" for the scenario as a whole
    expected, found: as the program says it; where nothing is expected, found says it all
    place: its place, also without a pointer: "line 3, column 5", or "/data: heart.csv:7"
    """

    pointer: str
    expected: str
    found: str = ""
    place: str = ""

    def __str__(self) -> str:
        where = f"{self.place or self.pointer}: " if self.place or self.pointer else ""
        if not self.expected:
            return where + self.found
        return f"{where}expected {self.expected}" + (f", found {self.found}" if self.found else "")


class ScenarioError(InputError):
    """A scenario cannot be used. `problems` has everything that is wrong with it, `scenario` what it is called.

    >>> import lagnet
    >>> try:
    ...     lagnet.run({"lagnet": 1, "seed": "x", "topology": {"kind": "rnig", "agents": 5}})
    ... except lagnet.ScenarioError as error:
    ...     for problem in error.problems[:1]:
    ...         print(problem.pointer, "|", problem.expected, "|", problem.found)
    /seed | an integer at least 0 | "x"
    """

    def __init__(self, problems: Sequence[Problem], scenario: str = "scenario") -> None:
        self.problems = tuple(problems)
        self.scenario = scenario
        super().__init__("\n".join(f"{scenario}: {problem}" for problem in self.problems))

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[tuple[Problem, ...], str]]:
        return type(self), (self.problems, self.scenario)


class RunFailed(LagnetError):
    """A run came to no good end. Its files are complete: `result` has them."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[type[RunFailed], tuple[str, Result]]:
        return type(self), (str(self), self.result)


class Diverged(RunFailed):
    """The objective or an iterate left all bounds (`stop.divergence_factor`)."""


class Deadlock(RunFailed):
    """Agents wait for messages that never come; the text says who waits for whom."""


class AgentError(LagnetError):
    """A class in Python raised something while an agent computed with it, which is the cause (__cause__).

    agent: its number. round: of its latest report, 0 before it. at: the simulated time, in s
    """

    def __init__(self, message: str, agent: int, round: int, at: float) -> None:
        super().__init__(message)
        self.agent, self.round, self.at = agent, round, at

    def __reduce__(self) -> tuple[type[AgentError], tuple[str, int, int, float]]:
        return type(self), (str(self), self.agent, self.round, self.at)


def exit_status(error: LagnetError) -> int:
    """What a command ends with: 2 for wrong input and for what is not installed, 3 for anything else."""
    return 2 if isinstance(error, (InputError, ProgramMissing)) else 3


class RunWarning(UserWarning):
    """Something that a reader of a result has to know, as in `warnings` of summary.json."""
