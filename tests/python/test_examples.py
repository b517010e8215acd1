"""Examples in docstrings and in the tutorial give the shown results."""

import doctest
import importlib
import os
import pkgutil
import warnings

import lagnet
from support import ROOT, WITHOUT_NPM, Case, has_reports

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(one.name for one in pkgutil.walk_packages(lagnet.__path__, "lagnet.")
                 if not one.name.endswith("__main__"))


class Examples(Case):
    def setUp(self):
        super().setUp()
        os.environ["MPLBACKEND"] = "agg"

    def test_docstrings(self):
        warnings.simplefilter("ignore", lagnet.RunWarning)
        tried = 0
        for module in [lagnet, *(importlib.import_module(name) for name in MODULES)]:
            if module.__name__ in ("lagnet.pages", "lagnet.league.page") and not has_reports():
                continue
            failed, attempted = doctest.testmod(module, optionflags=FLAGS)
            self.assertEqual(failed, 0, module)
            tried += attempted
        self.assertGreater(tried, 50)

    def test_every_function_has_an_example(self):
        """But for those of one line, and those that have the example of what they are like."""
        alike = {"papers", "program", "report", "scenarios", "version", "read"}
        functions = [name for name in lagnet.__all__ if callable(getattr(lagnet, name)) and name[0].islower()]
        self.assertGreater(len(functions), 15)
        for name in functions:
            if name not in alike:
                self.assertIn(">>> ", getattr(lagnet, name).__doc__, name)

    def test_help_of_agents_has_a_line_of_code_where_units_and_factors_matter(self):
        for name in ("mix", "gradient", "prox", "compute", "encrypt", "weight", "weights"):
            self.assertRegex(getattr(lagnet.Agent, name).__doc__, r"\n\n {12}\S.*\n(.*\n)* *$", name)
        for name, told in (("mix", "lazy_metropolis: w_ij = 1 / (2 (1 + max(degree_i, degree_j)))"),
                           ("encrypt", "in ms"), ("gradient", "weight * grad L_i(x) + grad r(x)"),
                           ("prox", "the step of the prox is alpha"),
                           ("compute", "flops over the agent's speed"), ("weights", "n_k / N")):
            self.assertIn(told, " ".join(getattr(lagnet.Agent, name).__doc__.split()))

    def test_the_tutorial_runs_without_a_warning(self):
        if not has_reports():
            self.skipTest(WITHOUT_NPM)
        page = str(ROOT / "tools/python/README.md")
        failed, attempted = doctest.testfile(page, module_relative=False, optionflags=FLAGS)
        self.assertEqual(failed, 0)
        self.assertGreater(attempted, 30)

    def test_the_tutorial_names_every_function(self):
        text = (ROOT / "tools/python/README.md").read_text(encoding="utf-8")
        for name in lagnet.__all__:
            if callable(getattr(lagnet, name)) and name[0].islower():
                self.assertRegex(text, rf"\b{name}\b")


if __name__ == "__main__":
    import unittest
    unittest.main()
