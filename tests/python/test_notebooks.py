"""The notebooks show the current output of their cells, and Jupyter can open them."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import unittest

from support import ROOT, Case

FOLDER = ROOT / "tools/python/notebooks"
LARGEST = 500_000  # bytes: a page that opens at once
WITH_MATPLOTLIB = unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib, which draws, is missing")

# nbformat 4.5: the members that cells and outputs must have, and no others.
CELLS = {"markdown": {"cell_type", "id", "metadata", "source"},
         "code": {"cell_type", "id", "metadata", "source", "execution_count", "outputs"}}
OUTPUTS = {"stream": {"output_type", "name", "text"}, "display_data": {"output_type", "data", "metadata"},
           "execute_result": {"output_type", "data", "metadata", "execution_count"}}
METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"}}


def notebooks():
    return sorted(FOLDER.glob("*.ipynb"))


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def execute(*words):
    return subprocess.run([sys.executable, "-B", str(FOLDER / "execute.py"), *map(str, words)], capture_output=True,
                          text=True)


# A class for each, which is an entry of its own among the tests.
TESTED = {"OwnMethod": "own_method", "WhichTopology": "which_topology", "Ancelin": "ancelin2021_figure1",
          "Maros": "maros2022_figure1", "Bao": "bao2022_figure1", "Overman": "overman2023_figure3",
          "Yu": "yu2017_figure1"}


def check_stored(case):
    path = FOLDER / f"{TESTED[type(case).__name__]}.ipynb"
    run = execute("--check", path)
    case.assertEqual((run.returncode, run.stderr, run.stdout), (0, "", f"{path.name}: the same\n"))


@WITH_MATPLOTLIB
class OwnMethod(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class WhichTopology(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class Ancelin(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class Maros(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class Bao(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class Overman(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class Yu(Case):
    def test_its_cells_give_the_stored_output(self):
        check_stored(self)


@WITH_MATPLOTLIB
class Execution(Case):
    def notebook(self, *sources, name="small.ipynb"):
        """The path of a notebook with these code cells."""
        cells = [{"cell_type": "code", "id": f"cell-{k}", "metadata": {"tags": ["x"]}, "execution_count": None,
                  "outputs": [], "source": source.splitlines(keepends=True)} for k, source in enumerate(sources, 1)]
        path = self.folder / name
        path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        return path

    def outputs(self, *sources):
        path = self.notebook(*sources)
        run = execute(path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return [cell["outputs"] for cell in read(path)["cells"]]

    def test_output_of_cells_is_stored(self):
        shows = "class Shows:\n    def __repr__(self): return 'it'\n    def _repr_html_(self): return '<b>it</b>'\n" \
                "    def _repr_svg_(self): return '<svg xmlns=\"http://www.w3.org/2000/svg\"/>'\nShows()"
        found = self.outputs("import sys\nx = 2\nprint('a\\nb')\nprint('c', file=sys.stderr)\nx + 1", "x;", "x = 3",
                             shows, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('a line');")
        self.assertEqual(found[0], [{"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
                                    {"output_type": "stream", "name": "stderr", "text": ["c\n"]},
                                    {"output_type": "execute_result", "execution_count": 1, "metadata": {},
                                     "data": {"text/plain": ["3"]}}])
        self.assertEqual(found[1:3], [[], []])
        self.assertEqual(found[3][0]["data"], {"text/plain": ["it"], "text/html": ["<b>it</b>"],
                                               "image/svg+xml": ['<svg xmlns="http://www.w3.org/2000/svg"/>']})
        drawing, = found[4]
        self.assertEqual(drawing["output_type"], "display_data")
        self.assertIn("a line", "".join(drawing["data"]["image/svg+xml"]))

    def test_the_same_notebook_gives_the_same_bytes(self):
        path = self.notebook(*("".join(cell["source"]) for cell in read(FOLDER / "own_method.ipynb")["cells"]
                               if cell["cell_type"] == "code"))
        first = execute(path), path.read_bytes()
        second = execute(path), path.read_bytes()
        self.assertIn(b"image/svg+xml", first[1])
        self.assertEqual(first[1], second[1])
        self.assertEqual((read(path)["metadata"], read(path)["cells"][0]["metadata"]), (METADATA, {}))

    def test_a_change_is_found_in_its_cell(self):
        draw = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('before');"
        path = self.notebook("print(2 + 2)", draw)
        execute(path)
        self.assertEqual(execute("--check", path).stdout, "small.ipynb: the same\n")
        kept = path.read_bytes()
        for before, after, told in (
                (b"print(2 + 2)", b"print(2 + 3)", 'cell-1: expected ["4\\n"], found ["5\\n"]'),
                (b"plt.title('before');", b"plt.title('after');", 'cell-2: expected "a figure with the words: before", '
                                                                  'found "a figure with the words: after"'),
                (b"plt.title('before');", b"plt.close();", 'cell-2: expected ["a figure with the words: before"], '
                                                           'found []')):
            path.write_bytes(kept.replace(before, after))
            run = execute("--check", path)
            self.assertEqual((run.returncode, run.stdout), (1, f"small.ipynb, cell {told}\n"), run.stderr)

    def test_output_that_differs_between_runs_is_refused(self):
        for source, told in (("object()", "an address: 0x"), ("import os; os.getcwd()", "a path: /"),
                             ("print('12:34:56')", "a time of day: 12:34:56")):
            path = self.notebook(source)
            before = path.read_bytes()
            run = execute(path)
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"small.ipynb, cell cell-1: expected outputs that are the same in every run, found {told}",
                          run.stderr)
            self.assertEqual(path.read_bytes(), before)

    def test_errors_and_warnings_of_lagnet_end_it_with_their_cell(self):
        warns = "import warnings, lagnet\nwarnings.warn('look', lagnet.RunWarning)"
        for source, told in (("1 / 0", "ZeroDivisionError"), (warns, "RunWarning: look")):
            run = execute(self.notebook("x = 1", source))
            self.assertEqual(run.returncode, 1)
            self.assertIn(told, run.stderr)
            self.assertIn("\nsmall.ipynb, cell cell-2\n", run.stderr)


class Format(Case):
    def test_they_follow_their_format(self):
        self.assertEqual(sorted(path.stem for path in notebooks()), sorted(TESTED.values()))
        self.assertLessEqual(set(TESTED), set(globals()))
        for path in notebooks():
            with self.subTest(path.name):
                self.assertLess(path.stat().st_size, LARGEST)
                notebook = read(path)
                self.assertEqual(set(notebook), {"cells", "metadata", "nbformat", "nbformat_minor"})
                self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
                self.assertEqual(notebook["metadata"], METADATA)
                ids = [cell["id"] for cell in notebook["cells"]]
                self.assertEqual(len(ids), len(set(ids)))
                for cell in notebook["cells"]:
                    self.check_cell(cell)
                counts = [cell["execution_count"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
                self.assertEqual(counts, list(range(1, len(counts) + 1)))

    def check_cell(self, cell):
        self.assertEqual(set(cell), CELLS[cell["cell_type"]])
        self.assertRegex(cell["id"], "^[a-zA-Z0-9_-]{1,64}$")
        self.assertEqual(cell["metadata"], {})
        self.check_lines(cell["source"])
        for line in cell["source"]:
            self.assertLessEqual(len(line.rstrip("\n")), 120, line)
        for output in cell.get("outputs", []):
            self.assertEqual(set(output), OUTPUTS[output["output_type"]])
            if output["output_type"] == "stream":
                self.assertIn(output["name"], ("stdout", "stderr"))
                self.check_lines(output["text"])
            for kind, lines in output.get("data", {}).items():
                self.assertIn(kind, ("text/plain", "text/html", "image/svg+xml"))
                self.check_lines(lines)
            if "execution_count" in output:
                self.assertEqual(output["execution_count"], cell["execution_count"])

    def check_lines(self, lines):
        """A text as a list of lines, each with its end but for the last."""
        self.assertIsInstance(lines, list)
        self.assertTrue(lines)
        self.assertTrue(all(line.endswith("\n") for line in lines[:-1]))

    def test_each_has_a_title_a_figure_and_a_text_that_closes_it(self):
        page = (FOLDER / "README.md").read_text(encoding="utf-8")
        for path in notebooks():
            with self.subTest(path.name):
                cells = read(path)["cells"]
                self.assertTrue(cells[0]["source"][0].startswith("# "))
                self.assertEqual((cells[0]["cell_type"], cells[-1]["cell_type"]), ("markdown", "markdown"))
                self.assertTrue(any("image/svg+xml" in output.get("data", {})
                                    for cell in cells for output in cell.get("outputs", [])))
                self.assertIn(f"({path.name})", page)

    def test_papers_have_the_authors_that_their_scenarios_name(self):
        papers = [path for path in notebooks() if "_figure" in path.name]
        self.assertEqual(len(papers), 5)
        for path in papers:
            title = read(path)["cells"][0]["source"][0]
            readme = ROOT / "scenarios/papers" / path.stem.partition("_")[0] / "README.md"
            head = readme.read_text(encoding="utf-8").partition("\n")[0]
            authors = re.match(r"# ([^\d:]+?)(?: \d{4})?:", head)[1]
            with self.subTest(path.name):
                self.assertEqual(re.match(r"# (.+) \(\d{4}\), figure", title)[1], authors)


if __name__ == "__main__":
    unittest.main()
