"""Two steps of one algorithm; half of the messages are dropped."""

from decent_bench.benchmark import benchmark
from decent_bench.benchmark_problem import create_regression_problem
from decent_bench.cost_functions import LogisticRegressionCost
from decent_bench.distributed_algorithms import DGD

ITERATIONS = 3 * 10

if __name__ == "__main__":
    benchmark(
        [DGD(ITERATIONS, 1e-3, name="small"), DGD(ITERATIONS, 10 * 1e-3, name="large")],
        create_regression_problem(LogisticRegressionCost, n_agents=8, drops=True, compression=True, asynchrony=True),
    )
