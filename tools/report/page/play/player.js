// The playback on the page: moves agents' colors and messages on a canvas above the graph, and the cursor with them.

const defaultLength_s = 20;  // for which the window plays at first
const speedDecades = 2;  // slower and faster than that
const longestFrame_s = 0.1;  // a tab that was hidden goes on where it stopped
const stepLength_s = 1;  // between pictures where the reader wants less motion
const tellingLength_s = 0.1;  // while it plays: text that changes costs more than dots that move
const mostLargeDots = 400;

function wantsLessMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A mark of the legend: what agents and messages look like. */
function playbackMark(kind, look) {
  const circle = (r, fill, stroke) => ({ cx: 12, cy: 5, r, fill, stroke });
  if (kind === "lost")
    return mark("path", { d: "M9 2l6 6m0 -6l-6 6", stroke: look.activity.lost, "stroke-width": 2 });
  if (kind === "transfer") return mark("circle", circle(3, look.activity.transfer, "none"));
  return mark("circle", circle(4.5, look.activity[kind] || look.ground, look.ink));
}

class PlaybackPanel extends Panel {
  constructor(figure, model, shared) {
    super(figure, model, shared);
    this.cursor = shared.cursor;
    this.canvas = element("canvas", { class: "over", "aria-hidden": "true" });
    for (const [key, value] of Object.entries({
      tabindex: 0, role: "group", "aria-keyshortcuts": "Space ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight",
      "aria-label": "Playback: space plays and pauses, arrow keys go an event back and on, with shift a round",
    })) this.frame.setAttribute(key, value);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.append(this.canvas);
    this.makeControls();
    this.box.after(this.deck);
    this.cursor.listeners.push(() => this.show());
    this.drawn = () => this.prepare();
  }

  makeControls() {
    this.button = element("button", { type: "button", onclick: () => this.toggle() });
    this.position = element("input", { id: "playback-at", type: "range", min: 0, max: 10000, step: 1, oninput: () => {
      const { from_s, to_s } = this.movement;
      this.cursor.move(from_s + (to_s - from_s) * this.position.value / 10000);
    } });
    this.speed = element("input", { id: "playback-speed", type: "range", min: -speedDecades, max: speedDecades,
                                    step: 0.1, value: 0, oninput: () => this.tellSpeed() });
    this.loop = element("input", { id: "playback-loop", type: "checkbox", checked: true });
    this.speedTold = element("span", {});
    this.told = element("p", { class: "moment" });
    this.remark = element("p", { class: "lead remark" });
    this.saveButton = element("button", { type: "button", onclick: () => this.saveLoop() }, "Save loop (SVG)");
    this.deck = element("div", {}, element("div", { class: "controls deck" },
      this.button,
      element("label", { class: "wide", for: "playback-at" }, "Moment", this.position),
      element("label", { for: "playback-speed" }, this.speedTold, this.speed),
      element("label", { class: "check", for: "playback-loop" }, this.loop, "again from the start"), this.saveButton),
      this.told, this.remark);
    this.nameButton();
  }

  /** After each drawing of the graph: the window, and where agents and messages are in its pixels. */
  prepare() {
    this.movement = this.built.movement || null;
    this.deck.hidden = this.canvas.hidden = !this.movement;
    if (!this.movement) {
      this.pause();
      this.cursor.cover(null);
      return;
    }
    const { movement, chart } = this, run = chosenRun(this.model, this.currentState());
    const place = this.model.layouts[run.layout];
    const pixels = place.x.map((x, k) => chart.convertToPixel({ seriesIndex: 0 }, [1000 * x, 1000 * place.y[k]]));
    this.look = makeLook({ dark: isDark() });
    this.stage = stageOf(movement, Float64Array.from(pixels, ([x]) => x), Float64Array.from(pixels, ([, y]) => y),
                         agentSize(pixels.length, this.look));
    this.place();
    this.remark.textContent = loopRemark(movement);
    this.saveButton.disabled = !loopPart(movement);
    this.remark.hidden = !this.remark.textContent;
    this.drawKey(run.timeline);
    this.tellSpeed();
    this.cursor.cover([movement.from_s, movement.to_s]);
  }

  /** Lays the canvas over the agents and no more: a browser puts all of it on the screen in every frame. */
  place() {
    const { x, y, size, drop } = this.stage, ratio = window.devicePixelRatio || 1;
    const left = Math.floor(Math.min(...x) - size), top = Math.floor(Math.min(...y) - size);
    const width = Math.ceil(Math.max(...x) + size) - left, height = Math.ceil(Math.max(...y) + size + drop) - top;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    for (const [key, value] of Object.entries({ left, top, width, height })) this.canvas.style[key] = `${value}px`;
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, -left * ratio, -top * ratio);
    this.stage.bounds = [left, top, width, height];
  }

  drawKey(shown) {
    const kinds = [...statesSeen(shown), ...messagesSeen(this.movement)];
    this.legend.hidden = false;
    this.legend.setAttribute("aria-label", "Legend");
    this.legend.replaceChildren(...kinds.map(([kind, name]) =>
      element("li", { class: "mark" }, playbackMark(kind, this.look), name)));
  }

  /** The picture at the cursor. */
  show() {
    if (!this.movement) return;
    this.shown = drawMoment(this.context, this.movement, this.stage, this.cursor.time, this.look, wantsLessMotion());
    const now = performance.now();
    if (!this.isPlaying() || now - this.toldAt >= 1000 * tellingLength_s) this.tell(now);
  }

  tell(now) {
    const { from_s, to_s } = this.movement, time = this.cursor.time, told = momentTold(this.movement, time);
    this.toldAt = now;
    this.told.textContent = told;
    this.position.value = Math.round(10000 * (time - from_s) / (to_s - from_s));
    if (!this.isPlaying()) this.position.setAttribute("aria-valuetext", told);
  }

  /** Simulated seconds in a second. */
  rate() {
    return (this.movement.to_s - this.movement.from_s) / defaultLength_s * 10 ** Number(this.speed.value);
  }

  tellSpeed() {
    const rate = this.rate(), [scale, unit] = timeUnit(2 * rate);
    const told = `${formatNumber(rate / scale, 3)} ${unit} a second`;
    this.speedTold.textContent = `Speed: ${told}`;
    this.speed.setAttribute("aria-valuetext", told);
  }

  // Playing

  isPlaying() {
    return this.going !== undefined;
  }

  nameButton() {
    this.button.textContent = this.isPlaying() ? "❚❚ Pause" : "▶ Play";
    this.told.setAttribute("aria-live", this.isPlaying() ? "off" : "polite");  // steps are announced, a stream is not
  }

  toggle() {
    if (this.isPlaying()) this.pause();
    else this.play();
  }

  play() {
    if (!this.movement) return;
    if (this.cursor.time >= this.movement.to_s) this.cursor.move(this.movement.from_s);
    const steps = wantsLessMotion();
    let last = performance.now();
    const frame = (now) => {
      if (!this.isPlaying()) return;
      this.going = steps ? setTimeout(frame, 1000 * stepLength_s) : requestAnimationFrame(frame);
      this.advance(steps ? stepLength_s : Math.min(longestFrame_s, Math.max(0, (now - last) / 1000)));
      last = now;
    };
    this.stop = steps ? clearTimeout : cancelAnimationFrame;
    this.going = steps ? setTimeout(frame, 1000 * stepLength_s) : requestAnimationFrame(frame);
    this.nameButton();
  }

  pause() {
    if (this.isPlaying()) this.stop.call(window, this.going);
    this.going = undefined;
    this.nameButton();
    this.show();
  }

  advance(seconds) {
    const { from_s, to_s } = this.movement, time = this.cursor.time + seconds * this.rate();
    if (time < to_s) return this.cursor.move(time);
    if (this.loop.checked) return this.cursor.move(from_s);
    this.cursor.move(to_s);
    return this.pause();
  }

  key(event) {
    if (!this.movement || event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key !== " " && !direction) return;
    event.preventDefault();
    if (!direction) return this.toggle();
    this.pause();
    const times = event.shiftKey ? this.movement.rounds.times : this.movement.events;
    return this.cursor.move(this.movement.nextOf(times, this.cursor.time, direction));
  }

  saveLoop() {
    const run = chosenRun(this.model, this.currentState()), { movement, stage, look, chart } = this;
    const seconds = (movement.to_s - movement.from_s) / this.rate();
    offerFile("playback-loop.svg", "image/svg+xml",
              loopSvg({ run, movement, stage, look, width: chart.getWidth(), height: chart.getHeight(), seconds,
                        pairs: linkPairs(run, movement) }));
  }

  svg() {
    return figureSvg(this.figure, this.view(), { ...this.currentState(), at: this.cursor.time }, 480);
  }
}

function disk(context, x, y, radius) {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** One path for each state: a path costs more than a circle in it. */
function drawAgents(context, movement, { x, y, size }, time, look) {
  context.lineWidth = 0.8;
  context.strokeStyle = look.ink;
  for (let state = 0; state < agentStates.length; ++state) {
    context.fillStyle = stateColor(look, state);
    context.beginPath();
    for (let agent = 0; agent < x.length; ++agent)
      if (movement.stateOf(agent, time) === state) disk(context, x[agent], y[agent], 0.5 * size);
    context.fill();
    if (x.length <= 400) context.stroke();
  }
}

/** A cross where a message was lost, which falls and fades. */
function drawLoss(context, movement, { routes, fall_s, drop }, k, time, isStill) {
  const share = isStill ? 0 : (time - movement.arrival[k]) / fall_s;
  const x = routes[4 * k + 2], y = routes[4 * k + 3] + share * share * drop;
  context.globalAlpha = 1 - share;
  context.beginPath();
  for (const side of [-3, 3]) {
    context.moveTo(x - 3, y - side);
    context.lineTo(x + 3, y + side);
  }
  context.stroke();
}

/** Draws agents and messages of a moment. Gives how many messages are on their way, and how many fall. */
function drawMoment(context, movement, stage, time, look, isStill) {
  const moving = [], falling = [];
  movement.forEachAt(time, stage.fall_s, (k) => {
    if (movement.arrival[k] > time) moving.push(k);
    else if (movement.isLost(k)) falling.push(k);
  });
  context.clearRect(...stage.bounds);
  const radius = moving.length > mostLargeDots ? 2 : 3;
  context.fillStyle = look.activity.transfer;
  context.beginPath();
  for (const k of moving) disk(context, ...placeOf(movement, stage, k, time), radius);
  context.fill();
  drawAgents(context, movement, stage, time, look);
  context.strokeStyle = look.activity.lost;
  context.lineWidth = 2;
  for (const k of falling) drawLoss(context, movement, stage, k, time, isStill);
  context.globalAlpha = 1;
  return { moving: moving.length, falling: falling.length };
}
