"""Executes notebooks without Jupyter, and stores what their cells print, show and draw in them.

Code cells are Python, run one after the other in one namespace, in a folder of their own. What the last expression of a
cell gives is shown, unless a semicolon follows, and every figure of matplotlib that is open at its end. The same
notebook gives the same bytes in every run: figures are SVG with fixed names and without a date, executions are counted
from 1, and what differs from run to run, such as a path, is an error. So is a warning of lagnet.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import warnings
import xml.etree.ElementTree
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"}}
SVG = "image/svg+xml"
PLACES = [str(path) for path in (HERE.parents[2], pathlib.Path.home(), tempfile.gettempdir()) if len(str(path)) > 1]
FLEETING = {"an address": r"\b0x[0-9a-f]{6,}", "a time of day": r"\b\d\d:\d\d:\d\d\b",
            "a path": "|".join(re.escape(place) + "/" for place in PLACES)}

Output = dict[str, Any]


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def drawn() -> list[Output]:
    """The figures that are open, which this closes."""
    import matplotlib.pyplot as plt

    found: list[Output] = []
    for number in plt.get_fignums():
        text = io.StringIO()
        plt.figure(number).savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
        found.append({"output_type": "display_data", "metadata": {},
                      "data": {SVG: lines_of(text.getvalue()), "text/plain": ["<Figure>"]}})
    plt.close("all")
    return found


def shown(value: Any, number: int) -> list[Output]:
    """The value of a cell, in every form that it has."""
    if value is None:
        return []
    data = {"text/plain": lines_of(repr(value))}
    for kind, function in (("text/html", "_repr_html_"), (SVG, "_repr_svg_")):
        text = getattr(value, function, lambda: None)()
        if text is not None:
            data[kind] = lines_of(text)
    return [{"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}]


def run_cell(source: str, namespace: dict[str, Any], number: int) -> list[Output]:
    """What a cell prints, the value of its last expression, and its figures."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    is_shown = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    printed, warned, value = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(warned):
        body = tree.body[:-1] if is_shown else tree.body
        exec(compile(ast.Module(body, []), f"<cell {number}>", "exec"), namespace)
        if is_shown and isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), namespace)
    streams = [{"output_type": "stream", "name": name, "text": lines_of(stream.getvalue())}
               for name, stream in (("stdout", printed), ("stderr", warned)) if stream.getvalue()]
    return streams + shown(value, number) + drawn()


def executed(path: pathlib.Path) -> Any:
    """The notebook with the outputs that its cells have now."""
    import matplotlib

    import lagnet

    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"] = METADATA
    namespace: dict[str, Any] = {"__name__": "__main__"}
    look = {"svg.hashsalt": "lagnet", "svg.fonttype": "none", "figure.figsize": (6, 4)}
    number = 0
    matplotlib.use("agg")
    with (tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), matplotlib.rc_context(look),
          warnings.catch_warnings()):
        warnings.simplefilter("error", lagnet.RunWarning)
        for cell in notebook["cells"]:
            cell["metadata"] = {}
            if cell["cell_type"] != "code":
                continue
            number += 1
            cell["execution_count"] = number
            try:
                cell["outputs"] = run_cell("".join(cell["source"]), namespace, number)
            except Exception as error:
                error.add_note(f"{path.name}, cell {cell['id']}")
                raise
            refuse_fleeting(path, cell)
    return notebook


def refuse_fleeting(path: pathlib.Path, cell: Any) -> None:
    """Ends the program if the cell's texts have something that other runs have otherwise."""
    text = json.dumps([output for output in told(cell) if isinstance(output, (list, dict))])
    for what, pattern in FLEETING.items():
        if found := re.search(pattern, text):
            raise SystemExit(f"{path.name}, cell {cell['id']}: expected outputs that are the same in every run, found "
                             f"{what}: {text[found.start():found.end() + 40]}")


def words_of(svg: str) -> str:
    """The words in a drawing: titles, names of axes and curves."""
    texts = ["".join(one.itertext()).strip() for one in xml.etree.ElementTree.fromstring(svg).iter()
             if one.tag.endswith("}text")]
    return "a figure with the words: " + " | ".join(text for text in texts if re.search("[A-Za-z]{2}", text))


def told(cell: Any) -> list[Any]:
    """What a cell prints and shows. Of a figure it is the words, since its bytes change with matplotlib's version and
    with the last bits of numbers, which other processors may round otherwise."""
    found: list[Any] = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        found.append(words_of("".join(data[SVG])) if SVG in data else data or output["text"])
    return found


def difference(path: pathlib.Path) -> str:
    """Where what the cells tell now is not what is stored; "" if it is."""
    stored, now = json.loads(path.read_text(encoding="utf-8")), executed(path)
    for before, after in zip(stored["cells"], now["cells"]):
        old, new = told(before), told(after)
        if old != new:
            apart = next((pair for pair in zip(old, new) if pair[0] != pair[1]), (old, new))
            return f"{path.name}, cell {before['id']}: expected {json.dumps(apart[0])}, found {json.dumps(apart[1])}"
    return ""


def main() -> int:
    """0 if all is stored, or the same; 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="store nothing, and say where outputs differ from what is stored; exit with 1 if they do")
    parser.add_argument("notebook", nargs="*", type=pathlib.Path, help="by default all that stand beside this program")
    given = parser.parse_args()
    status = 0
    for path in given.notebook or sorted(HERE.glob("*.ipynb")):
        if given.check:
            found = difference(path.absolute())
            print(found or f"{path.name}: the same")
            status = max(status, int(bool(found)))
        else:
            text = json.dumps(executed(path.absolute()), indent=1, ensure_ascii=False) + "\n"
            path.write_text(text, encoding="utf-8")
            print(f"{path.name}: {os.path.getsize(path)} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main())
