// Runs in other times: the worlds of the model with what a reader changes in them.

const changeKeys = ["latency_ms", "bandwidth_bytes_per_s", "speed_flops_per_s", "site"];

/** The agent with the lowest speed; the last one of several, since the first may be a server. */
function slowestAgent(world) {
  return world.speed.lastIndexOf(Math.min(...world.speed));
}

/** The links that the scenario names under network.links with a value for this key: they keep it. */
function namedLinks(world, scenario, key) {
  const named = new Set();
  const add = (from, to) => {
    const place = world.neighbors[from].indexOf(to);
    if (place >= 0) named.add(world.first[from] + place);  // the way back may be none
  };
  for (const some of scenario.network.links || []) {
    if (some[key] === null || some[key] === undefined) continue;
    for (const [from, to] of some.links) {
      add(from, to);
      if (some.both_ways !== false) add(to, from);
    }
  }
  return named;
}

function setLinks(world, values, named, valueOf) {
  for (let from = 0; from < world.agents; ++from)
    world.neighbors[from].forEach((to, k) => {
      const link = world.first[from] + k;
      if (!named.has(link)) values[link] = valueOf(from, to);
    });
}

/** The server at another site, with the latencies and the interface that it has there. */
function moveServer(world, scenario, sites, name) {
  const place = sites.names.indexOf(name);
  if (sites.ms) setSites(world, scenario, sites, (agent) => (agent === 0 ? place : sites.of[agent]));
  if (sites.interfaces) [world.up[0], world.down[0]] = sites.interfaces[place].map((rate) => rate ?? Infinity);
}

/** Latencies in ns by the sites of the agents. */
function setSites(world, scenario, { ms, round_trip }, siteOf) {
  const part = round_trip ? 0.5 : 1;
  setLinks(world, world.latency, namedLinks(world, scenario, "latency_ms"),
           (from, to) => Math.round(part * ms[siteOf(from)][siteOf(to)] * 1e6));
}

/** The world of a run with what the reader changed: latency_ms and bandwidth_bytes_per_s of all links, the speed of the
    slowest agent, the site of the server, or a matrix of latencies {sites, ms}. */
function changedWorld(described, scenario, changes) {
  const world = makeWorld(described);
  if (changes.latency_ms !== undefined)
    setLinks(world, world.latency, namedLinks(world, scenario, "latency_ms"),
             () => Math.round(changes.latency_ms * 1e6));
  if (changes.matrix)
    setSites(world, scenario, { ...changes.matrix, round_trip: false }, (agent) => agent % changes.matrix.ms.length);
  else if (changes.site !== undefined && described.sites)
    moveServer(world, scenario, described.sites, changes.site);
  if (changes.bandwidth_bytes_per_s !== undefined)
    setLinks(world, world.rate, namedLinks(world, scenario, "bandwidth_bytes_per_s"),
             () => changes.bandwidth_bytes_per_s);
  if (changes.speed_flops_per_s !== undefined) world.speed[slowestAgent(world)] = changes.speed_flops_per_s;
  return world;
}

/** The times of rounds 0 .. last of each run, in ns; null for those that have none. */
function allTimes(whatIf, scenarios, changes) {
  const graphs = whatIf.graphs.map(makeGraph), known = new Map();
  return whatIf.runs.map((run, index) => {
    if (run.why_not) return null;
    const key = `${run.world} ${run.graph} ${JSON.stringify(scenarios[index].network.links || [])}`;
    const before = known.get(key);
    if (before && before.length > run.last) return before;
    const world = changedWorld(whatIf.worlds[run.world], scenarios[index], changes);
    const times = roundTimes(world, graphs[run.graph], run.last, run.rounds);
    known.set(key, times);
    return times;
  });
}

/** The model with the times of its rows, in seconds. Runs that have no other times have none. */
function retimedModel(model, times) {
  const runs = model.runs.map((run, index) => {
    const { columns, rows } = run.progress, of = times[index];
    if (!of) return { ...run, progress: { rows, columns: { ...columns, simulated_s: null } } };
    const seconds = columnOf(run.progress, "round").map((round) => of[round] / 1e9);
    return { ...run, progress: { rows, columns: { ...columns, simulated_s: seconds } } };
  });
  return { ...model, runs };
}

/** Seconds until each group gets to a level, in the median of its runs, from the fastest on: [{group, place, cost}]. */
function costsInTime(model, times, level) {
  const costOf = (run) => {
    const reached = model.what_if.runs[run].reached.find(([to]) => String(to) === String(level));
    return reached ? times[run][reached[1]] / 1e9 : Infinity;
  };
  return model.groups.map((group, place) => ({ group, place, runs: group.runs.filter((run) => times[run]) }))
    .filter(({ runs }) => runs.length)
    .map(({ group, place, runs }) => ({ group, place: group.index ?? place, cost: median(runs.map(costOf)) }))
    .sort((a, b) => a.cost - b.cost || a.place - b.place);
}

/** Where the winner changes while one number goes from `low` to `high`, on a grid in its logarithm and then by halves:
    [{at, before, after}]. `winnerAt` gives the name of the winner, or null. */
function crossings(winnerAt, low, high, points) {
  const at = (k) => low * (high / low) ** (k / points), found = [];
  let before = winnerAt(low);
  for (let k = 1; k <= points; ++k) {
    const after = winnerAt(at(k));
    if (after !== before && after && before) {
      let [left, right] = [at(k - 1), at(k)];
      for (let half = 0; half < 12; ++half) {
        const middle = Math.sqrt(left * right);
        if (winnerAt(middle) === before) left = middle;
        else right = middle;
      }
      found.push({ at: right, before, after: winnerAt(right) || after });
    }
    before = after || before;
  }
  return found;
}
