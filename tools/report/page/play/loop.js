// The playback as a file: an SVG picture that moves by itself and begins again, by SMIL animations and no script.

const mostLoopDots = 1500;  // about half a megabyte, and what browsers move without effort
const leastLoopShare = 0.02;  // of the window: what is shorter shows nothing

/** A number of an attribute: two digits, and for shares of the loop as many as frames need. */
function short(x, digits = 2) {
  return String(Number(x.toFixed(digits)));
}

/** The part of the window that a file has room for: how many messages, and until when. Null where so many set out at
    once that it would be next to nothing. */
function loopPart({ count, departure, from_s, to_s }) {
  if (count <= mostLoopDots) return { count, to_s };
  const end_s = departure[mostLoopDots], isLong = end_s - from_s >= leastLoopShare * (to_s - from_s);
  return isLong ? { count: mostLoopDots, to_s: end_s } : null;
}

/** Animations of one loop: times as shares of it. */
class LoopClock {
  constructor(from_s, to_s, seconds) {
    this.from_s = from_s;
    this.length_s = to_s - from_s;
    this.cycle = `dur="${short(seconds)}s" repeatCount="indefinite"`;
  }

  share(time) {
    return Math.min(1, Math.max(0, (time - this.from_s) / this.length_s));
  }

  shares(times) {
    return times.map((time) => short(this.share(time), 5)).join(";");
  }

  /** An attribute that jumps at these times, of which the first is the loop's start. */
  jumps(name, times, values) {
    return `<animate attributeName="${name}" calcMode="discrete" values="${values.join(";")}" ` +
      `keyTimes="${this.shares(times)}" ${this.cycle}/>`;
  }

  /** Seen from one time to another and hidden before and after; nothing for a time outside of the loop. */
  visible(start, end) {
    const times = [this.from_s], values = [this.share(start) > 0 ? 0 : 1];
    if (this.share(start) > 0) times.push(start), values.push(1);
    if (this.share(end) < 1) times.push(end), values.push(0);
    return this.jumps("opacity", times, values);
  }

  /** Along a path, at these times so much of it. */
  motion(path, times, points) {
    return `<animateMotion path="${path}" calcMode="linear" ` +
      `keyPoints="${points.map((x) => short(x, 4)).join(";")}" keyTimes="${this.shares(times)}" ${this.cycle}/>`;
  }
}

function loopAgents(movement, stage, look, clock, to_s) {
  return Array.from(stage.x, (x, agent) => {
    const { times, states } = movement.changes[agent] || { times: [], states: [] };
    const changes = [...times].map((time, k) => [time, states[k]])
      .filter(([time]) => time > movement.from_s && time < to_s);
    const first = movement.stateOf(agent, movement.from_s), color = (state) => stateColor(look, state);
    const animation = changes.length
      ? clock.jumps("fill", [movement.from_s, ...changes.map(([time]) => time)],
                    [color(first), ...changes.map(([, state]) => color(state))]) : "";
    return `<circle cx="${short(x)}" cy="${short(stage.y[agent])}" r="${short(stage.size / 2)}" ` +
      `fill="${color(first)}">${animation}</circle>`;
  }).join("\n");
}

/** A dot, and a cross that falls where the message was lost. */
function loopMessage(movement, stage, look, clock, k) {
  const [x1, y1, x2, y2] = stage.routes.slice(4 * k, 4 * k + 4).map((x) => Number(x.toFixed(2)));
  const start = movement.departure[k], end = movement.arrival[k], to_s = clock.from_s + clock.length_s;
  const from = Math.max(start, clock.from_s), until = Math.min(end, to_s);
  const [first, last] = [progressOf(movement, k, from), progressOf(movement, k, until)];
  const dot = `<circle class="message" r="3" opacity="0">` +
    clock.motion(`M${x1} ${y1}L${x2} ${y2}`, [clock.from_s, from, until, to_s], [first, first, last, last]) +
    `${clock.visible(from, end)}</circle>`;
  if (!movement.isLost(k) || end >= to_s) return dot;
  const gone = end + stage.fall_s;
  return `${dot}<path class="lost" d="M-3-3L3 3M3-3L-3 3" opacity="0" fill="none" stroke="${look.activity.lost}" ` +
    `stroke-width="2">` +
    clock.motion(`M${x2} ${y2}v${short(stage.drop)}`, [clock.from_s, end, gone, to_s], [0, 0, 1, 1]) +
    `${clock.visible(end, gone)}</path>`;
}

/** The point of an arrow at the end of each link that goes one way, at the edge of the agent that it leads to. */
function loopArrows(pairs, { x, y, size }, look) {
  const long = Math.max(4, 0.4 * size);
  const points = pairs.filter(([, , isOneWay]) => isOneWay).map(([a, b]) => {
    const length = Math.hypot(x[b] - x[a], y[b] - y[a]) || 1, ux = (x[b] - x[a]) / length, uy = (y[b] - y[a]) / length;
    const tipX = x[b] - 0.5 * size * ux, tipY = y[b] - 0.5 * size * uy, wide = 0.4 * long;
    const backX = tipX - long * ux, backY = tipY - long * uy;
    const corner = (side) => `${short(backX - side * wide * uy)} ${short(backY + side * wide * ux)}`;
    return `M${short(tipX)} ${short(tipY)}L${corner(1)}L${corner(-1)}z`;
  });
  return points.length ? `<path class="arrows" d="${points.join("")}" fill="${look.faint}" ` +
    `opacity="${linkOpacity(pairs)}"/>` : "";
}

/** Names below the picture, with their marks. */
function loopKey(kinds, look, top) {
  let left = 12;
  return kinds.map(([kind, name]) => {
    const color = look.activity[kind] || look.ground, x = left, y = top;
    left += 22 + textWidth(name, 11);
    const shape = kind === "lost" ? `<path d="M${x + 1} ${y - 3}l6 6m0 -6l-6 6" stroke="${color}" stroke-width="2"/>`
      : `<circle cx="${x + 4}" cy="${y}" r="${kind === "transfer" ? 3 : 4}" fill="${color}" ` +
        `stroke="${kind === "transfer" ? "none" : look.ink}" stroke-width="0.8"/>`;
    return `${shape}<text x="${x + 12}" y="${y + 4}">${escapeHtml(name)}</text>`;
  }).join("");
}

/** The text of the file. `scene`: the run, its movement, the stage with its width and height, the look, the links as
    [agent, agent, isOneWay], and how many seconds the whole window is to take. */
function loopSvg({ run, movement, stage, width, height, look, pairs, seconds }) {
  const { count, to_s } = loopPart(movement), whole_s = movement.to_s - movement.from_s;
  const clock = new LoopClock(movement.from_s, to_s, Math.max(0.1, seconds * (to_s - movement.from_s) / whole_s));
  const kinds = [...statesSeen(run.timeline), ...messagesSeen(movement)], foot = 46;
  const told = `${run.label}: ${formatNumber(movement.from_s)} to ${formatNumber(to_s)} s of simulated time, ` +
    counted(count, "message");
  const place = (agent) => `${short(stage.x[agent])} ${short(stage.y[agent])}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height + foot}" ` +
      `viewBox="0 0 ${width} ${height + foot}" font-family="${escapeHtml(look.family)}" font-size="11" ` +
      `fill="${look.ink}">`,
    `<title>${escapeHtml(told)}</title>`,
    `<rect width="100%" height="100%" fill="${look.ground}"/>`,
    `<path d="${pairs.map(([a, b]) => `M${place(a)}L${place(b)}`).join("")}" fill="none" stroke="${look.faint}" ` +
      `opacity="${linkOpacity(pairs)}"/>`,
    loopArrows(pairs, stage, look),
    `<g stroke="${look.ink}" stroke-width="0.8">`,
    loopAgents(movement, stage, look, clock, to_s),
    `</g>`,
    `<g fill="${look.activity.transfer}">`,
    ...Array.from({ length: count }, (_, k) => loopMessage(movement, stage, look, clock, k)),
    `</g>`,
    `<rect x="12" y="${height + 2}" width="${width - 24}" height="3" fill="${look.grid}"/>`,
    `<rect x="12" y="${height + 2}" height="3" width="0" fill="${look.faint}">` +
      `<animate attributeName="width" from="0" to="${width - 24}" ${clock.cycle}/></rect>`,
    loopKey(kinds, look, height + 18),
    `<text x="12" y="${height + 38}">${escapeHtml(told)}</text>`,
    "</svg>", "",
  ].join("\n");
}

/** What a file leaves out, in a sentence; nothing if it has all. */
function loopRemark(movement) {
  const part = loopPart(movement);
  if (!part) return `No loop can be saved: more than ${counted(mostLoopDots, "message")} set out at once.`;
  const { count, to_s } = part;
  return count < movement.count ? `A saved loop has the first ${formatNumber(count)} of ${counted(movement.count,
    "message")}, up to ${formatNumber(to_s)} s: for others, make the report with --from-s and --to-s.` : "";
}
