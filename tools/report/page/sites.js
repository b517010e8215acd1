// Sites on a map, or as far from each other as messages take between them, and what they sent.

const siteLoads = ["bytes_sent", "price", "joules", "grams"];

/** The latency between each pair of sites in ms, both ways' mean: of the matrix, else of links; where there is neither,
    that of the shortest way over other sites. Infinite for sites that no way connects. */
function siteDistances({ names, ms, links }) {
  const way = names.map((_, from) => names.map((_, to) => (from === to ? 0 : ms ? ms[from][to] : Infinity)));
  if (!ms) for (const [from, to, , latency] of links) if (latency !== null) way[from][to] = latency;
  const both = (a, b) => (Number.isFinite(way[a][b]) && Number.isFinite(way[b][a])
    ? (way[a][b] + way[b][a]) / 2 : Math.min(way[a][b], way[b][a]));
  const far = names.map((_, a) => names.map((_, b) => both(a, b)));
  for (const over of names.keys())
    for (const from of names.keys())
      for (const to of names.keys())
        if (far[from][over] + far[over][to] < far[from][to]) far[from][to] = far[from][over] + far[over][to];
  return far;
}

/** Numbers from 0 to 1 that are the same each time (Park, Miller 1988). */
function* evenDraws() {
  for (let state = 1; ; yield state / 2147483647) state = (state * 48271) % 2147483647;
}

/** Places in the plane whose distances are like those that are given, by majorization of the stress of Kamada and Kawai
    (Gansner, Koren, North 2004) from several beginnings: {places: [[x, y], ..], off}. `off` is the root mean square of
    the differences over that of the distances. */
function placesByDistance(given) {
  const finite = given.flat().filter(Number.isFinite), most = Math.max(...finite) || 1;
  const wanted = given.map((row) => row.map((x) => Math.max(Number.isFinite(x) ? x : 1.5 * most, 1e-3 * most)));
  const all = [...given.keys()], draws = evenDraws();
  const length = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  const sum = (places, term) => all.reduce((total, a) => total + all.slice(0, a).reduce((part, b) =>
    part + term(length(places[a], places[b]), wanted[a][b]), 0), 0);
  let best = null;
  for (let attempt = 0; attempt < 12; ++attempt) {
    const places = all.map(() => [most * draws.next().value, most * draws.next().value]);
    for (let step = 0; step < 120; ++step)
      for (const a of all) {
        let [x, y, weights] = [0, 0, 0];
        for (const b of all) {
          if (a === b) continue;
          const weight = wanted[a][b] ** -2, stretch = wanted[a][b] / (length(places[a], places[b]) || 1);
          x += weight * (places[b][0] + stretch * (places[a][0] - places[b][0]));
          y += weight * (places[b][1] + stretch * (places[a][1] - places[b][1]));
          weights += weight;
        }
        if (weights) places[a] = [x / weights, y / weights];
      }
    const stress = sum(places, (found, asked) => (found / asked - 1) ** 2);
    if (!best || stress < best.stress - 1e-9) best = { places, stress };
  }
  const { places } = best;
  return { places: lyingDown(places),
           off: Math.sqrt(sum(places, (found, asked) => (found - asked) ** 2) / (sum(places, (_, x) => x * x) || 1)) };
}

/** The places turned so that they are widest from left to right, with the first in the upper half. */
function lyingDown(places) {
  const mean = [0, 1].map((k) => places.reduce((total, place) => total + place[k], 0) / places.length);
  const moved = places.map(([x, y]) => [x - mean[0], y - mean[1]]);
  const [xx, yy, xy] = moved.reduce(([a, b, c], [x, y]) => [a + x * x, b + y * y, c + x * y], [0, 0, 0]);
  const turn = Math.atan2(2 * xy, xx - yy) / 2, [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const turned = moved.map(([x, y]) => [cos * x + sin * y, cos * y - sin * x]);
  const sign = turned[0][1] > 0 ? -1 : 1;
  return turned.map(([x, y]) => [x, sign * y]);
}

/** Places of latitudes and longitudes, north up: longitudes shrunk by the cosine of the middle latitude, and cut where
    no site is for longest. */
function placesOnMap(degrees) {
  const east = degrees.map(([, longitude]) => longitude).sort((a, b) => a - b);
  const gaps = east.map((x, k) => (k + 1 < east.length ? east[k + 1] : east[0] + 360) - x);
  const first = east[(gaps.indexOf(Math.max(...gaps)) + 1) % east.length];
  const latitudes = degrees.map(([latitude]) => latitude);
  const shrink = Math.cos((Math.min(...latitudes) + Math.max(...latitudes)) * Math.PI / 360);
  return degrees.map(([latitude, longitude]) => [shrink * ((longitude - first + 360) % 360), -latitude]);
}

/** Where sites are drawn and, in words, what that says: {places, words}. */
function sitePlaces(sites) {
  if (sites.places) return { places: placesOnMap(sites.places), words: "Places are those of a map." };
  const { places, off } = placesByDistance(siteDistances(sites));
  return { places, words: `Distances differ from latencies by ${Math.round(100 * off)} % (root mean square).` };
}

/** What sites that have links sent to each other: [{a, b, there, back}], each pair once; there and back: bytes, ms. */
function sitePairs({ links }) {
  const pairs = new Map();
  for (const [from, to, bytes, ms] of links) {
    const [a, b] = from < to ? [from, to] : [to, from];
    if (!pairs.has(`${a} ${b}`)) pairs.set(`${a} ${b}`, { a, b });
    pairs.get(`${a} ${b}`)[from === a ? "there" : "back"] = { bytes, ms };
  }
  return [...pairs.values()];
}

/** The side of each site where its name covers the least of others: discs have diameters `sizes`, and names are as wide
    as `widths`, in two lines. width, height: of the plot. */
function nameSides(places, sizes, widths, line, [width, height]) {
  const range = (k) => [Math.min(...places.map((place) => place[k])), Math.max(...places.map((place) => place[k]))];
  const [[west, east], [north, south]] = [range(0), range(1)];
  const scale = Math.min(width / (east - west || 1), height / (south - north || 1));
  const centers = places.map(([x, y]) => [scale * (x - west), scale * (y - north)]);
  const boxOf = (x, y, wide, high) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
  const taken = centers.map(([x, y], k) => boxOf(x, y, sizes[k], sizes[k]));
  const common = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
    Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  return centers.map(([x, y], k) => {
    const [wide, high] = [widths[k], 2 * line], down = (sizes[k] + high) / 2 + 3, aside = (sizes[k] + wide) / 2 + 3;
    const sides = { bottom: boxOf(x, y + down, wide, high), top: boxOf(x, y - down, wide, high),
                    right: boxOf(x + aside, y, wide, high), left: boxOf(x - aside, y, wide, high) };
    const covers = (box) => taken.reduce((sum, other) => sum + common(box, other), 0);
    const [side, box] = Object.entries(sides).reduce((best, one) => (covers(one[1]) < covers(best[1]) ? one : best));
    taken.push(box);
    return side;
  });
}

/** "3 agents", "server, 2 agents": who is at a site. */
function agentsAt({ agents, server }, k) {
  if (k !== server) return counted(agents[k], "agent");
  return agents[k] > 1 ? `server, ${counted(agents[k] - 1, "agent")}` : "server";
}

function siteValue(key, value) {
  return `${formatNumber(value, 3)} ${columnLabel(key).toLowerCase()}`;
}

function siteSeries(sites, places, pairs, state, look, height) {
  const loads = sites[state.load], largest = Math.max(...loads) || 1;
  const heaviest = Math.max(...pairs.map(({ there, back }) => (there?.bytes || 0) + (back?.bytes || 0))) || 1;
  const widest = (look.paper ? 3 : 5) / (pairs.length > 20 ? 2 : 1);
  const halo = { textBorderColor: look.ground, textBorderWidth: 3 };
  const [least, most] = look.paper ? [4, 14] : look.width < 460 ? [6, 20] : [8, 34];
  const margin = look.paper ? 40 : 60;
  // Areas are in proportion to loads.
  const sizes = loads.map((load, k) =>
    Math.max(least, Math.sqrt(load / largest) * most * (k === sites.server ? 1.25 : 1)));
  const widths = sites.names.map((name, k) => 0.85 * Math.max(textWidth(name, look.type),
                                                              textWidth(agentsAt(sites, k), look.type - 2)));
  const sides = nameSides(places, sizes, widths, look.type + 1, [look.width - 2 * margin, height - 1.5 * margin]);
  return {
    type: "graph", layout: "none", roam: "move", preserveAspect: true, top: margin / 2, bottom: margin, left: margin,
    right: margin,
    data: sites.names.map((name, k) => ({
      name, x: places[k][0], y: places[k][1], value: loads[k], symbolSize: sizes[k],
      symbol: k === sites.server ? "diamond" : "circle",
      itemStyle: { color: look.series[k === sites.server ? 1 : 0] },
      label: { position: sides[k], formatter: `${name}\n{small|${agentsAt(sites, k)}}` },
    })),
    links: pairs.map(({ a, b, there, back }) => {
      const bytes = (there?.bytes || 0) + (back?.bytes || 0), share = bytes / heaviest;
      return { source: a, target: b, value: bytes, there, back,
               lineStyle: { width: 0.5 + (widest - 0.5) * share, opacity: 0.25 + 0.4 * share } };
    }),
    lineStyle: { color: look.faint },
    itemStyle: { borderColor: look.ground, borderWidth: 1.5 },
    label: textStyle(look, { show: true, distance: 3, lineHeight: look.type + 3, ...halo,
                             rich: { small: textStyle(look, { color: look.faint, fontSize: look.type - 2,
                                                              lineHeight: look.type, ...halo }) } }),
    emphasis: { focus: "adjacency" },
  };
}

const sites = {
  name: "sites",
  ofOneRun: true,
  suits: (model) => model.runs.some((run) => run.sites),
  title: "Sites",
  nav: "Sites",
  lead: "On a map if their nodes have a place, else as far from each other as their latencies say. Larger the more " +
        "they send or cost. Lines are as wide as the bytes between two sites. The server is a diamond.",
  controls: (model) => [
    ...runControl(model),
    { key: "load", label: "Size of sites", kind: "select", value: "bytes_sent",
      options: siteLoads.filter((name) => model.runs.some((run) => run.sites && name in run.sites))
        .map((name) => [name, columnLabel(name)]) },
  ],
  build(model, given, look) {
    const run = chosenRun(model, given), { sites } = run;
    if (!sites) return { empty: `${run.label}: all of its agents are in one place.` };
    const load = given.load in sites ? given.load : "bytes_sent", pairs = sitePairs(sites);
    const { places, words } = sitePlaces(sites);
    const height = look.paper ? 0.7 * look.width : look.width < 460 ? 340 : 460;
    const names = sites.names, server = sites.server === null ? "" : `, the server in ${names[sites.server]}`;
    const option = { ...baseOption(look, []), series: [siteSeries(sites, places, pairs, { load }, look, height)] };
    const told = (from, to, one) => (one ? `<br>${escapeHtml(`${from} → ${to}`)}: <b>${formatNumber(one.ms)} ms</b>, ` +
      siteValue("bytes_sent", one.bytes) : "");
    option.tooltip.formatter = ({ dataType, data, dataIndex }) => {
      if (dataType !== "edge") {
        const loads = siteLoads.filter((key) => key in sites)
          .map((key) => `<br>${columnLabel(key)}: <b>${formatNumber(sites[key][dataIndex], 3)}</b>`);
        return `${escapeHtml(data.name)}: ${agentsAt(sites, dataIndex)}${loads.join("")}`;
      }
      const [from, to] = [names[data.source], names[data.target]];
      return `<b>${escapeHtml(`${from} – ${to}`)}</b>${told(from, to, data.there)}${told(to, from, data.back)}`;
    };
    const order = [...names.keys()].sort((a, b) => sites[load][b] - sites[load][a]);
    const first = order.slice(0, 3).map((k) => `${names[k]} (${formatNumber(sites[load][k], 3)})`);
    return {
      option, names: [], height,
      summary: `${run.label}: ${counted(names.length, "site")}${server}. ${columnLabel(load)}: most at ` +
        `${listed(first)}. ${words}`,
      table: {
        head: ["site", "agents", ...siteLoads.filter((key) => key in sites)],
        rows: names.map((name, k) => [name, sites.agents[k],
                                      ...siteLoads.filter((key) => key in sites).map((key) => sites[key][k])]),
      },
    };
  },
};
