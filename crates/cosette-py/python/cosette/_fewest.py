"""Fewest moves: skeletons of steps on a scramble and on its inverse, and the best places for what finishes one."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, SupportsIndex, Union

from . import _cosette
from ._arrays import _solver
from ._cosette import Cube, Solver


def fewest(
    scramble: Union[str, Cube],
    steps: str = "eo[max=5] > dr > htr > finish",
    *,
    done: str = "",
    count: Optional[SupportsIndex] = 1,
    timeout: Optional[float] = 10.0,
    on_skeleton: Optional[Callable[[Dict[str, Any]], object]] = None,
) -> Dict[str, Any]:
    """Finds skeletons of fewest moves: through ``steps``, on the scramble and on its inverse.

    Steps are ``eo``, ``dr``, ``htr`` and ``finish``, in this order; any may be left out. ``eo:FB`` and ``dr:UD`` are along one axis.
    The first step may use all turns; ``eo[max=0] > dr`` keeps edges that are oriented already.
    Options stand in square brackets: ``max=5``, at most so many moves; ``n=20``, go on with so many ways from each position; ``niss=none``,
    ``before`` or ``always``; ``triggers=R,RU2R``, only a ``dr`` that ends like this. Alternatives stand in round brackets: ``(eo > dr | dr[max=8]) > htr > finish``. ``done`` are moves that have
    been done, with those on the inverse in round brackets. The ``count`` best are kept, all with ``None``: with one step, all ways to it
    of at most ``max=`` moves; without ``max=``, until the time is over.
    The search ends after ``timeout`` seconds (``None``: never), unless all is tried before; ``on_skeleton`` hears of each that is shorter than all before.

    Returns what ``cosette fmc --json`` prints: ``skeletons`` (of those that make one solution, one); whether it is ``proven`` that no skeleton of
    these steps, with their options, is shorter, unless it undoes more than the last turns of ``done``; the steps whose ``limits`` (``max=``, ``n=``)
    may have excluded a shorter one; how many ``ways`` there are to the first step by their number of moves; and where ``done`` leads (``here``): what is reached, and the pieces that are in the way of each step.

    >>> import cosette
    >>> found = cosette.fewest("F2 R2 U R' D F", "eo[max=1]", count=None)
    >>> [(way["moves"], way["steps"][0]["step"]) for way in found["skeletons"]]
    [('F', 'eo:FB')]
    """
    return _cosette.fewest(scramble, steps, done, count, timeout, on_skeleton)


def insertions(
    scramble: Union[str, Cube], done: str, *, count: Optional[SupportsIndex] = 1, solver: Optional[Solver] = None
) -> Dict[str, Any]:
    """Finds the best places for a shortest sequence that finishes the skeleton ``done``, which leaves three corners, three edges or two
    swaps. Longer sequences, of which more may be saved, are not tried. Returns what ``cosette fmc --insert --json`` prints; the ``count`` best, all
    with ``None``. ``solver`` has a table in htm.

    >>> import cosette
    >>> best = cosette.insertions("D2 R U R' D2 R U' R2", "R")["insertions"][0]
    >>> best["length"], best["place"]
    (8, 0)
    """
    by = _solver(solver, None, None)
    if by.metric != "htm":
        raise ValueError(f"solver=: its table is for {by.metric}; give one whose table is for htm, or leave it out")
    return _cosette.insertions(by, scramble, done, count)
