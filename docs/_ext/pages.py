"""The pages of the site as what they show: files, commands with their output, and sessions of Python. Each page is run
from its first block to its last, in a folder of its own from which the repository is seen as from its root; so that
what a reader types is what has been typed here, and figures come from the commands above them."""

import dataclasses
import hashlib
import pathlib
import re
import shutil
import subprocess
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(`{3,})\s*(\{[\w-]+\})?\s*(\S*)\s*$")
DIRECTIVES = {"{code-block}", "{include}", "{literalinclude}", "{live}", "{raw}", "{toctree}", "{note}", "{figure}",
              "{image}", "{eval-rst}", "{doxygenclass}", "{doxygenstruct}", "{doxygentypedef}",
              "{doxygenfile}"}
FILES = ("json", "python", "csv", "sh", "yaml", "xml", "text")  # languages of blocks with a caption, which are files
OUTPUT_IS_ANY = "..."
LONGEST = 600  # seconds that a command may take
WIDEST = 92  # columns that a page shows without scrolling


@dataclasses.dataclass
class Block:
    """A fenced block: its first line counts from 1 and is that of the fence."""
    line: int
    directive: str  # "{code-block}", or nothing
    language: str  # of a directive its argument
    options: dict
    text: list  # lines


@dataclasses.dataclass
class Command:
    line: int
    typed: str
    shown: list  # the lines below it; none: what it prints is not shown


def blocks_of(text):
    """The fenced blocks of a page, those within other ones not counted."""
    found, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        opened = FENCE.match(lines[at])
        if not opened:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and lines[end].rstrip() != opened[1]:
            end += 1
        body = lines[at + 1:end]
        options = {}
        while opened[2] and body and (option := re.match(r"^:([\w-]+):\s*(.*)$", body[0])):
            options[option[1]] = option[2]
            body.pop(0)
        found.append(Block(at + 1, opened[2] or "", opened[3], options, body))
        at = end + 1
    return found


def commands_of(block):
    """What a block of the language "console" types, with what it shows: "$ " begins a command, "> " goes on with it."""
    commands = []
    for number, line in enumerate(block.text, block.line + 1):
        if line.startswith("$ "):
            commands.append(Command(number, line[2:], []))
        elif line.startswith("> ") and commands and not commands[-1].shown:
            commands[-1].typed += "\n" + line[2:]
        elif commands:
            commands[-1].shown.append(line)
        elif line.strip():
            commands.append(Command(number, "false  # the block does not begin with a command", []))
    return commands


def agrees(shown, printed):
    """Whether what is printed has the words that are shown; "..." stands for anything."""
    parts = " ".join(shown).split(OUTPUT_IS_ANY)
    pattern = ".*".join(re.escape(" ".join(part.split())) for part in parts)
    return re.fullmatch(pattern, " ".join(printed.split()), re.S) is not None


def folded(line):
    """A line as a page shows it: sentences go over several lines, tables keep theirs."""
    line = line.rstrip()
    indent = line[:len(line) - len(line.lstrip())]
    if len(line) <= WIDEST or "  " in line.strip():
        return [line]
    return textwrap.wrap(line, WIDEST, initial_indent="", subsequent_indent=f"{indent}    ", break_long_words=False,
                         break_on_hyphens=False, drop_whitespace=True)


class Page:
    """One page and the folder in which it runs."""

    def __init__(self, path, work, programs):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text(encoding="utf-8")
        self.work = work / path.relative_to(ROOT).with_suffix("")
        self.programs = programs
        self.problems = []
        self.corrections = []  # (first line, lines shown, lines printed): from 1

    def key(self):
        """Of all that decides what the page's commands print."""
        digest = hashlib.sha256(self.text.encode() + self.programs.of_all)
        return digest.hexdigest()

    def is_done(self):
        stamp = self.work / ".key"
        return stamp.is_file() and stamp.read_text() == self.key()

    def prepare(self):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        for top in ("scenarios", "docs"):
            (self.work / top).symlink_to(ROOT / top)

    def complain(self, line, text):
        self.problems.append(f"{self.name}:{line}: {text}")

    def run(self):
        """Runs what the page shows, unless it has been run; problems are in `problems`."""
        if self.is_done():
            return self
        self.prepare()
        sessions = []  # of Python, so far
        for block in blocks_of(self.text):
            self.run_block(block, sessions)
        if not self.problems:
            (self.work / ".key").write_text(self.key())
        return self

    def run_block(self, block, sessions):
        if block.directive and block.directive not in DIRECTIVES:
            self.complain(block.line, f"{block.directive} is none of {', '.join(sorted(DIRECTIVES))}")
        elif block.directive == "{code-block}" and block.language in FILES and "caption" in block.options:
            path = self.work / block.options["caption"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(block.text) + "\n", encoding="utf-8")
        elif block.directive and block.directive != "{code-block}":
            pass  # what is included is tested where it comes from
        elif block.language == "console":
            self.run_console(block)
        elif block.language == "pycon":
            self.run_session(block, sessions)
        else:
            self.complain(block.line, "a block that nothing runs: expected console, pycon, or {code-block} with a "
                                      ":caption:, which makes it a file")

    def run_console(self, block):
        status = 0
        commands = commands_of(block)
        for number, command in enumerate(commands):
            status, printed, complaint = self.execute(command.typed, status)
            said = number + 1 < len(commands) and commands[number + 1].typed == "echo $?"
            if status != 0 and not said:
                end = (printed + complaint).strip()[-2000:]
                self.complain(command.line, f"`{command.typed}` ended with {status}: {end}")
                return
            printed += complaint if said else ""
            if command.shown and not agrees(command.shown, printed):
                shown = "\n".join(command.shown)
                self.complain(command.line, f"`{command.typed}` prints\n{printed}instead of\n{shown}")
                place = command.line + command.typed.count("\n")
                lines = printed.rstrip("\n").split("\n")
                self.corrections.append((place, len(command.shown), [part for one in lines for part in folded(one)]))

    def execute(self, typed, status_before):
        """Exit status, stdout and stderr of a command, as bash takes it."""
        try:
            done = subprocess.run(["bash", "-c", f"set -o pipefail; (exit {status_before}); {typed}"], cwd=self.work,
                                  env=self.programs.environment, capture_output=True, text=True, timeout=LONGEST,
                                  check=False)
        except subprocess.TimeoutExpired:
            return 124, "", f"it took longer than {LONGEST} s"
        return done.returncode, done.stdout, done.stderr

    def run_session(self, block, sessions):
        """A block of ">>> ", which knows the names of the blocks before it."""
        sessions.append("\n".join(block.text))
        (self.work / ".session.txt").write_text("\n\n".join(sessions) + "\n", encoding="utf-8")
        status, printed, complaint = self.execute(
            "python3 -B -m doctest -o ELLIPSIS -o NORMALIZE_WHITESPACE .session.txt", 0)
        if status != 0:
            self.complain(block.line, f"the session of Python gives something else: {(printed + complaint)[-3000:]}")


def corrected(page):
    """The page's text with what its commands print in the place of what it shows."""
    lines = page.text.split("\n")
    for first, count, printed in sorted(page.corrections, reverse=True):
        lines[first:first + count] = printed
    return "\n".join(lines)
