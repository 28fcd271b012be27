"""Reads a file of positions that another project made, and writes it as CSV with the proven lengths in both metrics.

    python proven_lengths.py data_0.pkl proven.csv

It reads DeepCubeA's ``.pkl``, CayleyPy's ``.pt``, Santa 2023's ``puzzles.csv``, lists of moves or facelets, and data sets of
Cosette. With a table of 1.5 GB a random position takes about a second, in quarter turns longer. If it is stopped, the same
command resumes from its journals. The third argument is the maximum number of positions to read.
"""

from __future__ import annotations

import argparse
import csv
import sys

import cosette


def main(path: str, result: str, most: int | None) -> None:
    array, layout = cosette.read_positions(path)
    array = array[:most]
    wrong = cosette.validity(array, layout=layout).reasons
    for row, reason in wrong.items():
        sys.exit(f"row {row} is not a position: {reason}")
    lengths = [
        cosette.distances(array, layout=layout, metric=metric, journal=f"{result}.{metric}.journal")
        for metric in ("htm", "qtm")
    ]
    with open(result, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["facelets", "htm", "qtm"])
        writer.writerows(
            zip((cube.facelets() for cube in cosette.to_cubes(array, layout=layout)), *lengths)
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Writes a file of positions as CSV with proven lengths in both metrics."
    )
    parser.add_argument("path")
    parser.add_argument("result")
    parser.add_argument("most", type=int, nargs="?")
    main(**vars(parser.parse_args()))
