"""What can go wrong. Every error is a ``CosetteError``."""

from __future__ import annotations

from typing import Optional, Tuple


class CosetteError(Exception):
    """Something that Cosette cannot do.

    ``message`` says what is wrong, ``help`` what mends it, where there is something to say.
    """

    message: str
    help: Optional[str]

    def __init__(self, message: str, help: Optional[str] = None, *others: object) -> None:
        super().__init__(message, help, *others)
        self.message = message
        self.help = help or None

    def __str__(self) -> str:
        return f"{self.message}; {self.help}" if self.help else self.message


class NotACubeError(CosetteError, ValueError):
    """A text or an array shows no position of the cube.

    ``text`` is the text, where there is one, and ``text[span[0]:span[1]]`` what the error is about. Among many positions
    ``index`` is its number.

    >>> from cosette import Cube, NotACubeError
    >>> try:
    ...     Cube("R U Q")
    ... except NotACubeError as error:
    ...     print(error.message, error.span)
    `Q` is no move (4, 5)
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
    """A pruning table cannot be made, kept or used."""


class UnknownTableError(TableError, ValueError):
    """There is no table of this name."""


class DamagedTableError(TableError):
    """The file of a table is damaged, or is not what its name says."""


class OutOfMemoryError(TableError, MemoryError):
    """The table needs more memory than there is, or than is allowed."""


class InternalError(CosetteError):
    """Cosette has made a mistake and noticed it."""


# They are imported from the package, and so they are shown.
for _error in (CosetteError, *CosetteError.__subclasses__(), *TableError.__subclasses__()):
    _error.__module__ = "cosette"
