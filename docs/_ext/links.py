"""Holds the built pages' links: every one within the site leads to a file, and its anchor to an element of it. Those to
other sites are listed, not asked."""

import html.parser
import os
import pathlib
import urllib.parse

ATTRIBUTES = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src",
              "object": "data"}


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in ATTRIBUTES and attributes.get(ATTRIBUTES[tag]):
            self.links.append(attributes[ATTRIBUTES[tag]])
        for name in ("id", "name") if tag == "a" else ("id",):
            if attributes.get(name):
                self.anchors.add(attributes[name])


def is_own(path):
    """Pages of `lagnet report` hold all that they need and are tested elsewhere."""
    return "live" not in path.parts


def check(folder):
    """Problems as lines, and the addresses outside of the site with the pages that name them."""
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))
             if is_own(path.relative_to(folder))}
    problems, elsewhere = [], {}
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                elsewhere.setdefault(link, set()).add(path.relative_to(folder).as_posix())
                continue
            target = path
            if parts.path:
                target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path)))
            where = path.relative_to(folder).as_posix()
            if folder not in target.parents or not target.is_file():
                problems.append(f"{where}: {link} leads to no file of the site")
            elif (parts.fragment and target in pages
                  and urllib.parse.unquote(parts.fragment) not in pages[target].anchors):
                problems.append(f"{where}: {link}: the page has no such anchor")
    return problems, elsewhere, len(pages)
