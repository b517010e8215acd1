"""A day of twelve generators, as lagnet's data source quadratics reads it: `python3 day.py` writes costs.csv,
coupling.csv and limits.csv beside itself.

Economic dispatch: in each of 24 hours h the generators i produce x_i(h) MW, which together are the demand of the hour,
at the least cost of all hours,

    sum over i and h of  q_i x_i(h)^2 / 2 + c_i x_i(h)   with  low_i <= x_i(h) <= high_i,   demand(h) - sum_i x_i(h) = 0

in EUR. The price of a constraint is the hour's price of power in EUR/MWh. Costs and limits are made up, of the sizes of
hydro, coal, gas and oil in Wood, Wollenberg, Sheble, "Power generation, operation, and control" (2013), section 3; the
demand is a night, a morning and an evening peak. By dual methods over a graph: Yang, Tan, Xu, "Consensus based approach
for economic dispatch problem in a smart grid", IEEE Trans. Power Syst. 28 (2013).
"""

from pathlib import Path

import numpy as np

HOURS = 24
GENERATORS = np.array([  # q in EUR/MW^2h, c in EUR/MWh, least and largest MW
    (0.020, 9, 150, 400), (0.022, 11, 100, 350), (0.025, 18, 80, 300), (0.028, 19, 60, 280),
    (0.030, 20, 60, 260), (0.032, 21, 50, 240), (0.040, 26, 30, 200), (0.045, 27, 30, 180),
    (0.050, 29, 20, 160), (0.060, 34, 0, 150), (0.070, 40, 0, 120), (0.080, 45, 0, 100)])


def demand() -> np.ndarray:
    """MW in each hour, to tenths."""
    hour = np.arange(HOURS)
    return np.round(1500 + 350 * np.exp(-((hour - 9) / 2.5) ** 2) + 700 * np.exp(-((hour - 19) / 3) ** 2)
                    - 250 * np.exp(-((hour - 3) / 3) ** 2), 1)


def main() -> None:
    folder = Path(__file__).parent
    costs = [np.column_stack([q * np.eye(HOURS), np.full(HOURS, -c)]) for q, c, _, _ in GENERATORS]
    coupling = np.column_stack([np.tile(-np.eye(HOURS), len(GENERATORS)), -demand()])
    limits = np.repeat(GENERATORS[:, 2:], HOURS, axis=0)
    np.savetxt(folder / "costs.csv", np.vstack(costs), delimiter=",", fmt="%.6g")
    np.savetxt(folder / "coupling.csv", coupling, delimiter=",", fmt="%.6g")
    np.savetxt(folder / "limits.csv", limits, delimiter=",", fmt="%.6g")


if __name__ == "__main__":
    main()
