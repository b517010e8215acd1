// Puts the page together.

const model = JSON.parse(document.getElementById("model").textContent);
useLabels(model);

let printing = false;

/** Whether the page is dark: as the reader chose, else as the system is. Paper is white. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  if (window.matchMedia("print").matches || printing) return false;
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}

const multiples = panelFigures(model).map((figure) => new Panel(figure, model));
const single = figures.map((figure) => new Panel(figure, model));
const panels = [...multiples, ...single];
const [first, ...others] = single;
const sections = [
  claimsSection(model), multiplesSection(multiples), runsSection(model), first.section,
  ...others.map((panel) => panel.section),
  differencesSection(model), repeatSection(model),
].filter(Boolean);
document.querySelector("main").append(...sections);
document.querySelector("h1").textContent = model.title;
document.title = `${model.title} – lagnet report`;
document.querySelector("#subtitle").textContent = model.subtitle;
document.querySelector("nav ul").append(...sections.map((section) =>
  element("li", {}, element("a", { href: `#${section.id}` }, section.dataset.nav))));

function drawAll() {
  for (const panel of panels) panel.draw();
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
  printing = true;
  document.documentElement.classList.add("printing");
  drawAll();
});
window.addEventListener("afterprint", () => {
  printing = false;
  document.documentElement.classList.remove("printing");
  drawAll();
});

nameTheme();
drawAll();
width = document.querySelector("main").clientWidth;
// For tests, and for readers who want the numbers in the browser's console.
window.lagnetReport = { model, panels: Object.fromEntries(panels.map((panel) => [panel.figure.name, panel])) };
