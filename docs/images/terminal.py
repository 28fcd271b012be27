#!/usr/bin/env python3
"""Draws docs/images/terminal.svg: a real session with the command `cosette`, as a terminal shows it.

    cargo build --release
    python3 docs/images/terminal.py target/release

The argument is the folder of the command. Needs Python 3.9 or later on Linux or macOS, and nothing else.
"""

import os
import pty
import re
import sys
from html import escape
from pathlib import Path

SESSION = [
    "cosette solve --show \"F2 D2 R' D2 B2 L F2 D' R B L' U B F R2 D F2\"",
    'cosette solve --explain "U2 D2 R2 L2 F2 B2"',
    "cosette scramble -n 3 --length 16 --seed 2 | cosette solve",
]

COLUMNS = 116
CELL, LINE, MARGIN, FONT = 8.4, 19, 18, 14
BACKGROUND, TEXT, DIM, PROMPT = "#16181d", "#d7dae0", "#8b919c", "#7fb069"
COLORS = {
    30: "#16181d",
    41: "#d0433b",
    42: "#3fa34d",
    103: "#f2cf3b",
    104: "#4f7fe0",
    107: "#f5f5f5",
    "208": "#ef8a2c",
}


def run(command: str, folder: str) -> str:
    """All that a command writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(
            PATH=f"{folder}:{os.environ['PATH']}",
            TERM="xterm-256color",
            COLUMNS=str(COLUMNS),
            LINES="40",
        )
        os.execvp("bash", ["bash", "-c", f"stty cols {COLUMNS} rows 40; {command}"])
    output = b""
    try:
        while data := os.read(terminal, 65536):
            output += data
    except OSError:  # Linux reports the end of the session as an error.
        pass
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit(f"{command}: exit status {os.waitstatus_to_exitcode(status)}\n{output.decode()}")
    return output.decode()


def screen(output: str) -> list[list[tuple[str, str]]]:
    """The lines that remain on the screen, as characters with the codes of their style."""
    lines: list[list[tuple[str, str]]] = [[]]
    row = column = 0
    style = ""
    for code, kind, char in re.findall(r"\x1b\[([0-9;?]*)([A-Za-z])|(.|\n)", output, re.DOTALL):
        count = int(code) if code.isdigit() else 1
        if kind == "m":
            style = "" if code in ("", "0") else f"{style};{code}".strip(";")
        elif kind == "A":
            row = max(row - count, 0)
        elif kind == "B":
            row += count
        elif kind == "G":
            column = count - 1
        elif kind == "K":
            lines[row] = [] if code == "2" else lines[row][:column]
        elif kind == "J":
            lines[row:] = [lines[row][:column]]
        elif char == "\r":
            column = 0
        elif char == "\n":
            row, column = row + 1, 0
        elif char:
            line = lines[row]
            line.extend([(" ", "")] * (column - len(line)))
            line[column : column + 1] = [(char, style)]
            column += 1
        lines.extend([] for _ in range(row + 1 - len(lines)))
    while lines and not lines[-1]:
        lines.pop()
    return lines


def draw(line: list[tuple[str, str]], y: float) -> str:
    """One line as SVG: runs of one style, and colored cells behind them."""
    parts, start = [], 0
    for end in range(1, len(line) + 1):
        style = line[start][1]
        if end < len(line) and line[end][1] == style:
            continue
        text = "".join(char for char, _ in line[start:end])
        x, width = MARGIN + start * CELL, (end - start) * CELL
        codes = style.split(";")
        if "48" in codes:
            background, codes = COLORS[codes[codes.index("5") + 1]], codes[: codes.index("48")]
        else:
            background = next(
                (
                    COLORS[int(code)]
                    for code in codes
                    if code.isdigit() and int(code) in range(40, 108)
                ),
                None,
            )
        if background:
            parts.append(
                f'<rect x="{x:.1f}" y="{y - LINE + 5:.1f}" width="{width + 0.3:.1f}" height="{LINE}" fill="{background}"/>'
            )
        fill = (
            COLORS[30]
            if "30" in codes
            else DIM
            if "2" in codes
            else PROMPT
            if style == "prompt"
            else TEXT
        )
        weight = ' font-weight="bold"' if "1" in codes else ""
        if text.strip():
            parts.append(
                f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}"{weight} textLength="{width:.1f}">{escape(text)}</text>'
            )
        start = end
    return "".join(parts)


def main() -> None:
    folder = str(Path(sys.argv[1]).resolve())
    lines: list[list[tuple[str, str]]] = []
    for command in SESSION:
        lines.append([("$", "prompt"), (" ", "")] + [(char, "1") for char in command])
        lines += screen(run(command, folder)) + [[]]
    lines.pop()
    height = len(lines) * LINE + 2 * MARGIN
    width = COLUMNS * CELL + 2 * MARGIN
    body = "\n".join(
        draw(line, MARGIN + LINE * (number + 1) - 5) for number, line in enumerate(lines) if line
    )
    Path(__file__).with_suffix(".svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        f'aria-label="A terminal session with the command cosette">\n'
        f"<style>text {{ font: {FONT}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }}</style>\n"
        f'<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    main()
