"""A badge: how many properties hold, as an SVG of one line."""

from __future__ import annotations

import html

COLORS = {True: "#2e7d32", False: "#c62828"}
LETTER = 6.6  # width of a letter of 11 pixels, about


def badge(left: str, right: str, is_good: bool) -> str:
    """The text of an SVG file."""
    widths = [round(len(text) * LETTER) + 12 for text in (left, right)]
    total = sum(widths)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img">',
             f"<title>{html.escape(f'{left}: {right}')}</title>",
             f'<rect width="{widths[0]}" height="20" fill="#424242"/>',
             f'<rect x="{widths[0]}" width="{widths[1]}" height="20" fill="{COLORS[is_good]}"/>',
             '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">']
    for text, middle in ((left, widths[0] / 2), (right, widths[0] + widths[1] / 2)):
        parts.append(f'<text x="{middle:g}" y="14">{html.escape(text)}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])
