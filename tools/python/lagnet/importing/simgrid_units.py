"""Quantities of SimGrid's XML, with the prefixes and units of its DTD. A number without a unit is in bytes a second,
flops a second or seconds."""

from __future__ import annotations

from decimal import Decimal

from .units import BINARY_PREFIXES, DECIMAL_PREFIXES, LONG_PREFIXES, factor_of

BANDWIDTHS = {"": Decimal(1)}
for _prefix in [*DECIMAL_PREFIXES, *BINARY_PREFIXES]:
    _factor = factor_of(_prefix) or Decimal(1)
    BANDWIDTHS.update({f"{_prefix}Bps": _factor, f"{_prefix}bps": _factor / 8})
SPEEDS = {"": Decimal(1)}
for _prefix in DECIMAL_PREFIXES:
    _factor = factor_of(_prefix) or Decimal(1)
    SPEEDS.update({f"{_prefix}f": _factor, f"{_prefix}flops": _factor})
SPEEDS.update({f"{word}flops": factor_of(word) or Decimal(1) for word in LONG_PREFIXES})
TIMES = {"": Decimal(1), "s": Decimal(1), "w": Decimal(604800), "d": Decimal(86400), "h": Decimal(3600),
         "m": Decimal(60), "ms": Decimal("1e-3"), "us": Decimal("1e-6"), "ns": Decimal("1e-9"),
         "ps": Decimal("1e-12")}
