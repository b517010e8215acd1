"""Control characters reach no table, no figure and no terminal: a scenario may not have them, other names lose them."""

import re
import unittest
from xml.etree import ElementTree

from support import SMALL, Case, changed

CONTROLS = ("\x01", "\x1b[31m", "\x7f", "\x9b31m", "a\nb", "\ufffe")
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # what a terminal may obey, and XML excludes


class Controls(Case):
    def test_texts_with_control_characters_are_refused_with_their_place(self):
        # By their places; what a sweep sets is reported where it is put.
        places = {"/name": {"/name": "{}"}, "/label": {"/label": "{}"},
                  "/label ": {"/sweep": {"points": [{"label": "{}", "/seed": 1}]}},
                  "/record/metrics/0/column": {"/record/metrics": [{"kind": "l2_error", "column": "{}"}]},
                  "/figure/0/title": {"/figure": [{"title": "{}", "y": "objective"}]}}
        for pointer, changes in places.items():
            for control in CONTROLS:
                with self.subTest(pointer=pointer, control=control):
                    def put(value):
                        if isinstance(value, dict):
                            return {key: put(one) for key, one in value.items()}
                        if isinstance(value, list):
                            return [put(one) for one in value]
                        return f"x{control}y" if value == "{}" else value
                    self.write("s.json", changed(SMALL, put(changes)))
                    for command in (["run", "s.json", "--out", "r"], ["validate", "s.json"]):
                        status, out, err = self.lagnet(*command)
                        self.assertEqual(status, 2, out)
                        text = " ".join((out + err).split())
                        self.assertIn("control characters", text)
                        self.assertIn(pointer.strip(), text)
                        self.assertNotRegex(out + err, UNSAFE)
                    self.assertEqual(set(self.tree()), {"s.json"})
        status, _, err = self.lagnet("run", "s.json", "--out", "r", "--set", "figure=[]", "--set", "name=\x1b[31m")
        self.assertEqual(status, 2)
        self.assertIn("/name", err)

    def test_sentences_may_have_several_lines(self):
        self.write_small({"/description": "one\n\ttwo", "/source": "a\r\nb"})
        self.succeeds("validate", "s.json", "--quiet")

    def test_names_of_folders_and_columns_lose_them(self):
        self.write("data.csv", "a\x1b[31m,b\x01,y\n" + "".join(f"{k},{k * k},{k % 3}\n" for k in range(20)))
        names = ("r\x1b[31m", "s\x01\n")
        for name, algorithm in zip(names, ("extra", "nids")):
            self.write_small({"/data": {"source": "csv", "path": "data.csv"}, "/algorithm": {"kind": algorithm}})
            self.succeeds("run", "s.json", "--out", name, "--quiet")
            self.assertNotRegex((self.folder / name / "model.csv").read_text(), UNSAFE)
        for words in (["compare", names[0]], ["compare", *names], ["data", "data.csv"], ["replay", names[0]],
                      ["validate", "s.json"], ["predict", names[0], "data.csv", "--out", "p\x1b[31m.csv"],
                      ["run", "s.json", "--out", names[1], "--replace"],
                      ["compare", *names, "--format", "csv", "--table", "runs"],
                      ["compare", *names, "--format", "latex", "--table", "series"],
                      ["compare", *names, "--format", "json"]):
            status, out, err = self.lagnet(*words)
            self.assertEqual(status, 0, err)
            self.assertNotRegex(out + err, UNSAFE)
        for runs in ([names[0]], names):
            status, _, err = self.lagnet("report", *runs, "--figure", "convergence", "--format", "svg", "-o", "x.svg",
                                         "--replace")
            if status != 0 and "node" in err:
                self.skipTest("no node to draw figures")
            self.assertEqual(status, 0, err)
            ElementTree.parse(self.folder / "x.svg")
            self.assertNotRegex((self.folder / "x.svg").read_text(), UNSAFE)

    def test_names_of_nodes_lose_them(self):
        nodes = [f"n{k}&#x9b;31m&#10;x" for k in range(4)]
        edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in zip(nodes, nodes[1:]))
        named = "".join(f'<node id="{node}"/>' for node in nodes)
        self.write("g.graphml", '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
                   f'<graph edgedefault="undirected">{named}{edges}</graph></graphml>')
        self.write_small({"/topology": {"kind": "graphml", "path": "g.graphml"}})
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        agents = (self.folder / "r/agents.csv").read_text()
        self.assertIn("n1 31m x", agents)
        self.assertNotRegex(agents, UNSAFE)


if __name__ == "__main__":
    unittest.main()
