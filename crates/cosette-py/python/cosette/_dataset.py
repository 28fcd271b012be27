"""Data sets of positions with proven labels: the same for the same arguments, on any machine, however it is interrupted.

A set is made in blocks of a thousand rows, whose random seeds depend on the number of the block alone. So a shard has the
rows that it has in the whole set. What is done is kept in a folder beside the file until all is done.
"""

from __future__ import annotations

import csv
import importlib
import json
import math
import os
import pathlib
import shutil
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Sequence, Tuple, Union

from . import _arrays
from ._cosette import Solver, __version__

if TYPE_CHECKING:
    from ._cosette import _Metric, _Order

BLOCK = 1000


def dataset(
    path: Union[str, os.PathLike[str]],
    n: int,
    *,
    seed: int,
    walks: Optional[Sequence[int]] = None,
    shard: Tuple[int, int] = (1, 1),
    metric: _Metric = "htm",
    order: _Order = "kociemba",
    optimal_moves: bool = False,
    progress: Optional[bool] = None,
    solver: Optional[Solver] = None,
) -> int:
    """Writes ``n`` positions with their proven lengths into a file ``.npz``, ``.parquet``, ``.csv`` or ``.jsonl``, and how it was
    made into the same name with ``.json`` behind it. Returns the number of rows.

    The positions are uniformly random, or with ``walks`` those after random walks of each of these lengths in turn. With
    ``optimal_moves`` there are also the moves that begin a shortest solution, and the distance of each neighbour. ``shard=(3, 64)``
    writes the third of 64 parts. Started again with the same arguments, an interrupted call continues.

    ``.npz`` has the arrays ``facelets`` in the ``order``, ``lengths``, ``walks``, ``optimal`` and ``neighbours``. Parquet, which needs
    pyarrow, has them as columns, with a list of fixed length in each row, and how it was made in the metadata ``cosette`` of its
    schema. Text has facelet strings.

    >>> import cosette, os, tempfile, numpy
    >>> path = os.path.join(tempfile.mkdtemp(), "walks.npz")
    >>> cosette.dataset(path, 6, seed=1, walks=range(1, 4))
    6
    >>> numpy.load(path)["lengths"].tolist()
    [1, 2, 3, 1, 2, 3]
    """
    numpy = _arrays._numpy()
    path = pathlib.Path(path)
    if path.suffix not in (".npz", ".parquet", ".csv", ".jsonl"):
        raise ValueError(f"path={str(path)!r}: give a name that ends in .npz, .parquet, .csv or .jsonl")
    if path.suffix == ".parquet":
        _pyarrow()
    names = _arrays.move_names(order, metric)
    if n < 0:
        raise ValueError(f"n={n}: give a whole number, 0 or more")
    part, parts = shard
    if not 1 <= part <= parts:
        raise ValueError(f"shard={shard}: give the number of the shard, 1 to {max(parts, 1)}, and how many there are")
    about = {
        "version": __version__, "n": n, "seed": seed, "walks": None if walks is None else list(walks), "shard": list(shard),
        "metric": metric, "order": order, "moves": names if optimal_moves else None,
    }
    folder = path.with_name(path.name + ".part")
    folder.mkdir(exist_ok=True)
    begun = folder / "about.json"
    if begun.exists() and json.loads(begun.read_text()) != about:
        raise ValueError(f"{folder} was begun with other arguments; give them again, or delete it")
    _replace(begun, json.dumps(about).encode())

    first, end = n * (part - 1) // parts, n * part // parts
    blocks = []
    for number in range(first // BLOCK, -(-end // BLOCK)):
        rows = slice(max(first - number * BLOCK, 0), min(end - number * BLOCK, BLOCK))
        done = folder / f"{number}.npz"
        if not done.exists():
            columns = {name: column[rows] for name, column in _drawn(number, seed, walks, order).items()}
            if optimal_moves:
                labels = _arrays.optimal_moves(
                    columns["facelets"], metric=metric, order=order, progress=progress, solver=solver
                )
                # Some move of the solved cube leads to 1, of any other nearer.
                nearest = labels.distances.min(axis=1).astype(numpy.int8)
                lengths = numpy.where(labels.optimal.any(axis=1), nearest + 1, 0).astype(numpy.int8)
                columns.update(lengths=lengths, optimal=labels.optimal, neighbours=labels.distances)
            else:
                columns["lengths"] = _arrays.distances(
                    columns["facelets"], metric=metric, order=order, progress=progress, solver=solver,
                    journal=folder / f"{number}.journal",
                )
            with open(folder / "writing", "wb") as file:
                numpy.savez(file, **columns)
            os.replace(folder / "writing", done)
        with numpy.load(done) as columns:
            blocks.append(dict(columns))
    empty = {name: column[:0] for name, column in _drawn(0, seed, walks, order).items()}
    whole = {name: numpy.concatenate([block[name] for block in blocks]) for name in blocks[0]} if blocks else empty
    if path.suffix == ".npz":
        with open(folder / "writing", "wb") as file:
            numpy.savez(file, about=json.dumps(about), **whole)
    elif path.suffix == ".parquet":
        _write_parquet(folder / "writing", whole, first, about)
    else:
        _write_text(folder / "writing", path.suffix, whole, first, about)
    os.replace(folder / "writing", path)
    _replace(path.with_name(path.name + ".json"), json.dumps(about, indent=1).encode())
    shutil.rmtree(folder)
    return end - first


def _drawn(number: int, seed: int, walks: Optional[Sequence[int]], order: _Order) -> Dict[str, Any]:
    """The positions of a block."""
    numpy = _arrays._numpy()
    kinds: Sequence[Optional[int]] = [None] if walks is None else list(walks)
    # Seeds far from one another; any odd number would do.
    seeds = [(seed + 0x9E3779B97F4A7C15 * (number * len(kinds) + kind)) % 2**64 for kind in range(len(kinds))]
    drawn = [
        _arrays.random_cubes(-(-BLOCK // len(kinds)), of_kind, walk=walk, order=order)
        for of_kind, walk in zip(seeds, kinds)
    ]
    facelets = numpy.stack(drawn, axis=1).reshape(-1, *drawn[0].shape[1:])[:BLOCK]
    columns = {"facelets": facelets}
    if walks is not None:
        columns["walks"] = numpy.resize(numpy.array(kinds, numpy.int32), BLOCK)
    return columns


def _pyarrow() -> Any:
    try:
        importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError("Parquet needs pyarrow, which is not installed; pip install pyarrow, or write .npz") from error
    return importlib.import_module("pyarrow")


def _write_parquet(path: pathlib.Path, columns: Dict[str, Any], first: int, about: Dict[str, Any]) -> None:
    pyarrow = _pyarrow()

    def column(values: Any) -> Any:
        flat = pyarrow.array(values.reshape(-1))
        return flat if values.ndim == 1 else pyarrow.FixedSizeListArray.from_arrays(flat, math.prod(values.shape[1:]))

    numbers = _arrays._numpy().arange(first, first + len(columns["facelets"]))
    table = pyarrow.table({"index": numbers, **{name: column(values) for name, values in columns.items()}})
    table = table.replace_schema_metadata({"cosette": json.dumps(about)})
    pyarrow.parquet.write_table(table, path, compression="zstd")


def _write_text(path: pathlib.Path, kind: str, columns: Dict[str, Any], first: int, about: Dict[str, Any]) -> None:
    def rows() -> Iterator[Dict[str, Any]]:
        for row, cube in enumerate(_arrays.to_cubes(columns["facelets"], order=about["order"])):
            values: Dict[str, Any] = {"index": first + row, "facelets": cube.facelets()}
            values.update({name[:-1]: int(columns[name][row]) for name in ("walks", "lengths") if name in columns})
            if about["moves"]:
                values["optimal"] = [move for move, is_optimal in zip(about["moves"], columns["optimal"][row]) if is_optimal]
                values["neighbours"] = columns["neighbours"][row].tolist()
            yield values

    with open(path, "w", newline="", encoding="utf-8") as file:
        if kind == ".jsonl":
            file.writelines(json.dumps(values) + "\n" for values in rows())
            return
        names = ["index", "facelets", *(name[:-1] for name in ("walks", "lengths") if name in columns)]
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names + (["optimal", "neighbours"] if about["moves"] else []))
        for values in rows():
            writer.writerow(" ".join(map(str, value)) if isinstance(value, list) else value for value in values.values())


def _replace(path: pathlib.Path, content: bytes) -> None:
    """Writes a file that is complete or not there."""
    writing = path.with_name(path.name + ".writing")
    writing.write_bytes(content)
    os.replace(writing, path)
