"""How a property ends that does not hold."""

from __future__ import annotations

import json
from typing import Any


class Broken(AssertionError):
    """A property that does not hold: why, and the scenario that shows it."""

    def __init__(self, why: str, scenario: dict[str, Any]) -> None:
        super().__init__(why)
        self.why = why
        self.scenario = scenario

    def __str__(self) -> str:
        return f"{self.why}\nlagnet run takes the scenario that shows it:\n{json.dumps(self.scenario)}"


class Refused(Exception):
    """A property that cannot be asked of a method: lagnet refuses the world, or the method's claims leave it out."""
