// What is shown. Whatever comes from a table is put in as text, never as HTML.

import { current, has, pieces, text } from "./language.js";

export const at = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.map((child) => (child === null || child === undefined ? "" : child)));
  return made;
}

export const count = (value) => Number(value).toLocaleString(current());
const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
export const percent = (value) =>
  (value === null || value === undefined || Number.isNaN(value) ? "–" : `${value.toLocaleString(current(), ONE_DIGIT)} %`);

export function reading(value) {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "–";
  return Number.isInteger(value) ? count(value) : Number(value.toPrecision(3)).toLocaleString(current(), { maximumFractionDigits: 4 });
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

// A text that says what it means where it stands: to a pointer, a finger, and a key.
export const explained = (shown, word) => {
  if (!word || !has(`word.${word}`)) return shown;
  const meaning = text(`word.${word}`);
  return element("span", { class: "word", tabindex: 0, "data-says": meaning, "aria-description": meaning }, shown);
};

// A text of the page, whose words are explained.
export const written = (key, values) =>
  element("span", {}, ...pieces(key, values).map(({ shown, word }) => explained(shown, word)));

// Put in the texts that the page always has.
export function writeAll() {
  for (const each of document.querySelectorAll("[data-text]")) each.replaceChildren(...written(each.dataset.text).childNodes);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", text(each.dataset.label));
  for (const each of document.querySelectorAll("[data-example]")) each.placeholder = text(each.dataset.example);
}

// A released label as people read it: what is missing in a set or range is no word of programs.
export const labelSaid = (label) => label?.replace(/^NULL$|"(?:[^"]|"")*"|(?<=[[{(,] ?)NULL(?=[,\]})])/g, (part) => (part === "NULL" ? text("value.none") : part));

// The first rows of a table, texts.
export function preview(id, names, rows) {
  const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((values) => element("tr", {}, ...values.map((value) =>
    element("td", { class: value === null ? "quiet" : null }, value ?? "–"))));
  at(id).replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

// Rows of a table: a heading, and cells of which numbers stand to the right.
export function fill(id, rows) {
  at(id).querySelector("tbody").replaceChildren(...rows.map(([heading, ...cells]) => element("tr", {},
    element("th", { scope: "row" }, heading),
    ...cells.map((cell) => element("td", { class: cell?.isText ? null : "n" }, cell?.isText ? cell.text : cell)))));
}

// What was found, with the button that repairs it, if there is one.
export function finding(told, remark, isDone, button, clicked) {
  const made = button ? element("button", { type: "button" }, button) : null;
  made?.addEventListener("click", clicked);
  return element("li", { class: isDone ? "done" : null }, element("span", {}, told, remark ? element("small", {}, ` ${remark}`) : ""), made);
}

// What a column is read as, in words: of its type in DuckDB.
export function typeSeen(type) {
  const kind = type.startsWith("TIMESTAMP") ? "timestamp" : /INT/.test(type) ? "integer"
    : /DOUBLE|FLOAT|DECIMAL/.test(type) ? "double" : type === "VARCHAR" ? "text" : type.toLowerCase();
  return has(`type.${kind}`) ? text(`type.${kind}`) : kind;
}

// The same of what can be said: a type, perhaps with the form of its values, such as `date %d.%m.%Y`.
export function typeSaid(said) {
  const [word, ...format] = said.split(" ");
  const [form, from] = format.join(" ").split(" from ");
  const letters = { d: "day", m: "month", Y: "year", y: "year" };
  const shown = form.replace(/%(\w)/g, (_, letter) => (letters[letter]
    ? text(`type.${letters[letter]}_letters`).repeat(letter === "Y" ? 4 : 2) : { H: "hh", M: "mm", S: "ss" }[letter] ?? letter));
  const years = from ? ` (${from}–${Number(from) + 99})` : "";
  return `${text(`type.${word}`)}${shown ? `${current() === "fr" ? "\u00a0" : ""}: ${shown}` : ""}${years}`;
}

// Examples of how values are read, as the macros tell them.
export const readings = (shown) => shown.map((each) => each.replace(/ as (?=[^ ]*(?: [0-9:.]+)?$)/, " → ")).join(", ");

// The columns that leave: what names people says why.
export function leaving(columns, ofPeople) {
  say("own-values", text(ofPeople ? "release.own_values_people" : "release.own_values"));
  fill("leaving", columns.map(({ column, how, looks_like, distinct_values, unique_share, verdict, reason }) => [
    element("span", {}, element("b", {}, column),
      verdict === "holds" ? "" : element("small", { class: "secret" }, `${text(verdict === "fails" ? "release.names" : "release.not_known")}: ${reason}`)),
    { isText: true, text: text(`how.${how}`) }, { isText: true, text: looks_like ?? "" }, count(distinct_values),
    percent(unique_share === null ? null : 100 * unique_share)]));
}

export function tiles(found) {
  at("tiles").replaceChildren(...found.map(([value, text]) =>
    element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text))));
}

// Bars: how many classes have how many rows, or people (unit).
export function chart(sizes, unit) {
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
    return `${from === to ? count(from) : `${count(from)}–${count(to)}`} ${unit}`;
  };
  const drawn = bars.map((classes, i) => {
    const height = classes && Math.max(2, (HEIGHT * classes) / highest);
    return svg("rect", { x: i * step + 1, y: HEIGHT - height, width: Math.max(1, Math.min(step - 2, 60)), height, rx: 2 },
      svg("title", {}, document.createTextNode(text("classes.bar", { classes: count(classes), range: range(i) }))));
  });
  const label = text("classes.by_size", { bars: bars.map((classes, i) => `${range(i)}: ${classes}`).join("; ") });
  at("chart").replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "img", "aria-label": label },
    ...drawn,
    svg("text", { x: 0, y: HEIGHT + 20 }, document.createTextNode(`${count(least)} ${unit}`)),
    svg("text", { x: WIDTH, y: HEIGHT + 20, "text-anchor": "end" }, document.createTextNode(`${count(most)} ${unit}`))));
}

// The smallest classes, each with the released values of its columns.
export function classes(rows, columns, unit) {
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)),
    element("th", { scope: "col", class: "n" }, unit));
  const body = rows.map(({ values, size }) => element("tr", {},
    ...values.map((value) => element("td", {}, labelSaid(value) ?? "–")), element("td", { class: "n" }, count(size))));
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
  at("importance").classList.toggle("stale-losses", is);
  at("findings").setAttribute("aria-busy", is);
}

// Take away what was found out before.
export function forgetFindings(id) {
  if (id === "classes") {
    for (const part of [at("tiles"), at("chart"), at("classes").querySelector(".scroll")]) part.replaceChildren();
  } else fill(id === "earlier" ? "together" : id, []);
  if (id === "earlier") say("earlier-status", "");
}
