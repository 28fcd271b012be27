"""Tests of the installed package, most with the smallest table. On the first run, generating it and that of 190 MB takes some ten seconds."""

from __future__ import annotations

import os
import pathlib
import random
import shutil

import pytest

TABLES = pathlib.Path(__file__).resolve().parents[3] / "target" / "tmp" / "python-tables"
# Set before any solver is made: the functions of the module use these tables too.
os.environ["COSETTE_TABLES"] = str(TABLES)

import cosette  # noqa: E402

HARD = "D' B' F2 L' B' U R U' B' U F R U2 F U F B D' B' F U F2"
"""A position of 18 moves: minutes of work for the smallest table with one thread."""

MOVES = [face + turn for face in "URFDLB" for turn in ("", "2", "'")]


def walk(seed: int, length: int = 30, words: list[str] = MOVES) -> str:
    """A random walk, the same for the same seed."""
    return " ".join(random.Random(seed).choices(words, k=length))


@pytest.fixture(scope="session", autouse=True)
def solver() -> cosette.Solver:
    return cosette.Solver(table="24M", threads=2)


@pytest.fixture
def not_loaded(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with the smallest tables that no other solver has in memory: solvers of one file share its table."""
    for name in ("htm-24M", "qtm-24M"):
        cosette.Solver(table=name)
        shutil.copy(TABLES / f"{name}.table", tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def hard() -> str:
    return HARD
