"""A fixed set of positions with proven distances, and the comparison of any solver with them."""

from __future__ import annotations

import csv
import dataclasses
import os
import statistics
import time
import warnings
import zlib
from typing import Callable, Dict, Iterable, Iterator, List, Literal, Optional, Sequence, Union

from ._arrays import to_cubes
from ._cosette import Answer, Cube, solution_length
from ._errors import InvalidCubeError
from ._files import read_positions
from ._types import Metric

_Solution = Union[str, Sequence[str], Answer, None]


@dataclasses.dataclass(frozen=True)
class BenchmarkPosition:
    """A position and what is proven of it.

    ``htm`` and ``qtm`` are its distances in half and in quarter turns, and ``solution_count`` is the number of its
    shortest solutions in half turns, as ``solve_all`` counts them. A value that the set does not give is None.
    """

    cube: Cube
    htm: Optional[int]
    qtm: Optional[int]
    solution_count: Optional[int]


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """The solutions of a solver beside the proven distances.

    ``lengths``, ``excesses`` and ``seconds`` have an entry for each position that was passed, in their order: the moves
    of its solution, those beyond the distance, and the time of the call. The first two are None where the solver found
    nothing, and all three where the position has no distance in ``metric``; the shares and means omit such positions.
    """

    metric: str
    lengths: List[Optional[int]]
    excesses: List[Optional[int]]
    seconds: List[Optional[float]]

    @property
    def solved(self) -> float:
        """The share of the positions that are solved, from 0 to 1."""
        return sum(excess is not None for excess in self.excesses) / len(self._durations)

    @property
    def optimal(self) -> float:
        """The share of the positions with a shortest solution, from 0 to 1."""
        return sum(excess == 0 for excess in self.excesses) / len(self._durations)

    @property
    def mean_excess(self) -> float:
        """The mean number of moves beyond the distance, of the positions that are solved; NaN without any."""
        excesses = [excess for excess in self.excesses if excess is not None]
        return statistics.fmean(excesses) if excesses else float("nan")

    @property
    def mean_seconds(self) -> float:
        """The mean time of a call, in seconds."""
        return statistics.fmean(self._durations)

    @property
    def _durations(self) -> List[float]:
        """The seconds of the positions with which the solver was called."""
        return [duration for duration in self.seconds if duration is not None]

    def __str__(self) -> str:
        return (
            f"{len(self._durations)} positions, {self.metric}: {self.solved:.1%} solved, {self.optimal:.1%} optimal, "
            f"mean excess {self.mean_excess:.2f}, {self.mean_seconds:.3g} s a position"
        )


def benchmark(
    name: Literal["random", "distances", "deepcubea"] = "random",
    path: Optional[Union[str, os.PathLike[str]]] = None,
) -> List[BenchmarkPosition]:
    """Returns a fixed set of positions with proven distances.

    - ``"random"``: 1,000 uniformly random positions, with their distances in both metrics and the numbers of their
      shortest solutions in half turns.
    - ``"distances"``: twenty positions at each distance up to 19 half turns and 22 quarter turns, with the distance in
      that metric; all 18 and 12 at distance 1. From 16 half turns and 19 quarter turns on, they are the first of the
      random positions at that distance.
    - ``"deepcubea"``: the 1,000 test positions of DeepCubeA, with their distances in quarter turns. The package has no
      copy of them: ``path`` is that of DeepCubeA's file ``data/cube3/test/data_0.pkl``, or of any file of some of its
      positions that ``read_positions`` reads.

    docs/reference/benchmark-set.md says how the distances were proven.

    >>> import cosette
    >>> positions = cosette.benchmark()
    >>> len(positions), positions[0].htm, positions[0].qtm, positions[0].solution_count
    (1000, 18, 20, 1)
    """
    if (name == "deepcubea") != (path is not None):
        raise ValueError(
            "pass path= with 'deepcubea' only: that of DeepCubeA's file data/cube3/test/data_0.pkl"
        )
    if name == "random":
        return _positions("random.csv")
    if name == "distances":
        return _positions("distances.csv")
    if path is not None:
        return _deepcubea_positions(path)
    raise ValueError(f"unknown set {name!r}: pass 'random', 'distances' or 'deepcubea'")


def _positions(file: str) -> List[BenchmarkPosition]:
    return [
        BenchmarkPosition(
            Cube.from_facelets(row["facelets"]),
            _number(row["htm"]),
            _number(row["qtm"]),
            _number(row.get("solution_count", "")),
        )
        for row in _rows(file)
    ]


def _deepcubea_positions(path: Union[str, os.PathLike[str]]) -> List[BenchmarkPosition]:
    distances = {row["crc32"]: _number(row["qtm"]) for row in _rows("deepcubea.csv")}
    array, layout = read_positions(path)
    positions = []
    for index, cube in enumerate(to_cubes(array, layout=layout)):
        checksum = f"{zlib.crc32(cube.facelets().encode()):08x}"
        if checksum not in distances:
            raise ValueError(
                f"{os.fspath(path)}: position {index} is no test position of DeepCubeA"
            )
        positions.append(BenchmarkPosition(cube, None, distances[checksum], None))
    return positions


def _rows(name: str) -> Iterator[Dict[str, str]]:
    path = os.path.join(os.path.dirname(__file__), "benchmark_data", name)
    with open(path, encoding="ascii", newline="") as file:
        yield from csv.DictReader(file)


def _number(text: str) -> Optional[int]:
    return int(text) if text else None


def evaluate(
    solve: Callable[[Cube], _Solution],
    positions: Optional[Iterable[BenchmarkPosition]] = None,
    *,
    metric: Metric = "htm",
) -> Evaluation:
    """Runs a solver over positions with proven distances, and compares its solutions with them.

    ``solve`` is called with each ``Cube`` and returns a solution: a string of moves, a list of moves, an ``Answer``, or
    None if it has found none. Moves are counted in ``metric`` as face turns: a wide turn counts once, a turn of a slice
    twice, a rotation not at all. A solution that does not solve the position counts as none, and so does a text that is
    not a sequence of moves; a ``UserWarning`` has its index.

    ``positions`` are those of ``benchmark`` (default: its 1,000 random positions) or your own ``BenchmarkPosition``
    objects. The solver is not called with those without a distance in ``metric``.

    >>> import cosette
    >>> near = [each for each in cosette.benchmark("distances") if each.htm is not None and each.htm < 12]
    >>> result = cosette.evaluate(cosette.solve, near)
    >>> result.optimal, result.mean_excess
    (1.0, 0.0)
    """
    if metric not in ("htm", "qtm"):
        raise ValueError(f"metric={metric!r}: pass 'htm' or 'qtm'")
    listed = benchmark() if positions is None else list(positions)
    for index, position in enumerate(listed):
        if not isinstance(position, BenchmarkPosition):
            raise TypeError(
                f"positions[{index}]={position!r}: pass the positions of cosette.benchmark(…)"
            )
    lengths: List[Optional[int]] = []
    excesses: List[Optional[int]] = []
    seconds: List[Optional[float]] = []
    for index, position in enumerate(listed):
        distance: Optional[int] = getattr(position, metric)
        length: Optional[int] = None
        duration: Optional[float] = None
        if distance is not None:
            start = time.perf_counter()
            solution = solve(position.cube)
            duration = time.perf_counter() - start
            length = _length(index, position.cube, solution, metric)
        lengths.append(length)
        excesses.append(None if length is None or distance is None else length - distance)
        seconds.append(duration)
    if all(duration is None for duration in seconds):
        raise ValueError(
            f"no position has a distance in metric={metric!r}; pass some that have one, "
            "such as positions=cosette.benchmark('distances')"
        )
    return Evaluation(metric, lengths, excesses, seconds)


def _length(index: int, cube: Cube, solution: _Solution, metric: str) -> Optional[int]:
    """Returns the moves of the solution; None if there is none, or if it does not solve the cube."""
    if isinstance(solution, Answer):
        solution = solution.solution
    if solution is None:
        return None
    text = solution if isinstance(solution, str) else " ".join(map(str, solution))
    try:
        return solution_length(cube, text, metric)
    except InvalidCubeError as error:
        warnings.warn(
            f"positions[{index}]: the solver returned {text!r}, which counts as no solution: {error.message}",
            stacklevel=3,
        )
        return None
