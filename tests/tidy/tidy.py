"""Checks the house rules that a compiler does not: `tidy.py ROOT` prints every problem of the tree, one a line, and exits
with 1 if there is any. It reads the files that git tracks or would add, or all files in a tree without git. In a git tree
it also checks the subjects of the newest commits."""

import os
import re
import shutil
import subprocess
import sys

from features import check_features
from functions import long_functions
from rooms import LAYERS, advice, check_rooms, is_product
from subjects import check_subjects, subjects
from text import without_comments, without_comments_and_strings

LIBRARIES = [  # headers, the folders that may include them, the reason
    (r"nlohmann/", ["scenarios", "tools", "tests"], "only scenarios and tools know JSON"),
    (r"boost/graph/", ["topologies", "scenarios", "tools", "tests"], "graphs belong to topologies"),
    (r"boost/asio/ip/|sys/socket\.h", ["sim/realtime", "tools/serve", "tools/bench", "tests"],
     "only sim/realtime and tools/serve know sockets"),
    (r"CLI/", ["tools", "tests"], "the command line belongs to tools"),
    (r"(cblas|openblas)\b", [], "OpenBLAS picks kernels at run time; use Eigen"),
]
GENERATED = ["checkout_paths.hpp", "readme_algorithm.hpp"]  # headers of the build tree that tests include
OURS = {*LAYERS, "tests"}
TOP_LEVEL = OURS | {
    "docs", "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md",
    "SECURITY.md", "pyproject.toml", ".ci", ".clang-format", ".clang-tidy", ".editorconfig", ".gitattributes", ".github", ".gitignore",
}

EVERYWHERE = []
TIMERS = ["tools", "sim/realtime", "tests/realtime"]
BANNED = [  # pattern in code, the folders where it is allowed, what to use
    (r"\brand\s*\(|\bsrand\s*\(|\bdrand48\s*\(", EVERYWHERE, "C random numbers; use Draws of sim/draws.hpp"),
    (r"\brandom_device\b", EVERYWHERE, "std::random_device; a seed comes from the scenario"),
    (r"\b(mt19937(_64)?|minstd_rand0?|ranlux\w+|default_random_engine)\b", EVERYWHERE,
     "a standard generator; use Draws of sim/draws.hpp"),
    (r"\bstd::\w+_distribution\b", EVERYWHERE,
     "standard distributions differ between libraries; use Draws of sim/draws.hpp"),
    (r"\b(std::|ranges::)(random_)?shuffle\b|\bstd::sample\b", EVERYWHERE,
     "standard shuffles differ between libraries; use Draws::permutation"),
    (r"\bsystem_clock\b|\bgettimeofday\b|\bstd::time\s*\(|\btime\s*\(\s*(nullptr|NULL|0)\s*\)", ["sim/realtime"],
     "the wall clock; use simulated time"),
    (r"\b(steady|high_resolution)_clock\b|\bclock_gettime\b", TIMERS, "a real clock; use simulated time"),
    (r"\b__(DATE|TIME|TIMESTAMP)__\b", EVERYWHERE, "when it was compiled; two builds of the same sources are the same bytes"),
    (r"\bunordered_(multi)?(map|set)\b", EVERYWHERE, "its order differs between libraries; use std::map or a sorted vector"),
]
WORDS = r"""["'][^"']*\w,? \w[^"']*["']"""  # a literal with a blank between words: a part of a sentence
SEARCHES = [  # pattern in product code: a sentence that is searched, compared or parsed
    r"#\s*include\s*<regex>",
    r"(\.|->)(text|what\(\))(\.(find\w*|rfind|starts_with|ends_with|contains|substr)\(|\s*[!=]=)",
    r"\.(find|rfind|starts_with|ends_with|contains|includes|startsWith|endsWith|indexOf|startswith|endswith)\(" + WORDS,
    r"(?<!constexpr )[!=]==?\s*" + WORDS,
    WORDS + r" (not )?in \w",
    r"""\.(find|rfind|starts_with|contains|includes|startsWith|indexOf|startswith)\(["'][^"']*\w: ["']""",
    r"\bre\.(search|match|sub|split|findall|fullmatch)\(.*\b(text|err|message|line|warning|remark|difference|problem|"
    r"where|place)s?\b",
]
KEEPS = (r"std::vector<std::string> (differences|remarks|warnings)\b|"  # what has parts beside its sentence
         r"std::string (replay|folder_damage|changed_input|input_difference|file_difference)\(")
SENTENCES_OF_OTHERS = {  # files that may do so, and why
    "scenarios/files/pattern.cpp": "the one user of <regex>, for texts that others have written",
    "scenarios/json/json_file.cpp": "the library for JSON says what is wrong in sentences alone",
    "scenarios/export/database.cpp": "the first bytes of a file of SQLite",
    "scenarios/export/export_runs.cpp": "the first bytes of a file of SQLite",
    "tools/cli/new_command.cpp": "answers that a user chose from a list",
    "tools/flags/questions.cpp": "answers that a user chose from a list",
    "tools/console/parse_errors.cpp": "the parser of the command line says what is wrong in sentences alone",
    "tools/cli/completion/candidates.cpp": "the text of a candidate is the word itself",
    "tools/cli/completion/key_candidates.cpp": "the text of a candidate is the word itself",
    "tools/report/page/live.js": "the options of a list on the page",
    "tools/python/notebooks/execute.py": "outputs of cells, which must not have paths and dates",
}
FLAGS = [  # pattern in build files, the reason
    (r"-ffast-math|-Ofast|-funsafe-math", "changes results; the determinism contract forbids it"),
    (r"-m(arch|tune)=native", "makes results depend on the machine; compile the one kernel per target instead"),
    (r"(?i)openblas", "OpenBLAS picks kernels at run time; use Eigen"),
]
MARKS = re.compile(r"\b(" + "|".join(["TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK"]) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w.}/-])/(home|work|root|Users|tmp|mnt|srv)/\w")

MAX_BYTES = 3 * 1024 * 1024 // 2
# Files that may be larger, as large as they are: what makes them so belongs together.
LARGE = {"scenarios/data/sets/mnist_t10k.libsvm.bz2": 2508388}  # all test images of MNIST, which papers use as a whole
MAX_LINES = 450
MAX_COLUMNS = 120
MAX_FUNCTION_LINES = 70

CODE = (".cpp", ".hpp")
BUILD = (".cmake", ".cmake.in", "CMakeLists.txt", "CMakePresets.json")  # and the lists of packages
SCRIPTS = (".py", ".sh", ".js", ".css", ".html", ".ci/run", ".ci/weekly", "tools/setup", "tools/test", "tools/quickstart", "tools/coverage",
           "tools/fuzz", "tools/docs")
PROSE = (".md",)


def tree_files(root):
    """Paths relative to root, in order."""
    if os.path.exists(os.path.join(root, ".git")):
        command = ["git", "-C", root, "-c", f"safe.directory={root}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, capture_output=True, text=True)
        if listed.returncode == 0:
            names = set(listed.stdout.split("\0")) - {""}
            return sorted(name for name in names if os.path.isfile(os.path.join(root, name)))
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "__pycache__") and (folder != root or f not in ("build", "runs"))]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(found)


def below(path, folders):
    return any(path.startswith(folder + "/") for folder in folders)


def check_place(root, path):
    top = path.split("/")[0]
    if top not in TOP_LEVEL:
        yield 0, f"'{top}' is not one of the top-level entries; move it into one of {', '.join(sorted(OURS))}"
    size = os.path.getsize(os.path.join(root, path))
    limit = LARGE.get(path, MAX_BYTES)
    if size > limit:
        yield 0, f"{size} bytes, at most {limit}: compress it, or generate it"


def check_includes(path, text):
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if not found:
            continue
        quoted, header = found[1] == '"', found[2]
        target = header.split("/")[0]
        if ".." in header.split("/"):
            yield number, f'#include "{header}": give the path from the root, "layer/file.hpp"'
        elif target in OURS and not quoted:
            yield number, f"<{header}>: our own headers are included with quotes"
        elif quoted and target not in OURS and header not in GENERATED:
            yield number, f'"{header}" is in no layer: give the path from the root, or <> for a library'
        for pattern, allowed, reason in LIBRARIES:
            if re.match(pattern, header) and not below(path, allowed):
                yield number, f"<{header}> does not belong here: {reason}"


def check_code(path, text):
    yield from check_includes(path, text)
    if path.endswith(".hpp") and not re.search(r"^#pragma once$", text, re.M):
        yield 1, "a header without #pragma once"
    bare = without_comments_and_strings(text)
    for number, line in enumerate(bare.split("\n"), 1):
        for pattern, allowed, use in BANNED:
            found = re.search(pattern, line)
            if found and not below(path, allowed):
                yield number, f"'{found[0].strip()}' is banned: {use}"
    for number, name, lines in long_functions(bare, MAX_FUNCTION_LINES):
        yield number, f"{name} has {lines} lines, at most {MAX_FUNCTION_LINES}: split it"


def check_sentences(path, text):
    """No code searches a sentence: what it has to know is a code, a number or a flag beside it."""
    if path in SENTENCES_OF_OTHERS:
        return
    for number, line in enumerate((without_comments(text) if path.endswith(CODE) else text).split("\n"), 1):
        is_comment = not path.endswith(CODE) and line.lstrip().startswith(("#", "//", "*"))
        found = next(filter(None, (re.search(pattern, line) for pattern in SEARCHES)), None)
        if found and not is_comment:
            yield number, f"'{found[0]}' searches a sentence: ask a code, a number or a flag beside it"
        kept = re.search(KEEPS, line)
        if kept and not is_comment:
            yield number, f"'{kept[0]}' keeps a sentence where others ask for its parts"


def check_threads(text):
    """Tests of algorithms on several threads carry the tag by which the thread sanitizer's tree takes them."""
    for case in re.finditer(r"^TEST_CASE\((.*?)\) \{\n(.*?)^\}", text, re.M | re.S):
        if re.search(r"\bthreads = (?!1\b)", case[2]) and "[threads]" not in case[1]:
            yield text.count("\n", 0, case.start()) + 1, 'a test on several threads without the tag "[threads]"'


def check_lines(path, text):
    lines = text.split("\n")
    if len(lines) - 1 > MAX_LINES and not is_product(path):
        yield 0, f"{len(lines) - 1} lines, at most {MAX_LINES}: split it"
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS and not path.endswith(PROSE):
            yield number, f"{len(line)} columns, at most {MAX_COLUMNS}"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        mark = MARKS.search(line)
        if mark:
            yield number, f"'{mark[0]}' is left over: do it, or describe the limitation"
        place = MACHINE_PATH.search(line)
        if place:
            yield number, f"'{place[0]}...' is a path of one machine; use paths relative to the repository or the build"
    if text and not text.endswith("\n"):
        yield len(lines), "no newline at the end of the file"


def check_flags(text):
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, reason in FLAGS:
            found = re.search(pattern, line.split("#")[0])
            if found:
                yield number, f"'{found[0]}' is banned: {reason}"


def check_file(path, text):
    # The rules' own text and the tests of them hold every banned name.
    if not path.startswith("tests/tidy/"):
        yield from check_lines(path, text)
    if path.endswith(CODE):
        yield from check_code(path, text)
    if path.endswith((".cpp", ".hpp", ".py", ".js")) and is_product(path):
        yield from check_sentences(path, text)
    if below(path, ["tests/unit/algorithms"]):
        yield from check_threads(text)
    if path.endswith(BUILD) or below(path, ["tools/packages"]):
        yield from check_flags(text)


def check_format(root, paths):
    """Files that clang-format would change; nothing when it is not installed. Versions differ, so only 14 counts."""
    program = shutil.which("clang-format-14")
    sources = [path for path in paths if path.endswith(CODE)]
    if not program or not sources or not os.path.exists(os.path.join(root, ".clang-format")):
        return
    run = subprocess.run([program, "--dry-run", "--ferror-limit=1", *sources], cwd=root, capture_output=True, text=True)
    for path, line in sorted(set(re.findall(r"^(.+?):(\d+):\d+: (?:warning|error): code should be", run.stderr, re.M))):
        yield path, int(line), f"not formatted; run: clang-format-14 -i {path}"


def read_texts(root, paths):
    texts = {}
    for path in paths:
        if path.endswith(CODE + BUILD + SCRIPTS + PROSE) or below(path, ["tools/packages"]):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                texts[path] = file.read()
    return texts


def problems(root):
    """Every problem as (path, line or 0, text)."""
    paths = tree_files(root)
    found = [(path, line, text) for path in paths for line, text in check_place(root, path)]
    texts = read_texts(root, paths)
    found += [(path, line, text) for path in texts for line, text in check_file(path, texts[path])]
    return found + list(check_rooms(texts)) + list(check_features(texts)) + list(check_format(root, paths))


def main():
    root = os.path.abspath(sys.argv[1])
    for path, _, text in advice(read_texts(root, tree_files(root))):
        print(f"advice: {path}: {text}")
    commits = subjects(root)
    found = problems(root) + list(check_subjects(commits or []))
    for path, line, text in found:
        print(f"{path}:{line}: {text}" if line else f"{path}: {text}")
    if commits is None:
        print("subjects of commits: skipped, this tree has no git history")
    print(f"{len(found)} problems" if found else "the tree is tidy")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
