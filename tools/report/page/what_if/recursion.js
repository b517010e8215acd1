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
    latency: oneForEach(more.latency_ns, links), rate: oneForEach(more.bandwidth_bytes_per_s, links),
    up: oneForEach(more.up_bytes_per_s, agents), down: oneForEach(more.down_bytes_per_s, agents),
    speed: oneForEach(more.speed_flops_per_s, agents),
  };
}

function makeGraph({ lists, first, every, end }) {
  const rows = lists.map(stepRows), all = (ones) => ones.map((list) => rows[list]);
  return { first: first.map(all), every: all(every), end: end.map(all) };
}

/** Interfaces or links, each of which messages pass one after the other, as LinkQueue of sim/transport has it. */
class LinkQueues {
  constructor(rates) {
    this.rates = rates;
    this.free = new Float64Array(rates.length);
  }

  /** When a message is through queue k that comes at `at`, later than all before it. */
  leaves(k, at, bytes) {
    return this.free[k] = Math.max(at, this.free[k]) + Math.round(bytes / this.rates[k] * 1e9);
  }

  isLimited(k) {
    return this.rates[k] !== Infinity;
  }
}

/** What of a state still matters to what follows: a link that is free before it is wanted is free, and a message that
    has come is there, however long. */
function whatIsLeft(world, { at, over, up, queues }) {
  const left = [];
  for (let id = 0; id < world.agents; ++id) {
    left.push(Math.max(0, up.free[id] - at[id]));
    for (let link = world.first[id]; link < world.first[id + 1]; ++link) {
      left.push(Math.max(0, over.free[link] - at[id]), queues[link].length);
      for (const there of queues[link]) left.push(Math.max(0, there - at[world.receiver[link]]));
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

/** Messages at the interfaces of their receivers, the next one first: by time, then by sender, then as they were sent;
    a heap of [at, from, serial, link, bytes]. */
class InterfaceQueue {
  constructor() {
    this.heap = [];
    this.serials = 0;
  }

  isBefore(a, b) {
    return a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
  }

  push(at, from, link, bytes) {
    const { heap } = this, entry = [at, from, ++this.serials, link, bytes];
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
  const { agents, links, first, receiver, into, latency, speed, isFifo } = world;
  const at = new Float64Array(agents), round = new Int32Array(agents), step = new Int32Array(agents);
  const taken = new Int32Array(agents), waits = new Uint8Array(agents);
  const up = new LinkQueues(world.up), over = new LinkQueues(world.rate), down = new LinkQueues(world.down);
  const queues = Array.from({ length: links }, () => []);
  const times = new Float64Array(last + 1);
  const ready = [], entering = new InterfaceQueue();
  const hasQueues = isFifo && world.down.some((rate) => rate !== Infinity);
  let left = graph.every.filter((steps) => steps.some((kind, k) => k % 3 === 0 && kind === 6)).length;  // last reports
  const stepsOf = (id) => {
    if (hasQueues && rounds !== null && round[id] >= rounds) return graph.end[id][round[id] - rounds];
    return round[id] < graph.first[id].length ? graph.first[id][round[id]] : graph.every[id];
  };
  const arrive = (link, there) => {
    queues[link].push(there);
    const to = receiver[link];
    if (waits[to]) {
      waits[to] = 0;
      ready.push(to);
    }
  };
  /** Whatever is sent after this one has been there comes later, since agents go on later: so the order is known. */
  const enterInterface = () => {
    const [there, , , link, bytes] = entering.pop();
    arrive(link, down.leaves(receiver[link], there, bytes));
  };
  const send = (from, link, bytes) => {
    if (!isFifo) {
      const narrowest = Math.min(world.rate[link], world.up[from], world.down[receiver[link]]);
      arrive(link, at[from] + latency[link] + Math.round(bytes / narrowest * 1e9));
      return;
    }
    const there = over.leaves(link, up.leaves(from, at[from], bytes), bytes) + latency[link];
    if (down.isLimited(receiver[link])) entering.push(there, from, link, bytes);
    else arrive(link, there);
  };
  const take = (id, link) => {
    if (!queues[link].length) return false;
    at[id] = Math.max(at[id], queues[link].shift());
    return true;
  };
  const pass = (id, kind, link, amount) => {
    if (kind === 0) at[id] += amount;
    else if (kind === 1) at[id] += amount === 0 ? 0 : Math.round(amount / speed[id] * 1e9);
    else if (kind === 2) send(id, link, amount);
    else if (kind === 3) for (let out = first[id]; out < first[id + 1]; ++out) send(id, out, amount);
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
