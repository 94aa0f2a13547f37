// The tab for who wants a table of counts alone: what it is made of, the cells that are hidden, and what was not
// looked at.

import { CountTable } from "./cells.js";
import { Refused } from "./engine.js";
import { text } from "./language.js";
import { call, identifier } from "./sql.js";
import { at, complain, count, element, offer, say, select } from "./view.js";

const MOST = 40; // values of a dimension
const TOTAL = "\u0001total"; // which no label is

const chosen = { first: "", second: "", weight: "", unit: "", threshold: 5 };
let made = null; // what can be downloaded: a text
let isUnit = () => false; // has somebody said that a column names the person of a row?

// What can be chosen of the table that is open: nobody is counted by names. Whose a row is is known where it was said.
// unsaid: the column that may name them, where nobody has said whether it does.
export function showCounts({ look, roles }, starting, unsaid) {
  const names = look.map((column) => column.column_name);
  const grouping = look.filter((column) => 1 < column.distinct_values && column.distinct_values <= MOST).map((column) => column.column_name)
    .filter((name) => !["identifier", "unit"].includes(roles.get(name)));
  isUnit = (name) => roles.get(name) === "unit";
  chosen.unit ||= names.find((name) => roles.get(name) === "unit") ?? "";
  const numbers = look.filter((column) => /INT/.test(column.type)).map((column) => column.column_name);
  const lists = { first: grouping, second: grouping, weight: numbers, unit: names };
  for (const [key, list] of Object.entries(lists)) if (chosen[key] && !list.includes(chosen[key])) chosen[key] = "";
  chosen.first ||= grouping[0] ?? "";
  const named = (list, none) => Object.fromEntries([...(none === null ? [] : [["", none]]), ...list.map((each) => [each, each])]);
  const field = (key, none) => {
    const made = select(text(`counts.${key}`), named(lists[key], none), chosen[key], (value) => {
      chosen[key] = value;
      forgetCounts();
    });
    return element("label", {}, text(`counts.${key}`), made);
  };
  const threshold = element("input", { type: "number", min: 2, max: 100, step: 1, value: chosen.threshold, id: "threshold" });
  threshold.addEventListener("input", () => {
    chosen.threshold = Math.round(Number(threshold.value));
    forgetCounts();
  });
  at("counts-choices").replaceChildren(field("first", null), field("second", text("counts.none")),
    field("weight", text("counts.a_row")), field("unit", text("counts.nobody")), element("label", {}, text("counts.threshold"), threshold));
  at("make-counts").onclick = () => makeCounts(starting, unsaid);
  at("get-counts").onclick = () => made && offer("table.csv", made, "text/csv");
  forgetCounts();
}

export function forgetCounts() {
  made = null;
  at("get-counts").disabled = true;
  at("counts-table").replaceChildren();
  at("counts-verdict").hidden = at("counts-open").hidden = true;
  complain("counts-error", null);
}

async function makeCounts(starting, unsaid) {
  forgetCounts();
  at("make-counts").disabled = true;
  say("counts-status", text("release.at_work"));
  try {
    const engine = await starting;
    const { labels, cells, sets, isTurned } = await cellsOf(engine, unsaid());
    const table = new CountTable(cells, chosen.threshold, sets, isTurned);
    if (!(await table.protect())) throw new Refused(text("counts.not_protected"));
    show(labels, cells, table);
  } catch (error) {
    complain("counts-error", error);
  } finally {
    say("counts-status", "");
    at("make-counts").disabled = false;
  }
}

// Labels of the dimensions, and the cells with their totals, as CountTable takes them. Errors: Refused.
async function cellsOf(engine, unsaid) {
  const { first, second, weight, unit, threshold } = chosen;
  if (!first || first === second) throw new Refused(text("counts.choose"));
  if (!(threshold >= 2)) throw new Refused(text("counts.no_threshold"));
  if (weight && unit) throw new Refused(text("counts.weight_and_unit"));
  if (!weight && !unit && unsaid) throw new Refused(text(isUnit(unsaid) ? "counts.unit_said" : "counts.unsaid", { column: unsaid }));
  const dimensions = second ? [second, first] : [first]; // the first one is that of the columns
  const found = await engine.rows(`select ${dimensions.map((name, i) => `${identifier(name)} as d${i}`).join(", ")}, contributors ` +
    `from (${call("table_cells", ["people"], { dimensions, weight: weight || null, unit: unit || null, total: TOTAL })})`);
  const labels = dimensions.map((_, i) => [...new Set(found.map((row) => row[`d${i}`]))].sort((one, other) =>
    (one === TOTAL) - (other === TOTAL) || (one === null) - (other === null) || String(one).localeCompare(String(other), undefined, { numeric: true })));
  const across = labels.at(-1), down = second ? labels[0] : [TOTAL];
  const key = (row, column) => JSON.stringify([row, column]);
  const values = new Map(found.map((row) => [second ? key(row.d0, row.d1) : key(TOTAL, row.d0), row.contributors]));
  const cells = down.map((row) => across.map((column) => values.get(key(row, column)) ?? 0));
  const several = async (names) => (unit ? (await engine.row(call("_people_in_several", ["people", unit, names]))).people : 0);
  if (!await several(dimensions)) return { labels: { down, across }, cells };
  const sets = (await engine.rows(call("_cells_of_people", ["people", unit, dimensions]))).map(({ cells: own, people }) =>
    ({ people, places: own.map((each) => [second ? down.indexOf(each[0]) : 0, across.indexOf(each.at(-1))]) }));
  // of those who are in one column alone, or in one row, as many as can be are there
  return { labels: { down, across }, cells, sets, isTurned: !second || await several([second]) < await several([first]) };
}

function show({ down, across }, cells, table) {
  const named = (label) => (label === TOTAL ? text("counts.total") : label ?? text("counts.empty"));
  const shown = (row, column, number = cells[row][column]) => (table.isHidden(row, column) ? "×" : number);
  const hasRows = cells.length > 1;
  const head = element("tr", {}, hasRows ? element("td") : null, ...across.map((label) => element("th", { scope: "col", class: "n" }, named(label))));
  const body = cells.map((line, row) => element("tr", {}, hasRows ? element("th", { scope: "row" }, named(down[row])) : null,
    ...line.map((_, column) => element("td", { class: "n" }, shown(row, column, count(cells[row][column]))))));
  at("counts-table").replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
  const isSmall = table.unsafe.length > 0;
  say("counts-title", text(isSmall ? "counts.made" : "counts.none_small"));
  say("counts-says", text(isSmall ? "counts.says" : "counts.says_none", { small: count(table.unsafe.length), others: count(table.hidden.size - table.unsafe.length), threshold: count(chosen.threshold) }) +
    (table.sets ? ` ${text("counts.overlap")}` : ""));
  at("counts-verdict").hidden = at("counts-open").hidden = false;
  at("counts-open").querySelector("ul").replaceChildren(...["other_tables", "zeros", chosen.unit ? "" : chosen.weight ? "of_counts" : "rows", "chosen"]
    .filter(Boolean).map((key) => element("li", {}, text(`counts.open_${key}`))));
  const field = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  made = `${[[...(hasRows ? [chosen.second] : []), ...across.map(named)], ...cells.map((line, row) =>
    [...(hasRows ? [named(down[row])] : []), ...line.map((_, column) => shown(row, column))])].map((line) => line.map(field).join(",")).join("\n")}\n`;
  at("get-counts").disabled = false;
}
