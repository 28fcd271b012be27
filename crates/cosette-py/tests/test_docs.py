"""The examples in docstrings, and the stubs."""

from __future__ import annotations

import doctest
import pathlib
import subprocess
import sys

import pytest

import cosette

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def examples() -> list[doctest.DocTest]:
    # Classes written in Rust name the package as their module, so the finder finds them there; functions, where they stand.
    modules = (
        cosette,
        cosette._cosette,
        cosette._arrays,
        cosette._benchmark,
        cosette._dataset,
        cosette._fmc,
        cosette._files,
        cosette._review,
        cosette._tables,
    )
    found = [test for module in modules for test in doctest.DocTestFinder().find(module)]
    return [test for test in found if test.examples]


@pytest.mark.parametrize("example", examples(), ids=lambda example: str(example.name))
def test_example(example: doctest.DocTest) -> None:
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0


def test_the_finder_sees_the_classes_of_rust() -> None:
    names = {example.name for example in examples()}
    assert {
        "cosette",
        "cosette.solve",
        "cosette.Cube",
        "cosette.Cube.from_moves",
        "cosette.Cube.apply",
        "cosette.Symmetry",
        "cosette.Solver",
        "cosette.Solver.solve",
        "cosette.Solver.solve_many",
        "cosette.Answer",
        "cosette._cosette.random_positions",
        "cosette.InvalidCubeError",
    } <= names, names


def test_everything_has_a_docstring() -> None:
    for name in cosette.__all__:
        value = getattr(cosette, name)
        if not isinstance(value, (str, tuple)):
            assert value.__doc__, name
        if isinstance(value, type):
            for member, what in vars(value).items():
                assert (
                    member.startswith("_") or what is None or what.__doc__ or isinstance(what, str)
                ), (name, member)


def test_the_readme() -> None:
    assert doctest.testfile(str(PACKAGE / "README.md"), module_relative=False).failed == 0


@pytest.mark.skipif(
    sys.version_info < (3, 10), reason="the last mypy for this Python misreads names of typing"
)
def test_the_stubs_fit_the_package(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    # It takes a literal of several values for a union.
    allowed = tmp_path / "allowed"
    allowed.write_text("cosette._types.(Format|Layout|Metric|TurnMetric)\n")
    command = [sys.executable, "-m", "mypy.stubtest", "cosette", "--allowlist", str(allowed)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE / "tests")
    assert done.returncode == 0, done.stdout + done.stderr


def test_programs_are_checked_with_the_types_of_the_package() -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "tests", "examples"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_notebook_runs(tmp_path: pathlib.Path) -> None:
    for needed in ("nbconvert", "ipykernel", "sklearn", "matplotlib"):
        pytest.importorskip(needed)
    notebook = PACKAGE.parents[1] / "docs" / "notebooks" / "value_network.ipynb"
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "notebook",
        "--execute",
        "--output-dir",
        str(tmp_path),
        str(notebook),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
