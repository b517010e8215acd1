"""Finds functions by their braces, well enough to count their lines; not a parser."""

import re

NOT_A_FUNCTION = re.compile(r"^(template\s*<.*>\s*)?(typedef\s+|inline\s+)?(namespace|class|struct|union|enum|extern\b)|[=,(]$", re.S)
CONTROL = re.compile(r"^(if|for|while|switch|catch|do|else|try|return|case|default)\b")
# The tokens between the parameters and the body.
SIGNATURE_END = re.compile(
    r"(\)|\bconst|\bnoexcept|\boverride|\bfinal|\bmutable|->\s*[\w:<>,&*\s]+|\brequires\b.*|:\s*.*[)}])$", re.S)
NAME = re.compile(r"([\w:~]+|operator\s*\S+)\s*\(")


def _opens_function(head):
    return (head and "(" in head and not CONTROL.match(head) and not NOT_A_FUNCTION.search(head)
            and SIGNATURE_END.search(head) is not None)


def _without_directives(text):
    """Blanks preprocessor lines, continued ones too."""
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: "\n" * m[0].count("\n"), text, flags=re.M)


def long_functions(bare, most):
    """(line, name, lines) of every outermost function longer than `most` lines; `bare` has no comments or strings."""
    text = _without_directives(bare)
    stack = []          # one entry per open brace: (kind, head, first line)
    head, line, head_line = "", 1, 1
    for c in text:
        if c == "\n":
            line += 1
        if c == "{":
            inside = any(kind == "function" for kind, _, _ in stack)
            stripped = head.strip()
            if not inside and _opens_function(stripped):
                kind = "function"
            elif stripped and re.search(r"[\w>]$", stripped) and "(" in stripped and not NOT_A_FUNCTION.search(stripped):
                kind = "value"      # an initializer such as b{2} in a constructor's list
            else:
                kind = "scope"
            stack.append((kind, head, head_line))
            head = head if kind == "value" else ""
        elif c == "}":
            if not stack:
                return
            kind, opened_head, opened_line = stack.pop()
            if kind == "function" and line - opened_line + 1 > most:
                name = NAME.search(opened_head)
                yield opened_line, name[1] if name else "a function", line - opened_line + 1
            head, head_line = (opened_head + "{}", opened_line) if kind == "value" else ("", line)
        elif c == ";":
            head = ""
        elif head.strip() or not c.isspace():
            if not head.strip():
                head_line = line
            head += c
