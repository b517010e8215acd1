"""The performance profiles of a league as a picture: SVG text with the sizes and colors of `lagnet report`, the same
bytes on every machine."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from .profiles import Profile, Steps, performance_profile
from .records import League
from .sentences import error, listed

WIDTH, HEIGHT = 643, 463  # 170 mm, as the figure of a scenario
LEFT, RIGHT, BOTTOM = 64, 631, 425
END = 100.0  # of the axis of ratios
INK, FAINT, GRID, GROUND = "#1d1d1b", "#5f5b53", "#e4e0d8", "#ffffff"
COLORS = ("#0060a8", "#c84a00", "#007d5a", "#a83f84", "#9a6a00", "#3a8fc4", "#333333")  # of tools/report/page/look.js
DASHES = ("", "6 3", "2 2", "8 3 2 3", "", "6 3", "2 2")
TYPE = 10
FONT = f"font-size:{TYPE}px;font-family:Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
ROW, MARK, GAP = 18, 20, 8  # of the legend


def named(profile: Profile, most: int = len(COLORS)) -> list[str]:
    """The entries with the largest area under their curves, up to a ratio of END on a logarithmic axis.

    >>> from lagnet.league import drawn
    >>> len(named(performance_profile(drawn.league(), "simulated_s", 0.1), 2))
    2
    """
    def area(steps: Steps) -> float:
        before = 0.0
        total = 0.0
        for place, share in steps:
            total += (share - before) * max(0.0, math.log(END / place))
            before = share
        return round(total, 9)  # the last digits of log() differ between machines

    areas = {entry: area(steps) for entry, steps in profile.curves.items()}
    return sorted((entry for entry in areas if areas[entry] > 0), key=lambda entry: (-areas[entry], entry))[:most]


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _text(words: str, x: float, y: float, anchor: str = "middle", color: str = INK, turn: str = "") -> str:
    return (f'<text dy="0.35em" text-anchor="{anchor}" style="{FONT}" transform="translate({_number(x)} {_number(y)})'
            f'{turn}" fill="{color}">{html.escape(words)}</text>\n')


def _line(points: str, color: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<path d="{points}" fill="none" stroke="{color}" stroke-width="{width:g}"{dashed} stroke-linejoin="round">'
            "</path>\n")


def _legend(names: Sequence[str]) -> tuple[str, int]:
    """Its lines, and the height that it takes."""
    made, x, y = "", float(LEFT), 12
    for place, name in enumerate(names):
        wide = MARK + 5 + 0.64 * TYPE * len(name) + GAP
        if x > LEFT and x + wide > RIGHT:
            x, y = float(LEFT), y + ROW
        made += _line(f"M{_number(x)} {y}H{_number(x + MARK)}", COLORS[place], 1.8, DASHES[place])
        made += _text(name, x + MARK + 5, y, "start")
        x += wide
    return made, y + ROW


def performance_profiles(league: League) -> str:
    """The profiles in simulated seconds at the usual level, of tuned entries; the best are named, the others gray.

    >>> from lagnet.league import drawn
    >>> print(performance_profiles(drawn.league())[:61])
    <svg role="img" aria-label="Performance profiles of 4 methods
    """
    level = league.usual_level
    profile = performance_profile(league, "simulated_s", level)
    names = named(profile) if profile.instances else []
    legend, top = _legend(names)

    def x(ratio: float) -> float:
        return LEFT + (RIGHT - LEFT) * math.log(ratio) / math.log(END)

    def y(share: float) -> float:
        return BOTTOM - (BOTTOM - top) * share

    def curve(steps: Steps) -> str:
        points = f"M{_number(x(1))} {_number(y(max((share for place, share in steps if place <= 1), default=0)))}"
        for place, share in steps:
            if 1 < place < END:
                points += f"H{_number(x(place))}V{_number(y(share))}"
        return f"{points}H{_number(x(END))}"

    drawn = ""
    for share in range(0, 11, 2):
        drawn += _line(f"M{LEFT} {_number(y(share / 10))}H{RIGHT}", GRID, 0.6)
        drawn += _text(f"{share * 10} %", LEFT - 8, y(share / 10), "end", FAINT)
    for ratio in (1, 2, 5, 10, 20, 50, 100):
        drawn += _line(f"M{_number(x(ratio))} {top}V{BOTTOM}", GRID, 0.6)
        drawn += _text(str(ratio), x(ratio), BOTTOM + 12, color=FAINT)
    for entry in sorted(set(profile.curves) - set(names)):
        drawn += _line(curve(profile.curves[entry]), GRID, 1)
    for place, entry in reversed(list(enumerate(names))):
        drawn += _line(curve(profile.curves[entry]), COLORS[place], 1.8, DASHES[place])
    drawn += _line(f"M{LEFT} {top}V{BOTTOM}H{RIGHT}", FAINT, 1)
    across = f"times the least simulated seconds to relative error {error(level)}"
    drawn += _text(across, (LEFT + RIGHT) / 2, BOTTOM + 27)
    drawn += _text("share of problems and networks", 14, (top + BOTTOM) / 2, turn=" rotate(-90)")
    told = (f"Performance profiles of {len(profile.curves)} methods over {len(profile.instances)} pairs of problem and "
            f"network, in simulated seconds to relative error {error(level)}."
            + (f" The largest areas are those of {listed(names, len(names))}." if names else ""))
    return (f'<svg role="img" aria-label="{html.escape(told)}" width="{WIDTH}" height="{HEIGHT}" '
            f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"></rect>\n{legend}{drawn}</svg>\n')
