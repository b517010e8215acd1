"""execute.py [--check] [NOTEBOOK..]

Executes notebooks and stores what their cells print and show, or, with --check, compares it with what is stored. It
needs no Jupyter: code cells are Python, run one after the other in one namespace. Figures are compared by their number
alone, since their bytes change with matplotlib's version.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
Output = dict[str, Any]


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def figures() -> list[Output]:
    """The figures that are open, which are closed by this, as SVG that has the same bytes in every run."""
    import matplotlib.pyplot as plt

    found: list[Output] = []
    for number in plt.get_fignums():
        text = io.StringIO()
        plt.figure(number).savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
        found.append({"output_type": "display_data", "metadata": {},
                      "data": {"image/svg+xml": lines_of(text.getvalue()), "text/plain": ["<Figure>"]}})
    plt.close("all")
    return found


def run_cell(source: str, namespace: dict[str, Any], number: int) -> list[Output]:
    """What a cell prints, the value of its last expression, and its figures."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {number}>", "exec"), namespace)
        if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), namespace)
        elif last is not None:
            exec(compile(ast.Module([last], []), f"<cell {number}>", "exec"), namespace)
    outputs: list[Output] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines_of(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = lines_of(value._repr_html_())
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return outputs + figures()


def executed(path: pathlib.Path) -> Any:
    """The notebook with the outputs that its cells have now."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "lagnet", "svg.fonttype": "none", "figure.figsize": (6, 4)})
    notebook = json.loads(path.read_text(encoding="utf-8"))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            number += 1
            cell["execution_count"] = number
            try:
                cell["outputs"] = run_cell("".join(cell["source"]), namespace, number)
            except Exception as error:
                error.add_note(f"{path.name}, cell {cell['id']}")
                raise
    told = re.search(r"0x[0-9a-f]{6,}|/tmp/|" + re.escape(os.path.expanduser("~")) + "/", json.dumps(told_by(notebook)))
    if told:
        raise SystemExit(f"{path.name}: expected outputs that are the same in every run, found {told.group()!r}")
    return notebook


def told_by(notebook: Any) -> list[Any]:
    """What its cells print and show, but for the figures, of which each counts."""
    told = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            is_figure = "image/svg+xml" in output.get("data", {})
            told.append("figure" if is_figure else output.get("text") or output["data"])
    return told


def difference(path: pathlib.Path) -> str:
    """Where what the cells tell now is not what is stored; "" if it is."""
    stored, now = json.loads(path.read_text(encoding="utf-8")), executed(path)
    for before, after in zip(stored["cells"], now["cells"]):
        old, new = told_by({"cells": [before]}), told_by({"cells": [after]})
        if old != new:
            return f"{path.name}, cell {before['id']}: expected {json.dumps(old)[:600]}, found {json.dumps(new)[:600]}"
    return ""


def main(words: list[str]) -> int:
    """0 if all is stored, or the same; 1 if something differs."""
    paths = [pathlib.Path(word) for word in words if word != "--check"] or sorted(HERE.glob("*.ipynb"))
    status = 0
    for path in paths:
        if "--check" in words:
            found = difference(path.absolute())
            print(found or f"{path.name}: the same")
            status = max(status, int(bool(found)))
        else:
            text = json.dumps(executed(path.absolute()), indent=1, ensure_ascii=False) + "\n"
            path.write_text(text, encoding="utf-8")
            print(f"{path.name}: {len(text)} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
