"""Writes platforms.json: `python3 make_platforms.py > platforms.json`; and with `routes` those of more_routes.json,
whose transfers pass several links. Numbers that should look arbitrary come from
multiples of the golden ratio, rounded to whole bytes, so that every machine makes the same file."""

import json
import sys

GOLDEN = 0.6180339887498949


def spread(k, low, high):
    """The k-th of a sequence that fills low .. high evenly on a logarithmic scale; a whole number."""
    return round(low * (high / low) ** ((k + 1) * GOLDEN % 1))


def transfer(source, target, size, start_s=0, latency_s=0, via=None):
    made = {"from": source, "to": target, "bytes": size, "start_s": start_s, "latency_s": latency_s}
    return made if via is None else made | {"via": via}


def hosts(count):
    """Hosts with unequal interfaces, the way down wider than the way up."""
    up = [spread(k, 500_000, 10_000_000) for k in range(count)]
    down = [spread(k + 7, 1_000_000, 20_000_000) for k in range(count)]
    return [{"up_bytes_per_s": u, "down_bytes_per_s": d} for u, d in zip(up, down)]


def platform(name, machines, transfers, links_bytes_per_s=()):
    return {"name": name, "hosts": machines, "links_bytes_per_s": list(links_bytes_per_s), "transfers": transfers}


def star(clients, direction, wave_s=0, latency_s=0):
    """Host 0 is the server, whose interface binds some of the clients and not others.
    wave_s: the time over which the starts are spread."""
    rate = 2_500_000 * clients
    machines = [{"up_bytes_per_s": rate, "down_bytes_per_s": rate}] + hosts(clients)
    transfers = []
    for c in range(1, clients + 1):
        start_s = round(wave_s * (c * GOLDEN % 1), 6)
        if direction != "up":
            transfers.append(transfer(0, c, spread(c, 100_000, 10_000_000), start_s, latency_s))
        if direction != "down":
            transfers.append(transfer(c, 0, spread(3 * c, 100_000, 10_000_000), start_s, latency_s))
    return platform(f"star of {clients}, {direction}" + (", staggered" if wave_s else ""), machines, transfers)


def ring(count):
    transfers = [transfer(k, (k + step) % count, spread(k, 500_000, 5_000_000), 0, 0.02)
                 for k in range(count) for step in (1, count - 1)]
    return platform(f"ring of {count}", hosts(count), transfers)


def binary_tree(count):
    """Each child to its parent, and back a little later, with latencies of their own."""
    transfers = []
    for k in range(1, count):
        parent = (k - 1) // 2
        transfers.append(transfer(k, parent, spread(k, 500_000, 5_000_000), 0, 0.001 * k))
        transfers.append(transfer(parent, k, spread(k + 50, 500_000, 5_000_000), 0.4, 0.001 * k))
    return platform(f"binary tree of {count}", hosts(count), transfers)


def all_to_all(count, equal):
    machines = [{"up_bytes_per_s": 10_000_000, "down_bytes_per_s": 10_000_000}] * count if equal else hosts(count)
    transfers = [transfer(i, j, spread(count * i + j, 200_000, 2_000_000))
                 for i in range(count) for j in range(count) if i != j]
    return platform(f"all-to-all of {count}, {'equal' if equal else 'unequal'} interfaces", machines, transfers)


def clusters(count, size):
    """Clusters whose hosts share one link out; each host sends to its gateway, and to a host of the next cluster."""
    transfers = []
    for c in range(count):
        for k in range(size):
            here, there = c * size + k, (c + 1) % count * size + (k + 1) % size
            size_out, size_in = (spread(here + more, 500_000, 5_000_000) for more in (0, 31))
            transfers.append(transfer(here, there, size_out, 0, round(0.005 * (c + 1), 6), via=c))
            if k > 0:
                transfers.append(transfer(here, c * size, size_in, 0.1, 0.0005))
    links = [spread(c, 5_000_000, 30_000_000) for c in range(count)]
    return platform(f"{count} clusters of {size}", hosts(count * size), transfers, links)


def random_pairs(count, transfers_count):
    """Many short transfers between hosts, each at its own time."""
    made = []
    for k in range(transfers_count):
        source = k * 7 % count
        target = (source + 1 + k * k % (count - 1)) % count
        made.append(transfer(source, target, spread(k, 50_000, 2_000_000), round(5 * (k * GOLDEN % 1), 6),
                             round(0.05 * (k * GOLDEN * GOLDEN % 1), 6)))
    return platform(f"{transfers_count} transfers among {count}", hosts(count), made)


def shortest_paths(nodes, links):
    """The links of the path with fewest links between any two nodes: of several the first by the numbers of its nodes.
    Link k goes from links[k][0] to links[k][1] as 2 k, and back as 2 k + 1."""
    neighbors = {node: sorted((b, 2 * k) if a == node else (a, 2 * k + 1) for k, (a, b) in enumerate(links)
                              if node in (a, b)) for node in range(nodes)}
    paths = {}
    for source in range(nodes):
        paths[source, source], reached = [], [source]
        for node in reached:
            for other, link in neighbors[node]:
                if (source, other) not in paths:
                    paths[source, other] = [*paths[source, node], link]
                    reached.append(other)
    return paths


def routed(name, links, place, transfers_count, low=2_000_000, high=8_000_000):
    """Hosts at these nodes; each transfer, at a time of its own, to another node where there is one."""
    count = len(place)
    paths = shortest_paths(1 + max(max(ends) for ends in links), links)
    made = []
    for k in range(transfers_count):
        source = k * 5 % count
        target = (source + 1 + k * k % (count - 1)) % count
        if source == target:
            continue
        made.append(transfer(source, target, spread(k, 100_000, 2_000_000), round(2 * (k * GOLDEN % 1), 6),
                             round(0.05 * (k * GOLDEN * GOLDEN % 1), 6), via=paths[place[source], place[target]]))
    rates = [spread(k // 2, low, high) for k in range(2 * len(links))]
    return platform(name, hosts(count), made, rates)


def grid(rows, columns, wraps):
    at = lambda r, c: r % rows * columns + c % columns  # noqa: E731
    right = [(at(r, c), at(r, c + 1)) for r in range(rows) for c in range(columns if wraps else columns - 1)]
    down = [(at(r, c), at(r + 1, c)) for r in range(rows if wraps else rows - 1) for c in range(columns)]
    return right + down


ROUTED = [
    routed("dumbbell of 12 + 12", [(0, 1)], [0] * 12 + [1] * 12, 80),
    routed("dumbbell of 3 + 15 with a thin link", [(0, 1)], [0] * 3 + [1] * 15, 60, 500_000, 500_000),
    routed("star of four LANs", [(0, 1), (0, 2), (0, 3), (0, 4)], [k % 4 + 1 for k in range(20)], 100),
    routed("fat tree of 6 x 4 under three cores", [(edge, 6 + core) for core in range(3) for edge in range(6)],
           [k // 4 for k in range(24)], 120),
    routed("line of 8 routers", [(k, k + 1) for k in range(7)], [k // 2 for k in range(16)], 90),
    routed("ring of 10 sites", [(k, (k + 1) % 10) for k in range(10)], [k // 2 for k in range(20)], 100),
    routed("torus of 4 x 4 routers", grid(4, 4, True), list(range(16)), 120),
    routed("grid of 3 x 5 routers", grid(3, 5, False), [k % 15 for k in range(30)], 150),
]

PLATFORMS = [star(clients, direction, latency_s=0.01 if clients == 10 else 0)
             for clients in (2, 10, 50, 200) for direction in ("down", "up", "both")]
PLATFORMS += [star(50, "both", wave_s=20), star(200, "down", wave_s=100), ring(16), binary_tree(15)]
PLATFORMS += [all_to_all(12, True), all_to_all(12, False), clusters(4, 6), random_pairs(30, 300)]


def main():
    """One line for each host and transfer."""
    texts = []
    for one in ROUTED if sys.argv[1:] == ["routes"] else PLATFORMS:
        parts = [f'"{key}": {json.dumps(one[key])}' for key in ("name", "links_bytes_per_s")]
        parts += [f'"{key}": [\n' + ",\n".join("  " + json.dumps(entry) for entry in one[key]) + "]"
                  for key in ("hosts", "transfers")]
        texts.append("{" + ",\n".join(parts) + "}")
    print("[\n" + ",\n".join(texts) + "\n]")


if __name__ == "__main__":
    main()
