import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import GenericAlias
from typing import Any, Generic, Literal, SupportsIndex, TypeVar, final, overload

from typing_extensions import Self

from ._errors import InvalidCubeError
from ._types import (
    Format,
    Metric,
    OnEvent,
    Position,
    Seed,
    SupportsArray,
    TurnMetric,
    WalkLength,
)

__all__ = [
    "CORNERS",
    "EDGES",
    "Answer",
    "Answers",
    "Cancel",
    "Cube",
    "RandomPositions",
    "RandomWalks",
    "Scramble",
    "Scrambles",
    "Solver",
    "Symmetry",
    "__version__",
    "check_journal",
    "distances",
    "facelets_after",
    "faults",
    "fmc",
    "generate_table",
    "generation_seconds",
    "insertions",
    "lines",
    "move_names",
    "neighbor_distances",
    "random_facelets",
    "random_positions",
    "random_walks",
    "read_cubes",
    "remove_table",
    "review",
    "scrambles",
    "solution_length",
    "solve_goal",
    "table_files",
    "write_cubes",
    "write_dataset",
]

__version__: str
CORNERS: tuple[str, ...]
EDGES: tuple[str, ...]

_T_co = TypeVar("_T_co", covariant=True)
_Path = str | os.PathLike[str]

@final
class Cancel:
    def __new__(cls) -> Cancel: ...
    def cancel(self) -> None: ...
    @property
    def is_cancelled(self) -> bool: ...
    def __enter__(self) -> Cancel: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Cube:
    def __new__(
        cls,
        position: Position | None = None,
        *,
        format: Format | None = None,
        niss: bool = False,
        face_order: str | None = None,
    ) -> Cube: ...
    @classmethod
    def from_moves(cls, moves: str, *, niss: bool = False) -> Cube: ...
    @classmethod
    def from_facelets(
        cls,
        facelets: str | Sequence[SupportsIndex] | SupportsArray,
        *,
        face_order: str | None = None,
    ) -> Cube: ...
    @classmethod
    def from_reid(cls, pieces: str) -> Cube: ...
    @classmethod
    def from_speffz(cls, cycles: str) -> Cube: ...
    @classmethod
    def from_arrays(
        cls,
        corners: Iterable[int],
        twists: Iterable[int],
        edges: Iterable[int],
        flips: Iterable[int],
    ) -> Cube: ...
    @classmethod
    def random(cls, seed: Seed | None = None) -> Cube: ...
    @property
    def corners(self) -> memoryview: ...
    @property
    def twists(self) -> memoryview: ...
    @property
    def edges(self) -> memoryview: ...
    @property
    def flips(self) -> memoryview: ...
    @property
    def is_solved(self) -> bool: ...
    @property
    def parity(self) -> int: ...
    @property
    def order(self) -> int: ...
    def scramble(self) -> str: ...
    def facelets(self) -> str: ...
    def reid(self) -> str: ...
    def speffz(self) -> str: ...
    def apply(self, moves: str) -> Cube: ...
    def inverse(self) -> Cube: ...
    def conjugate(self, symmetry: Symmetry) -> Cube: ...
    def conjugates(self) -> list[Cube]: ...
    def symmetries(self) -> list[Symmetry]: ...
    def representative(self) -> Cube: ...
    def __mul__(self, next: Cube, /) -> Cube: ...
    def __rmul__(self, previous: Cube, /) -> Cube: ...
    def __pow__(self, exponent: SupportsIndex, modulo: None = None, /) -> Cube: ...
    def __rpow__(self, base: object, modulo: None = None, /) -> Any: ...
    def __invert__(self) -> Cube: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Cube], tuple[str]]: ...

@final
class Symmetry:
    def __new__(cls, index: SupportsIndex) -> Symmetry: ...
    @classmethod
    def all(cls) -> list[Symmetry]: ...
    @property
    def index(self) -> int: ...
    @property
    def is_mirror(self) -> bool: ...
    @property
    def faces(self) -> str: ...
    def __mul__(self, next: Symmetry, /) -> Symmetry: ...
    def __rmul__(self, previous: Symmetry, /) -> Symmetry: ...
    def __invert__(self) -> Symmetry: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Symmetry], tuple[int]]: ...

@final
class RandomPositions(Iterator[Cube]):
    def __iter__(self) -> RandomPositions: ...
    def __next__(self) -> Cube: ...

def random_positions(seed: Seed | None = None) -> RandomPositions: ...

@final
class RandomWalks(Iterator[str]):
    def __iter__(self) -> RandomWalks: ...
    def __next__(self) -> str: ...

def random_walks(walk_length: WalkLength, seed: Seed | None = None) -> RandomWalks: ...

@final
class Scramble:
    @property
    def moves(self) -> str: ...
    @property
    def pre_auf(self) -> str: ...
    @property
    def post_auf(self) -> str: ...

@final
class Scrambles(Iterator[Scramble]):
    def __iter__(self) -> Scrambles: ...
    def __next__(self) -> Scramble: ...

def solution_length(position: Cube, solution: str, metric: str) -> int | None: ...
def scrambles(
    case: Position,
    *,
    min_length: SupportsIndex | None = None,
    pre_auf: bool = False,
    post_auf: bool = False,
    seed: Seed | None = None,
) -> Scrambles: ...

@final
class Answer:
    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Answer: ...
    @property
    def input(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def index(self) -> int | None: ...
    @property
    def format(self) -> str: ...
    @property
    def facelets(self) -> str: ...
    @property
    def cube(self) -> Cube: ...
    @property
    def goal(self) -> str | None: ...
    @property
    def allowed_moves(self) -> str | None: ...
    @property
    def metric(self) -> str: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def length(self) -> int | None: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def upper_bound(self) -> int | None: ...
    @property
    def solutions(self) -> list[str]: ...
    @property
    def costs(self) -> list[int] | None: ...
    @property
    def variants(self) -> list[str] | None: ...
    @property
    def unreachable(self) -> str | None: ...
    @property
    def solution(self) -> str | None: ...
    @property
    def best_known(self) -> str | None: ...
    @property
    def complete(self) -> bool: ...
    @property
    def stop_reason(self) -> str | None: ...
    @property
    def symmetries(self) -> int: ...
    @property
    def explanation(self) -> dict[str, Any] | None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def probes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def table(self) -> str: ...
    @property
    def iterations(self) -> list[dict[str, Any]]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Answer], tuple[dict[str, Any]]]: ...

@final
class Answers(Iterator[_T_co], Generic[_T_co]):
    def __iter__(self) -> Answers[_T_co]: ...
    def __next__(self) -> _T_co: ...
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def __length_hint__(self) -> int: ...
    def close(self) -> None: ...
    def __enter__(self) -> Answers[_T_co]: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Solver:
    def __new__(
        cls,
        table: str | None = None,
        threads: SupportsIndex | None = None,
        metric: Metric | None = None,
        tables: str | os.PathLike[str] | None = None,
        memory: SupportsIndex | str | None = None,
        *,
        on_progress: Callable[[str, int, int], object] | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Solver: ...
    @property
    def table(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def metric(self) -> Metric: ...
    @property
    def closed(self) -> bool: ...
    def close(self) -> None: ...
    def __enter__(self) -> Solver: ...
    def __exit__(self, *_exception: object) -> None: ...
    def solve(
        self,
        position: Position,
        *,
        count: SupportsIndex = 1,
        prefer: Metric | None = None,
        max_length: SupportsIndex | None = None,
        timeout: float | None = None,
        goal: Position | None = None,
        moves: str | None = None,
        costs: str | None = None,
        slack: SupportsIndex = 0,
        starts_with: str | None = None,
        ends_with: str | None = None,
        avoid: str | None = None,
        unique_up_to: str | None = None,
        metric: TurnMetric | None = None,
        on_event: OnEvent | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Answer: ...
    def solve_all(
        self,
        position: Position,
        *,
        max_length: SupportsIndex | None = None,
        timeout: float | None = None,
        goal: Position | None = None,
        moves: str | None = None,
        costs: str | None = None,
        slack: SupportsIndex = 0,
        starts_with: str | None = None,
        ends_with: str | None = None,
        avoid: str | None = None,
        unique_up_to: str | None = None,
        metric: TurnMetric | None = None,
        on_event: OnEvent | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Answer: ...
    @overload
    def solve_many(
        self,
        positions: Iterable[Position],
        *,
        ordered: bool = True,
        errors: Literal["raise"] | None = "raise",
        journal: _Path | None = None,
        count: SupportsIndex = 1,
        prefer: Metric | None = None,
        max_length: SupportsIndex | None = None,
        timeout: float | None = None,
        goal: Position | None = None,
        moves: str | None = None,
        costs: str | None = None,
        slack: SupportsIndex = 0,
        starts_with: str | None = None,
        ends_with: str | None = None,
        avoid: str | None = None,
        unique_up_to: str | None = None,
        metric: TurnMetric | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Answers[Answer]: ...
    @overload
    def solve_many(
        self,
        positions: Iterable[Position],
        *,
        ordered: bool = True,
        errors: Literal["return"],
        journal: _Path | None = None,
        count: SupportsIndex = 1,
        prefer: Metric | None = None,
        max_length: SupportsIndex | None = None,
        timeout: float | None = None,
        goal: Position | None = None,
        moves: str | None = None,
        costs: str | None = None,
        slack: SupportsIndex = 0,
        starts_with: str | None = None,
        ends_with: str | None = None,
        avoid: str | None = None,
        unique_up_to: str | None = None,
        metric: TurnMetric | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Answers[Answer | InvalidCubeError]: ...
    def __reduce__(
        self,
    ) -> tuple[type[Solver], tuple[str, int, None, pathlib.Path | None, int | None]]: ...

def solve_goal(
    position: Position,
    is_for_all: bool,
    on_event: OnEvent | None,
    progress: bool | None,
    cancel: Cancel | None,
    **options: Any,
) -> Answer | None: ...
def check_journal(journal: _Path, length: int, **options: Any) -> None: ...
def fmc(
    scramble: Position,
    steps: str,
    start: str,
    count: SupportsIndex | None,
    timeout: float | None,
    on_skeleton: Callable[[dict[str, Any]], object] | None,
    cancel: Cancel | None,
) -> dict[str, Any]: ...
def insertions(
    solver: Solver,
    scramble: Position,
    start: str,
    count: SupportsIndex | None,
    cancel: Cancel | None,
) -> dict[str, Any]: ...
def review(
    solver: Solver,
    scramble: Position,
    solution: str,
    timeout: float | None,
    on_event: OnEvent | None,
    progress: bool | None,
    cancel: Cancel | None,
) -> dict[str, Any]: ...
def facelets_after(moves: str, layout: str) -> bytearray: ...
def faults(facelets: bytes, layout: str) -> list[str | None]: ...
def distances(
    solver: Solver,
    facelets: bytes,
    layout: str,
    max_length: SupportsIndex | None,
    at_most: SupportsIndex,
    timeout: float | None,
    budget: float | None,
    progress: bool | None,
    cancel: Cancel | None,
) -> bytearray: ...
def move_names(layout: str, metric: str) -> list[str]: ...
def neighbor_distances(
    solver: Solver,
    facelets: bytes,
    layout: str,
    max_length: SupportsIndex | None,
    timeout: float | None,
    budget: float | None,
    progress: bool | None,
    cancel: Cancel | None,
) -> bytearray: ...
def random_facelets(
    n: SupportsIndex, walk_length: WalkLength | None, seed: Seed | None, layout: str
) -> bytearray: ...
def lines(text: str) -> list[tuple[int, str | None, str]]: ...
def read_cubes(facelets: bytes, layout: str) -> list[Cube]: ...
def write_cubes(positions: Iterable[Position], layout: str) -> bytearray: ...
def write_dataset(
    metric: str | None,
    open_solver: Callable[[], Solver],
    path: str | os.PathLike[str],
    n: SupportsIndex | None,
    seed: SupportsIndex,
    walk_length: WalkLength | None,
    distance: SupportsIndex | None,
    all_at_distance: SupportsIndex | None,
    positions: list[Cube] | None,
    symmetry: str | None,
    coset: Cube | None,
    max_distance: SupportsIndex | None,
    shard: tuple[SupportsIndex, ...],
    layout: str,
    optimal_moves: bool,
    progress: bool | None,
    cancel: Cancel | None,
) -> int: ...
def table_files(
    tables: _Path | None,
) -> list[
    tuple[
        str,
        pathlib.Path,
        int,
        Literal["complete", "missing", "partial", "corrupted"],
        int | None,
        str | None,
    ]
]: ...
def generate_table(
    table: str,
    threads: SupportsIndex | None,
    tables: _Path | None,
    progress: bool | None,
    cancel: Cancel | None,
) -> None: ...
def remove_table(table: str, tables: _Path | None) -> None: ...
def generation_seconds(metric: str) -> float: ...
