// Puts the page together.

let all = [];  // panels
let printing = false, printingFigure = false;

/** Whether the page is dark: as the reader chose, else as the system is. Paper is white. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  if (window.matchMedia("print").matches || printing) return false;
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Shows a model in place of the one before. */
function showModel(model) {
  useLabels(model);
  raiseToFloor(model);
  for (const panel of all) panel.dispose();
  const shared = new SharedChoices(model);
  const panelOf = (figure) => new (figure === playback ? PlaybackPanel : Panel)(figure, model, shared);
  const comparedFigures = verdictLevels(model).length ? [ranking, ...(model.groups.length > 1 ? [pareto] : [])] : [];
  const hasMap = comparedFigures.length > 0 && heatKeys(model).length > 1 && model.groups.length > 4;
  // Known before the first panel asks which controls are its own.
  if (comparedFigures.length) shared.know([levelControl(model), currencyControl(model)]);
  shared.know(runControl(model));
  const compared = comparedFigures.map(panelOf);
  const [panelsPanel, progressPanel, mapPanel] =
    [model.panels.length ? panelOf(panels) : null, panelOf(convergence), hasMap ? panelOf(heat) : null];
  const mapPanels = mapFigures(model).map(panelOf);
  const ofOneRun = figures.filter((figure) => figure.ofOneRun && (!figure.suits || figure.suits(model))).map(panelOf);
  const whatIf = model.what_if ? new WhatIfPanel(model, shared) : null;
  const movable = whatIf && whatIf.possible ? whatIf : null;
  const winnersMap = movable && hasWhatIfMap(model) ? new WhatIfMapPanel(model, shared, whatIf) : null;
  if (winnersMap) whatIf.section.append(winnersMap.section);
  all = [...compared, panelsPanel, ...mapPanels, progressPanel, movable, winnersMap, mapPanel, ...ofOneRun]
    .filter(Boolean);

  /** The figures of one run, which one list chooses for all of them. */
  function oneRunSection() {
    const byName = (name) => ofOneRun.filter((panel) => panel.figure.name === name).map((panel) => panel.section);
    const pair = (...names) => element("div", { class: "pair" }, names.map(byName));
    const [choice] = runControl(model);
    return element("section", { id: "one-run", "data-nav": "One run", "aria-labelledby": "one-run-title" },
      element("h2", { id: "one-run-title" }, model.runs.length > 1 ? "One run" : "The run in detail"),
      choice ? element("div", { class: "controls" }, shared.control(choice)) : null,
      byName("critical-path"),
      pair("costs", "faults"), byName("staleness"), pair("topology", "links"), byName("sites"), byName("playback"),
      byName("timeline"));
  }

  for (const panel of all) if (panel.figure !== playback) new CursorLines(panel, shared.cursor);
  const sectionOf = (panel) => panel && panel.section;
  const verdict = verdictSection(model, shared, compared);
  const sections = [
    ...(isPaperFigure(model)
      ? [outcomeSection(model), sectionOf(panelsPanel), ...mapPanels.map(sectionOf), claimsSection(model),
         filterSection(model, shared), verdict]
      : [verdict, filterSection(model, shared), sectionOf(panelsPanel), ...mapPanels.map(sectionOf)]),
    sectionOf(progressPanel), sectionOf(whatIf), sectionOf(mapPanel),
    isPaperFigure(model) ? null : claimsSection(model),
    runsSection(model, shared), oneRunSection(), differencesSection(model), repeatSection(model),
  ].filter(Boolean);
  document.querySelector("main").replaceChildren(...sections);
  document.querySelector("h1").textContent = model.title;
  document.title = `${model.title} – lagnet report`;
  document.querySelector("#subtitle").textContent = model.subtitle;
  document.querySelector("nav ul").replaceChildren(...sections.map((section) =>
    element("li", {}, element("a", { href: `#${section.id}` }, section.dataset.nav))));
  shared.listeners.push((keys) => {
    for (const panel of all) if (panel.dependsOn(keys)) panel.draw();
  });
  drawAll();
  width = document.querySelector("main").clientWidth;
  if (window.location.hash.startsWith("#what-if?") && whatIf) whatIf.section.scrollIntoView();
  // For tests, and for readers who want the numbers in the browser's console.
  window.lagnetReport = { model, recursion: { allTimes, costsInTime },
                          panels: Object.fromEntries(all.map((panel) => [panel.figure.name, panel])) };
}

function drawAll() {
  for (const panel of all) panel.draw();
}

const themeButton = document.querySelector("#theme");
function nameTheme() {
  themeButton.textContent = isDark() ? "Light colors" : "Dark colors";
}
themeButton.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
  drawAll();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  nameTheme();
  drawAll();
});

let width = 0;
new ResizeObserver(() => {
  const now = document.querySelector("main").clientWidth;
  if (now !== width && !printing) {
    width = now;
    drawAll();
  }
}).observe(document.querySelector("main"));
window.addEventListener("beforeprint", () => {
  if (printingFigure) return;
  printing = true;
  document.documentElement.classList.add("printing");
  drawAll();
});
window.addEventListener("afterprint", () => {
  if (!printing) return;
  printing = false;
  document.documentElement.classList.remove("printing");
  drawAll();
});

nameTheme();
const given = JSON.parse(document.getElementById("model").textContent);
if (given) showModel(given);
else new LivePage().follow();
