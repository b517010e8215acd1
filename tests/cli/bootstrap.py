"""The percentile bootstrap of `lagnet compare`, computed from its definition (scenarios/compare/paired.hpp,
sim/base/draws.hpp) without its code: Philox 4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
1, 2, 3" (2011), and Lemire's way to draw below a bound."""

import statistics

MASK = 2**32 - 1


def philox(counter, key):
    """Four words of 32 bits from four and a key of two."""
    (c0, c1, c2, c3), (k0, k1) = counter, key
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & MASK, (p0 >> 32) ^ c3 ^ k1, p0 & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


def purpose(name):
    """FNV-1a."""
    number = 2166136261
    for byte in name.encode():
        number = (number ^ byte) * 16777619 & MASK
    return number


def indices(seed, resample, count):
    """The places that a resample of `count` values takes."""
    key, id_of_bootstrap = (seed & MASK, seed >> 32), purpose("bootstrap")
    words = []

    def bits():
        if not words:
            number = len(blocks)
            blocks.append(None)
            words.extend(philox((number, id_of_bootstrap, 0, resample), key))
        low, high = words.pop(0), words.pop(0)
        return high << 32 | low

    blocks, places = [], []
    while len(places) < count:
        product = bits() * count
        if product % 2**64 >= 2**64 % count:
            places.append(product >> 64)
    return places


def quantile(ascending, p):
    at = (len(ascending) - 1) * p
    below = int(at)
    if below + 1 >= len(ascending) or ascending[below] == ascending[below + 1]:
        return ascending[below]
    return ascending[below] + (at - below) * (ascending[below + 1] - ascending[below])


def interval(values, resamples=10_000, confidence=0.95, seed=1):
    """The ends of the interval of the mean."""
    means = sorted(sum(values[i] for i in indices(seed, b, len(values))) / len(values) for b in range(resamples))
    return quantile(means, (1 - confidence) / 2), quantile(means, (1 + confidence) / 2)


def ratio_of_medians(first, second, resamples=10_000, confidence=0.95, seed=1):
    """The ends of the interval of how many times the second median is the first, of values in pairs."""
    ratios = []
    for b in range(resamples):
        places = indices(seed, b, len(first))
        low, high = (statistics.median(values[i] for i in places) for values in (first, second))
        ratios.append(1 if low == high else high / low)
    ratios.sort()
    return quantile(ratios, (1 - confidence) / 2), quantile(ratios, (1 + confidence) / 2)
