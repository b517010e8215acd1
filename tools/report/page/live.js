// A page that `lagnet serve` shows: it asks how far the runs are, and draws their newest model. Nobody asks while the
// page is not seen.

const asksEvery = 1000, asksAtRestEvery = 5000;  // ms

/** The token of the page's address, which this tab keeps: links within the page take its place. */
function liveToken() {
  const given = /^#token=([0-9a-f]+)$/.exec(window.location.hash);
  if (given) {
    window.sessionStorage.setItem("lagnet-token", given[1]);
    window.history.replaceState(null, "", window.location.pathname);
  }
  return window.sessionStorage.getItem("lagnet-token") || "";
}

/** "2 min" and the like: an estimate is no more exact. */
function roughDuration(seconds) {
  const units = [[86400, "days"], [3600, "h"], [60, "min"]];
  const [size, unit] = units.find(([least]) => seconds >= 1.5 * least) || [1, "s"];
  return `${Math.max(1, Math.round(seconds / size))} ${unit}`;
}

/** What the reader has chosen, in a form that outlives the model: names instead of numbers. */
function readerChoices() {
  const changed = (select) => {
    const first = [...select.options].find((option) => option.defaultSelected) || select.options[0];
    return select.selectedOptions[0] !== first;
  };
  const main = document.querySelector("main");
  return {
    selects: [...main.querySelectorAll("select")].filter(changed).map((one) => [one.id, one.selectedOptions[0].text]),
    checks: [...main.querySelectorAll("input")].filter((one) => one.checked !== one.defaultChecked)
      .map((one) => [one.id, one.checked]),
    hidden: Object.fromEntries(all.map((panel) => [panel.figure.name, panel.hidden])),
    open: [...main.querySelectorAll("section")].map((section) =>
      [section.id, [...section.querySelectorAll("details")].map((details) => details.open)]),
    focus: document.activeElement && document.activeElement.id,
    top: window.scrollY,
  };
}

/** Chooses the same again, where there still is such a thing. */
function chooseAgain({ selects, checks, hidden, open, focus, top }) {
  for (const panel of all) {
    const names = hidden[panel.figure.name];
    if (!names || !names.size) continue;
    panel.hidden = names;
    panel.draw();
  }
  const change = (control) => control.dispatchEvent(new Event("change"));
  for (const [id, text] of selects) {
    const select = document.getElementById(id);
    const option = select && [...select.options].find((one) => one.text === text);
    if (!option) continue;
    select.value = option.value;
    change(select);
  }
  for (const [id, checked] of checks) {
    const box = document.getElementById(id);
    if (!box) continue;
    box.checked = checked;
    change(box);
  }
  for (const [id, states] of open) {
    const section = document.getElementById(id);
    const folded = section ? [...section.querySelectorAll("details")] : [];
    for (const [k, details] of folded.entries()) details.open = Boolean(states[k]);
  }
  const focused = focus && document.getElementById(focus);
  if (focused) focused.focus({ preventScroll: true });
  window.scrollTo({ top, behavior: "instant" });
}

/** What a sweep or a run has come to, in a line. */
function toldStatus({ state, points, finished, under_way: underWay, best, left_s: left, partial }) {
  const single = points === 1 && finished === 0 && underWay.length === 1 ? underWay[0] : null;
  const ofRounds = single && single.rounds ? ` of ${formatNumber(single.rounds)}` : "";
  const done = single ? `Round ${formatNumber(single.round)}${ofRounds}`
    : `${formatNumber(finished)} of ${counted(points, "point")} done`;
  const error = best && formatValue("relative_error", best.relative_error, 3);
  const bestSoFar = best && `best relative error ${error} (${best.run})`;
  const facts = (...more) => more.filter(Boolean).join(", ");
  if (state === "waiting" || (state === "running" && !points)) return "No point has begun yet";
  if (state === "running")
    return facts(done, single || !underWay.length ? null : `${underWay.length} under way`, bestSoFar,
                 left === null ? null : `about ${roughDuration(left)} left`);
  if (state === "finished") return facts(points > 1 ? `Complete: ${counted(points, "point")}` : "Complete", bestSoFar);
  const rest = finished ? `Finished points are kept in ${partial}, and the same command goes on from there`
    : "Nothing can go on from it";
  return `${facts(`Stopped: ${done[0].toLowerCase()}${done.slice(1)}`, bestSoFar)}. ${rest}`;
}

/** The strip at the top of the page, and what keeps the page up to date. */
class LivePage {
  constructor() {
    this.token = liveToken();
    this.known = { etag: "", status: null };
    this.drawn = null;  // the version of the model on the page
    this.line = element("p", {}, "Asking lagnet serve");
    this.bar = element("progress", { max: "1", value: "0", "aria-label": "Points done" });
    this.told = element("p", { class: "told", "aria-live": "polite" });
    this.button = element("button", { type: "button", hidden: true, onclick: () => this.stop() }, "Stop");
    document.querySelector("nav").before(
      element("div", { id: "live", role: "group", "aria-label": "How far the runs are" },
        this.bar, this.line, this.button, this.told));
    document.querySelector("#asks").textContent =
      "The page asks the lagnet serve that it comes from, and no other server.";
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.rests) this.follow();
    });
  }

  ask(target, more = {}) {
    const { headers, ...others } = more;
    return fetch(target, { cache: "no-store", headers: { "X-Lagnet-Token": this.token, ...headers }, ...others });
  }

  async status() {
    const answer = await this.ask("/status", { headers: { "If-None-Match": this.known.etag } });
    if (answer.status === 304) return this.known.status;
    if (!answer.ok) throw new Error(await answer.text());
    this.known = { etag: answer.headers.get("ETag"), status: await answer.json() };
    return this.known.status;
  }

  /** Draws the newest model; what was there before stays as long as there is none. */
  async draw() {
    const answer = await this.ask("/model");
    if (!answer.ok) throw new Error(await answer.text());
    this.drawn = answer.headers.get("ETag").replace(/"/g, "");
    const model = await answer.json();
    if (!model) return;
    const choices = readerChoices();
    showModel(model);
    chooseAgain(choices);
  }

  tell(status) {
    this.line.textContent = toldStatus(status) + (status.trouble ? `. ${status.trouble}` : "");
    this.bar.value = status.points ? status.finished / status.points : 0;
    this.bar.hidden = status.points < 2;
    this.button.hidden = !status.can_stop || !this.token;
    if (status.state !== "running") this.told.textContent = "";
  }

  async follow() {
    this.rests = document.hidden;
    if (this.rests) return;
    let pause = asksAtRestEvery;
    try {
      const status = await this.status();
      if (status.model && status.model !== this.drawn) await this.draw();
      this.tell(status);
      if (["running", "waiting"].includes(status.state)) pause = asksEvery;
    } catch (error) {
      this.button.hidden = true;
      this.told.textContent = error instanceof TypeError
        ? "lagnet serve does not answer; the page shows its last state." : error.message;
    }
    setTimeout(() => this.follow(), pause);
  }

  async stop() {
    const { keeps_points: keeps } = this.known.status;
    if (!keeps && !window.confirm("No point is finished: nothing will be kept. Stop anyway?")) return;
    this.told.textContent = "Stopping";
    const answer = await this.ask("/stop", { method: "POST" });
    if (!answer.ok) this.told.textContent = await answer.text();
  }
}
