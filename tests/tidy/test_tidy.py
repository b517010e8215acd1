"""A tree that breaks one rule must give that problem and no other."""

import os
import tempfile
import unittest

from tidy import problems

CLEAN = '#include "sim/types.hpp"\n\nnamespace lagnet {\nint one() { return 1; }\n}  // namespace lagnet\n'
HEADER = "#pragma once\n"


def code(body):
    return f"namespace lagnet {{\n{body}\n}}  // namespace lagnet\n"


VIOLATIONS = [  # path, content, a part of the message
    ("algorithms/a.cpp", '#include "topologies/topology.hpp"\n', "algorithms must not include topologies"),
    ("topologies/a.cpp", '#include "algorithms/problem.hpp"\n', "topologies must not include algorithms"),
    ("sim/a.cpp", '#include "scenarios/run.hpp"\n', "sim must not include scenarios"),
    ("scenarios/a.cpp", '#include "tools/report.hpp"\n', "scenarios must not include tools"),
    ("scenarios/a.cpp", '#include "tests/support/a.hpp"\n', "scenarios must not include tests"),
    ("sim/a.cpp", '#include "../sim/types.hpp"\n', "path from the root"),
    ("sim/a.cpp", '#include "types.hpp"\n', "is in no layer"),
    ("sim/a.cpp", "#include <sim/types.hpp>\n", "with quotes"),
    ("algorithms/a.cpp", "#include <nlohmann/json.hpp>\n", "JSON"),
    ("sim/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n", "graphs belong"),
    ("algorithms/a.cpp", "#include <boost/asio/ip/tcp.hpp>\n", "sockets"),
    ("scenarios/a.cpp", "#include <CLI/CLI.hpp>\n", "command line"),
    ("algorithms/a.cpp", "#include <cblas.h>\n", "OpenBLAS"),
    ("sim/a.cpp", code("int x = rand();"), "C random numbers"),
    ("sim/a.cpp", code("void f() { srand(1); }"), "C random numbers"),
    ("sim/a.cpp", code("std::random_device d;"), "a seed comes from the scenario"),
    ("sim/a.cpp", code("std::mt19937 d;"), "a standard generator"),
    ("tests/unit/sim/a.cpp", code("std::mt19937_64 d;"), "a standard generator"),
    ("sim/a.cpp", code("std::normal_distribution<double> d;"), "standard distributions"),
    ("sim/a.cpp", code("void f() { std::shuffle(a, b, c); }"), "standard shuffles"),
    ("tools/a.cpp", code("auto t = std::chrono::system_clock::now();"), "the wall clock"),
    ("sim/a.cpp", code("auto t = time(nullptr);"), "the wall clock"),
    ("sim/a.cpp", code("auto t = std::chrono::steady_clock::now();"), "a real clock"),
    ("scenarios/a.cpp", code("using C = std::chrono::high_resolution_clock;"), "a real clock"),
    ("sim/a.cpp", code("std::unordered_map<int, int> m;"), "its order differs"),
    ("sim/a.cpp", code("std::unordered_set<int> m;"), "its order differs"),
    ("sim/CMakeLists.txt", "add_compile_options(-ffast-math)\n", "determinism contract"),
    ("CMakePresets.json", '{"flags": "-march=native"}\n', "depend on the machine"),
    ("tools/packages.txt", "libopenblas-dev\n", "picks kernels at run time"),
    ("sim/a.cpp", "// line\n" * 451, "451 lines"),
    ("sim/a.cpp", code("int f() {\n" + "  g();\n" * 70 + "}"), "f has 72 lines"),
    ("sim/a.cpp", code("A::A(int b) : b_(b), c_{2} {\n" + "  g();\n" * 70 + "}"), "A::A has 72 lines"),
    ("tests/unit/sim/a.cpp", 'TEST_CASE("a } b") {\n' + "  g();\n" * 70 + "}\n", "TEST_CASE has 72 lines"),
    ("sim/a.cpp", "// " + "a" * 118 + "\n", "121 columns"),
    ("sim/a.cpp", "int a; \n", "blanks at the end"),
    ("sim/a.cpp", "int a;", "no newline"),
    ("sim/a.hpp", "int a;\n", "#pragma once"),
    ("sim/a.cpp", "// TO" "DO: more\n", "left over"),
    ("tools/a.py", "# FIX" "ME\n", "left over"),
    ("README.md", "XX" "X\n", "left over"),
    ("sim/CMakeLists.txt", "# a HA" "CK\n", "left over"),
    ("sim/a.cpp", 'const char* p = "/home/somebody/x";\n', "path of one machine"),
    ("tools/a.py", "open('/tmp/x')\n", "path of one machine"),
    ("scenarios/data/a.bin", "a" * (3 * 1024 * 1024 // 2 + 1), "compress it"),
    ("docs/a.md", "text\n", "not one of the top-level entries"),
    ("notes.txt", "text\n", "not one of the top-level entries"),
]

ALLOWED = [
    ("scenarios/a.cpp", '#include <nlohmann/json.hpp>\n\n#include "algorithms/a.hpp"\n#include "topologies/a.hpp"\n'),
    ("tools/a.cpp", code("auto t = std::chrono::steady_clock::now();")),
    ("sim/a.cpp", "// Not std::mt19937, whose seeding differs; nor std::unordered_map.\n"),
    ("sim/a.cpp", 'const char* text = "rand() and std::random_device";\n'),
    ("sim/a.cpp", code("int operand(int x) { return strand(x); }")),
    ("sim/a.cpp", code("int f() {\n" + "  g();\n" * 68 + "}")),
    ("sim/a.cpp", code("struct S {\n" + "  int a() { return 1; }\n" * 80 + "};")),
    ("sim/a.cpp", code("const std::array table = {\n" + "  1,\n" * 80 + "};")),
    ("sim/CMakeLists.txt", "# -march=native would change results\n"),
    ("scenarios/a.cpp", 'const char* pointer = "/topology/agents";\n'),
]


class Tidy(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as root:
            for path, content in files:
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(content)
            return problems(root)

    def test_a_clean_tree_has_no_problem(self):
        self.assertEqual(self.found([("sim/types.hpp", HEADER), ("sim/one.cpp", CLEAN)]), [])

    def test_each_violation_is_found_alone(self):
        for path, content, expected in VIOLATIONS:
            with self.subTest(path=path, expected=expected):
                found = self.found([("sim/types.hpp", HEADER), (path, content)])
                self.assertEqual([p for p, _, _ in found], [path], found)
                self.assertIn(expected, found[0][2])

    def test_what_only_looks_like_a_violation_passes(self):
        for path, content in ALLOWED:
            with self.subTest(path=path, content=content[:60]):
                self.assertEqual(self.found([(path, content)]), [])

    def test_all_problems_come_at_once(self):
        found = self.found([("sim/a.cpp", "int a; \nint b; \n"), ("sim/b.hpp", "int b;\n")])
        self.assertEqual([(path, line) for path, line, _ in found], [("sim/a.cpp", 1), ("sim/a.cpp", 2), ("sim/b.hpp", 1)])


if __name__ == "__main__":
    unittest.main()
