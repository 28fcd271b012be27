"""Exceptions, all derived from ``CosetteError``."""

from __future__ import annotations

from typing import Optional, Tuple


class CosetteError(Exception):
    """The base class of Cosette's exceptions.

    ``message`` describes the problem; ``help`` says how to fix it, or is None.
    """

    message: str
    help: Optional[str]

    def __init__(self, message: str, help: Optional[str] = None, *others: object) -> None:
        super().__init__(message, help, *others)
        self.message = message
        self.help = help or None

    def __str__(self) -> str:
        return f"{self.message}; {self.help}" if self.help else self.message


class InvalidCubeError(CosetteError, ValueError):
    """A string or an array is not a valid position of the cube.

    For a string, ``text`` is the string and ``text[span[0]:span[1]]`` is the invalid part; otherwise both are None.
    For one of several positions, as in ``solve_many``, ``distances`` or ``to_array``, ``index`` is its index.

    >>> from cosette import Cube, InvalidCubeError
    >>> try:
    ...     Cube("R U Q")
    ... except InvalidCubeError as error:
    ...     print(error.message, error.span)
    `Q` is not a valid move (4, 5)
    """

    text: Optional[str]
    span: Optional[Tuple[int, int]]
    index: Optional[int] = None

    def __init__(
        self,
        message: str,
        help: Optional[str] = None,
        text: Optional[str] = None,
        span: Optional[Tuple[int, int]] = None,
    ) -> None:
        super().__init__(message, help, text, span)
        self.text = text
        self.span = span

    def __str__(self) -> str:
        sentence = super().__str__()
        if not self.text or self.span is None or "\n" in self.text:
            return sentence
        start, end = self.span
        return f"{sentence}\n  {self.text}\n  {' ' * start}{'^' * max(end - start, 1)}"


class TableError(CosetteError):
    """A pruning table cannot be generated, loaded or saved."""


class UnknownTableError(TableError, ValueError):
    """There is no table with this name."""


class CorruptedTableError(TableError):
    """A table file is corrupted, or contains a different table than its name says."""


class OutOfMemoryError(TableError, MemoryError):
    """The table needs more memory than is available or allowed."""


class JournalError(CosetteError):
    """A journal cannot be read, written or resumed."""


class CancelledError(CosetteError):
    """The call was cancelled by the ``Cancel`` that was passed as ``cancel``."""


class InternalError(CosetteError):
    """Cosette found a bug in itself."""


# Tracebacks then show the names under which users import the exceptions.
for _error in (CosetteError, *CosetteError.__subclasses__(), *TableError.__subclasses__()):
    _error.__module__ = "cosette"
