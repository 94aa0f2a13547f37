// The page: from a file to roles, from roles and requirements to a verdict.

import { Engine, Refused, Stopped } from "./engine.js";
import { ParquetTable, TYPES, TextTable, asUtf8, headerOf, isParquet, parquet } from "./reading.js";
import { BUILDERS, REQUIREMENTS, ROLES, Settings, key, policyOf, scriptOf } from "./settings.js";
import { call, identifier, list, literal } from "./sql.js";
import * as view from "./view.js";

const { at, count, element, explained, percent, say } = view;
const PATIENCE = 250; // milliseconds after the last move of a slider
const MOST_TARGETS = 100_000; // of the attack on two releases
const SMALLEST = 20; // classes that are shown
const PREVIEWED = 5; // rows
const QUERIES = 200; // random counts that tell what is lost
const SHOWN_OF_TOGETHER = ["located_in_all", "unread_rows", "pvp_100", "sure_90", "sure_90_release",
  "release_guess_right", "weighted_guess_right", "contradictions"];

const state = {
  table: null, // the file that is open
  look: [], // what is known of its columns
  roles: new Map(), hierarchies: new Map(), said: new Map(), // by column
  confirmed: false,
  earlier: null, // the name of the file of an earlier release
  running: null, // AbortController of the run under way
  release: null, // what is verified: settings, policy, script; null while nothing is
};
const chosen = new Map(REQUIREMENTS.map(({ id, start, on }) => [id, { value: start, on: Boolean(on) }]));

view.explainAll();

const starting = Engine.start().then(async (engine) => {
  await warmUp(engine);
  say("engine", "");
  return engine;
});
starting.catch((error) => {
  say("engine", "");
  view.complain("table-error", new Error(`DuckDB does not start here: ${error.message}. A browser of the last three years has what it needs.`));
});

// A first release of a few rows: later ones find the macros read and compiled.
async function warmUp(engine) {
  await engine.rows("create table people as select range % 7 as age, range % 3 as disease from range(20)");
  await engine.rows(`${call("mondrian", ["people"], { qi: ["age"], sensitive: "disease", k: 2, l: 2 })} limit 0`);
}

// 1. The table

for (const [zone, input, open] of [["drop", "file", openTable], ["drop-earlier", "earlier", openEarlier]]) {
  const over = (is) => (event) => {
    event.preventDefault();
    at(zone).classList.toggle("over", is);
  };
  at(zone).addEventListener("dragover", over(true));
  at(zone).addEventListener("dragleave", over(false));
  at(zone).addEventListener("drop", (event) => {
    over(false)(event);
    if (event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
  });
  at(input).addEventListener("change", () => {
    if (at(input).files.length) open(at(input).files[0]);
    at(input).value = ""; // the same file can be chosen again
  });
}
for (const type of ["dragover", "drop"]) {
  window.addEventListener(type, (event) => event.preventDefault()); // a file beside the field does not replace the page
}

let opening = 0;
let openings = Promise.resolve(); // one after the other, as they make the same tables

// Open a file. form: how it is read, where the user says so.
function openTable(file, form = null) {
  const turn = ++opening;
  forget();
  if (!form) {
    at("missing").value = "";
    at("names").value = "";
  }
  view.complain("table-error", null);
  say("table-status", `Reading ${file.name} …`);
  openings = openings.then(() => turn === opening && openNow(file, form, () => turn === opening));
}

async function openNow(file, form, isLatest) {
  try {
    const engine = await starting;
    const [table, missing] = await readTable(engine, file, form);
    if (!isLatest()) return;
    state.table = table;
    if (missing.length) at("missing").value = missing.join(", ");
    await makePeople(engine, []);
    const look = await lookAt(engine, table);
    if (!isLatest()) return;
    state.look = look;
    guess();
    showColumns();
    say("table-status", `${file.name}: ${count(look[0].row_count)} rows, ${look.length} columns.` +
      (missing.length && !form ? ` Read as missing: ${missing.join(", ")}.` : "") +
      (table.encoding ? ` It is not UTF-8 text: it is read as ${table.encoding}.` : ""));
    view.preview("first-rows", table.names, await firstRows(engine, "people", table.names));
    at("first").hidden = false;
  } catch (error) {
    if (!isLatest()) return;
    forget();
    say("table-status", "");
    view.complain("table-error", error);
  } finally {
    if (isLatest()) {
      state.file = file;
      at("form").hidden = false;
    }
  }
}

// The table of a file, and what is read as missing there.
async function readTable(engine, file, form) {
  if (!file.size) throw new Refused(`${file.name} is empty`);
  if (await isParquet(file)) return [await ParquetTable.read(engine, file), []];
  const { file: text, encoding } = await asUtf8(file);
  const header = await headerOf(text, form?.names ?? null);
  if (header.doubt) at("form").open = true;
  const table = await TextTable.read(engine, text, header, form?.missing ?? [], encoding);
  if (form) return [table, form.missing];
  await engine.rows(table.statement(await table.columns(new Map(), new Map())));
  const missing = [...new Set((await lookAt(engine, table)).flatMap((column) => column.surely_missing))].sort();
  return [missing.length ? await TextTable.read(engine, text, header, missing, encoding) : table, missing];
}

async function firstRows(engine, table, names, signal) {
  const values = names.map((name) => `${identifier(name)}::varchar`).join(", ");
  return (await engine.rows(`select [${values}] as row from ${table} limit ${PREVIEWED}`, signal)).map(({ row }) => row);
}

// The table people, with the types that fit the roles. Errors: Refused.
async function makePeople(engine, doubts, signal) {
  const { table } = state;
  if (!(table instanceof TextTable)) return;
  const columns = await table.columns(state.roles, state.said, (doubt) => doubts.push(doubt));
  if (signal?.aborted || state.table !== table) throw new Stopped();
  await engine.rows(table.statement(columns), signal);
  state.columns = columns;
}

const lookAt = (engine, table) => engine.rows(
  `select * replace (map_keys(missing) as missing) from sqlanon._first_look('people', ${list(table.names)})`);

const separated = (text) => text.split(",").map((each) => each.trim()).filter(Boolean);
at("reread").addEventListener("click", () => {
  const names = separated(at("names").value);
  openTable(state.file, { names: names.length ? names : null, missing: separated(at("missing").value) });
});

function forget() {
  state.running?.abort();
  Object.assign(state, { table: null, look: [], confirmed: false, release: null, earlier: null, settings: null });
  for (const kept of [state.roles, state.hierarchies, state.said]) kept.clear();
  for (const id of ["roles", "choices", "result", "first"]) at(id).hidden = true;
  say("earlier-status", "");
  view.complain("earlier-error", null);
  view.fill("together", []);
  outdate("");
}

// 2. Roles

function guess() {
  for (const column of state.look) {
    state.roles.set(column.column_name, column.role ?? "none");
    if (column.builder) state.hierarchies.set(column.column_name, column.builder);
  }
}

function showColumns() {
  const body = at("columns").querySelector("tbody");
  body.replaceChildren(...state.look.map((column) => {
    const name = column.column_name;
    const nulls = column.row_count - column.filled;
    const about = `${column.type.toLowerCase()}, ${count(column.distinct_values)} distinct` +
      (nulls ? `, ${count(nulls)} NULL` : "") +
      (column.missing.length ? `, ${column.missing.map((each) => `“${each}”`).join(", ")}: missing?` : "");
    const recoded = element("td");
    const showRecoded = () => recoded.replaceChildren(...(state.roles.get(name) === "qi" && column.builder
      ? [view.select(`${name} is recoded to`, { [column.builder]: BUILDERS[column.builder], ranges: BUILDERS.ranges },
        state.hierarchies.get(name) ?? "ranges", (builder) => {
          if (builder === "ranges") state.hierarchies.delete(name);
          else state.hierarchies.set(name, builder);
          changed();
        })] : []));
    showRecoded();
    const role = view.select(`Role of ${name}`, ROLES, state.roles.get(name), (value) => {
      state.roles.set(name, value);
      showRecoded();
      changed();
    });
    const type = state.table instanceof TextTable
      ? [view.select(`${name} is read as`, { "": "as found",
          ...Object.fromEntries([...Object.keys(TYPES), ...state.table.formats[state.table.names.indexOf(name)]].map((each) => [each, each])) },
        state.table.said(name, state.said), (value) => {
          if (value) state.said.set(name, value);
          else state.said.delete(name);
          changed();
        })] : [];
    return element("tr", {}, element("th", { scope: "row" }, element("b", {}, name), element("small", {}, about)),
      element("td", {}, role), recoded, element("td", {}, ...type));
  }));
  showDoubts([]);
  at("roles").hidden = false;
  at("confirm").hidden = false;
}

function showDoubts(doubts) {
  const repeated = state.look.filter((column) => column.may_be_unit)
    .map((column) => `${column.column_name} has ${count(column.distinct_values)} distinct values in ` +
      `${count(column.filled)} rows, and rows are counted here. If it says whose a row is, people must be ` +
      "counted: the command line does, with --unit.");
  at("doubts").replaceChildren(...[state.table?.header?.doubt, ...repeated, ...doubts].filter(Boolean).map((doubt) => element("li", {}, doubt)));
}

at("confirm").addEventListener("click", () => {
  state.confirmed = true;
  at("confirm").hidden = true;
  at("choices").hidden = false;
  at("result").hidden = false;
  at("result").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  changed(0);
});

// 3. Requirements

for (const { id, name, least, most, step, ofValues, meaning } of REQUIREMENTS) {
  const choice = chosen.get(id);
  const limits = { min: least, max: most, step };
  const range = element("input", { type: "range", id: `${id}-range`, "aria-label": name, ...limits });
  const number = element("input", { type: "number", id: `${id}-number`, "aria-label": `${name}: ${id}`, step, min: id === "k" ? 1 : least, inputmode: "decimal" });
  const box = element("input", { type: "checkbox", id: `${id}-on` });
  const says = element("p", { class: "quiet" });
  const row = element("div", { class: "slider" }, box, element("label", { for: `${id}-on` }, explained(name, name)), number, range, says);
  const show = () => {
    box.checked = choice.on;
    range.value = choice.value;
    if (Number(number.value) !== choice.value) number.value = choice.value;
    range.disabled = number.disabled = !choice.on;
    row.classList.toggle("off", !choice.on);
    says.textContent = meaning(choice.value);
  };
  const take = (input) => () => {
    choice.value = input.value === "" ? Number.NaN : Number(input.value);
    show();
    changed();
  };
  range.addEventListener("input", take(range));
  number.addEventListener("input", take(number));
  box.addEventListener("change", () => {
    choice.on = box.checked;
    show();
    changed();
  });
  show();
  row.dataset.ofValues = String(Boolean(ofValues));
  at("sliders").append(row);
}

function required() {
  const hasValues = [...state.roles.values()].includes("sensitive");
  return Object.fromEntries(REQUIREMENTS
    .filter(({ id, ofValues }) => chosen.get(id).on && (hasValues || !ofValues))
    .map(({ id, name }) => {
      const { value } = chosen.get(id);
      if (!Number.isFinite(value)) throw new Refused(`${name}: ${id} must be a number`);
      return [id, value];
    }));
}

// 4. The release

let waiting = 0;

// Something was chosen: what is shown is no longer true, and what runs is not wanted.
function changed(patience = PATIENCE) {
  clearTimeout(waiting);
  state.running?.abort();
  showDoubts([]);
  const hasValues = [...state.roles.values()].includes("sensitive");
  at("no-values").hidden = hasValues;
  for (const row of document.querySelectorAll('.slider[data-of-values="true"]')) row.hidden = !hasValues;
  if (!state.confirmed) return;
  outdate("At work …");
  waiting = setTimeout(run, patience);
}

function outdate(title) {
  clearTimeout(waiting);
  state.release = null;
  at("verdict").dataset.state = "none";
  say("verdict-title", title);
  say("verdict-text", "");
  working(Boolean(title));
  view.isStale(true);
  for (const id of ["get-csv", "get-parquet", "get-policy", "get-sql"]) at(id).disabled = true;
  view.complain("download-error", null);
}

// Show that something is at work, and for how long.
let ticking = 0;

function working(is) {
  at("progress").hidden = !is;
  clearInterval(ticking);
  say("elapsed", "");
  const began = Date.now();
  if (is) ticking = setInterval(() => say("elapsed", `${Math.round((Date.now() - began) / 1000)} s`), 1000);
}

function tell(verdict, title, text) {
  at("verdict").dataset.state = verdict;
  say("verdict-title", title);
  say("verdict-text", text);
}

async function run() {
  const running = new AbortController();
  const { signal } = running;
  state.running = running;
  try {
    const engine = await starting;
    const settings = await makeRelease(engine, signal);
    if (!settings) return;
    await showFindings(engine, settings, signal);
    view.isStale(false);
    say("verdict-text", at("verdict-text").textContent.replace(/ Measuring .*/, ""));
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) return;
    tell("fails", "No release", error.message.replace("table people is", `${state.table.file.name} is`));
  } finally {
    if (state.running === running) working(false);
  }
}

// Make the release, and have it checked by a query of its own. What is not verified cannot be downloaded.
async function makeRelease(engine, signal) {
  const rows = (statement) => engine.rows(statement, signal);
  const hierarchies = state.look.filter((column) => state.hierarchies.has(column.column_name))
    .map((column) => ({ column: column.column_name, builder: column.builder, widths: column.widths }));
  const settings = new Settings(new Map(state.roles), hierarchies, required());
  if (!settings.qi.length) throw new Refused("no column is a quasi-identifier: say by which somebody could be recognized");
  if (!Object.keys(settings.requirements).length) throw new Refused("nothing is required: choose k, or another requirement");
  const doubts = [];
  await makePeople(engine, doubts, signal);
  showDoubts(doubts);
  if (settings.hierarchies.length) await rows(settings.hierarchiesStatement());
  await rows(settings.releaseStatement("release"));
  say("verdict-title", "Checking …");
  const [{ violations }] = await rows(`select count(*) as violations from (${settings.violations("release")})`);
  const [counts] = await rows("select (select count(*) from people) as had, (select count(*) from release) as has");
  const [{ classes }] = await rows(`select count(*) as classes from (${call("classes", ["release"], { qi: settings.qi })})`);
  const leaving = await rows(settings.leaving("release"));
  if (signal.aborted) throw new Stopped();
  view.leaving(leaving);
  const released = [...settings.qi, ...settings.sensitive, ...settings.keep];
  for (const [id, table] of [["before", "people"], ["after", "release"]]) {
    view.preview(id, released, await firstRows(engine, table, released, signal));
  }
  if (violations || counts.had !== counts.has) {
    throw new Refused(`the check of the finished release has found ${count(violations)} violations, and ` +
      `${count(counts.has)} of ${count(counts.had)} rows: it is not released. This is a fault of sqlanon`);
  }
  const met = Object.entries(settings.requirements).map(([name, value]) => `${name} = ${value}`).join(", ");
  state.release = {
    settings,
    name: state.table.file.name.replace(/\.[^.]*$/, ""),
    policy: policyOf(settings, state.table, state.said, state.look, document.body.dataset.version),
    script: scriptOf(settings, state.table, state.columns),
  };
  const held = `Each of ${count(classes)} classes meets ${met}, by a query over the finished release; it has all ` +
    `${count(counts.had)} rows.`;
  const naming = leaving.filter(({ verdict }) => verdict !== "holds");
  Object.assign(state.release, { held, namesNobody: !naming.length, isSafe: !naming.length && !state.earlier });
  if (naming.length) {
    const fails = naming.some(({ verdict }) => verdict === "fails");
    tell("fails", fails ? "It names people" : "It may name people",
      `${naming.map(({ column, how, reason }) => `${column} leaves ${how}: ${reason}.`).join(" ")} ` +
      "Give such a column another role. Or take the policy with you, and say there why it may leave: " +
      `[direct] ${key(naming[0].column)} = "why". ${held} Measuring what it tells and loses …`);
  } else if (state.earlier) tell("", `Checking together with ${state.earlier} …`, held);
  else tell("holds", "It holds", `${held} Measuring what it tells and loses …`);
  allowDownloads();
  return settings;
}

// A release that names people stays here. Its policy and its SQL hold nothing of the table.
function allowDownloads() {
  for (const id of ["get-csv", "get-parquet"]) at(id).disabled = !state.release?.isSafe;
  for (const id of ["get-policy", "get-sql"]) at(id).disabled = !state.release;
}

// Whatever can be measured: what cannot is told in its place, and not taken for nothing.
async function showFindings(engine, settings, signal) {
  for (const [id, measure] of [["classes", showClasses], ["attack", showAttack], ["earlier", showTogether],
    ["reached", showReached], ["lost", showLost]]) {
    view.complain(`${id}-error`, null);
    try {
      await measure(settings, (statement) => engine.rows(statement, signal));
    } catch (error) {
      if (error instanceof Stopped || signal.aborted) throw new Stopped();
      view.forgetFindings(id);
      if (id === "earlier") tellTogether("Not known together", `${state.earlier} could not be compared.`);
      view.complain(`${id}-error`, new Error(`This could not be found out: ${error.message}`));
    }
  }
}

const byId = (rows) => new Map(rows.map((row) => [row.id, row.value]));

async function showClasses(settings, rows) {
  const classes = call("classes", ["release"], { qi: settings.qi });
  const sizes = await rows(`select size, count(*) as classes from (${classes}) group by size order by size`);
  const smallest = await rows(
    `select [${settings.qi.map((name) => `${identifier(name)}::varchar`).join(", ")}] as values, size ` +
    `from (${classes}) order by size limit ${SMALLEST}`);
  const before = byId(await rows(call("risk", ["people"], { qi: settings.qi })));
  const total = sizes.reduce((sum, each) => sum + each.classes, 0);
  const people = sizes.reduce((sum, each) => sum + each.size * each.classes, 0);
  view.chart(sizes);
  view.classes(smallest, settings.qi);
  view.tiles([
    [count(total), "classes"],
    [count(sizes[0].size), "rows in the smallest"],
    [view.reading(people / total), "rows in a class, on average"],
    [percent(100 * before.get("sample_uniques_share")), "of the rows of your table are alone with their values"],
  ]);
}

async function showAttack(settings, rows) {
  const before = byId(await rows(call("risk", ["people"], { qi: settings.qi })));
  const after = byId(await rows(call("risk", ["release"], { qi: settings.qi, released: true })));
  const share = (measures, id) => percent(100 * measures.get(id));
  const found = [
    [explained("Probability of re-identification, the highest: your table", "re_identification"), share(before, "prosecutor_risk_highest")],
    ["the same: the release", share(after, "prosecutor_risk_highest")],
    ["Probability of re-identification, the mean: your table", share(before, "prosecutor_risk_mean")],
    ["the same: the release", share(after, "prosecutor_risk_mean")],
  ];
  for (const column of settings.sensitive) {
    const learned = byId(await rows(
      `with answer as (${call("homogeneity", ["release"], { qi: settings.qi, sensitive: column })}) ` +
      "from sqlanon.attack_summary('answer', weight := 'size')"));
    found.push(
      [explained(`${column}: certain of`, "certain"), percent(learned.get("certain"))],
      [explained(`${column}: at least 90 % sure of`, "sure"), percent(learned.get("sure_90"))],
      [explained(`${column}: guesses expected right`, "expected"), percent(learned.get("expected_right"))],
      [explained(`${column}: the same without the release`, "baseline"), percent(learned.get("baseline"))],
    );
  }
  view.fill("attack", found);
}

async function showReached(settings, rows) {
  const key = (row) => JSON.stringify([row.id, row.sensitive]);
  const raw = new Map((await rows(settings.privacy("people", false))).map((row) => [key(row), row.reached]));
  const reached = await rows(settings.privacy("release", true));
  // texts have no order here, so that this distance would be another one than the command line's
  view.fill("reached", reached.filter((row) => row.id !== "t_ordered").map((row) => [
    explained(row.model, row.model), { isText: true, text: row.sensitive ?? "" }, view.reading(raw.get(key(row))), view.reading(row.reached)]));
}

async function showLost(settings, rows) {
  const lost = await rows(call("utility", ["people", "release"], {
    qi: settings.qi, sensitive: settings.sensitive.length ? settings.sensitive : null,
    hierarchies: settings.hierarchyTable, queries: QUERIES,
  }));
  const overall = (id) => lost.find((row) => row.id === id && row.attribute === null)?.value;
  view.fill("lost", [
    [explained("Loss over all columns (0: none, 1: everything)", "loss"), view.reading(overall("gcp"))],
    ...lost.filter((row) => row.id === "ncp").map((row) => [`Loss of ${row.attribute}`, view.reading(row.value)]),
    [explained("Error of random counts over ranges, median", "counts"), percent(overall("query_error_median"))],
  ]);
}

// The release and an earlier one, attacked together.

async function openEarlier(file) {
  state.running?.abort();
  view.complain("earlier-error", null);
  view.fill("together", []);
  say("earlier-status", `Reading ${file.name} …`);
  try {
    const engine = await starting;
    state.earlier = null;
    if (!file.size) throw new Refused(`${file.name} is empty`);
    if (await isParquet(file)) await ParquetTable.read(engine, file, "earlier");
    else {
      const { file: text } = await asUtf8(file);
      const header = await headerOf(text);
      await engine.addFile("earlier.csv", text);
      const columns = header.names.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ");
      await engine.rows(`create or replace table earlier as from read_csv('earlier.csv', auto_detect = false, ` +
        `delim = ${literal(header.delimiter)}, quote = '"', escape = '"', header = true, skip = ${header.skip}, ` +
        `strict_mode = true, columns = {${columns}})`);
    }
    state.earlier = file.name;
    say("earlier-status", "");
  } catch (error) {
    say("earlier-status", "");
    view.complain("earlier-error", error);
  }
  if (state.confirmed) changed(0);
}

async function showTogether(settings, rows) {
  view.fill("together", []);
  if (!state.earlier) return;
  if (!settings.sensitive.length) {
    say("earlier-status", "No column is sensitive: there is nothing to learn.");
    tellTogether(null, `With ${state.earlier} there is nothing to learn: no column is sensitive.`);
    return;
  }
  say("earlier-status", `Attacking the release together with ${state.earlier} …`);
  const longest = Math.max(...state.table.names.map((name) => name.length));
  const id = `row${"_".repeat(longest)}`; // no column is called so
  await rows(`create or replace table targets as select row_number() over () as ${identifier(id)}, * from people`);
  const [{ targets }] = await rows("select count(*) as targets from targets");
  if (targets > MOST_TARGETS) {
    await rows("create or replace table targets as " +
      `from targets using sample reservoir(${MOST_TARGETS} rows) repeatable (1)`);
  }
  await rows("create or replace table together as\n" + call("breaches", [], {
    releases: ["release", "earlier"], targets: "targets", id, qi: settings.qi, sensitive: settings.sensitive,
    hierarchies: settings.hierarchyTable, truth: settings.sensitive, unchanged: settings.keep.length ? settings.keep : null,
  }));
  const found = await rows("from together");
  view.fill("together", found.filter((row) => SHOWN_OF_TOGETHER.includes(row.id)).map((row) =>
    [settings.sensitive.length > 1 ? `${row.sensitive}: ${row.measure}` : row.measure, percent(row.value)]));
  const sample = targets > MOST_TARGETS ? `${count(MOST_TARGETS)} of ${count(targets)} people` : `all ${count(targets)} people`;
  say("earlier-status", `With ${state.earlier}, of ${sample}. PVP_100 is the share of those of whom the two ` +
    "together leave one value only.");
  await judgeTogether(rows, targets > MOST_TARGETS);
}

// What holds of the release alone may fail together with an earlier one. title: why it may not go out, or null.
function tellTogether(title, text) {
  const { release } = state;
  if (!release?.namesNobody) return;
  release.isSafe = title === null;
  if (release.isSafe) tell("holds", "It holds", `${release.held} ${text}`);
  else tell("fails", title, `${text} Alone it meets what is required. Take the policy with you: sqlanon publish ` +
    "judges it together with all that is out.");
  allowDownloads();
}

// Nobody may be certain by both releases.
async function judgeTogether(rows, isSampled) {
  await rows("create or replace table bounds as from sqlanon._bounds(map {'pvp_100': 0})");
  const verdicts = await rows(call("_verdicts_of_bounds", ["together", "bounds", isSampled], {}));
  const open = verdicts.filter(({ verdict }) => verdict !== "holds");
  if (!open.length) {
    tellTogether(null, `With ${state.earlier}, nobody is left with one value.`);
    return;
  }
  const fails = open.some(({ verdict }) => verdict === "fails");
  const told = open.map(({ sensitive, people, reason }) => `${sensitive}: ` +
    [people ? `certain of ${count(people)} people` : "", reason ?? ""].filter(Boolean).join("; "));
  tellTogether(fails ? "Together they tell too much" : "Not known together", `With ${state.earlier}, ${told.join(". ")}.`);
}

// Downloads

function download(id, make) {
  at(id).addEventListener("click", async () => {
    const { release } = state;
    if (!release) return;
    view.complain("download-error", null);
    at(id).disabled = true;
    try {
      const [name, bytes, type] = await make(await starting, release);
      if (state.release !== release) return; // something else was chosen meanwhile
      view.offer(name, bytes, type);
    } catch (error) {
      view.complain("download-error", error);
    } finally {
      allowDownloads();
    }
  });
}

download("get-csv", async (engine, { name }) => {
  const bytes = await engine.written("release.csv", "copy release to 'release.csv' (format csv, header)");
  return [`${name}-release.csv`, bytes, "text/csv"];
});
download("get-parquet", async (engine, { name }) =>
  [`${name}-release.parquet`, await parquet("write", await engine.stream("from release"), name), "application/vnd.apache.parquet"]);
download("get-policy", async (engine, { policy }) => ["policy.toml", policy, "application/toml"]);
download("get-sql", async (engine, { script }) => ["release.sql", script, "application/sql"]);
