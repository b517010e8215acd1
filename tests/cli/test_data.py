"""`lagnet data FILE`, and files as people have them: from a file to a first answer."""

import json
import os
import pty
import struct
import subprocess

from support import PROGRAM, Case, without_comments

SHOPS = "city,opened,rooms,garden,price\n" + "".join(
    f"{('Ulm', 'Bonn', 'Aachen')[k % 3]},2024-0{1 + k % 9}-1{k % 7},{'NA' if k % 11 == 5 else 2 + k % 5},"
    f"{('yes', 'no')[k * k % 2]},{100 + 7 * (k % 5) + 3 * k}\n" for k in range(60))
RECIPES = {"city": "one_hot", "opened": "date", "rooms": {"missing": "mean"}, "garden": {"no": 0, "yes": 1}}
PANDAS = ",x,z,y\n" + "".join(f"{k},{k % 7},{k % 5},{k % 3 + 0.5 * k}\n" for k in range(50))
# As sklearn.datasets.dump_svmlight_file(X, y, file) writes it: counted from 0.
SKLEARN = "".join(f"{k % 2} 0:{k % 7}.5 1:{k % 5 + 1} 3:{k % 3 + 1}\n" for k in range(40))


def npy(rows):
    """numpy.save of doubles."""
    shape = f"({len(rows)}, {len(rows[0])})" if isinstance(rows[0], list) else f"({len(rows)},)"
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    numbers = [number for row in rows for number in (row if isinstance(row, list) else [row])]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
            + struct.pack(f"<{len(numbers)}d", *numbers))


class Data(Case):
    def scenario(self, name):
        return json.loads(without_comments((self.folder / name).read_text()))

    def refused(self, *arguments):
        status, out, err = self.lagnet(*arguments)
        self.assertEqual((status, out), (2, ""), err)
        return err

    def test_columns_are_shown_with_the_recipes_and_the_section_that_read_them(self):
        self.write("shops.csv", SHOPS)
        out = self.succeeds("data", "shops.csv")
        for words in ("shops.csv: 60 samples, 6 features", "label: price (last column)", "numbers, ", "one_hot",
                      "Aachen, Bonn, Ulm", "date", "no 0, yes 1",
                      '"data": {"source": "csv", "path": "shops.csv", "columns": {"city": "one_hot"',
                      "next: lagnet ask --data shops.csv 'columns={\"city\": \"one_hot\""):
            self.assertIn(words, out)
        told = json.loads(self.succeeds("data", "shops.csv", "--json"))
        self.assertEqual(told["proposals"], {"columns": RECIPES})
        self.assertEqual((told["samples"], told["features"], told["problems"]), (60, 6, []))
        self.assertEqual([column["missing"] for column in told["columns"]], [0, 0, 5, 0, 0])
        self.write_small({"/data": told["data"], "/topology/agents": 2}, "s.json")
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        features = [row["feature"] for row in self.table("r/model.csv")]
        self.assertEqual(features, ["city=Aachen", "city=Bonn", "city=Ulm", "opened", "rooms", "garden"])

    def test_the_printed_next_command_works(self):
        rows = "".join(f"{k % 7},5;{k % 4};{3 * k % 5}\n" for k in range(40))
        (self.folder / "my files").mkdir()
        self.write("my files/semi.csv", "a;b;c\n" + rows)
        self.write("x.npy", npy([[k % 7, k % 4] for k in range(40)]))
        self.write("y.npy", npy([k % 3 + 0.5 for k in range(40)]))
        self.write("plain.txt", "a,b\n" + "".join(f"{k % 7},{k % 4}\n" for k in range(40)))
        for typed in (["my files/semi.csv", "separator=semicolon", "decimal=comma", "--label", "a"],
                      ["x.npy", "labels_path=y.npy"], ["plain.txt", "source=csv", "label_column=1"]):
            told = json.loads(self.succeeds("data", *typed, "--json"))["data"]
            command = self.succeeds("data", *typed).splitlines()[-1].removeprefix("next: ")
            done = subprocess.run(["bash", "-c", command.replace("lagnet", f"'{PROGRAM}'", 1) + " --dry-run"],
                                  cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            written, = self.folder.glob("ask-*.json")
            asked = self.scenario(written.name)["data"]
            for key, value in told.items():
                if not key.endswith("path"):
                    self.assertEqual(asked[key], value, key)
            written.unlink()

    def test_a_table_of_texts_goes_from_the_file_to_an_answer(self):
        self.write("shops.csv", SHOPS)
        err = self.refused("ask", "--data", "shops.csv", "--dry-run")
        self.assertEqual(err.count("shops.csv: --data: "), 5, err)
        keys = "columns=" + json.dumps(RECIPES)
        self.assertIn(f"'{keys}'", " ".join(err.split()))
        status, out, err = self.lagnet("ask", "--data", "shops.csv", keys, "--agents", "4", "--algorithm", "extra",
                                       "--to", "1e-1")
        self.assertEqual(status, 0, err)
        self.assertIn("label: price (last column); --label COLUMN chooses another one", err)
        self.assertIn("To 1e-1: ", out)
        self.assertEqual(self.scenario("ask-shops.json")["data"]["label_name"], "price")

    def test_an_index_of_pandas_is_left_out_and_said(self):
        self.write("p.csv", PANDAS)
        out = self.succeeds("new", "p.json", "--data", "p.csv")
        self.assertIn("label: y (last column)", out)
        self.assertIn("in doubt: p.csv: column 1, without a name,", out)
        self.assertEqual(self.scenario("p.json")["data"]["ignore_columns"], [1])
        told = json.loads(self.succeeds("data", "p.csv", "columns={\"1\": \"number\"}", "--json"))
        self.assertEqual((told["features"], told["doubts"]), (3, []))
        self.write_small({"/data": {"source": "csv", "path": "p.csv"}})
        status, _, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 0, err)
        self.assertIn('"ignore_columns": [1] leaves it out', " ".join(err.split()))
        summary = json.loads((self.folder / "r/summary.json").read_text())
        self.assertTrue(summary["warnings"][0]["text"].startswith("p.csv: column 1"), summary["warnings"])

    def test_a_file_of_scikit_learn_counts_from_0_and_says_so(self):
        self.write("k.svmlight", SKLEARN)
        told = json.loads(self.succeeds("data", "k.svmlight", "--json"))
        self.assertEqual((told["features"], told["labels"]), (4, "two classes, 0 and 1"))
        self.assertIn('"index_base": 0 says so', told["doubts"][0])
        told = json.loads(self.succeeds("data", "k.svmlight", "index_base=0", "--json"))
        self.assertEqual(told["doubts"], [])
        self.succeeds("new", "k.json", "--data", "k.svmlight", "index_base=0")
        self.assertEqual(self.scenario("k.json")["data"]["index_base"], 0)

    def test_arrays_of_numpy_have_labels_in_them_or_in_a_second_file(self):
        rows = [[k % 7, k % 5, k % 3 + 0.5 * k] for k in range(40)]
        self.write("t.npy", npy(rows))
        self.write("x.npy", npy([row[:2] for row in rows]))
        self.write("y.npy", npy([float(row[2]) for row in rows]))
        told = [json.loads(self.succeeds("data", *words, "--json"))
                for words in (("t.npy",), ("x.npy", "labels_path=y.npy"))]
        self.assertEqual(*[{key: one[key] for key in ("samples", "features", "labels", "columns")} for one in told])
        (self.folder / "sub").mkdir()
        self.succeeds("new", "sub/x.json", "--data", "x.npy", "labels_path=y.npy")
        self.assertEqual(self.scenario("sub/x.json")["data"]["labels_path"], "../y.npy")

    def test_an_unknown_ending_is_refused_with_those_that_are_known(self):
        self.write("a9a", "1 1:2\n-1 1:3\n")
        for command in (("data", "a9a"), ("ask", "--data", "a9a")):
            told = " ".join(self.refused(*command).split())
            self.assertIn("expected a file that ends in .csv, .tsv, .libsvm, .svm, .svmlight, .mtx, .npy", told)
            self.assertIn("source=libsvm", told)
        self.assertIn("a9a: 2 samples, 1 features", self.succeeds("data", "a9a", "source=libsvm"))

    def test_a_binary_file_is_refused_by_its_name(self):
        self.write("b.csv", b"1,\0\n")
        self.assertIn(f"b.csv: {self.folder.resolve()}/b.csv: expected text in UTF-8",
                      " ".join(self.refused("data", "b.csv").split()))

    def test_keys_that_do_not_exist_are_refused_with_those_that_do(self):
        self.write("p.csv", PANDAS)
        self.assertIn("did you mean separator?", self.refused("data", "p.csv", "seperator=tab"))
        self.assertIn("expected a file and keys of the section data", self.refused("data", "p.csv", "tab"))

    def test_a_doubtful_label_is_asked_for_on_a_terminal_and_said_elsewhere(self):
        self.write("fees.csv", "churn,age,fee\n" + "".join(f"{k * k % 3 % 2},{20 + k % 9},{k}.5\n" for k in range(40)))
        out = self.succeeds("new", "f.json", "--data", "fees.csv")
        self.assertIn('in doubt: fees.csv: the label is column 3 (fee), the last one, and "churn" may be', out)
        self.assertEqual(self.scenario("f.json")["data"]["label_name"], "fee")
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        with subprocess.Popen([PROGRAM, "ask", "--data", "fees.csv", "--dry-run"], cwd=self.folder, stdin=theirs,
                              stdout=theirs, stderr=theirs) as run:
            os.close(theirs)
            os.write(ours, b"churn\n")
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"column of the label, its name or number, as churn", os.read(ours, 65536))
        written = self.scenario("ask-fees.json")
        self.assertEqual((written["data"]["label_name"], written["problem"]["loss"]["kind"]), ("churn", "logistic"))

    def test_classes_that_do_not_count_from_0_are_refused_with_the_rule_that_does(self):
        for labels in ((1, 2, 3), (10, 20, 30)):
            self.write("c.libsvm", "".join(f"{labels[k % 3]} 1:{k} 2:{k * k % 5 + 1}\n" for k in range(12)))
            self.write_small({"/data": {"source": "libsvm", "path": "c.libsvm"}, "/problem/loss/kind": "softmax",
                              "/algorithm/kind": "extra", "/problem/regularizer/kind": "l2", "/topology/agents": 3})
            self.assertIn("/data/labels: expected classes, which numbers the 3 labels from 0",
                          " ".join(self.refused("run", "s.json").split()))
            self.succeeds("run", "s.json", "--set", "data.labels=classes", "--out", f"r{labels[0]}", "--quiet")
        self.succeeds("run", "s.json", "--set", "problem.loss.classes=31", "--out", "r", "--quiet")

    def test_label_skew_of_real_labels_is_refused_or_made_by_quantiles(self):
        self.write_small({"/partition": {"kind": "dirichlet", "concentration": 0.05}, "/algorithm/kind": "extra",
                          "/data/samples": 200, "/problem/regularizer/kind": "l2"})
        self.assertIn('"quantiles": 10 makes ten groups', " ".join(self.refused("run", "s.json").split()))
        self.succeeds("run", "s.json", "--set", "partition.quantiles=10", "--out", "r", "--quiet")
        held = [int(row["samples"]) for row in self.table("r/agents.csv")]
        self.assertGreater(max(held), 2 * min(held), "shares of a small concentration are uneven")
