"""The gallery: of each paper one figure, run and drawn here, as a picture and as a page that can be asked."""

import json
import pathlib
import re
import subprocess

from pages import ROOT
from staging import framed

# A figure of each paper, which takes seconds; a paper that is not named here has its first one.
CHOSEN = (
    "ancelin2021/weights", "maros2022/conditioning", "bao2022/theorem3", "overman2023/dropouts", "yu2017/theorem2",
    "koloskova2022/straggler", "nguyen2022/straggler", "zhang2014/straggler", "mishchenko2020/slowness",
    "xie2019/losses", "aytekin2016/support", "boyd2006/averaging", "lian2018/stragglers", "tian2020/losses",
    "bastianello2021/losses", "koloskova2019/gossip", "liu2021/two_bits", "zhao2022/biased",
    "mishchenko2019/differences", "richtarik2021/feedback", "stich2018/memory", "mishchenko2022/condition",
    "kempe2003/push_sum", "nedic2015/steps", "nedic2017/digraph", "pu2020/push_pull", "scaman2017/rings",
    "kovalev2020/rings", "kovalev2021/turns", "marfoq2020/cycle_times")


class Figure:
    """A figure of a paper and the folder of its results."""

    def __init__(self, name, work, programs):
        self.name, self.programs = name, programs
        self.paper = name.split("/")[0]
        self.folder = pathlib.Path(work) / "gallery" / name
        self.problems = []

    def lagnet(self, *words, fine=(0,)):
        done = subprocess.run([str(self.programs.lagnet), *map(str, words)], cwd=ROOT, env=self.programs.environment,
                              capture_output=True, text=True, timeout=1200, check=False)
        if done.returncode not in fine:
            typed = " ".join(map(str, words))
            self.problems.append(f"lagnet {typed} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def run(self):
        """Runs it, draws its first panel and writes its page, unless that has been done."""
        key, stamp = self.programs.of_scenarios.hex(), self.folder / "results.key"
        if stamp.is_file() and stamp.read_text() == key:
            return self
        self.folder.mkdir(parents=True, exist_ok=True)
        results = self.folder / "results"
        # 1: a statement does not hold in this draw, which the page then says.
        self.lagnet("reproduce", self.name, "--out", results, "--replace", "--quiet", "--jobs", "1", fine=(0, 1))
        picture = ["--panel", "1"] if self.has_panels() else ["--figure", "convergence"]
        self.lagnet("report", results, *picture, "--format", "svg", "--width-mm", "85",
                    "-o", self.folder / "picture.svg", "--replace")
        self.lagnet("report", results, "-o", self.folder / "page.html", "--replace")
        claims = self.lagnet("check", results, "--markdown", fine=(0, 1))
        (self.folder / "claims.md").write_text(claims, encoding="utf-8")
        if not self.problems:
            stamp.write_text(key)
        return self

    def scenario(self):
        text = (ROOT / "scenarios/papers" / f"{self.name}.json").read_text(encoding="utf-8")
        return json.loads("\n".join(line for line in text.split("\n") if not line.lstrip().startswith("//")))

    def has_panels(self):
        return bool(self.scenario().get("figure"))


def chosen(names):
    """One figure of each paper, of all that there are."""
    papers = {}
    for name in [*CHOSEN, *names]:
        papers.setdefault(name.split("/")[0], name)
    return [name for name in papers.values() if name in names]


def title_of(paper):
    text = (ROOT / "scenarios/papers" / paper / "README.md").read_text(encoding="utf-8")
    return re.match(r"# (.*)\n", text)[1]


def write(site, figures):
    """The gallery's page, and one for each paper."""
    cards = ["# Gallery", "",
             "A figure of each paper, run while these pages were built. A picture leads to the paper's page, whose "
             "figure can be asked: point at curves, leave out others, change the axes, move the network. "
             "[What each paper says, and what comes out here](rooms/scenarios/papers.md).", "",
             "```{raw} html", '<div class="gallery">']
    for figure in figures:
        title = title_of(figure.paper)
        name = f"gallery/{figure.paper}.md"
        site.copy(figure.folder / "picture.svg", f"_static/gallery/{figure.paper}.svg")
        picture = f'<img src="_static/gallery/{figure.paper}.svg" loading="lazy" alt="{figure.name}">'
        cards.append(f'<a href="gallery/{figure.paper}.html">{picture}<span>{title}</span></a>')
        site.write(name, page(site, figure, name, title))
    cards += ["</div>", "```", "", "```{toctree}", ":hidden:", ""]
    cards += [*(f"gallery/{one.paper}" for one in figures), "```", ""]
    site.write("gallery.md", "\n".join(cards))


def page(site, figure, name, title):
    scenario = figure.scenario()
    claims = (figure.folder / "claims.md").read_text(encoding="utf-8").strip("\n")
    address = site.live(name, figure.folder / "page.html")
    lines = [f"# {title}", "", scenario.get("description", ""), "",
             *framed(address + ("#panels" if figure.has_panels() else "#convergence"), figure.name), "",
             "```console", f"$ lagnet reproduce {figure.name} --out runs/{figure.paper}",
             f"$ lagnet report runs/{figure.paper} -o runs/{figure.paper}.html", "```", "",
             f"[The paper, all its figures and what was measured](../rooms/scenarios/papers/{figure.paper}.md).", "",
             "## What is stated, and whether it holds in this draw", "", claims, ""]
    return "\n".join(lines)
