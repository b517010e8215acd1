"""The plugin of pytest: fixtures that run scenarios, draw worlds, and hold runs against goldens. Every test session of
an environment imports it: it imports NumPy and the like where they are needed."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

COLUMNS = ("objective", "relative_error", "messages", "bytes", "flops")


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("lagnet").addoption("--lagnet-update-goldens", action="store_true",
                                        help="write the goldens of lagnet_golden from these runs")


@pytest.fixture
def lagnet_run(tmp_path: pathlib.Path) -> Callable[..., Any]:
    """lagnet.run(), with results in the test's folder: lagnet_run(scenario, algorithm=.., set=..)."""
    count = 0

    def run(scenario: Any, **arguments: Any) -> Any:
        from .. import commands

        nonlocal count
        count += 1
        return commands.run(scenario, out=tmp_path / f"run-{count}", progress=False, **arguments)

    return run


def drawn_world(seed: int = 1, algorithm: Any = "extra", server: bool = False) -> dict[str, Any]:
    """A small scenario, drawn from a seed: the same for the same seed, everywhere.

    >>> from lagnet.testing.plugin import drawn_world
    >>> drawn_world(3) == drawn_world(3), drawn_world(3) == drawn_world(4)
    (True, False)
    """
    from ..documents import named, plain
    from .hunting.draw import Draw
    from .worlds import LATENCIES, Habitat, World

    draw = Draw(seed, 0)
    world = World(seed=seed, agents=draw.whole(3, 6), samples=draw.whole(4, 8), features=draw.whole(2, 5),
                  condition=draw.whole(1, 5), shards=draw.pick(("equal", "unequal", "one")),
                  latencies=draw.pick(tuple(LATENCIES)),
                  topology="star" if server else draw.pick(("ring", "path", "complete")))
    return world.document(Habitat(plain(named(algorithm)), server=server))


@pytest.fixture
def lagnet_world() -> Callable[..., dict[str, Any]]:
    """Small scenarios: lagnet_world(seed, algorithm="extra", server=False)."""
    return drawn_world


@pytest.fixture
def lagnet_golden(request: Any) -> Callable[..., None]:
    """Holds a run against a golden beside the test, in the folder `goldens`: lagnet_golden(result, "name"). Tolerances
    are those of golden() unless they are given."""
    update = True if request.config.getoption("--lagnet-update-goldens") else None  # else the environment says it
    folder = pathlib.Path(str(request.path)).parent / "goldens"

    def golden(result: Any, name: str, columns: Sequence[str] = COLUMNS, relative: float | None = None,
               absolute: float | None = None) -> None:
        from . import golden as table_goldens

        table_goldens.golden(result, folder / f"{name}.json", columns=columns, rtol=relative, atol=absolute,
                             update=update, renew="pytest --lagnet-update-goldens")

    return golden
