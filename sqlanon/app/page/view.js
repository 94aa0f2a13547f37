// What is shown. Whatever comes from a table is put in as text, never as HTML.

import { WORDS } from "./words.js";

export const at = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.map((child) => (child === null || child === undefined ? "" : child)));
  return made;
}

export const count = (value) => Number(value).toLocaleString("en");
export const percent = (value) =>
  (value === null || value === undefined || Number.isNaN(value) ? "–" : `${value.toFixed(1)} %`);

export function reading(value) {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "–";
  return Number.isInteger(value) ? count(value) : Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 4 });
}

export function say(id, text) {
  at(id).textContent = text;
}

export function complain(id, error) {
  at(id).hidden = !error;
  say(id, error ? error.message : "");
}

export function select(label, choices, chosen, changed) {
  const made = element("select", { "aria-label": label },
    ...Object.entries(choices).map(([value, text]) => element("option", { value }, text)));
  made.value = chosen;
  made.addEventListener("change", () => changed(made.value));
  return made;
}

// A word, or a text with one, that says what it means where it stands: to a pointer, a finger, and a key.
export const explained = (text, word) => (WORDS[word]
  ? element("span", { class: "word", tabindex: 0, "data-says": WORDS[word], "aria-description": WORDS[word] }, text) : text);

export function explainAll() {
  for (const each of document.querySelectorAll("[data-word]")) each.replaceChildren(explained(each.textContent, each.dataset.word));
}

// The first rows of a table, texts.
export function preview(id, names, rows) {
  const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((values) => element("tr", {}, ...values.map((value) =>
    element("td", { class: value === null ? "quiet" : null }, value ?? "NULL"))));
  at(id).replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

// Rows of a table: a heading, and cells of which numbers stand to the right.
export function fill(id, rows) {
  at(id).querySelector("tbody").replaceChildren(...rows.map(([heading, ...cells]) => element("tr", {},
    element("th", { scope: "row" }, heading),
    ...cells.map((cell) => element("td", { class: cell?.isText ? null : "n" }, cell?.isText ? cell.text : cell)))));
}

// The columns that leave: what names people says why.
export function leaving(columns) {
  fill("leaving", columns.map(({ column, how, looks_like, distinct_values, unique_share, verdict, reason }) => [
    element("span", {}, element("b", {}, column),
      verdict === "holds" ? "" : element("small", { class: "secret" }, `${verdict === "fails" ? "names people" : "not known"}: ${reason}`)),
    { isText: true, text: how }, { isText: true, text: looks_like ?? "" }, count(distinct_values),
    percent(unique_share === null ? null : 100 * unique_share)]));
}

export function tiles(found) {
  at("tiles").replaceChildren(...found.map(([value, text]) =>
    element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text))));
}

// Bars: how many rows are in classes of which size.
export function chart(sizes) {
  const BARS = 24, WIDTH = 640, HEIGHT = 150, FOOT = 26;
  const least = sizes[0].size, most = sizes[sizes.length - 1].size;
  const width = Math.max(1, Math.ceil((most - least + 1) / BARS));
  const bars = Array.from({ length: Math.ceil((most - least + 1) / width) }, () => 0);
  for (const { size, classes } of sizes) bars[Math.floor((size - least) / width)] += classes;
  const highest = Math.max(...bars);
  const svg = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const step = WIDTH / bars.length;
  const range = (i) => {
    const from = least + i * width, to = Math.min(from + width - 1, most);
    return from === to ? `${count(from)}` : `${count(from)}–${count(to)}`;
  };
  const drawn = bars.map((classes, i) => {
    const height = classes && Math.max(2, (HEIGHT * classes) / highest);
    return svg("rect", { x: i * step + 1, y: HEIGHT - height, width: Math.max(1, Math.min(step - 2, 60)), height, rx: 2 },
      svg("title", {}, document.createTextNode(`${count(classes)} classes of ${range(i)} rows`)));
  });
  const label = `Classes by size: ${bars.map((classes, i) => `${range(i)} rows: ${classes}`).join("; ")}`;
  at("chart").replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "img", "aria-label": label },
    ...drawn,
    svg("text", { x: 0, y: HEIGHT + 20 }, document.createTextNode(`${count(least)} rows`)),
    svg("text", { x: WIDTH, y: HEIGHT + 20, "text-anchor": "end" }, document.createTextNode(`${count(most)} rows`))));
}

// The smallest classes, each with the released values of its columns.
export function classes(rows, columns) {
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)),
    element("th", { scope: "col", class: "n" }, "rows"));
  const body = rows.map(({ values, size }) => element("tr", {},
    ...values.map((value) => element("td", {}, value ?? "NULL")), element("td", { class: "n" }, count(size))));
  at("classes").querySelector(".scroll").replaceChildren(
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

export function offer(name, bytes, type) {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Is what was found out of something else than what is chosen?
export function isStale(is) {
  at("findings").classList.toggle("stale", is);
  at("findings").setAttribute("aria-busy", is);
}

// Take away what was found out before.
export function forgetFindings(id) {
  if (id === "classes") {
    for (const part of [at("tiles"), at("chart"), at("classes").querySelector(".scroll")]) part.replaceChildren();
  } else fill(id === "earlier" ? "together" : id, []);
  if (id === "earlier") say("earlier-status", "");
}
