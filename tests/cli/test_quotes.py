"""The claims of the five papers say what the papers say: each has a quote that is in the paper's text, or says that its
statement is not in the paper."""

import json
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = pathlib.Path(os.environ.get("LAGNET_PAPERS", ROOT.parent / "shared/papers"))  # PAPER.txt
PAPERS = ("ancelin2021", "bao2022", "maros2022", "overman2023", "yu2017")
LEFT_OUT = "..."  # in a quote: words that are left out, and formulas, whose spelling differs from text to text


def claims(paper):
    """(figure, claim) of each claim of a paper."""
    for path in sorted((ROOT / "scenarios/papers" / paper).glob("*.json")):
        lines = path.read_text(encoding="utf-8").splitlines()
        scenario = json.loads("\n".join(line for line in lines if not line.lstrip().startswith("//")))
        for claim in scenario.get("expect", []):
            yield path.stem, claim


def letters(text):
    """Letters and digits alone: hyphens at ends of lines, markup and spaces differ from text to text."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


class Quotes(unittest.TestCase):
    def test_each_claim_has_a_quote_or_says_that_it_is_not_in_the_paper(self):
        for paper in PAPERS:
            for figure, claim in claims(paper):
                with self.subTest(paper=paper, figure=figure, statement=claim["statement"]):
                    says_so = "not in the paper" in claim.get("weaker", "")
                    self.assertNotEqual("quote" in claim, says_so)
                    self.assertNotIn("paper", claim if says_so else {})

    def test_quotes_are_in_the_texts_of_the_papers(self):
        if not TEXTS.is_dir():
            self.skipTest(f"the papers' texts are not in {TEXTS}; LAGNET_PAPERS names their folder")
        for paper in PAPERS:
            text = letters((TEXTS / f"{paper}.txt").read_text(encoding="utf-8"))
            for figure, claim in claims(paper):
                parts = [letters(part) for part in claim.get("quote", "").split(LEFT_OUT)]
                begin = 0
                with self.subTest(paper=paper, figure=figure, statement=claim["statement"]):
                    self.assertTrue("quote" not in claim or any(len(part) >= 12 for part in parts), claim)
                    for part in parts:
                        begin = text.find(part, begin)
                        self.assertGreaterEqual(begin, 0, f"not in the text, or in another order: {part}")
                        begin += len(part)
