// The run as it went on: agents at the places of the topology, colored by what they do, and messages as dots on their
// way along the links. The page moves them (player.js); on paper there is one moment.

const laneShare = 0.22;  // of an agent's width: each direction of a link keeps to a side of its own
const lostReach = 0.6;  // of a link: where it is unknown how far a message got
const fallShare = 0.03;  // of the window: how long a lost message is seen to fall

/** Places of the agents in some unit, and of the messages that go between them. */
function stageOf(movement, x, y, size) {
  const routes = new Float64Array(4 * movement.count);
  for (let k = 0; k < movement.count; ++k) {
    const from = movement.sender[k], to = movement.receiver[k], fate = movement.fate[k];
    const length = Math.hypot(x[to] - x[from], y[to] - y[from]) || 1;
    const ux = (x[to] - x[from]) / length, uy = (y[to] - y[from]) / length, lane = laneShare * size;
    const gap = Math.min(0.5 * size, 0.4 * length), far = length - gap;
    const reach = fate === fates.arrived || fate === fates.lostAtReceiver ? far : gap + lostReach * (far - gap);
    routes[4 * k] = x[from] + gap * ux - lane * uy;
    routes[4 * k + 1] = y[from] + gap * uy + lane * ux;
    routes[4 * k + 2] = x[from] + reach * ux - lane * uy;
    routes[4 * k + 3] = y[from] + reach * uy + lane * ux;
  }
  return { x, y, size, routes, drop: 1.8 * size, fall_s: fallShare * (movement.to_s - movement.from_s) };
}

/** How much of its way a message has behind it, from 0 to 1. */
function progressOf(movement, k, time) {
  const start = movement.departure[k], length = movement.arrival[k] - start;
  return length > 0 ? Math.max(0, Math.min(1, (time - start) / length)) : 1;
}

/** Where a message is on its way. */
function placeOf(movement, { routes }, k, time) {
  const share = progressOf(movement, k, time), at = 4 * k, x = routes[at], y = routes[at + 1];
  return [x + share * (routes[at + 2] - x), y + share * (routes[at + 3] - y)];
}

/** The links of a run, [[agent, agent, isOneWay], ..]: those on which it sent, where the page has none for want of
    room; of these nobody knows whether they go one way. */
function linkPairs(run, movement) {
  if (run.links) return pairLoads(run.links, "messages_sent").map(([a, b, , isOneWay]) => [a, b, isOneWay]);
  const pairs = new Map();
  for (let k = 0; k < movement.count; ++k) {
    const pair = [movement.sender[k], movement.receiver[k]].sort((a, b) => a - b);
    pairs.set(pair.join(" "), [...pair, false]);
  }
  return [...pairs.values()];
}

/** Many links are the ground that messages are seen on. */
function linkOpacity(pairs) {
  return pairs.length > 400 ? 0.1 : pairs.length > 100 ? 0.25 : 0.5;
}

function stateColor(look, state) {
  return look.activity[agentStates[state < 0 ? idleState : state][0]] || look.ground;
}

/** What of the states there is in the window; agents that do none of the others are idle. */
function statesSeen(shown) {
  return agentStates.filter(([kind]) => kind === "idle" || shown.slices.some((slice) => slice[1] === kind));
}

function messagesSeen(movement) {
  const hasLost = movement.losses.length > 0;
  return activities.filter(([kind]) => kind === "transfer" || (kind === "lost" && hasLost));
}

/** The messages of a moment as nodes of a graph whose nodes are `size` wide in its own unit. */
function dotsAt(movement, x, y, size, time) {
  const stage = stageOf(movement, x, y, size), dots = [], dot = activities.find(([kind]) => kind === "transfer")[1];
  movement.forEachAt(time, 0, (k) => {
    const [left, top] = placeOf(movement, stage, k, time);
    dots.push({ name: `message ${k}`, x: left, y: top, category: dot, symbolSize: 4, label: { show: false },
                itemStyle: { borderWidth: 0 } });
  });
  return dots;
}

/** The graph; on paper with what there is at `time`. */
function playbackSeries(run, place, movement, look, time) {
  const count = place.x.length, size = agentSize(count, look), x = place.x.map((one) => 1000 * one);
  const y = place.y.map((one) => 1000 * one), span = Math.max(...x) - Math.min(...x) || 1;
  const kinds = [...statesSeen(run.timeline), ...messagesSeen(movement).slice(0, 1)];
  const pairs = linkPairs(run, movement);
  const stateName = (agent) => agentStates[Math.max(0, movement.stateOf(agent, time))][1];
  return {
    type: "graph", layout: "none", symbolSize: size, preserveAspect: true, silent: true,
    left: 30, right: 30, bottom: 24, top: look.paper ? 14 + 18 * legendRows(look, namesOf(kinds)) : 20,
    categories: kinds.map(([kind, name]) => ({ name, itemStyle: { color: look.activity[kind] || look.ground } })),
    data: [
      ...x.map((one, agent) => ({
        name: String(agent), x: one, y: y[agent], label: { show: count <= 64 && size >= 8 },
        ...(look.paper && movement.stateOf(agent, time) >= 0 ? { category: stateName(agent) }
          : { itemStyle: { color: look.ground } }),
      })),
      ...(look.paper ? dotsAt(movement, x, y, size * span / (0.72 * look.width), time) : []),
    ],
    links: pairs.map(([source, target, isOneWay]) =>
      ({ source, target, ...arrowOf(isOneWay, Math.max(4, 0.4 * size)) })),
    lineStyle: { color: look.faint, width: look.paper ? 0.5 : 1, opacity: linkOpacity(pairs) },
    itemStyle: { borderColor: look.ink, borderWidth: count > 400 ? 0 : 0.8 },
    label: textStyle(look, { position: "right", distance: 3, color: look.faint, fontSize: look.type - 2 }),
  };
}

function namesOf(kinds) {
  return kinds.map(([, name]) => name);
}

function lossesTold(movement) {
  const of = (fate) => movement.fate.filter((one) => one === fate).length;
  return [
    [of(fates.lostOnLink), "lost on the way"], [of(fates.lostAtReceiver), "lost at receivers that were away"],
    [of(fates.unfinished), "on the way when the run ended"],
  ].filter(([count]) => count > 0).map(([count, what]) => `; ${formatNumber(count)} ${what}`).join("");
}

/** Which part of the run is shown, and what is in it. */
function playbackSummary(run, movement, look, time) {
  const { from_s, to_s } = movement, end = run.stop.simulated_s, { remark } = run.timeline;
  const isAll = from_s <= 0 && to_s >= end * (1 - 1e-9);
  const part = isAll ? `all ${formatNumber(to_s)} s` : `from ${formatNumber(from_s)} to ${formatNumber(to_s)} s of ` +
    `${formatNumber(end)} s`;
  const moment = look.paper ? ` At ${momentTold(movement, time)}.` : "";
  return `${run.label}, ${part}: ${counted(movement.count, "message")}${lossesTold(movement)}.` +
    `${remark ? " " + remark : ""}${moment}`;
}

const playback = {
  name: "playback",
  ofOneRun: true,
  title: "Playback",
  nav: "Playback",
  lead: "Messages on their way between agents. The space bar plays; arrow keys go from event to event, or with shift " +
    "from round to round. A click into the timeline or a curve over simulated time goes to that moment.",
  controls: (model) => runControl(model),
  suits: (model) => model.runs.some((run) => run.timeline),
  build(model, state, look) {
    const run = chosenRun(model, state), shown = run.timeline;
    if (!shown || !shown.slices.length) return { empty: `${run.label}: ${run.why_no_timeline}` };
    if (run.layout === null) return { empty: `${run.label}: ${run.why_no_layout}` };
    const movement = new Movement(shown), time = look.paper ? state.at ?? movement.busiest() : movement.from_s;
    const names = look.paper ? namesOf([...statesSeen(shown), ...messagesSeen(movement).slice(0, 1)]) : [];
    const graph = playbackSeries(run, model.layouts[run.layout], movement, look, time);
    const option = { ...baseOption(look, names), series: [graph] };
    option.tooltip.show = false;
    return {
      option, names, movement, height: 440,
      canvas: graph.links.length > 100,  // each element of a page costs something in every frame
      summary: playbackSummary(run, movement, look, time),
      table: { head: ["from_agent", "to_agent", "departure_s", "arrival_s", "round", "lost"],
               rows: Array.from(movement.departure, (departure, k) =>
                 [movement.sender[k], movement.receiver[k], departure, movement.arrival[k], movement.round[k],
                  movement.cause[k]]) },
    };
  },
};
