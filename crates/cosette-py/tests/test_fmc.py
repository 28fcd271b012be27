"""Fewest moves: skeletons and insertions."""

import cosette
import pytest

SCRAMBLE = "R2 U2 F2 D R2 U F"


def test_skeletons_solve_the_scramble() -> None:
    heard: list[int] = []
    found = cosette.fmc(
        SCRAMBLE,
        "eo[max=1] > dr[max=2] > htr[max=3] > finish[max=6]",
        on_skeleton=lambda better: heard.append(better["length"]),
    )
    best = found["skeletons"][0]
    assert found["optimal"] and heard[-1] == best["length"] and heard == sorted(heard, reverse=True)
    assert cosette.Cube(f"{SCRAMBLE} {best['solution']}") == cosette.Cube()
    assert [step["step"] for step in best["steps"]][-1] == "finish"


def test_one_step_lists_all_its_solutions() -> None:
    found = cosette.fmc(cosette.Cube(SCRAMBLE), "eo[max=1]", count=None)
    assert len(found["skeletons"]) == sum(found["step_counts"][0]["counts"])
    assert found["status"]["reductions"] == ["eo:RL"]
    assert (
        found["status"]["bad_pieces"][0]["step"],
        found["status"]["bad_pieces"][0]["edges"],
    ) == ("eo:FB", 4)


def test_limits_are_named() -> None:
    superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    found = cosette.fmc(superflip)
    assert (found["skeletons"], found["optimal"], found["limits"], found["stop_reason"]) == (
        [],
        False,
        ["eo[max=5]"],
        None,
    )
    # Edges are oriented along F and B, which need not be kept.
    found = cosette.fmc("R U", "dr:FB", timeout=None)
    assert (found["skeletons"][0]["length"], found["optimal"], found["limits"]) == (2, True, [])


def test_insertions() -> None:
    scramble = "D2 R U R' D2 R U' R2"
    found = cosette.insertions(scramble, "R", count=None)
    best = found["insertions"][0]
    assert (found["case"], best["length"], len(found["insertions"])) == (
        "three corners",
        8,
        found["count"],
    )
    assert cosette.Cube(f"{scramble} {best['solution']}") == cosette.Cube()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"steps": "eo > do"}, "steps: `do` is not a step"),
        (
            {"steps": "dr[triggers=R]", "from_": "R"},
            "steps: dr with triggers cannot be the first step",
        ),
        ({"from_": "(U"}, "from_: the parenthesis"),
        ({"count": 0}, "count=0: pass a positive integer"),
        ({"timeout": -1}, "timeout=-1: pass a non-negative number of seconds"),
    ],
)
def test_arguments_are_refused(arguments: "dict[str, object]", error: str) -> None:
    with pytest.raises(ValueError) as refused:
        cosette.fmc(SCRAMBLE, **arguments)  # type: ignore[arg-type]
    assert str(refused.value).startswith(error)
