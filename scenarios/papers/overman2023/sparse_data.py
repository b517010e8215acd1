#!/usr/bin/env python3
"""Writes sparse data of a size that cannot be kept here, to measure memory and time with.

    sparse_data.py SAMPLES FEATURES NONZEROS > FILE

LIBSVM text: so many non-zeros a sample in random columns, rows of norm 1, labels by a random hyperplane.
"""
import random
import sys


def main(samples, features, nonzeros):
    draws = random.Random(1)
    plane = [draws.gauss(0, 1) for _ in range(features)]
    for _ in range(samples):
        columns = sorted(draws.sample(range(features), nonzeros))
        values = [draws.random() + 0.1 for _ in columns]
        norm = sum(x * x for x in values) ** 0.5
        label = "1" if sum(x * plane[j] for j, x in zip(columns, values)) > 0 else "-1"
        print(label, *(f"{j + 1}:{x / norm:.4g}" for j, x in zip(columns, values)))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(int, sys.argv[1:]))
