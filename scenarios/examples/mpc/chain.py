"""Costs and constraints of a model predictive controller of a chain of masses, as lagnet's data source quadratics reads
them: `python3 chain.py` writes costs.csv and coupling.csv beside itself.

Eight masses of 1 kg in a row, each joined to its neighbors, the outer ones to walls, by springs of 1 N/m and dampers of
0.2 N s/m, and pushed by a force u_i: the oscillating masses of Wang, Boyd, "Fast model predictive control using online
optimization", IEEE Trans. Control Syst. Technol. 18 (2010), section V.B, with a force for each mass. Sampled every
0.5 s by the matrix exponential. The controller of mass i plans its forces u_i(0..9), and the pull w_i(0..9) that its
neighbors exert by where they are and how fast they move: 20 variables. Its own positions and velocities follow,

    s_i(t+1) = A s_i(t) + B (u_i(t) + w_i(t)),     cost sum_t |s_i(t+1)|^2 + 0.5 u_i(t)^2 + 0.05 w_i(t)^2

and are inserted, so that its cost is x'Ax/2 - b'x of its 20 variables. The constraints of the pulls couple the masses:

    w_i(t) - sum of the neighbors' positions + 0.2 velocities at t = 0,   for each mass and t = 0..9: 80 constraints
"""

from pathlib import Path

import numpy as np
from scipy.linalg import block_diag, expm

MASSES, HORIZON, INTERVAL_S = 8, 10, 0.5
SPRING, DAMPER = 1.0, 0.2
START = np.array([[1, 0], [-0.5, 0], [0, 1], [0.5, -0.5], [0, 0], [-1, 0.5], [0.5, 0], [1, -1]], dtype=float)


def sampled() -> tuple[np.ndarray, np.ndarray]:
    """A and B of one mass between two springs whose other ends stand still, with a constant force in each interval."""
    continuous = np.array([[0, 1, 0], [-2 * SPRING, -2 * DAMPER, 1], [0, 0, 0]])
    exact = expm(continuous * INTERVAL_S)
    return exact[:2, :2], exact[:2, 2:]


def responses() -> tuple[np.ndarray, np.ndarray]:
    """s(1..T) = free s(0) + forced (forces 0..T-1), one time after the other."""
    a, b = sampled()
    free = np.vstack([np.linalg.matrix_power(a, t + 1) for t in range(HORIZON)])
    forced = np.zeros((2 * HORIZON, HORIZON))
    for t in range(HORIZON):
        for k in range(t + 1):
            forced[2 * t:2 * t + 2, k:k + 1] = np.linalg.matrix_power(a, t - k) @ b
    return free, forced


def problem() -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray, np.ndarray]:
    """A_i and b_i of each mass, [B_1 .. B_m] and b."""
    free, forced = responses()
    both = np.hstack([forced, forced])  # of forces and pulls
    costs = [2 * (both.T @ both + np.diag([0.5] * HORIZON + [0.05] * HORIZON))] * MASSES
    slopes = [-2 * both.T @ free @ start for start in START]
    # What a neighbor exerts at the times 0..T-1: its start, then what it plans.
    exerted = np.kron(np.eye(HORIZON), [[SPRING, DAMPER]])
    later = np.vstack([np.zeros((2, 2 * HORIZON)), np.eye(2 * HORIZON)[:-2]])  # s(1..T) -> s(0..T-1)
    B = block_diag(*[np.hstack([np.zeros((HORIZON, HORIZON)), np.eye(HORIZON)])] * MASSES)
    b = np.zeros((MASSES, HORIZON))
    n = 2 * HORIZON
    for i in range(MASSES):
        for j in (i - 1, i + 1):
            if 0 <= j < MASSES:
                B[i * HORIZON:(i + 1) * HORIZON, j * n:(j + 1) * n] -= exerted @ later @ both
                alone = later @ free @ START[j]
                alone[:2] += START[j]
                b[i] += exerted @ alone
    return costs, slopes, B, b.ravel()


def main() -> None:
    costs, slopes, B, b = problem()
    folder = Path(__file__).parent
    rows = [np.column_stack([A, slope]) for A, slope in zip(costs, slopes)]
    np.savetxt(folder / "costs.csv", np.vstack(rows), delimiter=",", fmt="%.17g")
    np.savetxt(folder / "coupling.csv", np.column_stack([B, b]), delimiter=",", fmt="%.17g")


if __name__ == "__main__":
    main()
