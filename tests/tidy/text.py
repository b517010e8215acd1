"""C++ text with what is not code blanked out; line numbers stay."""

import re

TOKEN = re.compile(
    r'(?P<raw>R"(?P<mark>[^(\s]{0,16})\(.*?\)(?P=mark)")'
    r'|(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')",
    re.S)


def _newlines(text):
    return "\n" * text.count("\n")


def without_comments(text):
    return TOKEN.sub(lambda m: " " + _newlines(m[0]) if m["comment"] else m[0], text)


def without_comments_and_strings(text):
    """Strings become empty ones, so that code around them keeps its form."""
    def blank(m):
        return " " + _newlines(m[0]) if m["comment"] else '""' + _newlines(m[0])
    return TOKEN.sub(blank, text)
