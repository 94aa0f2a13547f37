// The page: from a file to roles, from roles and requirements to a verdict.

import { Engine, Refused, Stopped } from "./engine.js";
import { current, has, speak, text } from "./language.js";
import { ParquetTable, TYPES, TextTable, asUtf8, headerOf, isParquet, parquet } from "./reading.js";
import { BUILDERS, METHODS, REQUIREMENTS, ROLES, Settings, key, policyOf, scriptOf } from "./settings.js";
import { call, identifier, literal } from "./sql.js";
import { LANGUAGES } from "./texts.js";
import * as view from "./view.js";

const { at, count, element, explained, percent, say, written } = view;
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
  roles: new Map(), said: new Map(), levels: new Map(), // by column
  hierarchies: new Map(), // what is chosen by column: builder ("" for none), numbers, file
  method: "mondrian", suppression: { value: 2 }, // percent of the rows that may be left out
  confirmed: false,
  earlier: null, // the name of the file of an earlier release
  running: null, // AbortController of the run under way
  release: null, // what is verified: settings, policy, script; null while nothing is
};
const chosen = new Map(REQUIREMENTS.map(({ id, start, on }) => [id, { value: start, on: Boolean(on) }]));

// The texts of the page, in the language that is chosen: what is shown is shown again.
function speakAgain(language) {
  speak(language);
  view.writeAll();
  at("languages").replaceChildren(view.select(text("page.language"), LANGUAGES, current(), speakAgain));
  showMethod();
  showSliders();
  if (!state.table) return;
  showStatus();
  showColumns();
  changed(0);
}

say("engine", text("page.starting"));
const starting = Engine.start().then(async (engine) => {
  await warmUp(engine);
  say("engine", "");
  return engine;
});
starting.catch((error) => {
  say("engine", "");
  view.complain("table-error", new Error(text("page.no_start", { error: error.message })));
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
  say("table-status", text("table.reading", { name: file.name }));
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
    const look = await lookAt(engine);
    if (!isLatest()) return;
    state.look = look;
    guess();
    state.missing = form ? [] : missing;
    showStatus();
    showColumns();
    showSliders();
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

function showStatus() {
  const { table, look, missing } = state;
  say("table-status", [
    text("table.read", { name: table.file.name, rows: count(look[0].row_count), columns: look.length }),
    missing.length ? text("table.read_missing", { texts: missing.join(", ") }) : "",
    table.encoding ? text("table.encoding", { encoding: table.encoding }) : "",
  ].filter(Boolean).join(" "));
}

// The table of a file, and what is read as missing there.
async function readTable(engine, file, form) {
  if (!file.size) throw new Refused(text("table.empty", { name: file.name }));
  if (await isParquet(file)) return [await ParquetTable.read(engine, file), []];
  const { file: utf8, encoding } = await asUtf8(file);
  const header = await headerOf(utf8, form?.names ?? null);
  if (header.doubt) at("form").open = true;
  const table = await TextTable.read(engine, utf8, header, form?.missing ?? [], encoding);
  if (form) return [table, form.missing];
  await engine.rows(table.statement(await table.columns(new Map(), new Map())));
  const missing = [...new Set((await lookAt(engine)).flatMap((column) => column.surely_missing))].sort();
  return [missing.length ? await TextTable.read(engine, utf8, header, missing, encoding) : table, missing];
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

const lookAt = (engine) => engine.rows(
  "select * replace (map_keys(missing) as missing) from sqlanon._first_look('people')");

const separated = (line) => line.split(",").map((each) => each.trim()).filter(Boolean);
at("reread").addEventListener("click", () => {
  const names = separated(at("names").value);
  openTable(state.file, { names: names.length ? names : null, missing: separated(at("missing").value) });
});

function forget() {
  state.running?.abort();
  Object.assign(state, { table: null, look: [], confirmed: false, release: null, earlier: null, settings: null });
  for (const kept of [state.roles, state.hierarchies, state.said, state.levels]) kept.clear();
  for (const id of ["roles", "choices", "result", "first"]) at(id).hidden = true;
  say("earlier-status", "");
  view.complain("earlier-error", null);
  view.fill("together", []);
  outdate("");
}

// 2. Roles

function guess() {
  for (const column of state.look) state.roles.set(column.column_name, column.role ?? "none");
}

// The hierarchy of a column: what is chosen, or what fits the method. Numbers are those of the column.
function hierarchyOf(column) {
  const { byLevels } = METHODS[state.method];
  return state.hierarchies.get(column.column_name) ??
    proposed(column, (byLevels ? column.builder_by_levels : column.builder) ?? "");
}

const proposed = (column, builder) => ({ builder, ...(builder === "interval" ? { numbers: [...(column.widths ?? [])] } : {}) });

// What a quasi-identifier is recoded to, and what has to be said of that. again: shows that anew.
function recodingOf(column, again) {
  const { column_name: name, type } = column;
  const { hasHierarchies, hasLevels, byLevels } = METHODS[state.method];
  if (state.roles.get(name) !== "qi" || hasHierarchies === false) return [];
  const chosen = hierarchyOf(column);
  const choose = (hierarchy) => {
    state.hierarchies.set(name, hierarchy);
    changed();
  };
  const builders = Object.keys(BUILDERS).filter((builder) => builder === chosen.builder || BUILDERS[builder].fits(type));
  const choices = {
    ...Object.fromEntries(builders.map((builder) => [builder, text(`builder.${builder}`)])),
    "": text(byLevels ? "builder.none" : "builder.ranges"),
  };
  const parts = [view.select(text("columns.recoded_to", { column: name }), choices, chosen.builder, (builder) => {
    choose(proposed(column, builder));
    again();
  })];
  const { numbers, example } = BUILDERS[chosen.builder] ?? {};
  if (numbers) {
    const input = element("input", { autocomplete: "off", inputmode: "decimal", placeholder: example,
      value: (chosen.numbers ?? []).join(", "),
      "aria-label": text(numbers === "widths" ? "columns.steps_of" : "columns.breaks_of", { column: name }) });
    input.addEventListener("input", () => choose({ ...chosen, numbers: separated(input.value).map(Number) }));
    parts.push(input);
  }
  if (chosen.builder === "file") {
    const input = element("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", "aria-label": text("columns.file_of", { column: name }) });
    input.addEventListener("change", () => {
      if (input.files.length) choose({ builder: "file", file: input.files[0] });
      again();
    });
    parts.push(element("label", { class: "file" }, chosen.file?.name ?? text("columns.choose_file"), input));
  }
  if (hasLevels) {
    const input = element("input", { type: "number", min: 0, step: 1, value: state.levels.get(name) ?? 0,
      "aria-label": text("columns.level_of", { column: name }) });
    input.addEventListener("input", () => {
      state.levels.set(name, Math.max(0, Math.round(Number(input.value))));
      changed();
    });
    parts.push(element("label", { class: "level" }, text("columns.level"), input));
  }
  return parts;
}

function showColumns() {
  const body = at("columns").querySelector("tbody");
  body.replaceChildren(...state.look.map((column) => {
    const name = column.column_name;
    const nulls = column.row_count - column.filled;
    const about = text("columns.seen", { type: column.type.toLowerCase(), distinct: count(column.distinct_values) }) +
      (nulls ? text("columns.nulls", { nulls: count(nulls) }) : "") +
      (column.missing.length ? text("columns.missing", { texts: column.missing.map((each) => `“${each}”`).join(", ") }) : "");
    const recoded = element("td");
    const showRecoded = () => recoded.replaceChildren(...recodingOf(column, () => {
      showRecoded();
      recoded.querySelector("select").focus();
    }));
    showRecoded();
    const roles = Object.fromEntries(ROLES.map((role) => [role, text(`role.${role}`)]));
    const role = view.select(text("columns.role_of", { column: name }), roles, state.roles.get(name), (value) => {
      state.roles.set(name, value);
      showRecoded();
      showSliders();
      changed();
    });
    const type = state.table instanceof TextTable
      ? [view.select(text("columns.is_read_as", { column: name }), { "": text("columns.as_found"),
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
  at("confirm").hidden = state.confirmed;
}

function showDoubts(doubts) {
  const hasUnit = [...state.roles.values()].includes("unit");
  const repeated = state.look.filter((column) => column.may_be_unit && !hasUnit).map((column) => text("columns.may_be_unit",
    { column: column.column_name, distinct: count(column.distinct_values), rows: count(column.filled) }));
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

// 3. Requirements and method

const isSensitive = () => [...state.roles.values()].includes("sensitive");
const takes = (id) => METHODS[state.method].takes?.includes(id) ?? true;

// A number that can be chosen by a slider, or typed. choice: value, and on, if it can be left out.
function slider({ id, name, least, most, step, start, meaning, choice }) {
  const limits = { min: least, max: most, step };
  const range = element("input", { type: "range", id: `${id}-range`, "aria-label": name, ...limits });
  const number = element("input", { type: "number", id: `${id}-number`, "aria-label": `${name}: ${id}`, step, min: start ?? least, inputmode: "decimal" });
  const box = "on" in choice ? element("input", { type: "checkbox", id: `${id}-on` }) : null;
  const says = element("p", { class: "quiet" });
  const row = element("div", { class: "slider" }, box ?? element("span"),
    element("label", { for: box ? `${id}-on` : `${id}-number` }, explained(name, id)), number, range, says);
  const show = () => {
    const isOn = choice.on ?? true;
    if (box) box.checked = isOn;
    range.value = choice.value;
    if (Number(number.value) !== choice.value) number.value = choice.value;
    range.disabled = number.disabled = !isOn;
    row.classList.toggle("off", !isOn);
    says.textContent = meaning(choice.value);
  };
  const take = (input) => () => {
    choice.value = input.value === "" ? Number.NaN : Number(input.value);
    show();
    changed();
  };
  range.addEventListener("input", take(range));
  number.addEventListener("input", take(number));
  box?.addEventListener("change", () => {
    choice.on = box.checked;
    show();
    changed();
  });
  show();
  return row;
}

function showSliders() {
  const hasUnit = [...state.roles.values()].includes("unit");
  at("sliders").replaceChildren(...REQUIREMENTS.map(({ id, least, most, step, ofValues, isShare }) => {
    const meaning = (value) => text(id === "k" && hasUnit ? "required.k_people" : `required.${id}`,
      { value: isShare ? `${Math.round(100 * value)} %` : value.toLocaleString(current()) });
    const row = slider({ id, name: text(id === "l" ? "required.l_name" : `model.${id}`), least, most, step,
      start: id === "k" ? 1 : least, meaning, choice: chosen.get(id) });
    row.hidden = !takes(id) || (ofValues && !isSensitive());
    return row;
  }));
  at("no-values").hidden = isSensitive();
}

function showMethod() {
  const names = Object.fromEntries(Object.keys(METHODS).map((method) => [method, text(`method.${method}`)]));
  at("method").replaceChildren(view.select(text("method.label"), names, state.method, (method) => {
    state.method = method;
    showMethod();
    showSliders();
    showColumns();
    changed();
  }));
  at("about-method").replaceChildren(written(`method.${state.method}.about`));
  at("suppression").replaceChildren(...(METHODS[state.method].byLevels ? [slider({
    id: "suppressed", name: text("method.suppression"), least: 0, most: 20, step: 1,
    meaning: () => text("method.suppression.about"), choice: state.suppression })] : []));
}

function required() {
  return Object.fromEntries(REQUIREMENTS
    .filter(({ id, ofValues }) => chosen.get(id).on && takes(id) && (isSensitive() || !ofValues))
    .map(({ id }) => {
      const { value } = chosen.get(id);
      if (!Number.isFinite(value)) throw new Refused(text("required.no_number", { name: text(`model.${id}`), id }));
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
  if (!state.confirmed) return;
  outdate(text("release.at_work"));
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
  if (is) ticking = setInterval(() => say("elapsed", text("release.seconds", { seconds: Math.round((Date.now() - began) / 1000) })), 1000);
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
    say("verdict-text", at("verdict-text").textContent.replace(` ${text("release.measuring")}`, ""));
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) return;
    tell("fails", text("release.none"), error.message.replace("table people is", `${state.table.file.name} is`));
  } finally {
    if (state.running === running) working(false);
  }
}

// Make the release, and have it checked by a query of its own. What is not verified cannot be downloaded.
async function makeRelease(engine, signal) {
  const rows = (statement) => engine.rows(statement, signal);
  const hierarchies = state.look.map((column) => ({ column: column.column_name, ...hierarchyOf(column) }))
    .filter(({ builder }) => builder);
  const settings = new Settings(
    new Map(state.roles), hierarchies, required(), state.method, new Map(state.levels), state.suppression.value / 100);
  settings.check();
  const doubts = [];
  await makePeople(engine, doubts, signal);
  showDoubts(doubts);
  for (const { file } of settings.hierarchies) if (file) await engine.addFile(file.name, (await asUtf8(file)).file);
  if (settings.hierarchies.length) await rows(settings.hierarchiesStatement());
  for (const statement of settings.releaseStatements()) await rows(statement);
  say("verdict-title", text("release.checking"));
  const { statement: classesStatement, table: classesTable, qi: classColumns } = settings.classes;
  if (classesStatement) await rows(classesStatement);
  const [counts] = await rows("select (select count(*) from people) as had, (select count(*) from release) as has");
  const suppressed = counts.had - counts.has;
  const isWhole = suppressed === 0;
  const [{ violations }] = await rows(`select count(*) as violations from (${settings.violations(isWhole)})`);
  const [{ classes }] = await rows(`select count(*) as classes from (${call("classes", [classesTable], { qi: classColumns })})`);
  const leaving = await rows(settings.leaving());
  if (signal.aborted) throw new Stopped();
  view.leaving(leaving, settings.unit !== null);
  const released = [...settings.qi, ...settings.sensitive, ...settings.keep];
  for (const [id, table] of [["before", "people"], ["after", "release"]]) {
    view.preview(id, released, await firstRows(engine, table, released, signal));
  }
  const shown = { violations: count(violations), rows: count(counts.has), had: count(counts.had), suppressed: count(suppressed) };
  if (violations || suppressed < 0 || suppressed > counts.had * (settings.options.suppression_limit ?? 0)) {
    throw new Refused(text("release.fault", shown));
  }
  const met = Object.entries(settings.requirements).map(([name, value]) => `${name} = ${value}`).join(", ");
  state.release = {
    settings,
    name: state.table.file.name.replace(/\.[^.]*$/, ""),
    policy: policyOf(settings, state.table, state.said, state.look, document.body.dataset.version),
    script: scriptOf(settings, state.table, state.columns, isWhole),
    suppressed,
  };
  const held = text(isWhole ? "release.met" : "release.met_without", { classes: count(classes), met, ...shown });
  const naming = leaving.filter(({ verdict }) => verdict !== "holds");
  Object.assign(state.release, { held, namesNobody: !naming.length, isSafe: !naming.length && !state.earlier });
  if (naming.length) {
    const fails = naming.some(({ verdict }) => verdict === "fails");
    const told = naming.map(({ column, how, reason }) => text("release.leaves", { column, how: text(`how.${how}`), reason }));
    tell("fails", text(fails ? "release.names_people" : "release.may_name_people"), [...told,
      text("release.another_role", { column: key(naming[0].column) }), held, text("release.measuring")].join(" "));
  } else if (state.earlier) tell("", text("release.checking_together", { earlier: state.earlier }), held);
  else tell("holds", text("release.holds"), `${held} ${text("release.measuring")}`);
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
      if (id === "earlier") tellTogether(text("release.unknown_together"), text("together.not_compared", { earlier: state.earlier }));
      view.complain(`${id}-error`, new Error(text("release.not_found", { error: error.message })));
    }
  }
}

const byId = (rows) => new Map(rows.map((row) => [row.id, row.value]));

async function showClasses(settings, rows) {
  const { table, qi } = settings.classes;
  const counted = settings.unitOfClasses ? "people" : "size";
  const unit = text(settings.unitOfClasses ? "unit.people" : "unit.rows");
  const classes = call("classes", [table], { qi, unit: settings.unitOfClasses });
  const sizes = await rows(`select ${counted} as size, count(*) as classes from (${classes}) group by all order by size`);
  const smallest = await rows(
    `select [${qi.map((name) => `${identifier(name)}::varchar`).join(", ")}] as values, ${counted} as size ` +
    `from (${classes}) order by size limit ${SMALLEST}`);
  const before = byId(await rows(settings.risk(false)));
  const total = sizes.reduce((sum, each) => sum + each.classes, 0);
  const people = sizes.reduce((sum, each) => sum + each.size * each.classes, 0);
  view.chart(sizes, unit);
  view.classes(smallest, qi, unit);
  view.tiles([
    [count(total), text("classes.classes")],
    [count(sizes[0].size), text("classes.in_smallest", { unit })],
    [view.reading(people / total), text("classes.average", { unit })],
    [percent(100 * before.get("sample_uniques_share")), text("classes.alone", { unit: text(settings.unit ? "unit.people" : "unit.rows") })],
  ]);
}

async function showAttack(settings, rows) {
  const before = byId(await rows(settings.risk(false)));
  const after = byId(await rows(settings.risk(true)));
  const share = (measures, id) => percent(100 * measures.get(id));
  const found = [
    [written("attack.highest"), share(before, "prosecutor_risk_highest")],
    [text("attack.of_release"), share(after, "prosecutor_risk_highest")],
    [text("attack.mean"), share(before, "prosecutor_risk_mean")],
    [text("attack.of_release"), share(after, "prosecutor_risk_mean")],
  ];
  for (const column of settings.sensitive) {
    const learned = await learnedOf(settings, column, rows);
    for (const id of ["certain", "sure", "expected", "baseline"]) {
      found.push([written(`attack.${id}`, { column }), percent(learned[id])]);
    }
  }
  view.fill("attack", found);
}

// What the release alone tells of a column: by its classes, or, if people have several rows, of everybody by
// all of theirs.
async function learnedOf(settings, column, rows) {
  if (settings.unit) {
    await makeTargets(settings, rows);
    const found = byId(await rows(await attackOf(settings, rows, [column])));
    return { certain: found.get("pvp_100"), sure: found.get("sure_90"),
      expected: found.get("release_guess_expected"), baseline: found.get("marginal_guess_right") };
  }
  const { table, qi } = settings.classes;
  const found = byId(await rows(
    `with answer as (${call("homogeneity", [table], { qi, sensitive: column })}) ` +
    "from sqlanon.attack_summary('answer', weight := 'size')"));
  return { certain: found.get("certain"), sure: found.get("sure_90"), expected: found.get("expected_right"), baseline: found.get("baseline") };
}

async function showReached(settings, rows) {
  const key = (row) => JSON.stringify([row.id, row.sensitive]);
  const raw = new Map((await rows(settings.privacy(false))).map((row) => [key(row), row.reached]));
  const reached = await rows(settings.privacy(true));
  view.fill("reached", reached.map((row) => [
    explained(has(`model.${row.id}`) ? text(`model.${row.id}`) : row.model, row.id),
    { isText: true, text: row.sensitive ?? "" }, view.reading(raw.get(key(row))),
    row.remark === null ? view.reading(row.reached) : { isText: true, text: row.remark }]));
}

async function showLost(settings, rows) {
  const lost = await rows(call("utility", ["people", "release"], {
    qi: settings.qi, sensitive: settings.method !== "anatomize" && settings.sensitive.length ? settings.sensitive : null,
    hierarchies: settings.hierarchyTable, queries: QUERIES,
  }));
  const overall = (id) => lost.find((row) => row.id === id && row.attribute === null)?.value;
  view.fill("lost", [
    [text("lost.suppressed"), count(state.release.suppressed)],
    [written("lost.all"), view.reading(overall("gcp"))],
    ...lost.filter((row) => row.id === "ncp").map((row) => [text("lost.column", { column: row.attribute }), view.reading(row.value)]),
    [written("lost.counts"), percent(overall("query_error_median"))],
  ]);
}

// Those who are looked for: of many rows those of some people. Returns how many people there are.
const longestName = () => Math.max(...state.table.names.map((name) => name.length));
const idOf = () => `row${"_".repeat(longestName())}`; // no column is called so

async function makeTargets({ unit }, rows) {
  const id = identifier(idOf());
  await rows(`create or replace table targets as select row_number() over () as ${id}, * from people`);
  const whose = unit ? identifier(unit) : id;
  const [{ row_count, people }] = await rows(`select count(*) as row_count, count(distinct ${whose}) as people from targets`);
  if (row_count > MOST_TARGETS) {
    const most = Math.max(1, Math.floor((MOST_TARGETS * people) / row_count));
    await rows(`create or replace table targets as from targets where ${whose} in (select ${whose} from ` +
      `(select distinct ${whose} from targets order by 1) using sample reservoir(${most} rows) repeatable (1))`);
    return { people, attacked: most };
  }
  return { people, attacked: people };
}

// What an attack on the release is about. Of Anatomy a row is one of those that are possible.
async function attackOf(settings, rows, sensitive, earlier = []) {
  let release = "release";
  if (settings.method === "anatomize") {
    release = "possible_rows";
    const values = settings.sensitive.map((name) => `unnest(${identifier(name)}) as ${identifier(name)}`).join(", ");
    await rows(`create or replace table ${release} as select * exclude (${settings.sensitive.map(identifier).join(", ")}), ${values} from release`);
  }
  return call("breaches", [], {
    releases: [release, ...earlier], targets: "targets", id: idOf(), qi: settings.qi, sensitive, truth: sensitive,
    hierarchies: settings.hierarchyTable, unit: settings.unit, unchanged: settings.keep.length ? settings.keep : null,
    nearest: settings.method === "microaggregate" ? [true, ...earlier.map(() => false)] : null,
  });
}

// The release and an earlier one, attacked together.

async function openEarlier(file) {
  state.running?.abort();
  view.complain("earlier-error", null);
  view.fill("together", []);
  say("earlier-status", text("table.reading", { name: file.name }));
  try {
    const engine = await starting;
    state.earlier = null;
    if (!file.size) throw new Refused(text("table.empty", { name: file.name }));
    if (await isParquet(file)) await ParquetTable.read(engine, file, "earlier");
    else {
      const { file: utf8 } = await asUtf8(file);
      const header = await headerOf(utf8);
      await engine.addFile("earlier.csv", utf8);
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
    say("earlier-status", text("together.no_sensitive"));
    tellTogether(null, text("together.nothing", { earlier: state.earlier }));
    return;
  }
  say("earlier-status", text("together.attacking", { earlier: state.earlier }));
  const { people, attacked } = await makeTargets(settings, rows);
  await rows(`create or replace table together as\n${await attackOf(settings, rows, settings.sensitive, ["earlier"])}`);
  const found = await rows("from together");
  view.fill("together", found.filter((row) => SHOWN_OF_TOGETHER.includes(row.id)).map((row) =>
    [settings.sensitive.length > 1 ? `${row.sensitive}: ${row.measure}` : row.measure, percent(row.value)]));
  const isSampled = attacked < people;
  const who = text(isSampled ? "together.some" : "together.all", { some: count(attacked), all: count(people) });
  say("earlier-status", text("together.of", { earlier: state.earlier, people: who }));
  await judgeTogether(rows, isSampled);
}

// What holds of the release alone may fail together with an earlier one. title: why it may not go out, or null.
function tellTogether(title, why) {
  const { release } = state;
  if (!release?.namesNobody) return;
  release.isSafe = title === null;
  if (release.isSafe) tell("holds", text("release.holds"), `${release.held} ${why}`);
  else tell("fails", title, `${why} ${text("together.alone")}`);
  allowDownloads();
}

// Nobody may be certain by both releases.
async function judgeTogether(rows, isSampled) {
  await rows("create or replace table bounds as from sqlanon._bounds(map {'pvp_100': 0})");
  const verdicts = await rows(call("_verdicts_of_bounds", ["together", "bounds", isSampled], {}));
  const open = verdicts.filter(({ verdict }) => verdict !== "holds");
  if (!open.length) {
    tellTogether(null, text("together.nobody", { earlier: state.earlier }));
    return;
  }
  const fails = open.some(({ verdict }) => verdict === "fails");
  const told = open.map(({ sensitive, people, reason }) => `${sensitive}: ` +
    [people ? text("together.certain_of", { people: count(people) }) : "", reason ?? ""].filter(Boolean).join("; "));
  tellTogether(text(fails ? "release.too_much" : "release.unknown_together"),
    text("together.tell", { earlier: state.earlier, told: told.join(". ") }));
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

speakAgain(current());
