"""Text as groff reads it."""


def text(words):
    """Letters that groff would take for its own, escaped."""
    words = words.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    words = words.replace("^", r"\(ha").replace("~", r"\(ti")
    return "\\&" + words if words.startswith((".", "\\(aq")) else words


def heading(name, section, month, source, manual):
    return f'.TH "{text(name.upper())}" "{section}" "{month}" "{source}" "{manual}"\n'


def listed(tag, lines):
    """A paragraph with a tag of its own line; each of the lines is one."""
    broken = [line for one in lines for line in (".br", text(one))][1:]
    return [".TP", f"\\fB{text(tag)}\\fR", *broken]
