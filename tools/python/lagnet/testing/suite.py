"""Properties of a method as tests of pytest and unittest."""

from __future__ import annotations

import json
import unittest
from collections.abc import Callable, Mapping
from typing import Any

from . import needed  # noqa: F401, which comes first
from .claims import Claims
from .properties import PROPERTIES, hold
from .subjects import Subject, subject_of


def method_suite(method: Any, claims: Mapping[str, Any] | None = None, *, seed: int = 1,
                 examples: int = 20) -> type[unittest.TestCase]:
    """A class of tests, one for each property, which pytest and unittest collect where it is bound to a name.

    method: an instance of a class of lagnet.Peers or lagnet.ServerAndClients, such a class, or the name of one of
        lagnet's own methods.
    claims: what the method claims of itself, by the keys of lagnet.testing.claims.Claims, instead of the class's
        attribute `claims`. Others than these keys and values are an InputError.
    seed, examples: how worlds are drawn, and how many for the properties that take the most.

    A property that lagnet or a claim leaves out is skipped, with the reason.

    >>> import lagnet
    >>> from lagnet.testing import method_suite
    >>> TestExtra = method_suite("extra", claims={"rate": "linear", "topologies": ["ring"]}, examples=5)
    >>> TestExtra.test_converges.__doc__
    'It converges to the certified optimum, or to the neighborhood that it states.'
    """
    subject = subject_of(method)
    if claims is not None:
        subject.claims = Claims.of(claims)
    tests: dict[str, Any] = {f"test_{name}": _test(subject, name, seed, examples) for name in PROPERTIES}
    letters = "".join(one for one in subject.name.title() if one.isalnum())
    made: type[unittest.TestCase] = type(f"Test{letters}", (unittest.TestCase,), tests)
    made.__doc__ = f"What holds of {subject.name}."
    return made


def _test(subject: Subject, name: str, seed: int, examples: int) -> Callable[[unittest.TestCase], None]:
    def test(self: unittest.TestCase) -> None:
        verdict = hold(subject, name, seed, examples)
        if verdict.verdict == "refused":
            self.skipTest(verdict.reason)
        if verdict.verdict == "failed":
            self.fail(f"{verdict.sentence}\n{verdict.reason}\nThe smallest scenario found, which `lagnet run` takes:\n"
                      f"{json.dumps(verdict.scenario)}")

    test.__name__, test.__doc__ = f"test_{name}", PROPERTIES[name].sentence
    return test
