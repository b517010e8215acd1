"""Prints the links on the way from each host to each other, as SimGrid has them: bandwidth in bytes a second and
latency in s of each, by platform and pair of hosts. Needs Debian's python3-simgrid.

    python3 record_routes.py dumbbell.xml clusters.xml hops.xml zones.xml > routes.json
"""

import json
import subprocess
import sys

ONE = """import json, sys, simgrid
engine = simgrid.Engine(["routes", "--log=root.thres:critical"])
engine.load_platform(sys.argv[1])
engine.netzone_root.seal()
hosts = engine.all_hosts
print(json.dumps({f"{one.name} {other.name}": [[link.bandwidth, link.latency] for link in one.route_to(other)[0]]
                  for one in hosts for other in hosts if one.name != other.name}))"""

routes = {name: json.loads(subprocess.run([sys.executable, "-c", ONE, name], check=True, capture_output=True).stdout)
          for name in sys.argv[1:]}  # a process each, since an engine loads one platform
blocks = []
for name, ways in routes.items():
    lines = [f"{json.dumps(pair)}: {json.dumps(way)}" for pair, way in ways.items()]
    blocks.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "}")
print("{" + ",\n".join(blocks) + "}")
