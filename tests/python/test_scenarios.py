"""Scenarios as objects, the keys and values that they accept, and their type hints."""

import ast
import copy
import inspect
import json
import os
import pathlib
import pickle
import shutil
import subprocess
import sys

import lagnet
from lagnet import kinds
from support import PROGRAM, ROOT, SMALL, Case

sys.path.insert(0, str(ROOT / "tools/python/backend"))
import lagnet_stubs  # noqa: E402


class Objects(Case):
    def test_every_kind_that_the_program_lists_is_made_by_a_function(self):
        families = {"data": "data", "losses": "loss", "algorithms": "algorithm", "topologies": "topology",
                    "regularizers": "regularizer", "constraints": "constraint", "partitions": "partition",
                    "metrics": "metric", "claims": "claim", "availability": "availability", "clocks": "clock"}
        for family, name in families.items():
            listed = lagnet.list(family)
            made = getattr(kinds, name)
            self.assertEqual([kind for kind in listed if kind not in dir(made)], [])
            for kind, summary in listed.items():
                self.assertTrue(inspect.getdoc(getattr(made, kind)).startswith(summary))
        self.assertEqual(sorted(kinds.algorithm._kinds), sorted(lagnet.list("algorithms")))

    def test_objects_give_the_given_keys(self):
        self.assertEqual(kinds.algorithm.extra(step=0.5), {"kind": "extra", "step": 0.5})
        self.assertEqual(kinds.data.csv(path="x.csv"), {"source": "csv", "path": "x.csv"})
        self.assertEqual(kinds.network(latency_ms=kinds.latency.uniform(low=1, high=2)),
                         {"latency_ms": {"kind": "uniform", "low": 1, "high": 2}})

    def test_signatures_have_keys_and_defaults(self):
        signature = inspect.signature(kinds.algorithm.extra)
        self.assertEqual(signature.parameters["step"].default, "theory")
        self.assertIs(inspect.signature(kinds.topology.ring).parameters["agents"].default, inspect.Parameter.empty)
        self.assertIn("alpha, step size", inspect.getdoc(kinds.algorithm.extra))

    def test_misspelt_keys_and_kinds_are_reported_at_once(self):
        for call, error, told in ((lambda: kinds.algorithm.extra(stepp=1), TypeError, "did you mean step?"),
                                  (lambda: kinds.topology.ring(), TypeError, "ring needs agents"),
                                  (lambda: kinds.topology.rnig, AttributeError, "did you mean ring?"),
                                  (lambda: kinds.algoritm, AttributeError, "did you mean algorithm?"),
                                  (lambda: lagnet.Scenario(netwrk={}), AttributeError, "did you mean network?"),
                                  (lambda: lagnet.Scenario().network.latency, AttributeError, "mean latency_ms?"),
                                  (lambda: setattr(lagnet.Scenario().stop, "x", 1), AttributeError, "it has rounds")):
            with self.assertRaises(error) as refused:
                call()
            self.assertIn(told, str(refused.exception))

    def test_sections_are_made_when_their_keys_are_set(self):
        scenario = lagnet.Scenario()
        scenario.network.latency_ms = 20
        scenario.compute.encryption.cores = 4
        scenario.stop.rounds = 9
        self.assertEqual(scenario, {"lagnet": 1, "network": {"latency_ms": 20}, "compute": {"encryption": {"cores": 4}},
                                    "stop": {"rounds": 9}})
        del scenario.stop.rounds
        self.assertEqual(scenario.stop, {})
        self.assertRaises(AttributeError, lambda: scenario.stop.__delattr__("rounds"))

    def test_looking_changes_no_result(self):
        scenario = lagnet.Scenario(SMALL)
        before = lagnet.run(scenario).summary["trace_hash"]
        looked = [getattr(section, key) for section in (scenario, scenario.network, scenario.problem, scenario.compute,
                                                        scenario.participation, scenario.record)
                  for key in section._keys()]
        self.assertIn(125e6, [one.get("value") for one in looked if isinstance(one, dict)])
        self.assertIsNone(scenario.network.retransmit)
        self.assertEqual(scenario.seed, 1)
        self.assertEqual(lagnet.run(scenario).summary["trace_hash"], before)

    def test_kinds_within_complete_the_keys_of_their_kind(self):
        scenario = lagnet.Scenario(SMALL)
        self.assertIn("gossip_target", dir(scenario.algorithm))
        self.assertNotIn("client_step", dir(scenario.algorithm))
        scenario.algorithm.step = 0.01
        self.assertEqual(scenario["algorithm"], {"kind": "extra", "step": 0.01})
        self.assertIn("latency_ms", dir(scenario.network))

    def test_they_are_copied_and_pass_between_processes(self):
        scenario = lagnet.Scenario(SMALL)
        for again in (copy.deepcopy(scenario), pickle.loads(pickle.dumps(scenario))):
            self.assertIsInstance(again, lagnet.Scenario)
            again.network.latency_ms = 99
            self.assertEqual(scenario.network.latency_ms, 2)

    def test_files_are_read_with_the_files_they_name(self):
        scenario = lagnet.Scenario.read(lagnet.example("quickstart"))
        self.assertTrue(pathlib.Path(scenario.data.path).is_file())
        scenario.stop.rounds = 3
        self.assertEqual(lagnet.run(scenario, check=False).summary["stop"]["round"], 3)
        pathlib.Path("s.json").write_text("[]")
        self.assertRaises(lagnet.ScenarioError, lagnet.Scenario.read, "s.json")


class Words(Case):
    def test_the_schema_is_that_of_the_program(self):
        self.assertEqual(lagnet.schema(), json.loads(self.program("schema")[1]))
        self.assertIs(lagnet.schema(), lagnet.schema())

    def test_lists_and_descriptions_are_those_of_the_program(self):
        told = json.loads(self.program("list", "--json")[1])
        self.assertEqual({family: list(listed) for family, listed in lagnet.list().items()},
                         {family: [one["kind"] for one in listed] for family, listed in told.items()})
        self.assertEqual(str(lagnet.describe("network")) + "\n", self.program("describe", "network")[1])
        self.assertEqual(lagnet.describe("extra")[0]["fields"][0]["key"], "step")
        self.assertEqual(f"lagnet {lagnet.version()}", self.program("--version")[1].splitlines()[0])
        self.assertEqual(lagnet.__version__, lagnet.version())
        self.assertRaises(AttributeError, lambda: lagnet.nonsense)

    def test_the_module_is_the_program(self):
        run = subprocess.run([sys.executable, "-B", "-m", "lagnet", "list", "losses"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), self.program("list", "losses")[:2])

    def test_all_that_is_exported_is_there_and_explained(self):
        for name in lagnet.__all__:
            self.assertTrue(inspect.getdoc(getattr(lagnet, name)), name)


class Types(Case):
    def mypy(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": "", "MYPYPATH": str(self.folder)}
        command = ["/usr/bin/mypy", "--python-executable", sys.executable, "--cache-dir", "cache", *arguments]
        run = subprocess.run(command, capture_output=True, text=True, env=environment)
        return run.stdout + run.stderr

    def package(self):
        """The package as pip installs it, with the hints of its scenarios."""
        shutil.copytree(ROOT / "tools/python/lagnet", "lagnet", ignore=shutil.ignore_patterns("__pycache__"))
        pathlib.Path("lagnet/kinds.pyi").write_text(lagnet_stubs.of_program(pathlib.Path(PROGRAM)))

    def test_the_package_and_its_backend_are_checked_strictly(self):
        config = ["--config-file", str(ROOT / "pyproject.toml")]
        shutil.copytree(ROOT / "tools/python/lagnet", "lagnet", ignore=shutil.ignore_patterns("__pycache__"))
        self.assertIn("Success", self.mypy(*config, "lagnet"))
        shutil.copytree(ROOT / "tools/python/backend", "backend", ignore=shutil.ignore_patterns("__pycache__"))
        self.assertIn("Success", self.mypy(*config, *map(str, sorted(pathlib.Path("backend").glob("*.py")))))

    def test_the_hints_of_the_compiled_module_are_true(self):
        shutil.copytree(ROOT / "tools/python/lagnet", "lagnet", ignore=shutil.ignore_patterns("__pycache__"))
        for module in pathlib.Path(os.environ["LAGNET_MODULE_FOLDER"]).glob("_core*.so"):
            shutil.copy(module, "lagnet")
        # Classes of pybind11 have a metaclass and a constructor of its own, which is never called.
        classes = ("Compressor", "Draws", "Handle", "MeasuredProblem", "Message", "Packed")
        known = ["Source", *(f"{name}{end}" for name in classes for end in ("", ".__init__"))]
        pathlib.Path("known").write_text("".join(f"lagnet._core.{name}\n" for name in known))
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "MYPYPATH": str(self.folder)}
        run = subprocess.run([sys.executable, "-m", "mypy.stubtest", "lagnet._core", "--allowlist", "known"],
                             capture_output=True, text=True, env=environment)
        self.assertIn("Success: no issues found", run.stdout + run.stderr)

    def test_wrong_types_and_keys_are_reported(self):
        self.package()
        right = """
import lagnet
from lagnet import kinds
scenario = lagnet.Scenario(topology=kinds.topology.ring(agents=3), data=kinds.data.csv(path="x.csv"),
                           algorithm=kinds.algorithm.extra(step="tune"), network={"latency_ms": 3}, seed=4)
scenario.network.header_bytes = 66
scenario.stop.relative_error = None
scenario.network.latency_ms = kinds.latency.uniform(low=1, high=2)
result = lagnet.run(scenario, set={"network.latency_ms": 50})
hash: str = result.summary["trace_hash"]
for run in lagnet.run("x.json", seeds=range(3)):
    point: str = run.point
"""
        wrong = """
scenario.network.header_bytes = "66"
scenario.network.latency = 5
kinds.topology.ring(agents="three")
kinds.topology.ring()
kinds.algorithm.extra(stepp=3)
kinds.network(sharing="fare")
lagnet.run(scenario, seed=3)
result.frames
"""
        pathlib.Path("use.py").write_text(right)
        self.assertEqual(self.mypy("--strict", "--ignore-missing-imports", "use.py"),
                         "Success: no issues found in 1 source file\n")
        pathlib.Path("use.py").write_text(right + wrong)
        told = self.mypy("--strict", "--ignore-missing-imports", "use.py")
        first = right.count("\n") + 1
        lines = {int(line.split(":")[1]) for line in told.splitlines() if ": error:" in line}
        self.assertEqual(lines, set(range(first + 1, first + wrong.count("\n"))), told)

    def test_hints_have_the_keys_that_there_are(self):
        def keys(function):
            return [argument.arg for argument in function.args.kwonlyargs], \
                [argument.arg for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults)
                 if default is None]

        def runtime(function):
            parameters = inspect.signature(function).parameters.values()
            return [one.name for one in parameters], [one.name for one in parameters if one.default is one.empty]

        hints = ast.parse(lagnet_stubs.of_schema(lagnet.schema())).body
        functions = {one.name: one for one in hints if isinstance(one, ast.FunctionDef) and one.name != "names"}
        families = {one.name[1:]: one for one in hints if isinstance(one, ast.ClassDef) and one.name.startswith("_")}
        self.assertEqual(sorted([*functions, *families]), kinds.names())
        for name, hint in functions.items():
            self.assertEqual(keys(hint), runtime(getattr(kinds, name)), name)
        for name, family in families.items():
            made = getattr(kinds, name)
            self.assertEqual([one.name for one in family.body], list(made._kinds))
            for hint in family.body:
                self.assertEqual(keys(hint), runtime(getattr(made, hint.name)), f"{name}.{hint.name}")
        scenario = next(one for one in hints if isinstance(one, ast.ClassDef) and one.name == "Scenario")
        self.assertEqual([one.target.id for one in scenario.body if isinstance(one, ast.AnnAssign)],
                         list(lagnet.schema()["properties"]))


if __name__ == "__main__":
    import unittest
    unittest.main()
