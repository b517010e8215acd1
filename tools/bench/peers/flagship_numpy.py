#!/usr/bin/env python3
"""One iteration of fd_primal_dual for all agents together, in NumPy: what bench_flagship measures of lagnet, as one
would write it without a simulator. Prints the median over 9 iterations as one line of JSON, and which BLAS NumPy has:
with the reference implementation, which Debian's package takes when there is no other, it is up to ten times as slow.

    flagship_numpy.py --agents 256 --topology lattice

What makes it fast: lambda, v and w of all agents are the rows of matrices, so that all sums over neighbors are one
product with the Laplacian, a dense one or, where SciPy is there and the graph is sparse, also a sparse one, whichever
is faster; the step sizes are in the Laplacian and in the short vectors; the large matrices stay where they are; each
agent's columns are contiguous, in Fortran order. With --plain X lies row by row, as NumPy makes it, and agents have
views of it, as np.array_split gives them: what one writes first. One thread."""

import os

os.environ.update({name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")})

import argparse
import json
import statistics
import time

import numpy as np

try:
    import scipy.sparse
except ImportError:
    scipy = None

ITERATIONS = 9  # that count; one before them does not


def laplacian(agents, edges):
    """Dense, agents x agents, from pairs of agents."""
    L = np.zeros((agents, agents))
    for j, k in edges:
        L[j, k] = L[k, j] = -1
    np.fill_diagonal(L, -L.sum(axis=1))
    return L


def edges_of(topology, agents, rng):
    """The families of bench_flagship; of Erdos-Renyi with p = 0.5 any graph will do."""
    if topology == "lattice":  # 4 neighbors
        side = round(agents**0.5)
        if side * side != agents:
            raise SystemExit(f"--agents: expected a square number for a lattice, found {agents}")
        cells = np.arange(agents).reshape(side, side)
        across = zip(cells[:, :-1].ravel(), cells[:, 1:].ravel())
        return [*across, *zip(cells[:-1].ravel(), cells[1:].ravel())]
    pairs = zip(*np.triu_indices(agents, 1))
    return [pair for pair in pairs if topology == "complete" or rng.random() < 0.5]


def iterate(blocks, y, L, sigma, tau, iterations, done=lambda t, theta, theta_bar: None):
    """fd_primal_dual (Ancelin, Bahmani, Romberg 2021) with the squared loss and no regularizer. blocks: X_j of each
    agent (n x d_j); y: the labels (n) of agent 0; L: the Laplacian (m x m), dense or sparse. Calls
    done(t, theta, theta_bar) after each iteration t: with the agents' blocks, and a function that gives their averages
    joined (d)."""
    n, m = len(y), len(blocks)
    L_tau, L_sigma, c = L * (tau / n), L * (sigma / n), sigma / n
    theta = [np.zeros(X.shape[1]) for X in blocks]      # own coefficients      (d_j)
    theta_sum = [np.zeros(X.shape[1]) for X in blocks]  # theta^1 + .. + theta^t (d_j)
    Lam, V, W = (np.zeros((m, n)) for _ in range(3))    # a row for each agent  (m x n)
    product = np.empty((m, n))
    sums = (lambda A, B: np.matmul(A, B, out=product)) if isinstance(L, np.ndarray) else (lambda A, B: A @ B)
    for t in range(1, iterations + 1):
        if m > 1:
            G = sums(L_tau, Lam)
            V -= G  # (10)
            np.subtract(V, G, out=W)
        for j, X in enumerate(blocks):
            theta_next = theta[j] - (tau / n) * (X.T @ Lam[j])  # (9)
            Lam[j] += X @ (c * (2 * theta_next - theta[j]))
            theta[j] = theta_next
            theta_sum[j] += theta_next
        if m > 1:
            Lam += sums(L_sigma, W)  # (11), (13)
        Lam[0] = (Lam[0] - c * y) / (1 + c)  # (12)
        done(t, theta, lambda: np.concatenate(theta_sum) / t)


def blas():
    """Of the libraries in this process, the one that multiplies matrices."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        text = maps.read()
    return next((name for name in ("openblas", "mkl", "blis", "atlas") if name in text), "reference")


def measure(blocks, y, L):
    """CPU and wall milliseconds of each iteration that counts."""
    cpu, wall = [], []

    def take_times(_t, _theta, _theta_bar):
        cpu.append(time.process_time())
        wall.append(time.perf_counter())

    iterate(blocks, y, L, 1e-3, 1e-3, ITERATIONS + 1, take_times)
    return [[(after - before) * 1e3 for before, after in zip(times, times[1:])] for times in (cpu, wall)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=64)
    parser.add_argument("--topology", choices=["complete", "lattice", "erdos_renyi"], default="complete")
    parser.add_argument("--samples", type=int, default=16384)
    parser.add_argument("--features", type=int, default=2048)
    parser.add_argument("--plain", action="store_true", help="X row by row, and agents' columns as views of it")
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    X = rng.standard_normal((given.features, given.samples)).T  # Fortran order: blocks of columns are contiguous
    if given.plain:
        X = np.ascontiguousarray(X)
    starts = [given.features * j // given.agents for j in range(given.agents + 1)]
    blocks = [X[:, first:last] for first, last in zip(starts, starts[1:])]
    L = laplacian(given.agents, edges_of(given.topology, given.agents, rng))
    candidates = {"dense": L}
    if scipy and np.count_nonzero(L) < L.size / 5:
        candidates["sparse"] = scipy.sparse.csr_matrix(L)
    results = []
    for name, matrix in candidates.items():
        cpu, wall = measure(blocks, np.ones(given.samples), matrix)
        results.append({"cpu_ms": statistics.median(cpu), "wall_ms": statistics.median(wall), "laplacian": name,
                        "blas": blas()})
    print(json.dumps(min(results, key=lambda result: result["cpu_ms"])))


if __name__ == "__main__":
    main()
