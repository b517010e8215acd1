// What moves in a window of the timeline: messages between departure and arrival, and what each agent does meanwhile.
// Columns are sorted once, so that a moment costs what is seen in it and no more.

const agentStates = [...activities.filter((activity) => !isMessage([null, ...activity])), ["idle", "idle"]];
const idleState = agentStates.length - 1;
const fates = { arrived: 0, lostOnLink: 1, lostAtReceiver: 2, unfinished: 3 };

function fateOf([, activity, , , , , cause]) {
  if (activity === "lost") return cause === "receiver_down" ? fates.lostAtReceiver : fates.lostOnLink;
  return cause === "unfinished" ? fates.unfinished : fates.arrived;
}

/** How many of the sorted numbers are at most x. */
function countUpTo(sorted, x) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** When an agent's state changes, and to what: of slices that follow each other or lie in each other the inner one
    counts. `slices` are the agent's own, by start. */
function stateChanges(slices) {
  const times = [], states = [], open = [];
  const change = (time, state) => {
    times.push(time);
    states.push(state);
  };
  const closeUntil = (time) => {
    while (open.length && open.at(-1).end <= time) {
      const { end } = open.pop();
      change(end, open.length ? open.at(-1).state : idleState);
    }
  };
  for (const [, activity, start, end] of slices) {
    closeUntil(start);
    const state = agentStates.findIndex(([kind]) => kind === activity);
    open.push({ end, state });
    change(start, state);
  }
  closeUntil(Infinity);
  return { times: Float64Array.from(times), states: Uint8Array.from(states) };
}

/** Sorted, each number once. */
function distinct(numbers) {
  return Float64Array.from(new Set(numbers)).sort();
}

/** Times at which the largest of the rounds so far rises, with that round. */
function roundBeginnings(starts) {
  const times = [], rounds = [];
  for (const [time, round] of starts)
    if (round > (rounds.at(-1) ?? 0)) {
      times.push(time);
      rounds.push(round);
    }
  return { times: Float64Array.from(times), rounds };
}

class Movement {
  /** `shown` is the timeline of a run in the model. */
  constructor(shown) {
    this.from_s = shown.from_s;
    this.to_s = shown.to_s;
    this.agents = shown.agents;
    const byStart = (a, b) => a[2] - b[2], messages = shown.slices.filter(isMessage).sort(byStart);
    const activity = shown.slices.filter((slice) => !isMessage(slice)).sort(byStart);
    this.count = messages.length;
    this.departure = Float64Array.from(messages, (message) => message[2]);
    this.arrival = Float64Array.from(messages, (message) => message[3]);
    this.receiver = Uint32Array.from(messages, (message) => message[0]);
    this.sender = Uint32Array.from(messages, (message) => message[5]);
    this.round = messages.map((message) => message[4]);
    this.cause = messages.map((message) => message[6] || "");
    this.fate = Uint8Array.from(messages, fateOf);
    // The latest arrival up to each message: those before the first that is late enough have all ended.
    let latest = -Infinity;
    this.latest = this.arrival.map((time) => (latest = Math.max(latest, time)));
    this.arrivals = this.arrival.slice().sort();
    this.losses = this.arrival.filter((_, k) => this.isLost(k)).sort();
    this.setAgents(activity, messages);
    const seen = [...this.departure, ...this.arrival, ...activity.flatMap(([, , start, end]) => [start, end])];
    this.events = distinct([...seen.filter((time) => time > this.from_s && time < this.to_s), this.from_s, this.to_s]);
  }

  /** An agent's round is the highest of what it has done or sent. */
  setAgents(activity, messages) {
    const rows = Math.max(0, ...this.agents) + 1, own = Array.from({ length: rows }, () => []);
    const rounds = Array.from({ length: rows }, () => []);
    for (const slice of activity) {
      own[slice[0]].push(slice);
      rounds[slice[0]].push([slice[2], slice[4]]);
    }
    for (const message of messages) if (message[5] < rows) rounds[message[5]].push([message[2], message[4]]);
    this.changes = own.map(stateChanges);
    this.begun = rounds.map((starts) => roundBeginnings(starts.sort((a, b) => a[0] - b[0])));
    this.rounds = roundBeginnings(rounds.flat().sort((a, b) => a[0] - b[0]));
  }

  isLost(k) {
    return this.fate[k] === fates.lostOnLink || this.fate[k] === fates.lostAtReceiver;
  }

  /** Calls `take` with the number of each message that has set out by `time` and ended less than `after_s` ago. */
  forEachAt(time, after_s, take) {
    const end = countUpTo(this.departure, time);
    for (let k = countUpTo(this.latest, time - after_s); k < end; ++k)
      if (this.arrival[k] + after_s > time) take(k);
  }

  onTheWay(time) {
    return countUpTo(this.departure, time) - countUpTo(this.arrivals, time);
  }

  sentBy(time) {
    return countUpTo(this.departure, time);
  }

  lostBy(time) {
    return countUpTo(this.losses, time);
  }

  /** What an agent does, as a place in `agentStates`; -1 for an agent that the window leaves out. */
  stateOf(agent, time) {
    if (agent >= this.changes.length) return -1;
    const { times, states } = this.changes[agent], known = countUpTo(times, time);
    return known > 0 ? states[known - 1] : idleState;
  }

  /** The lowest and the highest round that agents are in; null before the first. */
  roundsAt(time) {
    let low = Infinity, high = -Infinity;
    for (const { times, rounds } of this.begun) {
      const known = countUpTo(times, time);
      if (known === 0) continue;
      low = Math.min(low, rounds[known - 1]);
      high = Math.max(high, rounds[known - 1]);
    }
    return low <= high ? [low, high] : null;
  }

  /** The next of the sorted times in a direction, or the end of the window there. */
  nextOf(times, time, direction) {
    const at = countUpTo(times, time);
    if (direction > 0) return at < times.length ? times[at] : this.to_s;
    const before = at > 0 && times[at - 1] === time ? at - 2 : at - 1;
    return before >= 0 ? times[before] : this.from_s;
  }

  /** A time with the most messages on their way: before the first of them arrives. */
  busiest() {
    let best = this.from_s, most = -1;
    for (const time of this.departure) {
      if (time < this.from_s || time >= this.to_s) continue;
      const count = this.onTheWay(time);
      if (count > most) [best, most] = [time, count];
    }
    const next = this.arrivals[countUpTo(this.arrivals, best)] ?? best;
    return Math.min(0.5 * (best + next), this.to_s);
  }
}

/** The text about a moment. */
function momentTold(movement, time) {
  const { from_s, to_s } = movement, digits = Math.max(0, Math.min(9, 4 - Math.ceil(Math.log10(to_s - from_s))));
  const rounds = movement.roundsAt(time);
  const round = !rounds ? "before the first round"
    : rounds[0] === rounds[1] ? `round ${rounds[0]}` : `rounds ${rounds[0]} to ${rounds[1]}`;
  return `${time.toFixed(digits)} s, ${round}: ${formatNumber(movement.onTheWay(time))} on their way, ` +
    `${formatNumber(movement.sentBy(time))} of ${formatNumber(movement.count)} sent, ` +
    `${formatNumber(movement.lostBy(time))} lost`;
}
