"""Writes platforms.json: `python3 make_platforms.py > platforms.json`. Numbers that should look arbitrary come from
multiples of the golden ratio, rounded to whole bytes, so that every machine makes the same file."""

import json

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


PLATFORMS = [star(clients, direction, latency_s=0.01 if clients == 10 else 0)
             for clients in (2, 10, 50, 200) for direction in ("down", "up", "both")]
PLATFORMS += [star(50, "both", wave_s=20), star(200, "down", wave_s=100), ring(16), binary_tree(15)]
PLATFORMS += [all_to_all(12, True), all_to_all(12, False), clusters(4, 6), random_pairs(30, 300)]


def main():
    """One line for each host and transfer."""
    texts = []
    for one in PLATFORMS:
        parts = [f'"{key}": {json.dumps(one[key])}' for key in ("name", "links_bytes_per_s")]
        parts += [f'"{key}": [\n' + ",\n".join("  " + json.dumps(entry) for entry in one[key]) + "]"
                  for key in ("hosts", "transfers")]
        texts.append("{" + ",\n".join(parts) + "}")
    print("[\n" + ",\n".join(texts) + "\n]")


if __name__ == "__main__":
    main()
