"""The folder that Sphinx reads: the pages of docs/, the README of every room and the project's own files as pages, and
what their commands have made. Links between files of the repository become links between pages; those to files that are
no pages become the file's name."""

import os
import pathlib
import posixpath
import re
import shutil

from pages import FENCE, ROOT
from reference import CATEGORIES

PROJECT = {"CHANGELOG.md": "project/changelog.md", "CONTRIBUTING.md": "project/contributing.md",
           "SECURITY.md": "project/security.md", "README.md": "rooms/index.md"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
PLACE = re.compile(r"<!-- here: (\S+?)#(\S+) -->")  # a section of a README
WRITTEN = ["gallery.md", "reference/commands.md", "reference/scenario.md",  # pages that are made, not read
           *(f"reference/kinds/{category}.md" for category in CATEGORIES)]
LAYERS = ("sim", "topologies", "algorithms", "scenarios", "tools", "tests")


def readmes():
    """The READMEs of all rooms, as paths from the root."""
    found = [path.relative_to(ROOT).as_posix() for layer in LAYERS for path in (ROOT / layer).rglob("README.md")]
    return sorted(path for path in found if "node_modules" not in path)


def slug(title):
    """The anchor of a heading, as links have it."""
    return re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")


def section(text, anchor):
    """The lines of a section without its heading."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        heading = re.match(r"^(#+) (.*)$", line)
        if heading and slug(heading[2]) == anchor:
            depth, end = len(heading[1]), at + 1
            while end < len(lines) and not re.match(rf"^#{{1,{depth}}} ", lines[end]):
                end += 1
            return "\n".join(lines[at + 1:end]).strip("\n")
    raise KeyError(anchor)


def raised(text):
    """A section whose headings begin below the title of the page that has it."""
    depths = [len(found) for found in re.findall(r"^(##+) ", text, re.M)]
    return re.sub(rf"^#{{{min(depths) - 2}}}(?=#+ )", "", text, flags=re.M) if depths else text


class Site:
    """`source` is the folder that is written; `made` says in which folder a page of docs/ has run."""

    def __init__(self, source):
        self.source = pathlib.Path(source)
        self.problems = []
        self.pages = dict(PROJECT)
        self.written = {f"docs/{name}": name for name in WRITTEN}
        for path in readmes():
            self.pages[path] = f"rooms/{posixpath.dirname(path)}.md"
        for path in sorted((ROOT / "docs").rglob("*.md")):
            name = path.relative_to(ROOT).as_posix()
            self.pages[name] = name.removeprefix("docs/")

    def write(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy(self, file, name):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, path)

    def stage(self, name, work=None):
        """Writes the page of a file of the repository; `work` has what its commands have written."""
        text = (ROOT / name).read_text(encoding="utf-8")
        page = self.pages[name]
        text = self.page_text(text, name, page, work)
        if rooms := self.rooms_below(name):
            entries = [posixpath.relpath(self.pages[room][:-3], posixpath.dirname(page)) for room in rooms]
            text += "\n".join(["", "```{toctree}", ":hidden:", "", *entries, "```", ""])
        self.write(page, text)

    def rooms_below(self, name):
        """The READMEs whose nearest one above them is this."""
        if posixpath.basename(name) != "README.md":
            return []

        def above(other):
            folder = posixpath.dirname(posixpath.dirname(other))
            while folder and f"{folder}/README.md" not in self.pages:
                folder = posixpath.dirname(folder)
            return posixpath.join(folder, "README.md")
        return [other for other in readmes() if other != name and above(other) == name]

    def page_text(self, text, name, page, work=None):
        """The text of `name` as that of a page: READMEs where they are named, links, and what commands have made."""
        lines, prose, fence, live = [], [], None, None

        def flush():
            """Prose is seen as a whole, since the text of a link may go over several lines."""
            if not prose:
                return
            first, whole = number - len(prose), "\n".join(prose)

            def linked(link):
                return self.link(link, name, first + whole.count("\n", 0, link.start()), page, work)
            lines.extend(LINK.sub(linked, whole).split("\n"))
            prose.clear()

        for number, line in enumerate([*text.split("\n"), ""], 1):
            opened = FENCE.match(line) if fence is None else None
            if opened:
                flush()
                fence = opened[1]
                live = [opened[3]] if opened[2] == "{live}" else None
                lines += [] if live else [line]
            elif fence is not None:
                fence = None if line.rstrip() == fence else fence
                (lines if live is None else live).append(line)
                if live and fence is None:
                    lines += self.frame(live, name, number, page, work)
                    live = None
            elif place := PLACE.fullmatch(line.strip()):
                flush()
                lines.append(self.included(place, name, number, page))
            elif line.startswith("    "):
                flush()
                lines.append(line)
            else:
                prose.append(line)
        number += 1
        flush()
        return "\n".join(lines).rstrip("\n") + "\n"

    def frame(self, block, name, number, page, work):
        """A page of `lagnet report` within this one: the block names the file, has a :title:, and perhaps a :part: of
        the page that is seen first."""
        options = dict(re.findall(r"^:(title|part):\s*(.*)$", "\n".join(block), re.M))
        file = work / block[0] if work else None
        title, part = options.get("title", ""), f"#{options['part']}" if "part" in options else ""
        if not file or not file.is_file() or not title:
            self.problems.append(f"{name}:{number}: expected a page that a command above has written and a :title:, "
                                 f"found {block[0]} and '{title}'")
            return []
        return framed(self.live(page, file) + part, title)

    def included(self, place, name, number, page):
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), place[1]))
        text = (ROOT / other).read_text(encoding="utf-8")
        try:
            text = raised(section(text, place[2]))
        except KeyError:
            self.problems.append(f"{name}:{number}: {other} has no section #{place[2]}")
            return ""
        return self.page_text(text, other, page).rstrip("\n")

    def link(self, link, name, number, page, work):
        """What becomes of a link of the file `name` on `page`."""
        picture, text, target = link[1], link[2], link[3]
        if re.match(r"^[a-z]+:", target) or target.startswith("#") and self.pages.get(name) == page:
            return link[0]
        path, _, anchor = target.partition("#")
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if work and not (ROOT / other).exists() and (work / path).is_file():
            return self.made(link, page, work / path)
        if other in self.written:
            to = posixpath.relpath(self.written[other], posixpath.dirname(page) or ".")
            return f"[{text}]({to}{'#' + anchor if anchor else ''})"
        if not (ROOT / other).exists():
            self.problems.append(f"{name}:{number}: {target} is no file")
            return text
        if other in self.pages:
            to = posixpath.relpath(self.pages[other], posixpath.dirname(page) or ".")
            return f"[{text}]({to}{'#' + anchor if anchor else ''})"
        if picture:
            self.copy(ROOT / other, f"pictures/{other}")
            return f"![{text}]({posixpath.relpath('pictures/' + other, posixpath.dirname(page) or '.')})"
        return text if text.startswith("`") else f"{text} (`{other}`)"

    def made(self, link, page, file):
        """A picture that the page's own commands have drawn, or a file that they have written."""
        stem = page.removesuffix(".md")
        if link[1]:
            name = f"pictures/made/{stem}/{file.name}"
            self.copy(file, name)
            return f"![{link[2]}]({posixpath.relpath(name, posixpath.dirname(page) or '.')})"
        return f'<a href="{self.live(page, file)}">{link[2]}</a>'

    def live(self, page, file):
        """The address, from a page, of a page of `lagnet report`, which is kept beside the site's own."""
        name = f"live/{page.removesuffix('.md').replace('/', '-')}-{file.name}"
        target = self.source.parent / "extra" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        return posixpath.relpath(name, posixpath.dirname(page) or ".")


def framed(address, title):
    """Lines that show a page within another one; the browser loads it when the reader scrolls near it."""
    return ["```{raw} html", f'<iframe class="live" src="{address}" title="{title}" loading="lazy"></iframe>',
            f'<p class="live"><a href="{address}">{title}, as a page of its own</a></p>', "```"]


def copy_rest(site):
    """What pages show besides: scenarios, styles, and the settings of Sphinx and Doxygen."""
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.is_file() and path.suffix not in (".md", ".py") and "__pycache__" not in path.parts:
            site.copy(path, path.relative_to(ROOT / "docs").as_posix())
    site.copy(ROOT / "docs/conf.py", "conf.py")


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
