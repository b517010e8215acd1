"""What cannot fit into memory is refused with its key before anything is made, whatever makes it large."""

import bz2
import os
import resource

from support import Case

BUDGET_MIB = 1000


def little_memory():
    """Less than a fifth of the memory of the smallest refused scenario."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


class Sizes(Case):
    def refused(self, changes):
        self.write_small(changes)
        problems = set()
        for command in (("validate", "s.json"), ("run", "s.json", "--out", "r")):
            status, out, err = self.lagnet(*command, "--memory-budget-mib", BUDGET_MIB, preexec_fn=little_memory)
            self.assertEqual(status, 2, err)
            self.assertLessEqual({path.name for path in self.folder.iterdir()}, {"s.json", "wide.libsvm"})
            problems.add((err or out).removeprefix("s.json: "))
        self.assertEqual(len(problems), 1, problems)
        return problems.pop()

    def test_graphs(self):
        for topology in ({"kind": "complete", "agents": 65536}, {"kind": "star", "agents": 10**9},
                         {"kind": "barbell", "clique_agents": 10**5, "path_agents": 0},
                         {"kind": "two_level_cluster", "clusters": 10**5, "cluster_agents": 10**5},
                         {"kind": "erdos_renyi", "agents": 10**5, "probability": 1},
                         {"kind": "watts_strogatz", "agents": 10**5, "degree": 99998, "rewiring": 0.1},
                         {"kind": "barabasi_albert", "agents": 10**5, "edges_per_agent": 50000},
                         {"kind": "random_geometric", "agents": 10**5, "radius": 2},
                         {"kind": "random_regular", "agents": 10**5, "degree": 50000},
                         {"kind": "lattice", "rows": 10**4, "columns": 10**4},
                         {"kind": "hypercube", "agents": 2**29}):
            self.assertRegex(self.refused({"/topology": topology}),
                             r"^/topology: expected a graph of at most 1\.05 GB, the memory budget of runs here "
                             r"\(--memory-budget-mib\), found [\d.e+]+ GB: [\de+]+ agents, [\de+]+ edges", topology)

    def test_attempts_are_bounded(self):
        told = self.refused({"/topology": {"kind": "erdos_renyi", "agents": 10, "probability": 0, "attempts": 10**9}})
        self.assertEqual(told, "/topology/attempts: expected an integer from 1 to 1000000, found 1000000000\n")

    def test_generated_data(self):
        for data in ({"source": "gaussian_regression", "samples": 2**31, "features": 2},
                     {"source": "gaussian_regression", "samples": 2, "features": 2**31},
                     {"source": "sparse_classification", "samples": 10**7, "features": 10**6,
                      "nonzeros_per_sample": 100},
                     {"source": "matrix_completion", "size": 4, "rank": 1, "observations": 2**31},
                     {"source": "federated_classification", "clients": 5, "samples_per_client": 4, "features": 7,
                      "classes": 2**31 - 1}):
            self.assertRegex(self.refused({"/data": data}),
                             r"^/data: expected data of at most 1\.05 GB, the memory budget of runs here "
                             r"\(--memory-budget-mib\), found [\d.e+]+ GB: \d+ samples, \d+ features", data)

    def test_data_of_which_a_run_without_numbers_has_the_shape_alone(self):
        told = self.refused({"/numerics": "off", "/data": {"source": "gaussian_regression", "samples": 2**31 - 1,
                                                           "features": 2}})
        self.assertEqual(told, "/data: expected the order of samples and features of at most 1.05 GB, the memory "
                               "budget of runs here (--memory-budget-mib), found 17.2 GB: 2147483647 samples, "
                               "2 features\n")
        # Where samples are divided, in random order too, no list of features is kept.
        self.write_small({"/numerics": "off", "/partition": {"kind": "shuffled_samples"},
                          "/algorithm": {"kind": "nids"}, "/problem/regularizer": {"kind": "none"},
                          "/data": {"source": "gaussian_regression", "samples": 20, "features": 2**31 - 1}})
        self.assertEqual(self.lagnet("validate", "s.json", "--memory-budget-mib", BUDGET_MIB,
                                     preexec_fn=little_memory)[0], 0)

    def test_a_file_with_one_entry_far_out(self):
        self.write("wide.libsvm", "1 1:1\n1 2147483647:1\n")
        self.assertRegex(self.refused({"/data": {"source": "libsvm", "path": "wide.libsvm"}}),
                         r"^/data: .*wide\.libsvm: expected data of at most 1\.05 GB, the memory budget of runs here "
                         r"\(--memory-budget-mib\), found 8\.59 GB: 2 samples, 2147483647 features")

    def test_a_few_bytes_that_unpack_to_many(self):
        packed = bz2.compress(b"\n" * 2**23)
        self.write("bomb.bz2", packed)
        self.write_small({"/data": {"source": "libsvm", "path": "bomb.bz2"}})
        _, _, err = told = self.lagnet("validate", "s.json", "--memory-budget-mib", 10)
        self.assertEqual(told[:2], (2, ""))
        self.assertRegex(err, r"^s\.json: /data: .*bomb\.bz2: expected a text of at most 0\.00524 GB, half of "
                              r"the memory budget of runs here \(--memory-budget-mib\), found more, in [\d.e-]+ GB "
                              r"that bzip2 unpacks\n$")

    def test_reading_never_waits_for_pipes_and_devices(self):
        os.mkfifo(self.folder / "pipe")
        for path, found in (("/dev/zero", "a device"), ("pipe", "a pipe")):
            self.assertEqual(self.lagnet("validate", path),
                             (2, "", f"{path}: expected a scenario file, found {found}\n"))
            self.write_small({"/data": {"source": "libsvm", "path": path}})
            self.assertRegex(self.lagnet("validate", "s.json")[2], f": expected a file, found {found}\n$")
            self.write_small({"/topology": {"kind": "edge_list", "path": path}})
            self.assertRegex(self.lagnet("validate", "s.json")[2],
                             f": expected a file that can be read, found {found}\n$")

    def test_iterates_of_all_agents(self):
        self.write("wide.libsvm", "1 1:1\n-1 30000000:1\n1 2:1\n-1 3:1\n1 4:1\n")
        told = self.refused({"/data": {"source": "libsvm", "path": "wide.libsvm"}, "/record/optimum": False,
                             "/problem/regularizer": {"kind": "none"}, "/topology": {"kind": "complete", "agents": 5},
                             "/algorithm": {"kind": "extra", "step": 0.1}})
        self.assertEqual(told, "/problem: expected iterates and gradients of at most 1.05 GB, the memory budget of "
                               "runs here (--memory-budget-mib), found 2.4 GB: 30000000 coefficients, 5 agents\n")

    def test_the_budget_decides(self):
        self.write_small({"/topology": {"kind": "star", "agents": 10**5}, "/numerics": "off", "/stop/rounds": 1,
                          "/data": {"source": "gaussian_regression", "samples": 20, "features": 10**5}})
        status, _, err = self.lagnet("validate", "s.json", "--memory-budget-mib", 5)
        self.assertEqual((status, err.split(" of at most")[0]), (2, "s.json: /topology: expected a graph"))
        self.assertEqual(self.lagnet("validate", "s.json", "--memory-budget-mib", 1000)[0], 0)
