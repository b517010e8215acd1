"""A tree that breaks one rule must give that problem and no other."""

import contextlib
import io
import os
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

from rooms import ROOMS, advice, is_product
from subjects import MAX_SUBJECT, check_subject, check_subjects, subjects
from table import problems as problems_of_table, rows
from tidy import main, problems

CLEAN = '#include "sim/base/types.hpp"\n\nnamespace lagnet {\nint one() { return 1; }\n}  // namespace lagnet\n'
HEADER = "#pragma once\n"


def code(body):
    return f"namespace lagnet {{\n{body}\n}}  // namespace lagnet\n"


VIOLATIONS = [  # path, content, a part of the message
    ("algorithms/problem/a.cpp", '#include "topologies/topology.hpp"\n', "must not include topologies"),
    ("topologies/a.cpp", '#include "algorithms/problem.hpp"\n', "must not include algorithms"),
    ("sim/base/a.cpp", '#include "scenarios/run.hpp"\n', "must not include scenarios"),
    ("scenarios/run/a.cpp", '#include "tools/report.hpp"\n', "must not include tools"),
    ("scenarios/run/a.cpp", '#include "tests/support/a.hpp"\n', "must not include tests"),
    ("sim/base/a.cpp", '#include "../sim/types.hpp"\n', "path from the root"),
    ("sim/base/a.cpp", '#include "types.hpp"\n', "is in no layer"),
    ("sim/base/a.cpp", "#include <sim/base/types.hpp>\n", "with quotes"),
    ("algorithms/problem/a.cpp", "#include <nlohmann/json.hpp>\n", "JSON"),
    ("sim/base/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n", "graphs belong"),
    ("algorithms/problem/a.cpp", "#include <boost/asio/ip/tcp.hpp>\n", "sockets"),
    ("scenarios/run/a.cpp", "#include <CLI/CLI.hpp>\n", "command line"),
    ("algorithms/problem/a.cpp", "#include <cblas.h>\n", "OpenBLAS"),
    ("sim/base/a.cpp", code("int x = rand();"), "C random numbers"),
    ("sim/base/a.cpp", code("void f() { srand(1); }"), "C random numbers"),
    ("sim/base/a.cpp", code("std::random_device d;"), "a seed comes from the scenario"),
    ("sim/base/a.cpp", code("std::mt19937 d;"), "a standard generator"),
    ("tests/property/sim/a.cpp", code("std::mt19937_64 d;"), "a standard generator"),
    ("sim/base/a.cpp", code("std::normal_distribution<double> d;"), "standard distributions"),
    ("sim/base/a.cpp", code("void f() { std::shuffle(a, b, c); }"), "standard shuffles"),
    ("tools/cli/a.cpp", code("auto t = std::chrono::system_clock::now();"), "the wall clock"),
    ("sim/base/a.cpp", code("auto t = time(nullptr);"), "the wall clock"),
    ("sim/base/a.cpp", code("auto t = std::chrono::steady_clock::now();"), "a real clock"),
    ("scenarios/run/a.cpp", code("using C = std::chrono::high_resolution_clock;"), "a real clock"),
    ("sim/base/a.cpp", code("std::unordered_map<int, int> m;"), "its order differs"),
    ("sim/base/a.cpp", code("std::unordered_set<int> m;"), "its order differs"),
    ("sim/base/a.cpp", code("const char* when = __DATE__;"), "when it was compiled"),
    ("sim/CMakeLists.txt", "add_compile_options(-ffast-math)\n", "determinism contract"),
    ("CMakePresets.json", '{"flags": "-march=native"}\n', "depend on the machine"),
    ("tools/packages/build.txt", "libopenblas-dev\n", "picks kernels at run time"),
    ("tests/property/a.cpp", "// line\n" * 451, "451 lines"),
    ("tests/property/sim/a.cpp", '#include "sim/base/renamed.hpp"\n', "does not exist"),
    ("tests/unit/sim/base/a.cpp", "int a;\n", "a unit test of no source in sim/base"),
    ("tests/unit/sim/base/typesetting.cpp", "int a;\n", "a unit test of no source in sim/base"),
    ("tests/unit/sim/world/types.cpp", "int a;\n", "a unit test of no source in sim/world"),
    ("sim/base/a.cpp", '#include "sim/world/a.hpp"\n', "sim/base must not include sim/world"),
    ("sim/world/a.cpp", '#include "sim/accounts/a.hpp"\n', "sim/world must not include sim/accounts"),
    ("sim/accounts/a.cpp", '#include "sim/engine/a.hpp"\n', "sim/accounts must not include sim/engine"),
    ("algorithms/peers/a.cpp", '#include "algorithms/dual/a.hpp"\n', "algorithms/peers must not include algorithms/dual"),
    ("algorithms/kernels/a.cpp", '#include "algorithms/local/a.hpp"\n', "algorithms/kernels must not include algorithms/local"),
    ("algorithms/interface/a.cpp", '#include "sim/engine/a.hpp"\n', "algorithms/interface must not include sim/engine"),
    ("scenarios/json/a.cpp", '#include "scenarios/files/a.hpp"\n', "scenarios/json must not include scenarios/files"),
    ("scenarios/format/a.cpp", '#include "scenarios/assembly/a.hpp"\n', "scenarios/format must not include scenarios/assembly"),
    ("scenarios/tune/a.cpp", '#include "scenarios/compare/a.hpp"\n', "scenarios/tune must not include scenarios/compare"),
    ("tools/console/a.cpp", '#include "tools/cli/a.hpp"\n', "tools/console must not include tools/cli"),
    ("sim/attic/a.hpp", HEADER, "'sim/attic' is no room"),
    ("sim/base/a.hpp", HEADER + '#include "sim/base/a.hpp"\n', "sim/base/a.hpp -> sim/base/a.hpp"),
    ("sim/base/a.cpp", code('constexpr Purpose one{"costarring"};\nconst Draws two(1, Purpose{"liquid"});'), "has the id of"),
    ("scenarios/run/a.cpp", code('bool a(const Remark& b) { return b.text.find(c) != d; }'), "searches a sentence"),
    ("scenarios/run/a.cpp", code('bool a(const Remark& b) { return b.text == c; }'), "searches a sentence"),
    ("sim/base/a.cpp", code('bool a(const Error& b) { return b.what().starts_with(c); }'), "searches a sentence"),
    ("tools/cli/a.cpp", code('bool a(const Text& b) { return b.find("need not be") != c; }'), "searches a sentence"),
    ("tools/cli/a.cpp", code('bool a(const Text& b) { return b == "not reached"; }'), "searches a sentence"),
    ("topologies/a.cpp", "#include <regex>\n", "searches a sentence"),
    ("tools/python/lagnet/a.py", 'if "was not reached" in warning.text:\n    pass\n', "searches a sentence"),
    ("tools/python/lagnet/a.py", 'found = re.sub("[0-9]+", "#", warning)\n', "searches a sentence"),
    ("scenarios/assembly/a.cpp", code('bool a(const Diagnostic& b) { return b.where.starts_with("y: "); }'),
     "searches a sentence"),
    ("scenarios/compare/a.hpp", "#pragma once\n\nstruct A {\n  std::vector<std::string> differences;\n};\n",
     "keeps a sentence"),
    ("scenarios/tune/a.hpp", "#pragma once\n\nstruct A {\n  std::vector<std::string> remarks;\n};\n",
     "keeps a sentence"),
    ("scenarios/compare/a.hpp", "#pragma once\n\nstd::string replay(const Folder& folder);\n", "keeps a sentence"),
    ("tools/python/lagnet/errors.py", 'pointer = re.match(r"(?:/[^/:]*)+", where)\n', "searches a sentence"),
    ("tools/report/page/a.js", 'const is = run.why.includes("levels off");\n', "searches a sentence"),
    ("sim/base/a.cpp", code("int f() {\n" + "  g();\n" * 70 + "}"), "f has 72 lines"),
    ("sim/base/a.cpp", code("A::A(int b) : b_(b), c_{2} {\n" + "  g();\n" * 70 + "}"), "A::A has 72 lines"),
    ("tests/property/sim/a.cpp", 'TEST_CASE("a } b") {\n' + "  g();\n" * 70 + "}\n", "TEST_CASE has 72 lines"),
    ("sim/base/a.cpp", "// " + "a" * 118 + "\n", "121 columns"),
    ("sim/base/a.cpp", "int a; \n", "blanks at the end"),
    ("sim/base/a.cpp", "int a;", "no newline"),
    ("sim/base/a.hpp", "int a;\n", "#pragma once"),
    ("sim/base/a.cpp", "// TO" "DO: more\n", "left over"),
    ("tools/a.py", "# FIX" "ME\n", "left over"),
    ("README.md", "XX" "X\n", "left over"),
    ("sim/CMakeLists.txt", "# a HA" "CK\n", "left over"),
    ("sim/base/a.cpp", 'const char* p = "/home/somebody/x";\n', "path of one machine"),
    ("tools/a.py", "open('/tmp/x')\n", "path of one machine"),
    ("scenarios/data/a.bin", "a" * (3 * 1024 * 1024 // 2 + 1), "compress it"),
    ("scenarios/data/sets/mnist_t10k.libsvm.bz2", "a" * 2508389, "compress it"),
    ("notes/a.md", "text\n", "not one of the top-level entries"),
    ("notes.txt", "text\n", "not one of the top-level entries"),
]

ALLOWED = [
    ("scenarios/run/a.cpp", '#include <nlohmann/json.hpp>\n\n#include "algorithms/peers/a.hpp"\n#include "topologies/a.hpp"\n'),
    ("tools/cli/a.cpp", code("auto t = std::chrono::steady_clock::now();")),
    ("sim/base/a.cpp", "// Not std::mt19937, whose seeding differs; nor std::unordered_map.\n"),
    ("sim/base/a.cpp", 'const char* text = "rand() and std::random_device";\n'),
    ("sim/base/a.cpp", code("int operand(int x) { return strand(x); }")),
    ("sim/base/a.cpp", code("int f() {\n" + "  g();\n" * 68 + "}")),
    ("sim/base/a.cpp", code("struct S {\n" + "  int a() { return 1; }\n" * 80 + "};")),
    ("sim/base/a.cpp", code("const std::array table = {\n" + "  1,\n" * 80 + "};")),
    ("sim/CMakeLists.txt", "# -march=native would change results\n"),
    ("scenarios/run/a.cpp", 'const char* pointer = "/topology/agents";\n'),
    ("sim/base/a.cpp", "// line\n" * 500),
    ("scenarios/assembly/a.cpp", '#include "scenarios/format/kinds/a.hpp"\n#include "sim/engine/a.hpp"\n'),
    ("scenarios/run/a.cpp", code('bool a(const Remark& b) { return b.code == "diverged" && c.find(", ") == d; }')),
    ("scenarios/run/a.cpp", code('// b.text.find("need not be")\nbool a(const Json& b) { return b.starts_with("/data/"); }')),
    ("scenarios/files/pattern.cpp", "#include <regex>\n"),
    ("sim/base/a.cpp", code('const Draws one(1, Purpose{"liquid"}), two(1, Purpose{"liquid"});')),
]


def furnished(files):
    """With a door sign in every room, and for every source a header."""
    rest = {}
    for path, _ in files:
        if path.endswith((".cpp", ".hpp", ".js", ".py")) and is_product(path):
            rest[os.path.dirname(path) + "/README.md"] = "A room.\n"
            if path.endswith(".cpp"):
                rest[path[:-4] + ".hpp"] = HEADER
    return list({**rest, **dict(files)}.items())


class Tidy(unittest.TestCase):
    def found(self, files, furnish=True):
        with tempfile.TemporaryDirectory() as root:
            for path, content in furnished(files) if furnish else files:
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(content)
            return problems(root)

    def test_a_clean_tree_has_no_problem(self):
        self.assertEqual(self.found([
            ("sim/base/types.hpp", HEADER), ("sim/base/one.cpp", CLEAN),
            ("tests/unit/sim/base/types.cpp", "int a;\n"), ("tests/unit/sim/base/types_at_their_edges.cpp", "int b;\n")]), [])

    def test_a_test_of_an_algorithm_on_several_threads_has_a_tag(self):
        source, test = ("algorithms/peers/a.hpp", HEADER), "tests/unit/algorithms/peers/a.cpp"
        for head, threads, lines in [('"a"', 1, []), ('"a"', 3, [1]), ('"a", "[threads]"', 3, [])]:
            with self.subTest(head=head, threads=threads):
                found = self.found([source, (test, f"TEST_CASE({head}) {{\n  bench.threads = {threads};\n}}\n")])
                self.assertEqual([(path, line) for path, line, _ in found], [(test, line) for line in lines], found)

    def test_each_violation_is_found_alone(self):
        for path, content, expected in VIOLATIONS:
            with self.subTest(path=path, expected=expected):
                found = self.found([("sim/base/types.hpp", HEADER), (path, content)])
                self.assertEqual([p for p, _, _ in found], [path], found)
                self.assertIn(expected, found[0][2])

    def test_lookalikes_of_violations_pass(self):
        for path, content in ALLOWED:
            with self.subTest(path=path, content=content[:60]):
                self.assertEqual(self.found([(path, content)]), [])

    def test_all_problems_come_at_once(self):
        found = self.found([("sim/base/a.cpp", "int a; \nint b; \n"), ("sim/base/b.hpp", "int b;\n")])
        self.assertEqual([(path, line) for path, line, _ in found], [("sim/base/a.cpp", 1), ("sim/base/a.cpp", 2), ("sim/base/b.hpp", 1)])

    def test_a_circle_of_files_is_found_once(self):
        to = '#pragma once\n#include "sim/base/{}.hpp"\n'
        found = self.found([("sim/base/a.hpp", to.format("b")), ("sim/base/b.hpp", to.format("c")), ("sim/base/c.hpp", to.format("a"))])
        self.assertEqual([text for _, _, text in found],
                         ["an include circle: sim/base/a.hpp -> sim/base/b.hpp -> sim/base/c.hpp -> sim/base/a.hpp"])

    def test_an_option_has_a_line_with_its_effects(self):
        options, kinds = "scenarios/format/network_options.hpp", "scenarios/format/kinds/speed_kinds.hpp"
        files = [("scenarios/format/features.cpp", 'A all[]{\n    {"network.loss", "", b},\n'
                  '    {"compute.speed_flops_per_s", "drawn trace", b},\n};\n')]
        struct = HEADER + "struct Other {{ void f() {{ field(\"other\", 1); }}\n}};\nstruct NetworkOptions {{\n  {}\n}};\n"
        kind = HEADER + 'constexpr const char* kind = "{}";\n'
        clean = [(options, struct.format('field("loss", loss);')), (kinds, kind.format("trace"))]
        self.assertEqual(self.found(files + clean), [])
        found = self.found(files + [(options, struct.format('field(\n  "bucket", bucket);')), (kinds, kind.format("warming_up"))])
        self.assertEqual([(path, line) for path, line, _ in found], [(options, 5), (kinds, 2)], found)
        self.assertIn("network.bucket has no line", found[0][2])
        self.assertIn("warming_up is in no line", found[1][2])

    def test_a_long_product_file_is_worth_advice_and_no_problem(self):
        long, usual = "// line\n" * 301, "// line\n" * 300
        given = advice({"sim/base/a.cpp": long, "sim/base/b.cpp": usual, "tests/unit/sim/base/a.cpp": long})
        self.assertEqual([path for path, _, _ in given], ["sim/base/a.cpp"])
        self.assertEqual([path for path, _, _ in self.found([("tests/unit/sim/base/types.cpp", "// line\n" * 451),
                                                             ("sim/base/types.hpp", HEADER)])], ["tests/unit/sim/base/types.cpp"])

    def test_a_folder_holds_no_more_than_40_files(self):
        full = [(f"sim/base/a{k}.hpp", HEADER) for k in range(40)]
        self.assertEqual(self.found(full), [])
        self.assertEqual([path for path, _, _ in self.found([*full, ("sim/base/one_more.hpp", HEADER)])], ["sim/base"])

    def test_a_room_has_a_door_sign_and_a_source_its_header(self):
        with mock.patch.dict("rooms.ROOMS", {"scenarios/lobby": []}):
            found = self.found([("scenarios/lobby/a.cpp", "int a;\n"), ("scenarios/lobby/main.cpp", "int main() { return 0; }\n")],
                               furnish=False)
        self.assertEqual([path for path, _, _ in found], ["scenarios/lobby", "scenarios/lobby/a.cpp"])

    def test_subcommands_may_share_the_header_commands_of_their_room(self):
        files = [("tools/cli/README.md", "A room.\n"), ("tools/cli/commands.hpp", HEADER),
                 ("tools/cli/a_command.cpp", CLEAN), ("tools/cli/other.cpp", CLEAN)]
        self.assertEqual([path for path, _, _ in self.found(files, furnish=False)], ["tools/cli/other.cpp"])

    def test_no_room_may_include_a_room_that_may_include_it(self):
        for room, below in ROOMS.items():
            for other in below:
                self.assertNotIn(room, ROOMS[other], f"{room} and {other}")


class Table(unittest.TestCase):
    TABLE = ("| `unit` | `tools/test` | sources | 1 |\n| `cli` | `--all` | the program | 2 |\n"
             "| `quick` | `tools/test` | both | 2 |\n")

    def found(self, **tests):
        return list(problems_of_table(rows(self.TABLE), tests))

    def test_a_matching_table_has_no_problem(self):
        self.assertEqual(self.found(a=["unit", "quick"], b=["cli"], c=["cli", "quick"]), [])

    def test_each_mistake_is_found(self):
        for tests, part in ((dict(a=[]), "without a label"), (dict(a=["quick"]), "without a label"),
                            (dict(a=["new"]), "new: expected a row"), (dict(a=["unit"]), "says `--all`"),
                            (dict(a=["cli", "quick"]), "says `tools/test`")):
            with self.subTest(tests=tests):
                (problem,) = self.found(**tests)
                self.assertIn(part, problem)


class Subjects(unittest.TestCase):
    LONG = "Add " + "a" * 86

    def git(self, root, *words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", root, *identity, *words], check=True, capture_output=True)

    def test_an_imperative_of_72_characters_passes(self):
        for subject in ("Add " + "a" * (MAX_SUBJECT - 4), "Pass flags to the linker", "Speed up sums", "Bring back the table", "Ask once"):
            with self.subTest(subject=subject):
                self.assertEqual(list(check_subject(subject)), [])

    def test_each_broken_rule_is_reported(self):
        for subject, part in ((self.LONG, "90 characters, at most 72"), ("add a table", "a capital letter"), ("Added a table", "an imperative"),
                              ("Adds a table", "an imperative"), ("Adding a table", "an imperative"), ("Add a table.", "a period")):
            with self.subTest(subject=subject):
                (problem,) = check_subject(subject)
                self.assertIn(part, problem)

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_the_last_twenty_commits_of_a_shallow_detached_clone_are_checked(self):
        with tempfile.TemporaryDirectory() as root:
            self.git(root, "init", "-q", "a")
            source, clone = os.path.join(root, "a"), os.path.join(root, "b")
            for subject in ["too old to matter.", *["Add a line"] * 18, "adds one"]:
                self.git(source, "commit", "-q", "--allow-empty", "-m", subject)
            self.git(source, "commit", "-q", "--allow-empty", "-m", self.LONG, "-m", "The why may be long. " * 9)
            self.git(root, "clone", "-q", "--depth", "20", "file://" + source, clone)
            self.git(clone, "checkout", "-q", "--detach")
            for tree in (source, clone):
                texts = [text for _, _, text in check_subjects(subjects(tree))]
                self.assertEqual([text.rsplit(": ", 1)[1] for text in texts], [self.LONG, "adds one"], texts)

    def test_a_tree_without_git_says_that_the_check_is_skipped(self):
        with tempfile.TemporaryDirectory() as root, mock.patch("sys.argv", ["tidy.py", root]):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                self.assertEqual(main(), 0)
        self.assertIn("subjects of commits: skipped", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
