"""What a scenario can say: its schema, the kinds that it can name, their keys; and whether it is in order."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import Any

from . import inside, process
from .errors import Problem
from .places import Place
from .prepared import Changes, prepare


@functools.lru_cache(maxsize=4)
def _schema_of(path: str, changed: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(process.succeed(["schema"]).out)
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema of scenarios. It is asked for once and shared: it must not be changed.

    >>> import lagnet
    >>> sorted(lagnet.schema()["required"])
    ['algorithm', 'data', 'lagnet', 'topology']
    """
    path = process.program()
    return _schema_of(str(path), os.stat(path).st_mtime_ns)


def list_kinds(what: str | None = None) -> dict[str, Any]:
    """The kinds that a scenario can name, each with a summary, by their families; or those of one family.

    >>> import lagnet
    >>> lagnet.list("losses")["logistic"]
    'log(1 + exp(-y a)), labels -1 and +1'
    """
    words = ["list", *([what] if what else []), "--json"]
    told = json.loads(process.succeed(words, folder=process.scenarios().parent if what == "papers" else None).out)
    families = {family: {one.get("kind", one.get("name")): one.get("summary", one.get("description")) for one in kinds}
                for family, kinds in told.items()}
    return families[what] if what in families else families


class Description(list[dict[str, Any]]):
    """What is called by a name: "name", "summary" and "fields", each with "key", "type", "default", "limits" and
    "description"; columns have "unit", "formula", "tables" and "page". Its text is that of the command line."""

    def __init__(self, *names: str) -> None:
        super().__init__(json.loads(process.succeed(["describe", *names, "--json"]).out))
        self._names = names

    @functools.cached_property
    def text(self) -> str:
        return process.succeed(["describe", *self._names]).out.rstrip("\n")

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def describe(*names: str) -> Description:
    """Explains every key of a kind or section of a scenario, or a column of results.

    >>> import lagnet
    >>> print(lagnet.describe("l2"))
    l2 (regularizers): (weight / 2) |theta|_2^2
      weight
          number, at least 0, required
          b, the weight of |theta|_2^2 / 2
    >>> lagnet.describe("consensus_error")[0]["formula"]
    'sqrt((1/m) sum_i |theta_i - mean|^2), mean = (1/m) sum_i theta_i'
    """
    return Description(*names)


def validate(scenario: Any, *, set: Mapping[str, Any] | None = None, data: Any = None, test: Any = None,
             topology: Any = None, algorithm: Any = None, loss: Any = None, regularizer: Any = None,
             metrics: Any = None) -> list[Problem]:
    """Everything that is wrong with a scenario, without running it; the arguments are those of run(), so that a
    scenario that takes its data from an array is validated with it.

    >>> import lagnet
    >>> [str(problem) for problem in lagnet.validate(lagnet.example("gossip"), set={"stop.rounds": 0})]
    ['/stop/rounds: expected an integer at least 1, found 0']
    """
    place = Place(None)
    changes = Changes(set=set, data=data, test=test, topology=topology, algorithm=algorithm, loss=loss,
                      regularizer=regularizer, metrics=metrics)
    return inside.problems_of(prepare(scenario, changes, place.inputs))


def version() -> str:
    """The version of the program."""
    return process.succeed(["--version"]).out.split()[1]
