"""A problem that is put together of a data set, costs, a graph and schemes."""

import networkx as nx

import decent_bench.centralized_algorithms as ca
from decent_bench import benchmark
from decent_bench.benchmark_problem import BenchmarkProblem
from decent_bench.cost_functions import LogisticRegressionCost
from decent_bench.datasets import SyntheticClassificationData
from decent_bench.distributed_algorithms import GT2
from decent_bench.schemes import AlwaysActive, GaussianNoise, NoCompression, UniformDropRate

n_agents = 9
dataset = SyntheticClassificationData(n_classes=2, n_partitions=n_agents, n_samples_per_partition=20, n_features=4)
costs = [LogisticRegressionCost(*p) for p in dataset.get_training_partitions()]
optimal_x = ca.accelerated_gradient_descent(sum(costs[1:], start=costs[0]), x0=None, max_iter=50000, stop_tol=1e-100,
                                            max_tol=1e-16)
problem = BenchmarkProblem(
    topology_structure=nx.grid_2d_graph(3, 3),
    cost_functions=costs,
    optimal_x=optimal_x,
    agent_activation_schemes=[AlwaysActive()] * n_agents,
    compression_scheme=NoCompression(),
    noise_scheme=GaussianNoise(mean=0, sd=0.001),
    drop_scheme=UniformDropRate(drop_rate=0.25),
)

if __name__ == "__main__":
    benchmark.benchmark(algorithms=[GT2(iterations=51, step_size=0.005)], benchmark_problem=problem, n_trials=1)
