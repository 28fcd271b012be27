"""Reads position files of other projects as arrays. It needs none of their classes and executes no code from them."""

from __future__ import annotations

import csv
import importlib
import json
import os
import pathlib
import pickle
import zipfile
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

from . import _arrays, _cosette
from ._errors import CosetteError, InvalidCubeError

if TYPE_CHECKING:
    from typing_extensions import disjoint_base
    import numpy as np
    from numpy.typing import NDArray

    from ._types import Layout


if not TYPE_CHECKING:

    def disjoint_base(cls: type) -> type:
        return cls


class _Array(NamedTuple):
    array: NDArray[np.integer[Any]]
    layout: Layout


@disjoint_base
class LoadedPositions(_Array):
    """The result of ``read_positions``, which unpacks to ``array``, with a row per position, and its ``layout``.

    ``names``: for a list with names, the name of each position (None where there is none); otherwise empty.
    """

    names: List[Optional[str]] = []


def read_positions(path: Union[str, os.PathLike[str]]) -> LoadedPositions:
    """Reads the positions in a file. The extension selects the format:

    - ``.pkl``: DeepCubeA's test sets, such as ``data/cube3/test/data_0.pkl``;
    - ``.pt``: CayleyPy's tensors, of its groups 054 and 001 (files named ``p001-…``);
    - ``.csv``: the ``cube_3/3/3`` puzzles of Santa 2023 whose solved state has one color per face. Other rows are
      skipped, and puzzle ids are not read, so the rows of the array are not those of the file;
    - ``.npz``, ``.parquet``, ``.csv``, ``.jsonl``: files written by ``dataset``. Only the positions are read, not
      their labels; reading Parquet needs ``pyarrow`` (``pip install 'cosette-solver[parquet]'``), writing it does not;
    - any other file, and a ``.csv`` with a column such as ``scramble`` or ``alg``: a list as for ``cosette batch``,
      with one position per line (moves, facelets or cube20.org's ``R3F1U2``) and an optional name, as in
      ``T-perm: R U R' …``.

    The array is in the layout of the file, which is returned with it. A file that cannot be read as its format
    raises ``ValueError``.

    >>> import cosette, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "list.txt")
    >>> with open(path, "w") as file: _ = file.write("R3F1U2\\nR U R' U'\\n")
    >>> array, layout = cosette.read_positions(path)
    >>> array.shape, layout, cosette.distances(array, layout=layout).tolist()
    ((2, 54), 'kociemba', [3, 4])
    >>> with open(path, "w") as file: _ = file.write("name,alg\\nF,R U\\n")
    >>> cosette.read_positions(path).names
    ['F']
    """
    path = pathlib.Path(path)
    if path.suffix == ".npy":
        raise ValueError(
            f"{path}: read it with numpy.load, and pass the array to distances with its layout="
        )
    reader, contents = _KINDS.get(path.suffix, (_text, "a text file with one position per line"))
    try:
        return reader(path)
    except _ContentError as refused:
        raise ValueError(f"{path}: {refused}") from refused.__cause__
    except (OSError, ImportError, CosetteError):
        raise
    # Any exception of a reader on another kind of file, or on a corrupted one.
    except Exception as error:
        name = f"a {path.suffix} file" if path.suffix in _KINDS else "another file"
        raise ValueError(
            f"{path}: {name} must be {contents}; pass other arrays to distances directly"
        ) from error


class _ContentError(Exception):
    """An error in the contents of a file whose format is as expected."""


_OF_ARRAYS = ("ndarray", "dtype", "scalar", "_reconstruct", "_frombuffer")


class _Unpickler(pickle.Unpickler):
    """Unpickles NumPy arrays, the storage locations of tensors, and plain fields in place of other classes."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("environments.cube3", "Cube3State"):
            # Its fields, without the class.
            return type(name, (), {})
        # NumPy 2 has renamed its modules.
        core = "numpy.core" if _arrays._numpy().__version__.startswith("1.") else "numpy._core"
        here = module.replace("numpy._core", "numpy.core").replace("numpy.core", core)
        if here in ("numpy", f"{core}.multiarray", f"{core}.numeric") and name in _OF_ARRAYS:
            return super().find_class(here, name)
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, first, shape, strides, *_: (storage, first, shape, strides)
        if module == "torch" and name in ("CharStorage", "ByteStorage"):
            return name
        if (module, name) == ("collections", "OrderedDict"):
            return dict
        raise _ContentError(f"it contains {module}.{name}, which a list of positions does not need")

    def persistent_load(self, pid: Any) -> Any:
        """Returns the type of a storage and the name of its data in the archive."""
        return pid[1], pid[2]


def _deepcubea(path: pathlib.Path) -> LoadedPositions:
    with open(path, "rb") as file:
        states = _Unpickler(file).load()["states"]
    return LoadedPositions(_arrays._numpy().stack([state.colors for state in states]), "deepcubea")


def _cayleypy(path: pathlib.Path) -> LoadedPositions:
    with zipfile.ZipFile(path) as archive:
        (about,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        (kind, key), first, shape, strides = _Unpickler(archive.open(about)).load()
        if shape[1:] != (54,) or strides != (54, 1):
            raise _ContentError(
                f"it has numbers of the shape {shape}, but positions need rows of 54"
            )
        data = archive.read(f"{about[: -len('data.pkl')]}data/{key}")
    numbers = _arrays._numpy().frombuffer(data, "int8" if kind == "CharStorage" else "uint8")
    array = numbers[first : first + 54 * shape[0]].reshape(-1, 54).copy()
    return LoadedPositions(array, "santa" if path.name.startswith("p001-") else "cayleypy")


_LISTED = ("input", "scramble", "position", "setup", "alg", "algorithm", "moves")
"""Column names by which a CSV file is recognized as a list of positions."""


def _csv(path: pathlib.Path) -> LoadedPositions:
    with open(path, newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file)
        lines = [(table.line_num, line) for line in table]
    if "facelets" in (table.fieldnames or ()):
        return _of_lines((number, line["facelets"]) for number, line in lines)
    if any(str(name).strip().lower() in _LISTED for name in table.fieldnames or ()):
        return _text(path)
    rows: List[List[int]] = []
    for _, puzzle in lines:
        solved, state = (puzzle[name].split(";") for name in ("solution_state", "initial_state"))
        faces: Dict[str, int] = {letter: face for face, letter in enumerate(solved[::9])}
        if puzzle["puzzle_type"] == "cube_3/3/3" and solved == [
            letter for letter in faces for _ in range(9)
        ]:
            rows.append([faces[letter] for letter in state])
    return LoadedPositions(_arrays._numpy().array(rows, "uint8").reshape(-1, 54), "santa")


def _npz(path: pathlib.Path) -> LoadedPositions:
    with _arrays._numpy().load(path) as columns:
        return LoadedPositions(columns["facelets"], json.loads(columns["about"].item())["layout"])


def _parquet(path: pathlib.Path) -> LoadedPositions:
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(
            "Parquet needs pyarrow, which is not installed; pip install pyarrow"
        ) from error
    table = parquet.read_table(path, columns=["facelets"])
    about = (table.schema.metadata or {}).get(b"cosette")
    if about is None:
        raise _ContentError(
            "it lacks the metadata 'cosette' that dataset writes, which other programs drop when they save a file; "
            "pass its column 'facelets' to distances with its layout="
        )
    layout: Layout = json.loads(about)["layout"]
    numbers = table["facelets"].combine_chunks().flatten().to_numpy()
    return LoadedPositions(
        numbers.reshape((-1, 6, 3, 3) if layout == "jumanji" else (-1, 54)).copy(), layout
    )


def _jsonl(path: pathlib.Path) -> LoadedPositions:
    facelets: List[Tuple[int, str]] = []
    with open(path, encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            try:
                facelets += [(number, json.loads(line)["facelets"])] if line.strip() else []
            except (ValueError, LookupError, TypeError) as error:
                raise _ContentError(f"line {number} is not an object with 'facelets'") from error
    return _of_lines(facelets)


def _text(path: pathlib.Path) -> LoadedPositions:
    text = path.read_text(encoding="utf-8-sig")
    try:
        lines = _cosette.lines(text)
    except ValueError as error:
        raise _ContentError(str(error)) from error
    loaded = _of_lines((number, position) for number, _, position in lines)
    loaded.names = [name for _, name, _ in lines] if any(name for _, name, _ in lines) else []
    return loaded


def _of_lines(numbered: Iterable[Tuple[int, str]]) -> LoadedPositions:
    """Converts strings, each with its line number, to positions."""
    lines = list(numbered)
    try:
        return LoadedPositions(_arrays.to_array(text for _, text in lines), "kociemba")
    except InvalidCubeError as error:
        assert error.index is not None
        said = str(error).removeprefix(f"positions[{error.index}]: ")
        raise _ContentError(f"line {lines[error.index][0]}: {said}") from error


_KINDS: Dict[str, Tuple[Callable[[pathlib.Path], LoadedPositions], str]] = {
    ".pkl": (_deepcubea, "a DeepCubeA pickle, a dictionary whose 'states' are positions"),
    ".pt": (_cayleypy, "a CayleyPy tensor with rows of 54 bytes"),
    ".csv": (
        _csv,
        "a table with a column 'facelets', or the puzzles of Santa 2023: 'puzzle_type', 'solution_state', 'initial_state'",
    ),
    ".npz": (_npz, "a file written by dataset, with the arrays 'facelets' and 'about'"),
    ".parquet": (_parquet, "a file written by dataset, with a column 'facelets'"),
    ".jsonl": (_jsonl, "objects with 'facelets', one per line"),
}
"""The reader for each file extension, and a description of the expected contents."""
