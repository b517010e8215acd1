"""Quantities as other tools write them, exactly: "41.279125MBps", "59.904us", "100 Mbit"."""

from __future__ import annotations

import decimal
import re
from decimal import Decimal

NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(\S*)\s*")

DECIMAL_PREFIXES = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21, "Y": 24}
BINARY_PREFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60, "Zi": 70, "Yi": 80}
LONG_PREFIXES = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z",
                 "yotta": "Y", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti"}


def factor_of(prefix: str) -> Decimal | None:
    """The factor that a prefix stands for.

    >>> factor_of("M"), factor_of("Ki"), factor_of("giga"), factor_of("x")
    (Decimal('1000000'), Decimal('1024'), Decimal('1000000000'), None)
    """
    prefix = LONG_PREFIXES.get(prefix, prefix)
    if prefix in DECIMAL_PREFIXES:
        return Decimal(10) ** DECIMAL_PREFIXES[prefix]
    return Decimal(2) ** BINARY_PREFIXES[prefix] if prefix in BINARY_PREFIXES else None


def plain_number(value: Decimal) -> float | int:
    """The number as a scenario has it: an integer without a point, as long as it is exact.

    >>> plain_number(Decimal("41279125.0")), plain_number(Decimal("0.059904"))
    (41279125, 0.059904)
    """
    return int(value) if value == value.to_integral_value() and abs(value) < 2 ** 53 else float(value)


def split(text: str) -> tuple[Decimal, str] | None:
    """The number and its unit; None where it is no number, or too large for one."""
    found = NUMBER.fullmatch(text)
    try:
        return (Decimal(found[1]), found[2]) if found else None
    except decimal.InvalidOperation:
        return None


def scaled(text: str, units: dict[str, Decimal]) -> Decimal | None:
    """The quantity in the unit whose factor is 1; None where the text is none."""
    parts = split(text)
    if parts is None or parts[1] not in units or not abs(parts[0]) < Decimal(10) ** 30:
        return None
    return parts[0] * units[parts[1]]


def with_prefixes(base: str, factor: Decimal, prefixes: dict[str, int], radix: int) -> dict[str, Decimal]:
    """A unit with each of the prefixes."""
    return {prefix + base: factor * Decimal(radix) ** power for prefix, power in prefixes.items()}
