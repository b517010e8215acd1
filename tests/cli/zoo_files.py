"""Networks in the form of the Internet Topology Zoo: GraphML with labels, countries, coordinates (some nodes have
none), speeds of links in three forms, labels of links, parallel links, and everything else that such files have."""

import math
import random
from xml.sax.saxutils import escape

KEYS = (("d29", "label", "node", "string"), ("d30", "Country", "node", "string"),
        ("d31", "Longitude", "node", "double"),
        ("d32", "Latitude", "node", "double"), ("d33", "id", "node", "int"), ("d34", "type", "node", "string"),
        ("d35", "Internal", "node", "int"), ("d36", "id", "edge", "string"), ("d37", "LinkSpeed", "edge", "string"),
        ("d38", "LinkSpeedUnits", "edge", "string"), ("d39", "LinkLabel", "edge", "string"),
        ("d40", "LinkNote", "edge", "string"), ("d41", "LinkSpeedRaw", "edge", "double"),
        ("d0", "Network", "graph", "string"), ("d1", "GeoExtent", "graph", "string"))
CITIES = (("Oslo", 59.9, 10.8), ("Stockholm", 59.3, 18.1), ("Copenhagen", 55.7, 12.6), ("Hamburg", 53.6, 10.0),
          ("Berlin", 52.5, 13.4), ("Prague", 50.1, 14.4), ("Vienna", 48.2, 16.4), ("Zurich", 47.4, 8.5),
          ("Geneva", 46.2, 6.1), ("Milan", 45.5, 9.2), ("Lyon", 45.8, 4.8), ("Paris", 48.9, 2.4),
          ("Brussels", 50.9, 4.4), ("London", 51.5, -0.1), ("Dublin", 53.3, -6.3), ("Madrid", 40.4, -3.7))


def _data(values):
    return "".join(f'      <data key="{key}">{escape(str(value))}</data>\n'
                   for key, value in values if value is not None)


def network(seed):
    """(nodes, links): nodes are (label, latitude, longitude), coordinates None for some; links are (a, b, bit/s), some
    of them between the same nodes, speeds None for some."""
    draws = random.Random(seed)
    cities = draws.sample(CITIES, draws.randint(6, 14))
    nodes = [(name, None, None) if k > 1 and draws.random() < 0.15 else (name, latitude, longitude)
             for k, (name, latitude, longitude) in enumerate(cities)]
    pairs = [(k, draws.randrange(k)) for k in range(1, len(nodes))]
    pairs += [tuple(draws.sample(range(len(nodes)), 2)) for _ in range(len(nodes) // 2)]
    pairs += draws.sample(pairs, 2)  # parallel links
    return nodes, [(a, b, draws.choice((155e6, 1e9, 2.5e9, 1e10, None))) for a, b in pairs]


def graphml(seed):
    nodes, links = network(seed)
    text = ['<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n']
    text += [f'  <key attr.name="{name}" attr.type="{kind}" for="{of}" id="{key}"/>\n' for key, name, of, kind in KEYS]
    text.append('  <graph edgedefault="undirected">\n    <data key="d0">Invented</data>\n')
    for k, (label, latitude, longitude) in enumerate(nodes):
        text.append(f'    <node id="{k}">\n' + _data((("d29", label), ("d30", "Somewhere"), ("d31", longitude),
                                                       ("d33", k), ("d32", latitude), ("d35", 1))) + "    </node>\n")
    for k, (a, b, speed) in enumerate(links):
        units = None if speed is None else "G" if speed >= 1e9 else "M"
        number = None if speed is None else f"{speed / 10 ** (9 if units == 'G' else 6):g}"
        text.append(f'    <edge source="{a}" target="{b}">\n'
                    + _data((("d36", f"e{k}"), ("d37", number), ("d38", units), ("d41", speed),
                             ("d39", "unknown" if speed is None else f"{number} {units}bps"))) + "    </edge>\n")
    return "".join(text) + "  </graph>\n</graphml>\n"


def distance_ms(one, other):
    """One way, by the formula of scenarios/data/latency."""
    (_, lat1, lon1), (_, lat2, lon2) = one, other
    half = (math.sin(math.radians(lat2 - lat1) / 2) ** 2 + math.cos(math.radians(lat1)) * math.cos(math.radians(lat2))
            * math.sin(math.radians(lon2 - lon1) / 2) ** 2)
    return 1.5 * max(2 * 6371 * math.asin(math.sqrt(half)), 50) / 200
