"""Shapes of SVG drawings as text."""

from __future__ import annotations

from html import escape

INK = "#111"


def document(title: str, width: float, height: float, body: list[str]) -> str:
    """A whole drawing on white, with its title for those who cannot see it."""
    style = "text{font-family:DejaVu Sans,Verdana,sans-serif;font-size:14px;fill:#111}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f"<style>{style}</style>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def rect(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle by its upper left corner."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {style}/>'


def circle(x: float, y: float, radius: float, style: str) -> str:
    """A circle around (x, y)."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 2.5) -> str:
    """A straight line."""
    ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>'


def path(points: str, style: str) -> str:
    """A path by its commands."""
    return f'<path d="{points}" {style}/>'


def text(x: float, y: float, words: str, anchor: str, *, fill: str = INK, size: int = 14) -> str:
    """Words whose start, middle or end is at (x, y)."""
    style = f"font-size:{size}px;fill:{fill}"
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" style="{style}">{escape(words)}</text>'
