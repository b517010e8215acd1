"""The performance profiles of a league as a picture, in SVG."""

from __future__ import annotations

from .records import League


def performance_profiles(league: League) -> str:
    return ""
