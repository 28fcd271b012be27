"""A progress line on standard error."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Dict, Optional


def is_watched() -> bool:
    """Returns True if standard error is visible: on a terminal, or in a notebook."""
    return _is_terminal() or _is_notebook()


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):  # another object, or closed
        return False


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = (
        ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    )
    return getattr(shell, "kernel", None) is not None


def _is_taken() -> bool:
    """Returns True if tqdm already shows a progress bar on standard error."""
    tqdm = getattr(sys.modules.get("tqdm"), "tqdm", None)
    return bool(getattr(tqdm, "_instances", ()))


class Line:
    """A line that is overwritten in place, and cleared at the end. Work that ends within half a second shows nothing.

    In a file or a pipe, each text is a line of its own.

    Unless ``requested``, the line gives way to a bar of tqdm.
    """

    PATIENCE = 0.5
    INTERVAL = 0.2

    def __init__(self, requested: bool) -> None:
        self.requested = requested
        self.begun = time.monotonic()
        self.due = self.begun + self.PATIENCE
        self.width = 0
        self.best: Optional[int] = None

    def step(self, what: str, done: int, total: int) -> None:
        """Shows the progress of generating or loading a table."""
        self._show(lambda: f"{what}: {100 * done // max(total, 1)} %")

    def event(self, event: Dict[str, Any]) -> None:
        """Shows an event of a search."""
        if event["event"] == "solution":
            self.best = event["length"]
        if event["event"] == "building":
            self._show(lambda: f"{event['doing']}: {event['percent']} %")
        if event["event"] != "progress":
            return
        best = "" if self.best is None else f", best known {self.best}"
        share = 100 * event["done"] // max(event["total"], 1)
        self._show(
            lambda: f"{event['length']} moves or more{best}; {share} % of length {event['length']}"
        )

    def answered(self, done: int, total: Optional[int]) -> None:
        """Shows the number of positions answered up to now."""
        rate = done / max(time.monotonic() - self.begun, 1e-9)
        of_all = "" if total is None else f" of {total:,}"
        self._show(
            lambda: f"{done:,}{of_all} answered, {rate:,.{1 if rate < 10 else 0}f} per second"
        )

    def close(self) -> None:
        """Clears the line."""
        self._write("")
        self.due = float("inf")

    def _show(self, text: Callable[[], str]) -> None:
        now = time.monotonic()
        if now >= self.due and (self.requested or not _is_taken()):
            self.due = now + self.INTERVAL
            self._write(text())

    def _write(self, text: str) -> None:
        """Overwrites the line. Progress that cannot be written is dropped, and the work continues."""
        if not text and not self.width:
            return
        blanks = " " * (self.width - len(text))
        self.width = len(text)
        try:
            if is_watched():
                print(f"\r{text}{blanks}", end="" if text else "\r", file=sys.stderr, flush=True)
            elif text:
                print(text, file=sys.stderr, flush=True)
        except (OSError, ValueError, AttributeError):
            self.due = float("inf")
