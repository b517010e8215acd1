"""Debian's furo asks a web server for a style sheet, its script is a module, which browsers do not read from disk, and
its dark colors are left to who asks for them. All of it becomes what a page opens without a server, dark where the
system is."""

import pathlib
import re

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")


def mend(html):
    """Changes the theme's files below `html`; problems as lines."""
    static = pathlib.Path(html) / "_static"
    styles, script = static / "styles/furo.css", static / "scripts/furo.js"
    text = styles.read_text(encoding="utf-8")
    (static / "styles/normalize.css").write_bytes(NORMALIZE.read_bytes())
    text = text.replace("@import url(/javascript/normalize.css/normalize.css)", '@import url("normalize.css")')
    dark = re.search(r'body\[data-theme="dark"\] \{(\s*--[^}]*)\}', text)
    if dark and "prefers-color-scheme" not in text:
        of_system = f'body:not([data-theme="light"]) {{{dark[1]}}}'
        text += f"\n@media screen and (prefers-color-scheme: dark) {{\n  {of_system} }}\n"
    styles.write_text(text, encoding="utf-8")
    text = script.read_text(encoding="utf-8")
    with_module = re.sub(r'^import Gumshoe from "\./gumshoe-patched\.js";\n', "", text)
    if with_module != text:
        text = (static / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + with_module
    script.write_text(text, encoding="utf-8")
    whole, code = styles.read_text(encoding="utf-8"), script.read_text(encoding="utf-8")
    found = {f"{styles.name}: it asks a web server": re.search(r"url\(/", whole),
             f"{styles.name}: it has no dark colors": "prefers-color-scheme" not in whole,
             f"{script.name}: it is a module": re.search(r"^(import|export) ", code, re.M)}
    return [problem for problem, is_there in found.items() if is_there]
