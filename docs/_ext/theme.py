"""Debian's furo asks a web server for a style sheet, and its script is a module, which browsers do not read from disk.
Both become files that a page opens without a server."""

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
    styles.write_text(text, encoding="utf-8")
    text = script.read_text(encoding="utf-8")
    with_module = re.sub(r'^import Gumshoe from "\./gumshoe-patched\.js";\n', "", text)
    if with_module != text:
        text = (static / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + with_module
    script.write_text(text, encoding="utf-8")
    found = [f"{styles.name}: it asks a web server"] if re.search(r"url\(/", styles.read_text(encoding="utf-8")) else []
    return found + ([f"{script.name}: it is a module"] if re.search(r"^(import|export) ", text, re.M) else [])
