"""Results agree with their files: frames, claims, comparisons, figures, pages; and how long results stay."""

import base64
import copy
import gc
import html.parser
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil

import pandas

import lagnet
from support import SMALL, WITHOUT_NPM, Case, changed, files, has_reports

CLAIM = {"kind": "bound", "statement": "it comes below a half", "metric": "relative_error", "at_most": 0.5}
# Methods with steps of theory are remarked on where these may be tuned; a step that is given is not.
METHODS = [{"kind": "extra", "step": 0.05}, {"kind": "dgd", "step": 0.05}]


def status_of(seed):
    return lagnet.run(SMALL, set={"seed": seed}).status


class Tags(html.parser.HTMLParser):
    """Which tags and attributes a page has."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.values = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.values += attributes


class Warnings(Case):
    def test_warnings_have_a_code_numbers_and_a_text(self):
        with self.assertWarnsRegex(lagnet.RunWarning, "the start is a minimizer") as told:
            result = lagnet.run(SMALL, algorithm="nids", set={"problem.regularizer": {"kind": "l1", "weight": 1000}})
        warning = next(one for one in result.warnings if one.code == "start_is_minimizer")
        self.assertIn(str(warning), str(told.warning))
        self.assertEqual(list(warning.numbers), ["optimum"])
        self.assertEqual(str(warning), warning.text)

    def test_warnings_of_earlier_versions_are_texts_without_a_code(self):
        result = lagnet.run(SMALL, out="r")
        path = self.folder / "r/summary.json"
        path.write_text(json.dumps({**result.summary, "warnings": ["it may level off"]}), encoding="utf-8")
        self.assertEqual(lagnet.read("r").warnings, (lagnet.Remark("it may level off"),))


class Frames(Case):
    def test_frames_are_the_files_with_every_bit(self):
        result = lagnet.run(SMALL, out="r")
        for name, frame in (("progress", result.frame), ("agents", result.agents), ("links", result.links),
                            ("model", result.model)):
            header, *lines = pathlib.Path(f"r/{name}.csv").read_text().splitlines()
            self.assertEqual(list(frame.columns), header.split(","))
            self.assertEqual(len(frame), len(lines))
            for column, cells in zip(frame.columns, zip(*(line.split(",") for line in lines))):
                given = [None if pandas.isna(value) else float(value) for value in frame[column]]
                self.assertEqual(given, [float(cell) if cell else None for cell in cells], column)
            rows = result.rows(name)
            self.assertEqual([[row[column] for column in rows[0]] for row in rows],
                             [[None if pandas.isna(value) else value for value in row] for row in
                              frame.astype(object).itertuples(index=False)])

    def test_a_sweep_is_one_tidy_frame(self):
        runs = lagnet.sweep(SMALL, {"network.latency_ms": [1, 5]}, algorithm=METHODS, seeds=[1, 2])
        frame = runs.frame
        self.assertEqual(list(frame.columns[:4]), ["point", "algorithm", "latency_ms", "seed"])
        self.assertEqual(len(frame), sum(len(run.frame) for run in runs))
        self.assertEqual(frame["point"].unique().tolist(), [f"{k:03}" for k in range(8)])
        one = frame[(frame["algorithm"] == "dgd") & (frame["latency_ms"] == 5) & (frame["seed"] == 2)]
        self.assertEqual(one["objective"].tolist(), runs[7].frame["objective"].tolist())
        for table in ("agents", "links"):
            self.assertEqual(len(getattr(runs, table)), sum(len(getattr(run, table)) for run in runs))
        self.assertEqual(runs.summary["objective"].tolist(), [run.frame["objective"].iloc[-1] for run in runs])
        self.assertEqual([graph.number_of_edges() for graph in runs.graphs], [10] * 8)
        self.assertEqual(len(runs[2:5]), 3)

    def test_swept_keys_that_a_table_has_too_keep_both(self):
        runs = lagnet.sweep(SMALL, {"topology.agents": [3, 4], "data.features": [2, 3]})
        agents = runs.agents
        self.assertEqual([name for name in agents.columns if "features" in name], ["swept_features", "features"])
        self.assertEqual(agents["swept_features"].tolist(), agents["features"].tolist())

    def test_staleness_is_there_for_asynchronous_methods(self):
        scenario = changed({"/topology": {"kind": "star", "agents": 4}, "/stop": {"updates": 30},
                            "/algorithm": {"kind": "fed_async", "client_step": 0.1}})
        result = lagnet.run(scenario)
        self.assertGreater(len(result.staleness), 0)
        self.assertRaisesRegex(lagnet.InputError, "staleness.csv: missing", lambda: lagnet.run(SMALL).staleness)

    def test_a_point_that_could_not_run_says_why(self):
        """One that fits into no memory is a point of its sweep all the same."""
        lagnet.run(SMALL, seeds=[1, 2], out="r")
        folder = pathlib.Path("r/001")
        for path in folder.iterdir():
            if path.name != "scenario.json":
                path.unlink()
        (folder / "error.txt").write_text("not enough memory\n")
        runs = lagnet.read("r")
        self.assertEqual([run.status for run in runs], ["done", "error"])
        self.assertEqual(runs.failed[0].error, "not enough memory")
        self.assertEqual(runs.frame["point"].unique().tolist(), ["000"])
        self.assertIn("not enough memory", repr(runs[1]) + runs[1]._repr_html_())
        self.assertRaisesRegex(lagnet.InputError, "could not run: not enough memory", lambda: runs[1].frame)

    def test_importing_needs_the_standard_library_alone(self):
        heavy = ["numpy", "pandas", "networkx", "scipy", "matplotlib", "tqdm", "IPython"]
        code = f"""if True:
            import json, sys
            import lagnet
            result = lagnet.run(json.loads(sys.argv[1]))
            assert result.rows()[-1]["round"] == 12 and "done" in repr(result)
            print([name for name in {heavy} if name in sys.modules])
        """
        self.assertEqual(self.python(code, json.dumps(SMALL)), "[]\n")
        self.assertEqual(self.python(code, json.dumps(SMALL), env={**os.environ, "PYTHONNOUSERSITE": "1"}), "[]\n")


class Verdicts(Case):
    def test_claims_are_decided(self):
        runs = lagnet.sweep({**SMALL, "expect": [CLAIM, {**CLAIM, "at_most": 1e-30}]}, seeds=[1, 2])
        self.assertEqual([claim["verdict"] for claim in runs.claims], ["holds", "fails"])
        self.assertFalse(runs.claims.hold)
        self.assertEqual(lagnet.check(runs), runs.claims)
        self.assertIn("it comes below a half", runs.claims._repr_html_())
        result = lagnet.run({**SMALL, "expect": [CLAIM]})
        self.assertTrue(result.claims.hold)
        self.assertEqual(lagnet.run(SMALL).claims, [])
        self.assertEqual(repr(lagnet.run(SMALL).claims), "no statements")

    def test_claims_print_as_lines_with_the_papers_statement(self):
        wanted = [{**CLAIM, "paper": "it is small"}, {**CLAIM, "at_most": 1e-30, "known_to_fail": "it is a test"}]
        claims = lagnet.run({**SMALL, "expect": wanted}).claims
        self.assertRegex(repr(claims), "^holds: it comes below a half; allowed: at most 0.5, measured: [0-9.e-]+\n"
                                       "fails: it comes below a half; allowed: at most 1e-30, measured: [0-9.e-]+$")
        for told in ("it is small", "fails; known: it is a test"):
            self.assertIn(f">{told}<", claims._repr_html_())

    def test_claims_known_to_fail_raise_no_error(self):
        result = lagnet.run({**SMALL, "expect": [{**CLAIM, "at_most": 1e-30, "known_to_fail": "it is a test"}]})
        self.assertTrue(result.claims.hold)
        self.assertFalse(result.claims[0]["holds"])

    def test_goldens_are_compared(self):
        pathlib.Path("golden").mkdir()
        pathlib.Path("golden/small.json").write_text(json.dumps({"lagnet": 1, **SMALL}))
        self.assertEqual(self.program("check", "golden", "--update")[0], 0)
        self.assertEqual(lagnet.check("golden"), [{"name": "small", "same": True, "differences": [], "parts": [],
                                                   "hints": []}])
        self.assertTrue(lagnet.check("golden").same)
        pathlib.Path("golden/small.json").write_text(json.dumps({"lagnet": 1, **changed({"/seed": 2})}))
        differing, = lagnet.check("golden")
        self.assertFalse(differing["same"])
        self.assertGreater(len(differing["differences"]), 0)
        self.assertEqual(len(differing["parts"]), len(differing["differences"]))
        self.assertIn(("value", "/optimum/value"), [(one["code"], one.get("where")) for one in differing["parts"]])

    def test_a_replay_finds_a_changed_byte(self):
        result = lagnet.run(SMALL, out="r")
        self.assertTrue(lagnet.replay(result, threads=2))
        path = pathlib.Path("r/agents.csv")
        path.write_bytes(path.read_bytes().replace(b"0", b"1", 1))
        replayed = lagnet.replay("r")
        self.assertFalse(replayed)
        self.assertIn("agents.csv", replayed.difference)
        self.assertEqual((replayed.parts["code"], replayed.parts["file"]), ("cell", "agents.csv"))

    def test_figures_of_papers_are_reproduced_outside_the_checkout(self):
        results = lagnet.reproduce("nguyen2022/straggler", seeds=range(2, 4), set={"stop.simulated_s": 2}, out="r")
        self.assertEqual({run.scenario["seed"] for run in results}, {2, 3})
        self.assertGreater(len(results.claims), 0)
        self.assertIsInstance(lagnet.reproduce("liu2021"), lagnet.Results)  # a paper of one figure
        self.assertEqual(set(lagnet.reproduce("mishchenko2020")), {"delays", "slowness"})
        names = [one["name"] for one in lagnet.papers()]
        self.assertIn("ancelin2021/figure1", names)
        self.assertEqual(lagnet.list("papers").keys(), set(names))
        self.assertRaisesRegex(lagnet.InputError, "found 0", lagnet.reproduce, "nguyen2022/straggler", seeds=0)

    def test_a_warning_says_that_other_data_leave_statements_out(self):
        for figure, end in (("nguyen2022/straggler", {"stop.simulated_s": 1}), ("liu2021", {"stop.rounds": 2})):
            with self.assertWarnsRegex(lagnet.RunWarning, f"^{figure}: the statements are about other data") as told:
                results = lagnet.reproduce(figure, set={"data.samples": 200, **end})
            self.assertEqual((results.claims, told.filename), ([], __file__))

    def test_comparisons_have_the_numbers_of_the_command_line(self):
        runs = lagnet.sweep(SMALL, algorithm=METHODS, seeds=[1, 2, 3], out="r")
        comparison = runs.compare(to=[0.3, 0.1])
        status, out, _ = self.program("compare", self.folder / "r", "--to", "0.3,0.1", "--format", "json")
        self.assertEqual((status, comparison.facts), (0, json.loads(out)))
        self.assertEqual(comparison.series["series"].tolist(), [row["series"] for row in json.loads(out)["series"]])
        self.assertEqual(comparison.tables[:2], ["verdict", "series"])
        self.assertIn("accuracy", dir(comparison))
        self.assertRaises(AttributeError, lambda: comparison.nonsense)
        self.assertIn(comparison.answer, str(comparison))
        self.assertEqual(str(comparison), self.program("compare", self.folder / "r", "--to", "0.3,0.1")[1].rstrip("\n"))

    def test_options_of_a_comparison_reach_the_program(self):
        runs = lagnet.sweep(SMALL, {"network.latency_ms": [1, 5]}, algorithm=METHODS, seeds=[1, 2, 3])
        by = lagnet.compare(runs, to=0.3, by="network.latency_ms")
        self.assertEqual(sorted(set(by.pivot["latency_ms"])), ["1", "5"])
        one = lagnet.compare(runs, where={"algorithm.kind": "dgd", "/network/latency_ms": 5}, metric="objective",
                             against="bytes", to=2, points=4, confidence=0.9, resamples=200, bootstrap_seed=3)
        self.assertEqual(len(one.runs), 3)
        self.assertEqual((one.facts["metric"], one.facts["against"]), ("objective", "bytes"))
        self.assertEqual(one.facts["bootstrap"], {"resamples": 200, "confidence": 0.9, "seed": 3})
        apart = runs[0].compare(*runs[6:8], lagnet.run(SMALL, set={"algorithm.step": 0.01}))
        self.assertEqual(len(apart.runs), 4)
        rising = lagnet.compare(runs, metric="round", rising=True, to=[5])
        self.assertEqual(rising.facts["metric"], "round")


class Pages(Case):
    def setUp(self):
        super().setUp()
        if not has_reports():
            self.skipTest(WITHOUT_NPM)
        self.runs = lagnet.sweep(SMALL, algorithm=METHODS, seeds=[1, 2])

    def test_notebooks_show_a_picture_and_a_table_without_scripts(self):
        for shown in (self.runs, self.runs[0], self.runs.compare()):
            page = Tags(shown._repr_html_())
            self.assertNotIn("script", page.tags)
            self.assertNotIn("svg", page.tags)  # where svg is taken out, an image stays
            self.assertEqual([name for name, _ in page.values if name.startswith("on")], [])
            source = dict(page.values)["src"]
            self.assertTrue(source.startswith("data:image/svg+xml;base64,"))
            drawing = base64.b64decode(source.partition(",")[2]).decode()
            self.assertTrue(drawing.startswith("<svg"))
            self.assertNotIn("<script", drawing)
            self.assertIn("table", page.tags)
            self.assertIn("simulated time", dict(page.values)["alt"])
        self.assertEqual(Tags(self.runs._repr_html_()).tags.count("tr"), 5)

    def test_texts_of_scenarios_do_not_become_tags(self):
        result = lagnet.run(changed({"/label": "<script>alert(1)</script>"}))
        self.assertNotIn("<script", result._repr_html_())
        self.assertIn("&lt;script&gt;", result._repr_html_())

    def test_where_nothing_can_be_drawn_the_table_says_why(self):
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = str(self.folder)
        page = self.runs._repr_html_()
        self.assertRegex(page, r"<p>report: .*node.*</p>")
        self.assertIn("<table>", page)

    def test_figures_have_every_format(self):
        for format, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            figure = self.runs.figure(format=format, width_mm=120)
            self.assertTrue(figure.data.startswith(begin))
            self.assertEqual(figure.save(f"f.{format}").read_bytes(), figure.data)
            self.assertEqual(figure._repr_html_() is None, format == "pdf")
        self.assertIn("Bytes", self.runs.figure(x="bytes").data.decode())
        self.assertNotEqual(self.runs.figure(logY=False).data, self.runs.figure(logY=True).data)
        self.assertRaises(lagnet.InputError, self.runs.figure, "nonsense")

    def test_a_report_is_a_file_or_a_frame(self):
        page = self.runs.report("page.html")
        self.assertEqual(page.path, self.folder / "page.html")
        self.assertIn("href", dict(Tags(page._repr_html_()).values))
        inline = self.runs.report(inline=True)
        folder = self.runs.folder
        self.assertEqual(inline.path.parent, folder.parent)
        del self.runs, page
        gc.collect()  # the page is shown as long as a reference to it exists
        self.assertEqual(os.fspath(inline), str(inline.path))
        values = dict(Tags(inline._repr_html_()).values)
        self.assertEqual(values["srcdoc"], inline.path.read_text())
        self.assertNotIn("allow-same-origin", values["sandbox"])

    def test_matplotlib_draws_a_curve_for_each_series(self):
        import matplotlib
        matplotlib.use("agg")
        ax = self.runs.plot()
        self.assertEqual([line.get_label() for line in ax.lines], ["extra", "dgd"])
        self.assertEqual((ax.get_yscale(), len(ax.collections)), ("log", 2))
        # The median of two seeds is their mean, round by round.
        extra = [run.frame["objective"] for run in self.runs[:2]]
        drawn = self.runs.plot("round", "objective").lines[0].get_ydata()
        self.assertEqual(list(drawn), list((extra[0] + extra[1]) / 2))
        self.assertIs(self.runs[0].plot(ax=ax), ax)
        self.assertEqual(len(ax.lines), 3)


class Places(Case):
    def test_unreferenced_results_are_deleted(self):
        folder = lagnet.run(SMALL).folder
        gc.collect()
        self.assertFalse(folder.parent.exists())

    def test_copies_hold_the_folder_too(self):
        for copied in (copy.copy, copy.deepcopy):
            result = copied(lagnet.run(SMALL, seeds=[1, 2]))
            gc.collect()
            self.assertEqual([run.status for run in result], ["done", "done"])

    def test_processes_that_were_forked_have_folders_of_their_own(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            statuses = pool.map(status_of, range(1, 7))
        self.assertEqual(statuses, ["done"] * 6)
        self.assertEqual(status_of(1), "done")

    def test_runs_of_a_sweep_hold_its_folder(self):
        run = lagnet.run(SMALL, seeds=[1, 2])[1]
        gc.collect()
        self.assertEqual(run.status, "done")

    def test_nothing_stays_when_python_ends(self):
        code = "import json, sys, lagnet; print(lagnet.run(json.loads(sys.argv[1])).folder)"
        folder = pathlib.Path(self.python(code, json.dumps(SMALL)).strip())
        self.assertFalse(folder.parent.parent.exists())

    def test_a_process_that_was_forked_removes_nothing(self):
        result = lagnet.run(SMALL)
        child = os.fork()
        if child == 0:
            del result
            gc.collect()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(result.folder.is_dir())

    def test_kept_results_are_repeatable_with_their_data(self):
        X = [[1.5, 2], [3, 4], [5, 7], [1, 1], [0.5, 8]]
        pathlib.Path("theirs.csv").write_text("1,2,3\n4,5,6\n7,8,1\n3,1,4\n1,1,1\n")
        theirs = changed({"/data": {"source": "csv", "path": "theirs.csv", "header": "absent"}})
        for number, made in enumerate((lagnet.run(SMALL, data=(X, [1, 2, 3, 4, 5])),
                                       lagnet.run(SMALL, data=(X, [1, 2, 3, 4, 5]), seeds=[1, 2]),
                                       lagnet.run(theirs), lagnet.run(theirs, seeds=[1, 2])[1])):
            kept = made.keep(f"kept/deep/{number}")
            before = files(made.folder)
            del made
            gc.collect()
            self.assertEqual({name: content for name, content in files(kept.folder).items() if name.endswith(".csv")},
                             {name: content for name, content in before.items() if name.endswith(".csv")})
            replayed = lagnet.replay(kept)
            self.assertTrue(replayed, replayed.difference)
        self.assertEqual(len(list(pathlib.Path("kept/deep/lagnet-inputs").iterdir())), 1)
        self.assertRaises(lagnet.InputError, lagnet.read("kept/deep/0").keep, "kept/deep/1")

    def test_kept_results_of_a_sweep_over_files_name_them_from_where_they_are(self):
        for name in ("one", "two", "three"):
            pathlib.Path(f"{name}.csv").write_text("1,2,3\n4,5,6\n7,8,1\n3,1,4\n1,1,1\n")
        theirs = changed({"/data": {"source": "csv", "path": "one.csv", "header": "absent"}})
        for over in ({"/data/path": ["one.csv", "two.csv"]},
                     {"points": [{"/data/path": "two.csv"}, {"/data/path": "three.csv"}]}):
            kept = lagnet.sweep(theirs, over, out="one/r").keep("kept/deep/down")
            named = lagnet.read(kept.folder).scenario["sweep"]
            files_of = named.get("/data/path") or [point["/data/path"] for point in named["points"]]
            self.assertEqual([(kept.folder / name).is_file() for name in files_of], [True, True], named)
            self.assertEqual(lagnet.validate(kept.folder / "scenario.json"), [])
            shutil.rmtree("one")
            shutil.rmtree("kept")

    def test_a_scenario_of_results_may_be_run_where_its_data_will_go(self):
        made = lagnet.run(SMALL, data=([[1.5, 2], [3, 4], [5, 7], [1, 1], [0.5, 8]], [1, 2, 3, 4, 5]))
        again = lagnet.run(made.scenario, set={"seed": 5}, out="again")
        del made
        gc.collect()
        self.assertTrue(lagnet.replay(again))
        self.assertEqual(again.scenario["data"]["path"], str(next(pathlib.Path("lagnet-inputs").iterdir()).absolute()))

    def test_results_are_read_again_and_pass_between_processes(self):
        lagnet.run(SMALL, seeds=[1, 2], out="r")
        runs = lagnet.read("r")
        again = pickle.loads(pickle.dumps(runs))
        self.assertEqual([run.values for run in again], [run.values for run in runs])
        self.assertEqual(pickle.loads(pickle.dumps(runs[1])).frame["round"].iloc[-1], 12)
        self.assertRegex(repr(runs), r"^<lagnet.Results: 2 runs>$")
        self.assertTrue(re.match(r"<lagnet.Result extra: done, 12 rounds, .* s, relative error .*>", repr(runs[0])))


if __name__ == "__main__":
    import unittest
    unittest.main()
