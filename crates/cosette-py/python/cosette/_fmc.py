"""Fewest moves: skeletons found step by step on a scramble and its inverse, and insertions that complete them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, SupportsIndex

from . import _cosette
from ._arrays import _solver
from ._cosette import Cancel, Solver
from ._types import Position


def fmc(
    scramble: Position,
    steps: str = "eo[max=5] > dr > htr > finish",
    *,
    from_: str = "",
    count: Optional[SupportsIndex] = 1,
    timeout: Optional[float] = 10.0,
    on_skeleton: Optional[Callable[[Dict[str, Any]], object]] = None,
    cancel: Optional[Cancel] = None,
) -> Dict[str, Any]:
    """Finds short skeletons that go through ``steps``, with moves on the scramble and on its inverse (NISS).

    Steps are ``eo``, ``dr``, ``htr`` and ``finish``, in this order; any may be omitted. ``eo:FB`` and ``dr:UD`` use
    only that axis. The first step may use all face turns, so to preserve edges that are already oriented, write
    ``eo[max=0] > dr``. Options of a step are in square brackets:

    - ``max=5``: at most 5 moves;
    - ``n=20``: continue with the 20 shortest solutions of the step from each position;
    - ``niss=none``, ``linear`` or ``mixed``: stay on the side of the previous step, make all moves of the step on one
      side, or mix both;
    - ``triggers=R,RU2R``: for ``dr``, only solutions that end with one of these.

    Alternatives are in parentheses: ``(eo > dr | dr[max=8]) > htr > finish``.

    - ``from_``: moves already made, with those on the inverse in parentheses.
    - ``count``: the number of skeletons to return, best first; None returns all. For a single step, "all" means every
      solution of at most ``max=`` moves or, without ``max=``, every solution found within ``timeout``.
    - ``timeout``: the search ends after this many seconds (None: no limit), or once everything is searched.
    - ``on_skeleton``: called with each skeleton that is shorter than all earlier ones.
    - ``cancel``: a ``Cancel``, which stops the search.

    Returns the dictionary that ``cosette fmc --json`` prints:

    - ``skeletons``: the skeletons, best first, one per distinct solution;
    - ``optimal``: True if it is proven that no skeleton of these steps and options is shorter. The proof includes
      skeletons that cancel with the last turns of ``from_`` (on the scramble and on the inverse, the final turns about
      one axis), but not skeletons that undo earlier moves;
    - ``limits``: the steps whose ``max=`` or ``n=`` may have excluded a shorter skeleton;
    - ``step_counts``: the number of solutions of the first step, by number of moves;
    - ``status``: the ``reductions`` reached after ``from_``, and the ``bad_pieces`` of each step.

    >>> import cosette
    >>> found = cosette.fmc("F2 R2 U R' D F", "eo[max=1]", count=None)
    >>> [(each["moves"], each["steps"][0]["step"]) for each in found["skeletons"]]
    [('F', 'eo:FB')]
    """
    return _cosette.fmc(scramble, steps, from_, count, timeout, on_skeleton, cancel)


def insertions(
    scramble: Position,
    from_: str,
    *,
    count: Optional[SupportsIndex] = 1,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> Dict[str, Any]:
    """Finds the best insertions to complete a skeleton.

    ``from_`` is a skeleton that leaves a 3-cycle of corners or of edges, or two swaps, with moves on the inverse in
    parentheses. Every shortest algorithm for that case is tried at every point of the skeleton; those that cancel the
    most moves are best. Longer algorithms, which may cancel more moves, are not tried.

    Returns the dictionary that ``cosette fmc --insert --json`` prints, with the ``count`` best insertions, or all of
    them if ``count`` is None. ``solver`` must have an htm table.

    >>> import cosette
    >>> best = cosette.insertions("D2 R U R' D2 R U' R2", "R")["insertions"][0]
    >>> best["length"], best["index"]
    (8, 0)
    """
    by = _solver(solver, None, None, cancel)
    if by.metric != "htm":
        raise ValueError(
            f"solver=: its table is for {by.metric}; pass one whose table is for htm, or omit it"
        )
    return _cosette.insertions(by, scramble, from_, count, cancel)
