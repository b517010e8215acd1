"""CSV files of results, with every bit: as data frames of pandas, or as rows where pandas is not wanted."""

from __future__ import annotations

import csv
import pathlib
from typing import Any

# Columns that are names, though they may look like numbers.
TEXTS = ("point", "folder", "label", "trace_hash", "stop", "feature")


def frame(path: pathlib.Path) -> Any:
    """A pandas.DataFrame; empty cells are NaN, everything else is unchanged."""
    import pandas

    return pandas.read_csv(path, float_precision="round_trip", keep_default_na=False, na_values=[""],
                           dtype={name: str for name in TEXTS})


def value(cell: str) -> Any:
    """A cell as a number where it is one; None where it is empty."""
    if not cell:
        return None
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell


def rows(path: pathlib.Path) -> list[dict[str, Any]]:
    """Each row as a dictionary."""
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: cell if name in TEXTS else value(cell) for name, cell in row.items()}
                for row in csv.DictReader(file)]
