"""What is to be proven: a method, what it claims, and the worlds that lagnet lets it live in."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import itertools
import pathlib
import sys
from typing import Any

from .. import methods, words
from ..classes import Named, called
from ..errors import AgentError, InputError
from .claims import PROBLEMS, REGULARIZERS, SHARDS, TOPOLOGIES, Claims
from .errors import Refused
from .hunting.base import plain_scenario
from .runs import Document, run
from .settings import SETTINGS
from .worlds import Habitat, World


@dataclasses.dataclass
class Subject:
    """A method with its claims. `own` is the scenario that it came from, if any."""

    name: str
    algorithm: Document
    claims: Claims
    own: Document | None = None

    @property
    def in_python(self) -> bool:
        return bool(self.algorithm["kind"] == "python")

    @functools.cached_property
    def raises(self) -> bool:
        """Whether an agent raises something in the simplest world, so that there is little to ask."""
        habitat = self.habitat
        try:
            run(World(agents=habitat.agents[0], features=4, shards=habitat.shards[0], topology=habitat.topologies[0],
                      problem=habitat.problems[0], regularizer=habitat.regularizers[0]).document(habitat),
                changes={"/record/optimum": False})
        except AgentError:
            return True
        except Refused:
            pass
        return False

    @functools.cached_property
    def habitat(self) -> Habitat:
        return _habitat_of(self.algorithm, self.claims)


def subject_of(given: Any) -> Subject:
    """The subject that a caller names: the kind of a method of lagnet's, "module:Class", "file.py:Class", the path of a
    scenario; or a class or an instance of one."""
    if isinstance(given, type) and issubclass(given, methods.Method):
        given = given()
    if isinstance(given, methods.Method):
        return _of_method(given)
    if not isinstance(given, str):
        raise InputError(f"expected a method, or the name of one, found {given!r:.60}")
    if given in (kinds := words.list_kinds("algorithms")) and given != "python":
        options, claims = SETTINGS.get(given, ({}, {}))
        return Subject(given, {"kind": given, **options}, Claims.of(claims))
    place, _, name = given.partition(":")
    if name:
        return _of_method(_class_in(place, name)())
    if pathlib.Path(given).is_file():
        return _of_scenario(given)
    import difflib

    near = difflib.get_close_matches(given, kinds, 1)
    raise InputError("expected the kind of a method, module:Class, file.py:Class, or a scenario's file, found "
                     f"{given}" + (f"; did you mean {near[0]}?" if near else ""))


def _of_method(method: methods.Method) -> Subject:
    section = method.section()
    return Subject(called(section), section, Claims.of(getattr(method, "claims", {})))


def _class_in(place: str, name: str) -> Any:
    if place.endswith(".py"):
        path = pathlib.Path(place)
        if not path.is_file():
            raise InputError(f"{place}: expected a file with the class {name}, found nothing there")
        folder = str(path.resolve().parent)
        if folder not in sys.path:
            sys.path.insert(0, folder)  # so that another process can import it by the same name
        place = path.stem
    try:
        module = importlib.import_module(place)
    except Exception as error:  # of the user's code
        raise InputError(f"{place}: expected a module that can be imported, found {type(error).__name__}: {error}") \
            from error
    cls = getattr(module, name, None)
    if not (isinstance(cls, type) and issubclass(cls, Named) and issubclass(cls, methods.Method)):
        raise InputError(f"{place}:{name}: expected a class of lagnet.Peers or lagnet.ServerAndClients, found "
                         + ("none" if cls is None else f"{cls!r:.60}"))
    return cls


def _of_scenario(path: str) -> Subject:
    document = plain_scenario(pathlib.Path(path))
    algorithm = document["algorithm"]
    if not isinstance(algorithm, dict) or "/algorithm/kind" in document.get("sweep", {}):
        raise InputError(f"{path}: expected one algorithm, found several")
    claims: Document = {}
    if algorithm["kind"] == "python":
        from ..classes import class_of

        cls = class_of("Method", algorithm["class"])
        claims = getattr(cls, "claims", {})
    else:
        nothing: tuple[Document, Document] = ({}, {})
        options, claims = SETTINGS.get(algorithm["kind"], nothing)
        if algorithm != {"kind": algorithm["kind"], **options}:  # which nobody claims anything of
            claims = {**claims, "rate": "none", "alone": None, "span": False, "copies": False, "scalars": None}
    return Subject(path, algorithm, Claims.of(claims), document)


def accepted(habitat: Habitat, world: World) -> str:
    """Why lagnet refuses a world, or ""."""
    try:
        run(world.document(habitat), changes={"/record/optimum": False})
    except Refused as refused:
        return str(refused)
    except AgentError:  # which properties say
        pass
    return ""


def _bases(algorithm: Document) -> list[tuple[Habitat, World]]:
    """Worlds of every sort, the usual ones first."""
    if algorithm["kind"] == "python":
        server = algorithm["roles"] != "peers"
        habitat = Habitat(algorithm, server=server, asynchronous=bool(algorithm.get("asynchronous")),
                          by_updates=bool(algorithm.get("asynchronous")))
        first = World(topology="star" if server else "ring")
        others: list[dict[str, Any]] = [{}, {"problem": "logistic"}, {"regularizer": "none"}, {"regularizer": "l1"}]
        others += [] if server else [{"topology": "path"}]
        return [(habitat, dataclasses.replace(first, **changes)) for changes in others]
    found = []
    places = [("ring", False), ("path", False), ("directed_ring", False), ("star", True), ("two_level_tree", True),
              ("complete", False)]
    for (topology, server), partition, by_updates, even in itertools.product(
            places, ("samples", "features", "cells"), (False, True), (False, True)):
        for problem, regularizer in (("squared", "l2"), ("logistic", "l2"), ("squared", "l1"), ("squared", "none")):
            agents = 1 if topology == "complete" else 4
            world = World(topology=topology, problem=problem, regularizer=regularizer, agents=agents, features=4)
            found.append((Habitat(algorithm, server=server, partition=partition, by_updates=by_updates, even=even),
                          world))
    return found


def _habitat_of(algorithm: Document, claims: Claims) -> Habitat:
    """Tries worlds until lagnet takes one, and then each other choice in it."""
    reasons = []
    for habitat, world in _bases(algorithm):
        reason = accepted(habitat, world)
        if not reason:
            break
        reasons.append(reason)
    else:
        raise InputError(f"{called(algorithm)}: lagnet refuses every small world, the first since {reasons[0]}")

    def choices(name: str, asked: tuple[str, ...], wanted: tuple[str, ...] | None, **more: Any) -> tuple[str, ...]:
        own = getattr(world, name)
        there = [own] if wanted is None or own in wanted else []
        there += [one for one in asked if one != own and (wanted is None or one in wanted)
                  and not accepted(habitat, dataclasses.replace(world, **{name: one, **more}))]
        return tuple(there) or (own,)

    if habitat.server:
        topologies: tuple[str, ...] = (world.topology,)
    elif world.agents == 1:
        topologies = (world.topology,)
    else:
        topologies = choices("topology", tuple(one for one in TOPOLOGIES if one not in ("star", "two_level_tree")),
                             claims.topologies)
    asynchronous = habitat.asynchronous
    if algorithm["kind"] != "python":
        outcome = run(world.document(habitat), changes={"/record/optimum": False})
        asynchronous = habitat.by_updates or (outcome.result.folder / "staleness.csv").is_file()
    least = 1 if world.agents == 1 else (4 if world.topology == "two_level_tree" or habitat.partition == "cells" else 3)
    most = 1 if world.agents == 1 else (4 if habitat.partition == "cells" else 6)
    return dataclasses.replace(
        habitat, asynchronous=asynchronous, topologies=topologies,
        problems=choices("problem", PROBLEMS, claims.problems),
        regularizers=choices("regularizer", REGULARIZERS, claims.regularizers),
        shards=choices("shards", SHARDS, claims.shards) if habitat.partition == "samples" and world.agents > 1
        else ("equal",), agents=(least, most))
