"""Three algorithms on a ring of agents with least squares."""

import networkx as nx

from decent_bench import benchmark, benchmark_problem
from decent_bench.cost_functions import LinearRegressionCost
from decent_bench.distributed_algorithms import ADMM, DGD, GT2

n_agents = 6
problem = benchmark_problem.create_regression_problem(LinearRegressionCost, n_agents=n_agents, n_neighbors_per_agent=2)
problem.topology_structure = nx.cycle_graph(n_agents)

if __name__ == "__main__":
    benchmark.benchmark(
        algorithms=[
            DGD(iterations=20, step_size=0.001),
            GT2(iterations=20, step_size=0.001),
            ADMM(iterations=20, rho=10, alpha=0.3),
        ],
        benchmark_problem=problem,
        n_trials=5,
    )
