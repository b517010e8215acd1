// The times of synchronous runs in any network, by the recursion of scenarios/times: an agent goes on when the last
// message that it waits for is there. Times are whole nanoseconds, exact up to 104 days. These functions use nothing
// outside of them, so that a worker can have them as well.

/** Steps as rows of three numbers: kind, link, amount. The kinds: 0 pause (ns), 1 compute (flops), 2 send, 3 broadcast
    (bytes), 4 take, 5 take from all, 6 report. */
function stepRows(numbers) {
  const rows = [];
  for (let at = 0; at < numbers.length;) {
    const kind = numbers[at++];
    const link = kind === 2 || kind === 4 ? numbers[at++] : -1;
    rows.push(kind, link, kind <= 3 ? numbers[at++] : 0);
  }
  return Float64Array.from(rows);
}

/** A list with one number for each, also where the model has one for all; null is no limit. */
function oneForEach(values, count) {
  const list = new Float64Array(count);
  for (let k = 0; k < count; ++k) {
    const value = Array.isArray(values) ? values[k] : values;
    list[k] = value === null ? Infinity : value;
  }
  return list;
}

/** The places of an agent's neighbors in the order in which a broadcast goes to them. */
function sendOrder(list, id, isRotated) {
  const begin = isRotated ? Math.max(0, list.findIndex((to) => to > id)) : 0;
  return list.map((_, k) => (begin + k) % list.length);
}

/** A world of the model with its links numbered: those out of an agent one after the other, by receivers. `into` has
    the links into each agent, by senders. */
function makeWorld({ neighbors, ...more }) {
  const first = [0], receiver = [];
  for (const list of neighbors) {
    receiver.push(...list);
    first.push(receiver.length);
  }
  const into = neighbors.map(() => []);
  neighbors.forEach((list, from) => list.forEach((to, k) => into[to].push(first[from] + k)));
  const links = receiver.length, agents = neighbors.length;
  return {
    agents, links, first, receiver, into, neighbors, isFifo: more.sharing === "fifo",
    isCutThrough: more.forwarding === "cut_through",
    order: neighbors.map((list, id) => sendOrder(list, id, more.send_order === "rotated")),
    latency: oneForEach(more.latency_ns, links), rate: oneForEach(more.bandwidth_bytes_per_s, links),
    up: oneForEach(more.up_bytes_per_s, agents), down: oneForEach(more.down_bytes_per_s, agents),
    speed: oneForEach(more.speed_flops_per_s, agents),
  };
}

function makeGraph({ lists, first, every, end }) {
  const rows = lists.map(stepRows), all = (ones) => ones.map((list) => rows[list]);
  return { first: first.map(all), every: all(every), end: end.map(all) };
}

/** Interfaces or links, each of which messages pass one after the other, as Resource and Backlog of sim/transport have
    it. */
class Resources {
  constructor(rates) {
    const zeros = () => new Float64Array(rates.length);
    this.rates = rates;
    this.free = zeros();
    this.waiting = zeros();
    this.inflow = zeros();
    this.clock = zeros();
    this.inflows = Array.from(rates, () => []);
  }

  isLimited(k) {
    return this.rates[k] !== Infinity;
  }

  through(k, begin, bytes) {
    return begin + Math.round(bytes / this.rates[k] * 1e9);
  }

  /** When the last bit of a message has left, whose bits come from `first` to `last`, later than all before it. */
  lastLeaves(k, first, last, bytes) {
    return Math.max(this.free[k] = this.through(k, Math.max(first, this.free[k]), bytes), last);
  }

  /** When its first bit leaves. */
  firstLeaves(k, first, last, bytes) {
    this.pour(k, first);
    const leaves = this.through(k, first, this.waiting[k]);
    if (last > first) {
      const rate = bytes / (last - first), ends = this.inflows[k];
      let place = ends.length;  // the earliest end comes last
      while (place > 0 && (ends[place - 1][0] < last || (ends[place - 1][0] === last && ends[place - 1][1] < rate)))
        --place;
      ends.splice(place, 0, [last, rate]);
      this.inflow[k] += rate;
    } else {
      this.waiting[k] += bytes;
    }
    return leaves;
  }

  pour(k, now) {
    const ends = this.inflows[k];
    if (this.waiting[k] === 0 && !ends.length) this.clock[k] = now;
    while (this.clock[k] < now) {
      const until = ends.length ? Math.min(now, ends[ends.length - 1][0]) : now;
      const gain = this.inflow[k] - this.rates[k] / 1e9;
      this.waiting[k] = Math.max(0, this.waiting[k] + gain * (until - this.clock[k]));
      this.clock[k] = until;
      while (ends.length && ends[ends.length - 1][0] === until) this.inflow[k] -= ends.pop()[1];
      if (!ends.length) this.inflow[k] = 0;
    }
  }
}

/** What of a state still matters to what follows: a link that is free before it is wanted is free, and a message that
    has come is there, however long. */
function whatIsLeft(world, { at, over, up, queues }) {
  const left = [];
  for (let id = 0; id < world.agents; ++id) {
    if (world.isCutThrough) up.pour(id, at[id]);
    left.push(Math.max(0, up.free[id] - at[id]), up.waiting[id]);
    for (let link = world.first[id]; link < world.first[id + 1]; ++link) {
      left.push(Math.max(0, over.free[link] - at[id]), queues[link].length);
      for (const [there] of queues[link]) left.push(Math.max(0, there - at[world.receiver[link]]));
    }
  }
  return left;
}

/** Whether the state after a round is one that was kept, only later: [rounds since then, how much later], which is so
    for ever then. Null if not; every eighth state is kept. */
function repetition(world, state, round, kept) {
  const start = state.at[0], offsets = state.at.map((time) => time - start);
  const isSame = (a, b) => a.length === b.length && a.every((value, k) => value === b[k]);
  let left = null;
  for (const before of kept) {
    if (!isSame(before.offsets, offsets)) continue;
    left = left || whatIsLeft(world, state);
    if (isSame(before.left, left)) return [round - before.round, start - before.start];
  }
  if (round % 8 === 0) kept.unshift({ round, start, offsets, left: left || whatIsLeft(world, state) });
  if (kept.length > 12) kept.pop();
  return null;
}

/** Messages at the interfaces of their receivers, the next one first: by time and batch, then by sender, then as they
    were sent; a heap of [at, batch, from, serial, link, bytes, last]. */
class InterfaceQueue {
  constructor() {
    this.heap = [];
    this.serials = 0;
  }

  isBefore(a, b) {
    let k = 0;
    while (k < 3 && a[k] === b[k]) ++k;
    return a[k] < b[k];
  }

  push(at, batch, from, link, bytes, last) {
    const { heap } = this, entry = [at, batch, from, ++this.serials, link, bytes, last];
    let place = heap.length;
    for (let parent; place > 0 && this.isBefore(entry, heap[parent = (place - 1) >> 1]); place = parent)
      heap[place] = heap[parent];
    heap[place] = entry;
  }

  pop() {
    const { heap } = this, top = heap[0], last = heap.pop();
    if (!heap.length) return top;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && this.isBefore(heap[child + 1], heap[child])) ++child;
      if (!this.isBefore(heap[child], last)) break;
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = last;
    return top;
  }
}

/** When the last agent has reported round 0 .. last of a run that stops after `rounds` (null: something else ends it),
    in ns. Null where agents would wait for ever. */
function roundTimes(world, graph, last, rounds) {
  const { agents, links, first, receiver, into, latency, speed, isFifo, isCutThrough, order } = world;
  // Agents that a batch of events at one time resumes send in the next one.
  const at = new Float64Array(agents), batch = new Int32Array(agents);
  const round = new Int32Array(agents), step = new Int32Array(agents);
  const taken = new Int32Array(agents), waits = new Uint8Array(agents);
  const up = new Resources(world.up), over = new Resources(world.rate), down = new Resources(world.down);
  const queues = Array.from({ length: links }, () => []);
  const times = new Float64Array(last + 1);
  const ready = [], entering = new InterfaceQueue();
  const hasQueues = isFifo && world.down.some((rate) => rate !== Infinity);
  let left = graph.every.filter((steps) => steps.some((kind, k) => k % 3 === 0 && kind === 6)).length;  // last reports
  const stepsOf = (id) => {
    if (hasQueues && rounds !== null && round[id] >= rounds) return graph.end[id][round[id] - rounds];
    return round[id] < graph.first[id].length ? graph.first[id][round[id]] : graph.every[id];
  };
  const arrive = (link, there, inBatch) => {
    queues[link].push([there, inBatch]);
    const to = receiver[link];
    if (waits[to]) {
      waits[to] = 0;
      ready.push(to);
    }
  };
  /** Whatever is sent after this one has been there comes later, since agents go on later: so the order is known. */
  const enterInterface = () => {
    const [there, inBatch, , , link, bytes, last] = entering.pop();
    const through = down.lastLeaves(receiver[link], there, last, bytes);
    arrive(link, through, through === there ? inBatch : 0);
  };
  const send = (from, link, bytes) => {
    const inBatch = (then) => (then === at[from] ? batch[from] + 1 : 0);
    const to = receiver[link];
    if (!isFifo) {
      const narrowest = Math.min(world.rate[link], world.up[from], world.down[to]);
      const there = at[from] + latency[link] + Math.round(bytes / narrowest * 1e9);
      arrive(link, there, inBatch(there));
      return;
    }
    let begin = at[from], end = at[from];
    for (const [part, k, isWanted] of [[up, from, true], [over, link, down.isLimited(to)]]) {
      if (!part.isLimited(k)) continue;
      const ahead = isCutThrough && isWanted ? part.firstLeaves(k, begin, end, bytes) : begin;
      end = part.lastLeaves(k, isCutThrough ? begin : end, end, bytes);
      begin = isCutThrough ? ahead : end;
    }
    begin += latency[link];
    end += latency[link];
    if (down.isLimited(to)) entering.push(begin, inBatch(begin), from, link, bytes, end);
    else arrive(link, end, inBatch(end));
  };
  const take = (id, link) => {
    if (!queues[link].length) return false;
    const [there, inBatch] = queues[link].shift();
    if (there > at[id] || (there === at[id] && inBatch > batch[id])) {
      at[id] = there;
      batch[id] = inBatch;
    }
    return true;
  };
  const spend = (id, ns) => {
    at[id] += ns;
    if (ns > 0) batch[id] = 0;
  };
  const pass = (id, kind, link, amount) => {
    if (kind === 0) spend(id, amount);
    else if (kind === 1) spend(id, amount === 0 ? 0 : Math.round(amount / speed[id] * 1e9));
    else if (kind === 2) send(id, link, amount);
    else if (kind === 3) for (const k of order[id]) send(id, first[id] + k, amount);
    else if (kind === 4) return take(id, link);
    else if (kind === 5) {
      for (; taken[id] < into[id].length; ++taken[id]) if (!take(id, into[id][taken[id]])) return false;
      taken[id] = 0;
    } else if (round[id] <= last) {
      times[round[id]] = Math.max(times[round[id]], at[id]);
      left -= round[id] === last;
    }
    return true;
  };
  /** Goes on to the end of a round; false if the agent waits. */
  const goOn = (id, until) => {
    for (; round[id] <= until; ++round[id], step[id] = 0) {
      const steps = stepsOf(id);
      for (; step[id] < steps.length; step[id] += 3)
        if (!pass(id, steps[step[id]], steps[step[id] + 1], steps[step[id] + 2])) {
          waits[id] = 1;
          return;
        }
    }
  };
  const kept = [], unlike = Math.max(...graph.first.map((rounds) => rounds.length));
  // Others may have to go on by a round before the last report can come. Where messages queue at receivers, whose order
  // must be that of time, no agent stops at the end of a round, and some are ahead by several.
  const end = hasQueues ? Math.min(rounds ?? Infinity, last + agents - 1) + 1 : last + 1;
  for (let until = hasQueues ? end : 0; until <= end; ++until) {
    for (let id = 0; id < agents; ++id) if (!waits[id]) ready.push(id);
    for (let next = 0; left && (next < ready.length || entering.heap.length);) {
      if (next < ready.length) goOn(ready[next++], until);
      else enterInterface();
    }
    ready.length = 0;
    if (hasQueues || until < unlike || waits.some((one) => one)) continue;
    const found = repetition(world, { at, over, up, queues }, until, kept);
    if (!found) continue;
    const [period, later] = found;
    for (let k = until + 1; k <= last; ++k) times[k] = times[k - period] + later;
    return times;
  }
  return left ? null : times;
}
