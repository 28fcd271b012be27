"""Fewest moves: step-by-step skeletons on a scramble and on its inverse, and the best insertions that finish one."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, SupportsIndex, Union

from . import _cosette
from ._arrays import _solver
from ._cosette import Cube, Solver


def fmc(
    scramble: Union[str, Cube],
    steps: str = "eo[max=5] > dr > htr > finish",
    *,
    done: str = "",
    count: Optional[SupportsIndex] = 1,
    timeout: Optional[float] = 10.0,
    on_skeleton: Optional[Callable[[Dict[str, Any]], object]] = None,
) -> Dict[str, Any]:
    """Finds skeletons of fewest moves: through ``steps``, on the scramble and on its inverse.

    Steps are ``eo``, ``dr``, ``htr`` and ``finish``, in this order; any may be omitted. ``eo:FB`` and ``dr:UD`` use
    one axis. The first step may use all turns; ``eo[max=0] > dr`` preserves edges that are already oriented.
    Options are in square brackets:

    - ``max=5``: at most 5 moves;
    - ``n=20``: continue with 20 solutions from each position;
    - ``niss=none``, ``linear`` or ``mixed``;
    - ``triggers=R,RU2R``: only a ``dr`` that ends with one of these.

    Alternatives are in parentheses: ``(eo > dr | dr[max=8]) > htr > finish``.

    ``done`` holds moves done before, with those on the inverse in parentheses. The ``count`` best skeletons are
    returned; with ``None``, all of them: for one step, all its solutions of at most ``max=`` moves, or, without
    ``max=``, all found until the timeout. The search ends after ``timeout`` seconds (``None``: no limit), or once
    everything is searched. ``on_skeleton`` is called for each skeleton that is shorter than all earlier ones.

    Returns the output of ``cosette fmc --json``:

    - ``skeletons``: one for each distinct solution;
    - ``optimal``: True if it is proven that no skeleton of these steps, with their options, is shorter, unless it
      undoes more than the last turns of ``done``;
    - ``limits``: the steps whose ``max=`` or ``n=`` may have excluded a shorter skeleton;
    - ``step_counts``: the number of solutions of the first step by number of moves;
    - ``status``: the ``reductions`` reached after ``done``, and the ``bad_pieces`` of each step.

    >>> import cosette
    >>> found = cosette.fmc("F2 R2 U R' D F", "eo[max=1]", count=None)
    >>> [(each["moves"], each["steps"][0]["step"]) for each in found["skeletons"]]
    [('F', 'eo:FB')]
    """
    return _cosette.fmc(scramble, steps, done, count, timeout, on_skeleton)


def insertions(
    scramble: Union[str, Cube], done: str, *, count: Optional[SupportsIndex] = 1, solver: Optional[Solver] = None
) -> Dict[str, Any]:
    """Finds the best insertions of a shortest sequence that finishes the skeleton ``done``, with three corners, three
    edges or two swaps left. Longer sequences, which may cancel more moves, are not searched. Returns the output of
    ``cosette fmc --insert --json`` with the ``count`` best insertions, or all with ``None``. ``solver`` must have a
    table in htm.

    >>> import cosette
    >>> best = cosette.insertions("D2 R U R' D2 R U' R2", "R")["insertions"][0]
    >>> best["length"], best["index"]
    (8, 0)
    """
    by = _solver(solver, None, None)
    if by.metric != "htm":
        raise ValueError(f"solver=: its table is for {by.metric}; pass one whose table is for htm, or omit it")
    return _cosette.insertions(by, scramble, done, count)
