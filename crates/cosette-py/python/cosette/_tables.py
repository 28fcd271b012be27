"""The pruning tables on disk."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, List, Literal, NamedTuple, Optional, SupportsIndex, Union

from . import _cosette

if TYPE_CHECKING:
    from ._cosette import Cancel


class TableFile(NamedTuple):
    """A pruning table, on disk or not; see ``tables``.

    ``state`` is ``"complete"``, ``"missing"``, ``"partial"`` or ``"corrupted"``. ``percent`` is the generated part of a
    partial file, and ``error`` describes a corrupted one; else they are None. ``bytes`` is the size in memory, and
    about that of the file.
    """

    name: str
    path: pathlib.Path
    bytes: int
    state: Literal["complete", "missing", "partial", "corrupted"]
    percent: Optional[int]
    error: Optional[str]


def tables(tables: Union[str, os.PathLike[str], None] = None) -> List[TableFile]:
    """Lists all tables, smallest first in each metric, with their states and paths.

    ``tables`` is a folder; by default the one that ``Solver`` and the command ``cosette`` use. Only the headers of the
    files are read.

    >>> import cosette
    >>> [table.name for table in cosette.tables()][:3]
    ['htm-24M', 'htm-47M', 'htm-94M']
    """
    return [TableFile(*row) for row in _cosette.table_files(tables)]


def generate_table(
    table: str,
    *,
    threads: Optional[SupportsIndex] = None,
    tables: Union[str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
) -> None:
    """Generates a table, such as ``"1.5G"`` or ``"qtm-1.5G"``, on disk without loading it.

    A table that is complete stays as it is, and an interrupted generation resumes, except in its first phase, a second
    or two. ``tables`` is the folder.

    >>> import cosette
    >>> cosette.generate_table("24M")
    """
    _cosette.generate_table(table, threads, tables, progress, cancel)


def remove_table(table: str, *, tables: Union[str, os.PathLike[str], None] = None) -> None:
    """Removes the file of a table, or of an interrupted generation. Solvers that have loaded it keep it.

    A table that is not on disk raises ``TableError``.
    """
    _cosette.remove_table(table, tables)
