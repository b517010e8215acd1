"""Holds a subject against a property: draws worlds by Hypothesis, and shrinks the one that shows a failure."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import time
from collections.abc import Callable
from typing import Any

import hypothesis
from hypothesis import HealthCheck, errors, settings, strategies

from ..errors import AgentError, LagnetError
from .errors import Broken, Refused
from .runs import Document, Outcome
from .subjects import Subject
from .worlds import World


@dataclasses.dataclass(frozen=True)
class Case:
    """A scenario in which a property is asked; `world` is None for the scenario that a subject came from."""

    subject: Subject
    document: Document
    world: World | None

    def broken(self, why: str, shown: Outcome | None = None) -> Broken:
        """The failure, with the scenario of a run that shows it; by default the case's own."""
        return Broken(why, self.document if shown is None else shown.document)


Check = Callable[[Case], None]


@dataclasses.dataclass(frozen=True)
class Property:
    """One sentence about a method."""

    name: str
    sentence: str
    check: Check
    leaves_out: Callable[[Subject], str]  # why it cannot be asked of a subject; "" if it can
    share: float  # of the examples, how many it takes
    of_documents: bool  # whether it can be asked in any scenario, and not in drawn worlds alone
    fixed: dict[str, Any]  # values of worlds that it needs
    rounds: tuple[int, int]


HOPELESS = 8  # so many worlds that were refused, and none that was not, are enough

PROPERTIES: dict[str, Property] = {}


def prop(sentence: str, *, leaves_out: Callable[[Subject], str] = lambda subject: "", share: float = 0.2,
         of_documents: bool = False, rounds: tuple[int, int] = (4, 12), **fixed: Any) -> Callable[[Check], Check]:
    """Registers a function as a property of its name. `fixed` has values of worlds, or lists to choose from."""

    def registered(check: Check) -> Check:
        PROPERTIES[check.__name__] = Property(check.__name__, sentence, check, leaves_out, share, of_documents, fixed,
                                              rounds)
        return check

    return registered


@dataclasses.dataclass
class Verdict:
    """How one property ended: "held", "refused" with a reason, or "failed" with a reason and a scenario."""

    property: str
    sentence: str
    verdict: str
    reason: str = ""
    scenario: Document | None = None
    examples: int = 0
    seconds: float = 0.0  # of this computer: never in results


def _ranges(subject: Subject, one: Property) -> dict[str, tuple[Any, ...] | range]:
    """What each field of a world may be, the simplest first. Refused where a property's worlds are not for a method."""
    habitat = subject.habitat
    fields: dict[str, tuple[Any, ...] | range] = {
        "seed": range(1, 10), "agents": range(habitat.agents[0], habitat.agents[1] + 1), "samples": range(4, 9),
        "features": range(2 if habitat.partition == "samples" else 4, 6), "condition": range(1, 6),
        "shards": habitat.shards, "topology": habitat.topologies, "latencies": ("equal", "uniform", "heavy"),
        "problem": habitat.problems, "regularizer": habitat.regularizers if "regularizer" in one.fixed else tuple(
            name for name in habitat.regularizers if name != "l1") or habitat.regularizers,
        "rounds": range(one.rounds[0], one.rounds[1] + 1)}
    for name, wanted in one.fixed.items():
        choices = wanted if isinstance(wanted, (list, tuple)) else (wanted,)
        there = choices if isinstance(fields[name], range) else [value for value in choices if value in fields[name]]
        if not there:
            raise Refused(f"it is not for {name} {', '.join(map(str, choices))}")
        fields[name] = tuple(there)
    return fields


def corners(fields: dict[str, tuple[Any, ...] | range]) -> list[World]:
    """The simplest world, and those in which one choice is another one."""
    first: dict[str, Any] = {name: choices[0] for name, choices in fields.items()}
    found = [World(**first)]
    for name, choices in fields.items():
        if isinstance(choices, tuple):
            found += [World(**{**first, name: choice}) for choice in choices[1:]]
    return found


def _strategy(fields: dict[str, tuple[Any, ...] | range]) -> Any:
    return strategies.builds(World, **{
        name: strategies.sampled_from(choices) if isinstance(choices, tuple) else strategies.integers(
            choices[0], choices[-1]) for name, choices in fields.items()})


def own_document(subject: Subject) -> Document:
    """The scenario that a subject came from, for a few rounds."""
    assert subject.own is not None
    made = dict(subject.own)
    made.pop("sweep", None)
    made["stop"] = {"updates": 60} if subject.habitat.by_updates else {"rounds": 12}
    made["record"] = {} if subject.habitat.by_updates else {"model_every": 1}
    return made


class _Search:
    """The cases of one property, and the first and smallest that fails."""

    def __init__(self, subject: Subject, one: Property) -> None:
        self.subject, self.one = subject, one
        self.ran = 0
        self.reasons: list[str] = []
        self.found: Broken | None = None

    def ask(self, document: Document, world: World | None) -> None:
        """Refused, or Broken, or neither."""
        try:
            self.one.check(Case(self.subject, document, world))
        except Refused as refused:
            self.reasons.append(str(refused))
            raise
        except AgentError as error:
            self.found = Broken(f"an agent raised {type(error.__cause__).__name__}: {error.__cause__}", document)
            raise self.found from None
        except LagnetError as error:  # a run that left nothing to look at
            self.found = Broken(str(error), document)
            raise self.found from None
        except Broken as broken:
            self.found = broken
            raise
        self.ran += 1

    def search(self, seed: int, examples: int) -> None:
        """Asks in the corners, and then in drawn worlds until one fails; `found` is the smallest one then."""
        fields = _ranges(self.subject, self.one)
        for world in corners(fields) if self.one.share >= 0.1 else []:  # else it takes too long
            with contextlib.suppress(Refused):
                self.ask(world.document(self.subject.habitat), world)

        def test(world: World) -> None:
            if self.ran == 0 and len(self.reasons) >= HOPELESS:
                return
            try:
                self.ask(world.document(self.subject.habitat), world)
            except Refused:
                hypothesis.reject()

        bounds = settings(max_examples=max(1, round(examples * self.one.share)), database=None, deadline=None,
                          suppress_health_check=list(HealthCheck), report_multiple_bugs=False, print_blob=False)
        drawn = hypothesis.seed(seed)(bounds(hypothesis.given(_strategy(fields))(test)))
        try:
            drawn()
        except Broken as broken:
            self.found = broken
        except errors.Unsatisfiable:
            pass
        except errors.HypothesisException:
            if self.found is None:  # else it failed once and held once: a failure all the same
                raise


def hold(subject: Subject, name: str, seed: int = 1, examples: int = 20) -> Verdict:
    """Whether a property holds of a subject."""
    one = PROPERTIES[name]
    begun = time.perf_counter()
    verdict = Verdict(name, one.sentence, "held")
    search = _Search(subject, one)
    try:
        reason = one.leaves_out(subject)
        if subject.in_python and name != next(iter(PROPERTIES)) and subject.raises:
            reason = f"it does not run: {next(iter(PROPERTIES))} says why"
        if reason:
            raise Refused(reason)
        if subject.own is not None and one.of_documents:
            with contextlib.suppress(Refused):
                search.ask(own_document(subject), None)
        search.search(seed, examples)
    except Refused as refused:
        verdict.verdict, verdict.reason = "refused", str(refused)
    except Broken:
        pass
    if search.found is not None:
        verdict.verdict, verdict.reason = "failed", search.found.why
        verdict.scenario = copy.deepcopy(search.found.scenario)
        verdict.scenario["algorithm"].pop("source_sha256", None)  # of a class that will change
    elif verdict.verdict == "held" and search.ran == 0:
        verdict.verdict, verdict.reason = "refused", search.reasons[0] if search.reasons else "no world was drawn"
    verdict.examples, verdict.seconds = search.ran, time.perf_counter() - begun
    return verdict
