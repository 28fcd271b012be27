"""The types of arguments."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, Literal, Protocol, Sequence, SupportsIndex, Union

from ._cosette import Cube


class SupportsArray(Protocol):
    """An array of NumPy, or what ``numpy.asarray`` makes one of."""

    def __array__(self) -> Any: ...


class BitGenerator(Protocol):
    """The part of ``numpy.random.Generator`` that draws a seed."""

    @property
    def bit_generator(self) -> Any: ...


Metric = Literal["htm", "qtm"]
TurnMetric = Literal["htm", "qtm", "stm", "qstm", "etm"]
Layout = Literal["kociemba", "deepcubea", "cayleypy", "santa", "jumanji"]
Format = Literal["moves", "facelets", "reid", "speffz"]
OnEvent = Callable[[Dict[str, Any]], object]

Position = Union[str, Cube, Sequence[SupportsIndex], SupportsArray]
"""A string, a ``Cube``, or a row of 54 integers in the layout ``kociemba``."""

Seed = Union[SupportsIndex, random.Random, BitGenerator]
"""A number, or a generator that draws one."""

WalkLength = Union[SupportsIndex, Sequence[SupportsIndex], SupportsArray]
"""The length of random walks, or several, which alternate."""
