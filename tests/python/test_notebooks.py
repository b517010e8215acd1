"""The notebooks show what their cells compute now, and are what Jupyter can open."""

import importlib.util
import json
import re
import subprocess
import sys
import unittest

from support import ROOT, Case

FOLDER = ROOT / "tools/python/notebooks"
LARGEST = 300_000  # bytes: a page that opens at once
WITH_MATPLOTLIB = unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib, which draws, is missing")


class Notebooks(Case):
    """And a test of each one's cells, which are added below."""

    @WITH_MATPLOTLIB
    def test_a_change_is_found_in_its_cell(self):
        notebook = json.loads((FOLDER / "which_topology.ipynb").read_text(encoding="utf-8"))
        notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:1]
        notebook["cells"][0]["source"] = ["print(2 + 2)\n"]
        notebook["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["5\n"]}]
        path = self.folder / "wrong.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        run = subprocess.run([sys.executable, "-B", str(FOLDER / "execute.py"), "--check", str(path)],
                             capture_output=True, text=True)
        cell = notebook["cells"][0]["id"]
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout, f'wrong.ipynb, cell {cell}: expected [["5\\n"]], found [["4\\n"]]\n')

    @WITH_MATPLOTLIB
    def test_an_exception_of_a_cell_comes_with_its_notebook_and_cell(self):
        notebook = json.loads((FOLDER / "which_topology.ipynb").read_text(encoding="utf-8"))
        cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
        cell["source"] = ["{}['missing']\n"]
        path = self.folder / "wrong.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        before = path.read_bytes()
        run = subprocess.run([sys.executable, "-B", str(FOLDER / "execute.py"), str(path)], capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stderr.endswith(f"KeyError: 'missing'\nwrong.ipynb, cell {cell['id']}\n"), run.stderr)
        self.assertEqual(path.read_bytes(), before)

    def test_they_have_what_their_format_asks_for(self):
        """nbformat 4.5: ids that are unique, sources in lines, outputs of code cells alone."""
        paths = sorted(FOLDER.glob("*.ipynb"))
        self.assertGreaterEqual(len(paths), 7)
        for path in paths:
            text = path.read_text(encoding="utf-8")
            notebook = json.loads(text)
            with self.subTest(path.name):
                self.assertLess(len(text), LARGEST)
                self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
                self.assertEqual(notebook["metadata"]["kernelspec"]["name"], "python3")
                ids = [cell["id"] for cell in notebook["cells"]]
                self.assertEqual(len(ids), len(set(ids)))
                self.assertTrue(notebook["cells"][0]["source"][0].startswith("# "))
                for cell in notebook["cells"]:
                    self.assertRegex(cell["id"], "^[a-zA-Z0-9_-]{1,64}$")
                    self.assertTrue(all(line.endswith("\n") for line in cell["source"][:-1]))
                    self.assertEqual({"outputs", "execution_count"} <= set(cell), cell["cell_type"] == "code")
                self.assertTrue(any("image/svg+xml" in output.get("data", {})
                                    for cell in notebook["cells"] for output in cell.get("outputs", [])))

    def test_papers_have_the_authors_that_their_scenarios_name(self):
        papers = sorted(FOLDER.glob("*_figure*.ipynb"))
        self.assertGreaterEqual(len(papers), 5)
        for path in papers:
            title = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"][0]
            readme = ROOT / "scenarios/papers" / path.stem.partition("_")[0] / "README.md"
            with open(readme, encoding="utf-8") as file:
                authors = re.match(r"# ([^\d:]+?)(?: \d{4})?:", file.readline())[1]
            with self.subTest(path.name):
                self.assertEqual(re.match(r"# (.+) \(\d{4}\), figure", title)[1], authors)


def shows_what_is_stored(path):
    """The test of one notebook."""
    @WITH_MATPLOTLIB
    def test(self):
        run = subprocess.run([sys.executable, "-B", str(FOLDER / "execute.py"), "--check", str(path)],
                             capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, f"{path.name}: the same\n", ""))
    return test


for one in sorted(FOLDER.glob("*.ipynb")):
    setattr(Notebooks, f"test_{one.stem}_shows_what_is_stored", shows_what_is_stored(one))
