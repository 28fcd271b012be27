"""Files of positions that other projects made, as arrays. Nothing in a file is executed, and none of its classes is needed."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import pickle
import zipfile
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Union

from . import _arrays, _dataset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._cosette import _Order


class Loaded(NamedTuple):
    """What ``read_positions`` returns: an array with a row for each position, and its order."""

    array: NDArray[np.integer[Any]]
    order: _Order


def read_positions(path: Union[str, os.PathLike[str]]) -> Loaded:
    """The positions of a file, in the order of facelets that the file has:

    - ``.pkl``: DeepCubeA's test sets, such as ``data/cube3/test/data_0.pkl``;
    - ``.pt``: CayleyPy's tensors, of its groups 054 and 001 (named ``p001-…``);
    - ``.csv``: the puzzles ``cube_3/3/3`` of Santa 2023, those with one colour on each face;
    - ``.npz``, ``.parquet``, ``.csv``, ``.jsonl``: what ``dataset`` writes;
    - anything else: a position on each line, such as moves, facelets or cube20.org's ``R3F1U2``.

    >>> import cosette, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "list.txt")
    >>> with open(path, "w") as file: _ = file.write("R3F1U2\\nR U R' U'\\n")
    >>> array, order = cosette.read_positions(path)
    >>> array.shape, order, cosette.distances(array, order=order).tolist()
    ((2, 54), 'kociemba', [3, 4])
    """
    path = pathlib.Path(path)
    readers = {
        ".pkl": _deepcubea, ".pt": _cayleypy, ".csv": _csv, ".npz": _npz, ".parquet": _parquet, ".jsonl": _jsonl,
    }
    try:
        return readers.get(path.suffix, _text)(path)
    except KeyError as error:
        raise ValueError(f"{path} lacks {error}, which such a file has") from error
    except (pickle.UnpicklingError, zipfile.BadZipFile, EOFError, csv.Error, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: {error}; its name stands for another kind of file, or it is damaged") from error


class _State:
    """In the place of a class of the file: its fields."""

    colors: Any


_OF_ARRAYS = ("ndarray", "dtype", "scalar", "_reconstruct", "_frombuffer")


class _Unpickler(pickle.Unpickler):
    """Arrays of NumPy, and plain fields where the file has classes of its own."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("environments.cube3", "Cube3State"):
            return _State
        # NumPy 2 has renamed its modules.
        core = "numpy.core" if _arrays._numpy().__version__.startswith("1.") else "numpy._core"
        here = module.replace("numpy._core", "numpy.core").replace("numpy.core", core)
        if here in ("numpy", f"{core}.multiarray", f"{core}.numeric") and name in _OF_ARRAYS:
            return super().find_class(here, name)
        raise pickle.UnpicklingError(f"it has {module}.{name}, which a list of positions does not need")


def _deepcubea(path: pathlib.Path) -> Loaded:
    with open(path, "rb") as file:
        states = _Unpickler(file).load()["states"]
    return Loaded(_arrays._numpy().stack([state.colors for state in states]), "deepcubea")


def _cayleypy(path: pathlib.Path) -> Loaded:
    """A tensor of bytes is a zip archive, and one of its members holds the numbers."""
    with zipfile.ZipFile(path) as archive:
        abouts, numbers = ([name for name in archive.namelist() if part in name] for part in ("/data.pkl", "/data/"))
        about = archive.read(abouts[0]) if abouts else b""
        if len(numbers) != 1 or not (b"CharStorage" in about or b"ByteStorage" in about):
            raise ValueError(f"{path} is no tensor of bytes: save positions as int8 or uint8")
        data = archive.read(numbers[0])
    if len(data) % 54:
        raise ValueError(f"{path} has {len(data)} numbers: positions have 54 each")
    array = _arrays._numpy().frombuffer(data, "int8").reshape(-1, 54)
    return Loaded(array, "santa" if path.name.startswith("p001-") else "cayleypy")


def _csv(path: pathlib.Path) -> Loaded:
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    if lines and "facelets" in lines[0]:
        return _of_texts(line["facelets"] for line in lines)
    rows: List[List[int]] = []
    for puzzle in lines:
        solved, state = (puzzle[name].split(";") for name in ("solution_state", "initial_state"))
        faces: Dict[str, int] = {letter: face for face, letter in enumerate(solved[::9])}
        if puzzle["puzzle_type"] == "cube_3/3/3" and solved == [letter for letter in faces for _ in range(9)]:
            rows.append([faces[letter] for letter in state])
    return Loaded(_arrays._numpy().array(rows, "uint8").reshape(-1, 54), "santa")


def _npz(path: pathlib.Path) -> Loaded:
    with _arrays._numpy().load(path) as columns:
        return Loaded(columns["facelets"], json.loads(str(columns["about"]))["order"])


def _parquet(path: pathlib.Path) -> Loaded:
    table = _dataset._pyarrow().parquet.read_table(path, columns=["facelets"])
    order: _Order = json.loads((table.schema.metadata or {})[b"cosette"])["order"]
    numbers = table["facelets"].combine_chunks().flatten().to_numpy()
    return Loaded(numbers.reshape((-1, 6, 3, 3) if order == "jumanji" else (-1, 54)), order)


def _jsonl(path: pathlib.Path) -> Loaded:
    with open(path, encoding="utf-8") as file:
        return _of_texts(json.loads(line)["facelets"] for line in file)


def _text(path: pathlib.Path) -> Loaded:
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return _of_texts(line for line in lines if line)


def _of_texts(positions: Iterable[str]) -> Loaded:
    return Loaded(_arrays.to_array(positions), "kociemba")
