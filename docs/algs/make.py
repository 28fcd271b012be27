#!/usr/bin/env python3
"""Writes the pages of this folder with the command `cosette`: `docs/algs/make.py`, or with `oll` or
`pll` after it one of them.

A case may be held in four ways, and the last layer may be turned before and after. Holding the cube
another way and turning the layer first come to the same, since an algorithm that follows U moves
the other layers as one that is held so: both are covered by searching from the four holdings. The
turn after it is part of the goal.
"""

import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
SETS = [("R U F", "htm"), ("R U r f M", "stm"), ("U R F D L B", "htm")]
HOLDINGS = ["", " y", " y2", " y'"]
PAGES = {
    "oll": (
        "oll:U",
        "Orienting the last layer: 57 cases",
        "Algorithms that turn all pieces of the last layer the right way up, wherever they go "
        "(OLL).",
    ),
    "pll": (
        "auf:U",
        "Permuting the last layer: 21 cases",
        "Algorithms that bring all pieces of the last layer home, but for a turn of the layer "
        "(PLL).",
    ),
}
COLORS = {"R": "#c41e3a", "F": "#009e60", "L": "#ff5800", "B": "#0051ba"}


def solved(cases, goal, moves, metric):
    """Returns the answers for the four holdings of each case."""
    command = ["cosette", "solve", "--json", "--all", "--goal", goal]
    command += ["--moves", moves, "--metric", metric]
    lines = [f"({algorithm})'{turn}" for _, algorithm in cases for turn in HOLDINGS]
    run = subprocess.run(
        command, input="\n".join(lines), stdout=subprocess.PIPE, text=True, check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert all(answer["optimal"] and answer["complete"] for answer in answers)
    return [answers[first : first + 4] for first in range(0, len(answers), 4)]


def shortest(holdings):
    """Returns the shortest algorithms of all holdings, each once, by their quarter turns; the
    answer for each holding begins with the one that is easiest to execute."""
    length = min(answer["length"] for answer in holdings)
    found = [answer["solutions"] for answer in holdings if answer["length"] == length]
    ranked = sorted((a.count("2"), rank, a) for list in found for rank, a in enumerate(list))
    return length, list(dict.fromkeys(algorithm for _, _, algorithm in ranked))


def picture(name, cases, positions):
    """Returns the last layer of each case from above, with what shows at its sides."""
    height = -(-len(cases) // 10) * 100
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 {height}" '
        'font-family="sans-serif" font-size="12" stroke="#222">\n'
    )
    for number, ((case, _), facelets) in enumerate(zip(cases, positions)):
        svg += f'<g transform="translate({number % 10 * 84 + 6},{number // 10 * 100 + 4})">'
        svg += f'<text x="30" y="84" fill="#777" stroke="none">{case}</text>\n'
        for i in range(3):
            at = 10 + 18 * i
            squares = [(at, 10 + 18 * row, 18, 18, 3 * row + i) for row in range(3)]
            squares += [(at, 65, 18, 6, 18 + i), (at, 3, 18, 6, 47 - i)]
            squares += [(65, at, 6, 18, 11 - i), (3, at, 6, 18, 36 + i)]
            for x, y, width, tall, facelet in squares:
                side = "#666" if name == "oll" else COLORS.get(facelets[facelet])
                color = "#ffd500" if facelets[facelet] == "U" else side
                svg += f'<rect x="{x}" y="{y}" width="{width}" height="{tall}" fill="{color}"/>\n'
        svg += "</g>\n"
    return svg + "</svg>\n"


def write(name):
    """Writes the page, the list of all algorithms and the picture."""
    goal, title, about = PAGES[name]
    text = (FOLDER / f"{name}-cases.txt").read_text()
    cases = [line.split(": ") for line in text.splitlines()]
    rows = ["| case |", "|---|"] + [f"| {case} |" for case, _ in cases]
    algorithms = ""
    for moves, metric in SETS:
        rows[0] += f" {moves} ({metric}) | all |"
        rows[1] += "---|---:|"
        answers = solved(cases, goal, moves, metric)
        for number, ((case, _), holdings) in enumerate(zip(cases, answers)):
            length, found = shortest(holdings)
            rows[number + 2] += f" `{found[0]}` ({length}) | {len(found)} |"
            algorithms += f"{case}, {moves}, {metric}: {length}\n"
            algorithms += "".join(f"    {algorithm}\n" for algorithm in found)
        print(f"{name}, {moves}", file=sys.stderr)
    page = f"# {title}\n\n{about} [How to read this page](README.md)\n\n"
    page += f"![The cases]({name}.svg)\n\n"
    (FOLDER / f"{name}.md").write_text(page + "\n".join(rows) + "\n")
    (FOLDER / f"{name}.txt").write_text(algorithms)
    positions = [holdings[0]["facelets"] for holdings in answers]
    (FOLDER / f"{name}.svg").write_text(picture(name, cases, positions))


for name in sys.argv[1:] or PAGES:
    write(name)
