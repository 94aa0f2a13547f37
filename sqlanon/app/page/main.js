// The page: from a file to roles, from roles and requirements to a verdict.

import { Engine, Refused, Stopped } from "./engine.js";
import { forgetCounts, showCounts } from "./counts.js";
import { answerOf, decisionPage, reasonOf } from "./decision.js";
import { columnsThatFollow, findingsOf, personOf } from "./findings.js";
import { changesOf, tryChanges } from "./fitting.js";
import { counted, current, has, speak, text } from "./language.js";
import { projectOf, readProject, take } from "./project.js";
import { ParquetTable, TYPES, TextTable, asText, headerOf, isParquet, noRepairs, parquet, withoutFrame } from "./reading.js";
import { BUILDERS, METHODS, REQUIREMENTS, ROLES, Settings, key, policyOf, scriptOf, stem } from "./settings.js";
import { call, identifier, list, literal } from "./sql.js";
import { LANGUAGES } from "./texts.js";
import * as view from "./view.js";
import { earlierWithWords, wordsThatDiffer } from "./words.js";

const { at, count, element, explained, percent, say, written } = view;
const PATIENCE = 250; // milliseconds after the last move of a slider
const MOST_TARGETS = 100_000; // of the attack on two releases
const SMALLEST = 20; // classes that are shown
const PREVIEWED = 5; // rows
const MOST_SURE = 1; // percent of people of whom somebody may be 90 % sure, as for the level public of a policy
const QUERIES = 200; // random counts that tell what is lost
const SHOWN_OF_TOGETHER = ["located_in_all", "unread_rows", "pvp_100", "sure_90", "sure_90_release",
  "release_guess_right", "weighted_guess_right", "contradictions"];

const state = {
  table: null, // the file that is open
  look: [], // what is known of its columns
  roles: new Map(), said: new Map(), levels: new Map(), // by column
  importance: new Map(), // by column, from -2 to 2
  losses: new Map(), // by column, of the release that was made last
  isNoPerson: new Set(), // columns of which somebody has said that they do not say whose a row is
  isChosen: new Set(), // columns whose role somebody has chosen
  repairs: noRepairs(), // what is repaired, as TextTable reads it
  found: null, // what needs a repair: findings, person, follows; null while it is looked for
  hierarchies: new Map(), // what is chosen by column: builder ("" for none), numbers, file
  method: "mondrian", suppression: { value: 2 }, // percent of the rows that may be left out
  confirmed: false,
  earlier: null, // the name of the file of an earlier release
  words: null, // that differ there: of each column, as wordsThatDiffer finds them
  same: new Map(), // by column, which words of the earlier release somebody has said are which of these
  answered: new Set(), // pairs of words about which somebody has said yes or no
  mayChange: new Set(), // columns in which somebody may have another value than in an earlier release
  accepted: null, // what somebody accepts although it is not known: of, reason, by, at
  remarks: [], // on its recoded columns
  open: null, // what is not known of the release beside earlier ones, as `accepted.of` says it
  taken: null, // the change that makes it fit the earlier one, as changesOf has it
  trying: null, // AbortController of changes that are tried
  project: null, // that was opened, as projectOf makes it
  columnsSince: null, // that are new or gone since it was saved
  called: new Map(), // columns of the file that have the names of the project: theirs -> ours
  others: [], // further earlier releases: name and table
  gone: [], // columns of earlier releases that are in no role now, so that nobody is looked for by them
  facts: null, // of the release, or of why there is none, for the decision page
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
  showProject();
  if (!state.table) return;
  showStatus();
  showFound();
  showColumns();
  showTab(isCounting);
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
  if (!form?.missing) {
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
    state.called = form?.called ?? new Map();
    state.file = file;
    if (missing.length) at("missing").value = missing.join(", ");
    await makePeople(engine, []);
    const look = await lookAt(engine);
    if (!isLatest()) return;
    state.look = look;
    guess();
    state.missing = form?.missing ? [] : missing;
    if (state.project) await takeProject(engine);
    if (!isLatest()) return;
    showStatus();
    showColumns();
    showSliders();
    view.preview("first-rows", table.names, await firstRows(engine, "people", table.names));
    at("first").hidden = false;
    at("tabs").hidden = false;
    showTab(isCounting);
    lookForRepairs(engine);
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

// What an opened project says of this table, and its releases.
async function takeProject(engine) {
  const { project } = state;
  state.columnsSince = take(project, state, state.table.names);
  state.table = await state.table.with(state.repairs);
  await makePeople(engine, []);
  state.look = await lookAt(engine);
  await takeReleases(engine);
}

async function takeReleases(engine) {
  const { releases, same } = state.project;
  if (!releases.length) return;
  Object.assign(state, { others: [], words: null, answered: new Set(), same: new Map(same.map(([column, words]) => [column, new Map(words)])) });
  for (const [i, { name, csv }] of releases.slice(0, -1).entries()) {
    const table = `earlier_${i + 2}`;
    await readEarlier(engine, new File([csv], name), table);
    state.others.push({ name, table });
  }
  const last = releases.at(-1);
  await readEarlier(engine, new File([last.csv], last.name));
  await engine.rows(earlierWithWords(state.same));
  state.earlier = [last.name, ...state.others.map(({ name }) => name)].join(", ");
}

async function openProject(file) {
  view.complain("project-error", null);
  try {
    state.project = await readProject(file, Object.keys(METHODS));
  } catch (error) {
    view.complain("project-error", error);
    return;
  }
  const { project } = state;
  for (const [id, { value, on }] of project.requirements) if (chosen.has(id)) Object.assign(chosen.get(id), { value, on });
  state.method = project.method;
  state.suppression.value = project.suppression;
  showMethod();
  showSliders();
  showProject();
  if (state.file) openTable(state.file);
}

function showProject() {
  at("project").hidden = !state.project;
  if (!state.project) return;
  const { releases, decisions } = state.project;
  const since = state.columnsSince;
  say("project-says", [text("project.opened", { releases: count(releases.length) }), state.table ? "" : text("project.now_the_table"),
    since?.added.length ? text("project.added", { columns: since.added.join(", ") }) : "",
    since?.gone.length ? text("project.gone", { columns: since.gone.join(", ") }) : ""].filter(Boolean).join(" "));
  showCalled();
  at("decisions").replaceChildren(...decisions.map(({ at: when, source, answer, met }) => element("li", {},
    text("project.decision", { when: when.slice(0, 10), source, answer: text(`project.${answer}`), met }))));
}

// What columns of the project may be called in this file: somebody says so.
function showCalled() {
  const { table, project, columnsSince: since } = state;
  const roles = new Map(project.roles);
  const asked = (since?.gone ?? []).filter((column) => !["identifier", "none"].includes(roles.get(column)));
  const isAsked = table instanceof TextTable && since.added.length;
  at("called").replaceChildren(...(isAsked ? asked : []).map((column) => element("label", { class: "level" }, text("project.called", { column }),
    view.select(text("project.called", { column }), { "": "–", ...Object.fromEntries(since.added.map((each) => [each, each])) }, "",
      (theirs) => openTable(state.file, { sheet: table.sheet ?? null, called: new Map([...state.called, [theirs, column]]) })))));
}

function showStatus() {
  showProject();
  const { table, look, missing } = state;
  say("table-status", [
    text("table.read", { name: table.title, rows: count(look[0].row_count), columns: look.length }),
    table.sheets?.length > 1 ? text("table.one_sheet", { sheet: table.sheet, sheets: count(table.sheets.length) }) : "",
    missing.length ? text("table.read_missing", { texts: missing.join(", ") }) : "",
    table.encoding ? text("table.encoding", { encoding: table.encoding }) : "",
    leftOutOf(table),
    renamedIn(table),
  ].filter(Boolean).join(" "));
  showSheets();
}

// Of several sheets one is read: which one can be chosen.
function showSheets() {
  const { sheets, sheet } = state.table;
  const choices = Object.fromEntries((sheets ?? []).map((each) => [each, each]));
  at("sheets").replaceChildren(...(sheets?.length > 1 ? [element("label", { class: "level" }, text("table.sheet"),
    view.select(text("table.sheet"), choices, sheet, (chosen) => openTable(state.file, { sheet: chosen, called: state.called })))] : []));
}

// Which lines around the table were left out.
function leftOutOf({ leftOut }) {
  if (!leftOut) return "";
  const { before, from, to } = leftOut;
  return [before && text("table.left_out_before", { lines: before === 1 ? "1" : `1–${count(before)}` }),
    from && text("table.left_out_behind", { lines: from === to ? count(to) : `${count(from)}–${count(to)}` })].filter(Boolean).join(" ");
}

// Columns whose name was taken have another one.
function renamedIn({ header }) {
  const others = header?.header?.map((name, i) => [name, header.names[i]]).filter(([name, other]) => name !== other) ?? [];
  return others.map(([name, other]) => text(state.called.has(name) ? "table.called" : "table.renamed", { name, other })).join(" ");
}

// The table of a file, and what is read as missing there.
async function readTable(engine, file, form) {
  if (!file.size) throw new Refused(text("table.empty", { name: file.name }));
  if (await isParquet(file)) return [await ParquetTable.read(engine, file), []];
  const { file: whole, encoding, sheets, sheet } = await asText(file, form?.sheet ?? null);
  const { file: alone, leftOut } = await withoutFrame(whole);
  const header = await headerOf(alone, form?.names ?? null);
  header.names = header.names.map((name) => form?.called?.get(name) ?? name);
  if (header.doubt) at("form").open = true;
  const title = sheet === null || sheet === sheets[0] ? file.name : `${file.name}::${sheet}`;
  const source = { title, encoding, sheets, sheet, leftOut };
  const table = await TextTable.read(engine, alone, header, form?.missing ?? [], source);
  if (form?.missing) return [table, form.missing];
  await engine.rows(table.statement(await table.columns(new Map(), new Map())));
  const missing = [...new Set((await lookAt(engine)).flatMap((column) => column.surely_missing))].sort();
  return [missing.length ? await TextTable.read(engine, alone, header, missing, source) : table, missing];
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
  openTable(state.file, { names: names.length ? names : null, missing: separated(at("missing").value),
    sheet: state.table?.sheet ?? null, called: state.called });
});

// Rows of people, or a table of counts alone.
let isCounting = false;

function showTab(counting) {
  isCounting = counting;
  at("tab-rows").setAttribute("aria-pressed", !counting);
  at("tab-counts").setAttribute("aria-pressed", counting);
  document.body.classList.toggle("counting", counting);
  at("counts").hidden = !counting || !state.look.length;
  if (counting && state.look.length) showCounts(state, starting, () => unitOfRows() ?? unsaidPeople("repeats"));
  showFound();
}
at("tab-rows").addEventListener("click", () => showTab(false));
at("tab-counts").addEventListener("click", () => showTab(true));

function forget() {
  forgetCounts();
  at("tabs").hidden = at("counts").hidden = true;
  state.running?.abort();
  Object.assign(state, { table: null, look: [], confirmed: false, release: null, earlier: null, settings: null,
    words: null, same: new Map(), answered: new Set(), mayChange: new Set(), taken: null, accepted: null, others: [], columnsSince: null,
    repairs: noRepairs(), found: null });
  for (const kept of [state.roles, state.hierarchies, state.said, state.levels, state.isChosen, state.isNoPerson,
    state.importance, state.losses]) kept.clear();
  for (const id of ["roles", "choices", "result", "first", "found"]) at(id).hidden = true;
  at("sheets").replaceChildren();
  say("earlier-status", "");
  view.complain("earlier-error", null);
  view.fill("together", []);
  stopTrying();
  for (const id of ["words", "changing", "fit", "tried", "accept"]) at(id).hidden = true;
  outdate("");
}

// What needs a repair, each with a button

// Of what was read again the repairs are known; whose a row is, and what columns have in common, may differ.
async function lookForRepairs(engine) {
  const { file, look } = state;
  const isCurrent = () => state.file === file && state.look === look;
  const rows = async (statement) => {
    if (!isCurrent()) throw new Stopped();
    return engine.rows(statement);
  };
  at("found").hidden = false;
  if (!state.found) say("found-status", text("found.looking"));
  try {
    const findings = state.found?.findings ?? await findingsOf(rows, look, state.table instanceof TextTable);
    const person = await personOf(rows, look);
    const qi = [...state.roles].filter(([, role]) => role === "qi").map(([name]) => name);
    const follows = await columnsThatFollow(rows, look, qi);
    if (isCurrent()) state.found = { findings, person, follows };
  } catch (error) {
    if (error instanceof Stopped || !isCurrent()) return;
    say("found-status", text("found.not_looked", { error: error.message }));
    return;
  }
  if (!isCurrent()) return;
  showFound();
  showDoubts([]);
}

const isRepaired = ({ column, repair: { key, value } }) => {
  const { [key]: repaired } = state.repairs;
  return key === "missingIn" ? value.every((mark) => repaired.get(column)?.includes(mark)) : repaired.has(column);
};

function setRepair({ column, repair: { key, value } }, is) {
  const { [key]: repaired } = state.repairs;
  if (key === "missingIn") {
    const others = (repaired.get(column) ?? []).filter((mark) => !value.includes(mark));
    const marks = is ? [...others, ...value] : others;
    if (marks.length) repaired.set(column, marks);
    else repaired.delete(column);
  } else if (!is) repaired.delete(column);
  else if (key === "digits") repaired.set(column, value);
  else repaired.add(column);
}

const chooseRole = (column, chosen) => () => {
  state.roles.set(column, chosen);
  state.isChosen.add(column);
  showColumns();
  showSliders();
  showTab(isCounting);
  changed();
};

function showFound() {
  if (!state.found) return;
  const { findings, person, follows } = state.found;
  const role = (column) => state.roles.get(column);
  const released = findings.filter(({ column, kind }) => kind === "empty" || !["identifier", "none"].includes(role(column)));
  const sure = released.filter((each) => each.repair && each.isSure && (isCounting || role(each.column) === "qi") && !isRepaired(each));
  const lines = released.map((each) => {
    const isDone = each.repair && isRepaired(each);
    const shown = each.values.slice(0, 3).map((value) =>
      text("found.quoted", { value: value.replace(/^\s+|\s+$/g, (blanks) => "␣".repeat(blanks.length)) })).join(", ");
    const told = [text(`found.${each.kind}`, { column: each.column, rows: count(each.rows), of: count(each.ofRows ?? 0),
      different: count(each.different ?? 0), ways: count(each.ways ?? 0) }), shown && text("found.such_as", { examples: shown })].filter(Boolean).join(" ");
    const leaves = !isCounting && each.repair && ["sensitive", "keep"].includes(role(each.column)) ? text("found.leaves_unchanged") : "";
    return view.finding(told, leaves, isDone, each.repair && text(isDone ? "found.undo" : `found.repair_${each.repair.key}`), () => {
      setRepair(each, !isDone);
      readAgain();
    });
  });
  const people = new Map(state.look.filter((column) => column.repeats).map((column) => [column.column_name,
    text("columns.may_be_unit", { column: column.column_name, distinct: count(column.distinct_values), rows: count(column.filled) })]));
  if (person) {
    const { column, once, merged, agreeing } = person;
    people.set(column, text("found.person", { column, once: once.join(text("found.and")), merged: count(merged), agreeing: count(agreeing) }));
  }
  for (const [column, told] of people) {
    const isUnit = role(column) === "unit", isNone = state.isNoPerson.has(column);
    const line = view.finding(told, isNone ? text("found.no_person") : "", isUnit || isNone, isUnit ? null : text("found.count_people"), chooseRole(column, "unit"));
    if (!isUnit) {
      const no = element("button", { type: "button" }, text(isNone ? "found.undo" : "found.one_row_each"));
      no.addEventListener("click", () => {
        if (isNone) state.isNoPerson.delete(column);
        else state.isNoPerson.add(column);
        showFound();
        changed();
      });
      line.append(no);
    }
    lines.push(line);
  }
  for (const { follows: column, from_column: other, both_ways: isSame } of follows) {
    if (role(column) !== "qi" || role(other) !== "qi") continue;
    lines.push(view.finding(text(isSame ? "found.same" : "found.follows", { column, other }), "", false,
      text("found.leave_out", { column }), chooseRole(column, "none")));
  }
  const isParquet = !(state.table instanceof TextTable);
  say("found-status", [lines.length ? text("found.about") : text("found.nothing"), isParquet ? text("found.of_parquet") : ""].filter(Boolean).join(" "));
  at("found-list").replaceChildren(...lines);
  at("repair-all").hidden = sure.length < 2;
  say("repair-all", text(isCounting ? "found.repair_every" : "found.repair_all"));
  at("repair-all").onclick = () => {
    for (const each of sure) setRepair(each, true);
    readAgain();
  };
}

// Read the table with the repairs that are chosen. Roles and types that somebody has chosen stay.
function readAgain() {
  const turn = ++opening;
  const isLatest = () => turn === opening;
  state.running?.abort();
  outdate(state.confirmed ? text("release.at_work") : "");
  view.complain("found-error", null);
  at("found").setAttribute("aria-busy", true);
  openings = openings.then(async () => {
    if (!isLatest()) return;
    try {
      const engine = await starting;
      state.table = await state.table.with(state.repairs);
      await makePeople(engine, []);
      const look = await lookAt(engine);
      const rows = await firstRows(engine, "people", state.table.names);
      if (!isLatest()) return;
      state.look = look;
      if (!state.confirmed) guess();
      showColumns();
      showSliders();
      view.preview("first-rows", state.table.names, rows);
    } catch (error) {
      if (isLatest()) view.complain("found-error", error);
    } finally {
      if (isLatest()) {
        at("found").setAttribute("aria-busy", false);
        showFound();
        showTab(isCounting);
        changed(0);
        starting.then(lookForRepairs);
      }
    }
  });
}

// 2. Roles

function guess() {
  for (const { column_name: name, role } of state.look) if (!state.isChosen.has(name)) state.roles.set(name, role ?? "none");
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
    const about = text("columns.seen", { type: view.typeSeen(column.type), distinct: count(column.distinct_values) }) +
      (nulls ? text("columns.nulls", { nulls: count(nulls) }) : "");
    const recoded = element("td");
    const showRecoded = () => recoded.replaceChildren(...recodingOf(column, () => {
      showRecoded();
      recoded.querySelector("select").focus();
    }));
    showRecoded();
    const roles = Object.fromEntries(ROLES.map((role) => [role, text(`role.${role}`)]));
    const role = view.select(text("columns.role_of", { column: name }), roles, state.roles.get(name), (value) => {
      state.roles.set(name, value);
      state.isChosen.add(name);
      showFound();
      showRecoded();
      showSliders();
      changed();
    });
    const type = state.table instanceof TextTable
      ? [view.select(text("columns.is_read_as", { column: name }), { "": text("columns.as_found"),
          ...Object.fromEntries([...Object.keys(TYPES), ...state.table.formats[state.table.names.indexOf(name)]].map((each) => [each, view.typeSaid(each)])) },
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
  const repeated = state.look.filter((column) => column.may_be_unit && !hasUnit && !column.repeats).map((column) => text("columns.may_be_unit", // others are in the list of findings
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
  showImportance();
}

// How much each column matters, and what is lost of it.
function showImportance() {
  const qi = state.look.map((column) => column.column_name).filter((name) => state.roles.get(name) === "qi");
  const { weighs } = METHODS[state.method];
  say("about-importance", text(weighs ? "importance.about" : "importance.not_weighed"));
  at("importance").querySelector("tbody").replaceChildren(...qi.map((name) => {
    const says = element("small");
    const range = element("input", { type: "range", min: -2, max: 2, step: 1, value: state.importance.get(name) ?? 0,
      disabled: !weighs, "aria-label": text("importance.of", { column: name }) });
    const show = () => {
      says.textContent = text(`importance.at_${Number(range.value) + 2}`);
      range.setAttribute("aria-valuetext", says.textContent);
    };
    range.addEventListener("input", () => {
      state.importance.set(name, Number(range.value));
      show();
      changed();
    });
    show();
    return element("tr", {}, element("th", { scope: "row" }, element("b", {}, name)), element("td", {}, range, says),
      element("td", { class: "n", "data-loss": name }));
  }));
  showLosses();
}

// What is lost of each column, beside what was lost the time before.
function showLosses() {
  for (const cell of at("importance").querySelectorAll("[data-loss]")) {
    const { now, before } = state.losses.get(cell.dataset.loss) ?? {};
    const isOther = before !== undefined && Math.round(1000 * before) !== Math.round(1000 * now);
    cell.replaceChildren(now === undefined ? "–" : percent(100 * now),
      isOther ? element("small", {}, text("importance.before", { loss: percent(100 * before) })) : "");
  }
}

function showMethod() {
  const names = Object.fromEntries(Object.keys(METHODS).map((method) => [method, text(`method.${method}`)]));
  at("method").replaceChildren(view.select(text("method.label"), names, state.method, (method) => {
    state.method = method;
    state.taken = null;
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
  stopTrying();
  showDoubts([]);
  if (!state.confirmed) return;
  outdate(text("release.at_work"));
  waiting = setTimeout(run, patience);
}

function outdate(title) {
  clearTimeout(waiting);
  state.release = state.facts = null;
  at("verdict").dataset.state = "none";
  say("verdict-title", title);
  say("verdict-text", "");
  working(Boolean(title));
  view.isStale(true);
  for (const id of ["get-csv", "get-parquet", "get-policy", "get-sql", "get-page", "get-project"]) at(id).disabled = true;
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
    state.facts = { ...factsOf(settings), isMeasured: null };
    allowDownloads();
    state.facts.isMeasured = await showFindings(engine, settings, signal);
    view.isStale(false);
    allowDownloads();
    say("verdict-text", at("verdict-text").textContent.replace(` ${text("release.measuring")}`, ""));
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) return;
    const reason = await reasonOf(error.message);
    if (signal.aborted) return;
    state.facts = { ...factsOf(null), reasons: [reason] };
    allowDownloads();
    tell("fails", text("release.none"), reason.replace("table people is", `${state.table.title} is`));
  } finally {
    if (state.running === running) working(false);
  }
}

// Make the release, and have it checked by a query of its own. What is not verified cannot be downloaded.
async function makeRelease(engine, signal) {
  const rows = (statement) => engine.rows(statement, signal);
  const hierarchies = state.look.map((column) => ({ column: column.column_name, ...hierarchyOf(column) }))
    .filter(({ builder }) => builder);
  const chosenSettings = new Settings(
    new Map(state.roles), hierarchies, required(), state.method, new Map(state.levels), state.suppression.value / 100,
    new Map(state.importance));
  const settings = state.taken ? chosenSettings.changed(state.taken.change) : chosenSettings;
  settings.check();
  const doubts = [];
  await makePeople(engine, doubts, signal);
  showDoubts(doubts);
  for (const { file } of settings.hierarchies) if (file) await engine.addFile(file.name, await hierarchyText(file));
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
  const leaving = await Promise.all((await rows(settings.leaving())).map(async (each) => ({ ...each, reason: await reasonOf(each.reason) })));
  if (signal.aborted) throw new Stopped();
  view.leaving(leaving.sort((one, other) => state.table.names.indexOf(one.column) - state.table.names.indexOf(other.column)), settings.unit !== null);
  const released = state.table.names.filter((name) => ["qi", "sensitive", "keep"].includes(settings.roles.get(name)));
  for (const [id, table] of [["before", "people"], ["after", "release"]]) {
    const lines = await firstRows(engine, table, released, signal);
    view.preview(id, released, id === "before" ? lines : lines.map((values) => values.map((value, i) => (settings.qi.includes(released[i]) ? view.labelSaid(value) : value))));
  }
  await showRemarks(settings, leaving.filter(({ how }) => how === "recoded").map(({ column }) => column), rows);
  const shown = { violations: count(violations), rows: count(counts.has), had: count(counts.had), suppressed: count(suppressed) };
  if (violations || suppressed < 0 || suppressed > counts.had * (settings.options.suppression_limit ?? 0)) {
    throw new Refused(text("release.fault", shown));
  }
  const met = Object.entries(settings.requirementsOfClasses).map(([name, value]) => `${name} = ${value}`).join(", ");
  state.release = {
    settings,
    name: stem(state.table),
    policy: policyOf(settings, state.table, state.said, state.look, document.body.dataset.version, changing(settings)),
    script: scriptOf(settings, state.table, state.columns, isWhole),
    suppressed, leaving, met, rows: counts.has,
  };
  const held = text(isWhole ? "release.met" : "release.met_without", { classes: count(classes), met, ...shown });
  const naming = leaving.filter(({ verdict }) => verdict !== "holds");
  const unsaid = unsaidPeople();
  Object.assign(state.release, { held: unsaid ? `${held} ${text("release.rows_counted", { column: unsaid })}` : held, namesNobody: !naming.length, isSafe: !naming.length && !state.earlier && !settings.sensitive.length });
  if (naming.length) {
    const fails = naming.some(({ verdict }) => verdict === "fails");
    const told = naming.map(({ column, how, reason }) => text("release.leaves", { column, how: text(`how.${how}`), reason }));
    tell("fails", text(fails ? "release.names_people" : "release.may_name_people"), [...told,
      text("release.another_role", { column: key(naming[0].column) }), held, text("release.measuring")].join(" "));
  } else if (state.earlier) tell("none", text("release.checking_together", { earlier: state.earlier }), held);
  else if (settings.sensitive.length) tell("none", text("release.checking"), held); // it is attacked first
  else tellItHolds(`${state.release.held} ${text("release.measuring")}`);
  allowDownloads();
  return settings;
}

// What is to be known of recoded columns: that one tells nothing, as all rows have the same, and what decades are called.
async function showRemarks({ method }, columns, rows) {
  const told = [];
  for (const column of columns) {
    const name = `${identifier(column)}::varchar`;
    const [{ is_alike: isAlike, has_decades: hasDecades }] = await rows(`select count(distinct ${name}) = 1 and count(*) = count(${name}) as is_alike, ` +
      `bool_or(regexp_matches(${name}, '\\b\\d{3}0s\\b')) as has_decades from release`);
    if (isAlike) told.push({ column, says: [text("release.alike", { column }), METHODS[method].weighs ? text("release.alike_weighed") : ""].join(" ").trim() });
    if (hasDecades) told.push({ says: text("release.decades", { column }) });
  }
  state.remarks = told.map(({ says }) => says);
  at("remarks").replaceChildren(...told.map(({ column, says }) =>
    view.finding(says, "", false, column ? text("found.leave_out", { column }) : null, chooseRole(column, "none"))));
}

async function hierarchyText(file) {
  const { file: utf8, sheet } = await asText(file);
  if (sheet !== null) throw new Refused(text("columns.no_sheet", { name: file.name }));
  return utf8;
}

// The requirements are met: of people, or of rows where it is open whether these are people; together with earlier
// releases only as far as the page looks, which is less than sqlanon publish does. sure: how many percent
// there are, by column, of whose value somebody is nearly sure.
function tellItHolds(why, sure = []) {
  const isOpen = unsaidPeople() !== null, isSure = sure.some(({ share }) => share > MOST_SURE);
  if (state.facts) state.facts.sure = isSure ? saidOfSure(sure) : null;
  const title = isOpen ? "holds_for_rows" : isSure ? "holds_unsure" : state.earlier ? "holds_partly" : "holds";
  tell(title === "holds" ? "holds" : "open", text(`release.${title}`),
    isSure ? `${why} ${saidOfSure(sure)}` : why);
}

const unitSaid = () => text(state.release.settings.unit ? "unit.people" : "unit.rows");

const saidOfSure = (sure) => sure.filter(({ share }) => share > MOST_SURE)
  .map(({ sensitive: column, share }) => text("release.sure", { column, share: percent(share), unit: unitSaid() })).join(" ");

// Nobody's value may be certain by the release alone: those who have several rows are found by all of them.
function tellAlone({ sensitive }) {
  const { release, facts } = state;
  if (!release.namesNobody || !sensitive.length) return;
  const measured = facts?.learned ?? [], certain = measured.filter((each) => each.certain > 0);
  release.isSafe = measured.length === sensitive.length && !certain.length;
  if (facts && certain.length) facts.certain = certain.map(({ sensitive: column, certain: share }) => text("release.tells_of", { column, share: percent(share), unit: unitSaid() })).join(" ");
  if (certain.length) tell("fails", text("release.tells"), `${facts.certain} ${text("release.tells_help")}`);
  else if (release.isSafe) tellItHolds(`${release.held} ${text("release.measuring")}`, measured.map(({ sensitive: column, sure }) => ({ sensitive: column, share: sure })));
  else tell("open", sentence(text("release.not_known")), release.held);
  allowDownloads();
}

// A release that names people stays here. Its policy and its SQL hold nothing of the table.
function allowDownloads() {
  for (const id of ["get-csv", "get-parquet"]) at(id).disabled = !state.release?.isSafe;
  for (const id of ["get-policy", "get-sql"]) at(id).disabled = !state.release;
  at("get-page").disabled = at("get-project").disabled = !state.facts || state.facts.isMeasured === null; // not before all is measured
}

// The column that may say whose a row is, where nobody has said that people are counted. by: of what is known of it.
function unsaidPeople(by = "may_be_unit") {
  if ([...state.roles.values()].includes("unit")) return null;
  const columns = [state.found?.person?.column, ...state.look.filter((column) => column[by]).map((column) => column.column_name)];
  return columns.find((column) => column && !state.isNoPerson.has(column)) ?? null;
}

// The column of which somebody has said that it names the person of a row, where people have several rows.
function unitOfRows() {
  return state.look.find(({ column_name: name, filled, distinct_values: distinct }) => state.roles.get(name) === "unit" && distinct < filled)?.column_name ?? null;
}

// What the decision page is made of; more is added while it is found out. settings: null without a release.
function factsOf(settings) {
  const { release, table, look } = state;
  const having = (role) => [...state.roles].filter(([, each]) => each === role).map(([name]) => name);
  const values = (name) => look.find((column) => column.column_name === name)?.distinct_values;
  const columns = settings ? release.leaving.map(({ column, how, distinct_values: after }) => ({
    column, how, values: [values(column), after], before: [], after: [], loss: null, isSensitive: settings.sensitive.includes(column) })) : [];
  return {
    format: "sqlanon page 1", madeAt: new Date().toISOString(), source: table.title, name: stem(table), version: document.body.dataset.version,
    requirements: settings?.requirements ?? {}, met: release?.met ?? "", method: state.method, qi: having("qi"), sensitive: having("sensitive"),
    keep: having("keep"), isOfPeople: having("unit").length > 0, unsaidPeople: unsaidPeople(),
    release: settings && { rows: release.rows, suppressed: release.suppressed }, rowsNow: look[0]?.row_count ?? 0, columns,
    leaving: settings ? release.leaving.map(({ column, verdict, reason }) => ({ column, verdict, reason })) : [],
    freeText: settings ? release.leaving.filter((each) => each.looks_like === "free text").map(({ column }) => column) : [],
    remarks: settings ? state.remarks : [], neverLeave: [...having("identifier"), ...having("unit"), ...having("none")], firstRows: null, learned: [], certain: null, sure: null, together: null, tried: null, accepted: null, isMeasured: false,
    saidWords: [...(state.taken ? [text("fit.taken", { change: saidOfChange(state.taken) })] : []),
      ...[...state.same].filter(([, words]) => words.size).map(([column, words]) => counted("decision.said_words", words.size, { column })),
      ...(state.earlier && settings && changing(settings).length ? [text("changing.said", { columns: changing(settings).join(", ") })] : []),
      ...[...state.called].map(([name, other]) => text("table.called", { name, other })),
      ...[...state.isNoPerson].map((column) => `${column}: ${text("found.no_person")}`)],
    reasons: [],
  };
}

// Whatever can be measured: what cannot is told in its place, and not taken for nothing.
async function showFindings(engine, settings, signal) {
  let isWhole = true;
  for (const [id, measure] of [["classes", showClasses], ["attack", showAttack], ["earlier", showTogether],
    ["reached", showReached], ["lost", showLost]]) {
    view.complain(`${id}-error`, null);
    try {
      await measure(settings, (statement) => engine.rows(statement, signal));
    } catch (error) {
      if (error instanceof Stopped || signal.aborted) throw new Stopped();
      isWhole = false;
      view.forgetFindings(id);
      if (id === "earlier" && state.facts) state.facts.together = { earlier: state.earlier, rows: 0, verdict: "not known", told: text("together.not_compared", { earlier: state.earlier }) };
      if (id === "earlier") tellTogether(text("release.unknown_together"), text("together.not_compared", { earlier: state.earlier }));
      view.complain(`${id}-error`, new Error(text("release.not_found", { error: error.message })));
    }
  }
  return isWhole;
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
    state.facts?.learned.push({ sensitive: column, ...learned });
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
    view.reading(row.remark === null ? row.reached : null)]));
}

async function showLost(settings, rows) {
  await addForms(rows);
  const lost = await rows(call("utility", ["people", "release"], {
    qi: settings.qi, sensitive: settings.method !== "anatomize" && settings.sensitive.length ? settings.sensitive : null,
    hierarchies: settings.hierarchyTable, queries: QUERIES,
  }));
  for (const { attribute, value } of lost.filter((row) => row.id === "ncp")) {
    const leaves = state.facts?.columns.find(({ column }) => column === attribute);
    if (leaves) leaves.loss = value;
    state.losses.set(attribute, { now: value, before: state.losses.get(attribute)?.now });
  }
  showLosses();
  const overall = (id) => lost.find((row) => row.id === id && row.attribute === null)?.value;
  view.fill("lost", [
    [text("lost.suppressed"), count(state.release.suppressed)],
    [written("lost.all"), view.reading(overall("gcp"))],
    ...lost.filter((row) => row.id === "ncp").map((row) => [text("lost.column", { column: row.attribute }), view.reading(row.value)]),
    [written("lost.counts"), percent(overall("query_error_median"))],
  ]);
}

// How columns are written before and after, and the first rows that leave: no value of the table.
async function addForms(rows) {
  const { facts } = state;
  if (!facts) return;
  for (const [table, when] of [["people", "before"], ["release", "after"]]) {
    const forms = new Map((await rows(call("_forms_of_columns", [table], {}))).map((row) => [row.name, [...row.forms]]));
    for (const each of facts.columns) each[when] = forms.get(each.column) ?? [];
  }
  const recoded = facts.columns.filter(({ how }) => how === "recoded").map(({ column }) => column);
  const lines = [];
  for (const { place, name, value } of await rows(`from sqlanon._first_rows('release', 'people', ${list(recoded)}::varchar[], true)`)) {
    (lines[place - 1] ??= new Map()).set(name, value);
  }
  facts.firstRows = lines.map((line) => facts.columns.map(({ column }) => line.get(column) ?? ""));
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
async function attackOf(settings, rows, sensitive, earlier = [], { macro = "breaches", isEarlierAlone = false } = {}) {
  let { release } = settings.names;
  if (settings.method === "anatomize") {
    release = "possible_rows";
    const values = settings.sensitive.map((name) => `unnest(${identifier(name)}) as ${identifier(name)}`).join(", ");
    await rows(`create or replace table ${release} as select * exclude (${settings.sensitive.map(identifier).join(", ")}), ${values} from ${settings.names.release}`);
  }
  const nearest = settings.method === "microaggregate" ? [true, ...earlier.map(() => false)] : null;
  return call(macro, [], {
    releases: isEarlierAlone ? earlier : [release, ...earlier], targets: "targets", id: idOf(), qi: settings.qi, sensitive, truth: sensitive,
    hierarchies: settings.hierarchyTable, unit: settings.unit, unchanged: settings.keep.length ? settings.keep : null,
    nearest: isEarlierAlone ? null : nearest,
    values_may_change: earlier.length && changing(settings).length ? changing(settings) : null,
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
    if (state.project?.releases.length) state.project.releases.push({ name: file.name, at: "", csv: await (await asText(file)).file.text() });
    Object.assign(state, { earlier: null, words: null, same: new Map(), answered: new Set(), taken: null, accepted: null });
    for (const id of ["words", "changing", "fit", "tried", "accept"]) at(id).hidden = true;
    if (state.project?.releases.length) { // beside those of the project
      await takeReleases(engine);
      say("earlier-status", "");
      if (state.confirmed) changed(0);
      return;
    }
    await readEarlier(engine, file);
    await engine.rows(earlierWithWords(state.same));
    state.earlier = file.name;
    say("earlier-status", "");
  } catch (error) {
    say("earlier-status", "");
    view.complain("earlier-error", error);
  }
  if (state.confirmed) changed(0);
}

// A table of a release as it was written.
async function readEarlier(engine, file, table = "earlier_as_read") {
  if (!file.size) throw new Refused(text("table.empty", { name: file.name }));
  if (await isParquet(file)) {
    await ParquetTable.read(engine, file, table);
    return;
  }
  const { file: utf8 } = await asText(file);
  const header = await headerOf(utf8);
  await engine.addFile("earlier.csv", utf8);
  const columns = header.names.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ");
  await engine.rows(`create or replace table ${table} as from read_csv('earlier.csv', auto_detect = false, ` +
    `delim = ${literal(header.delimiter)}, quote = '"', escape = '"', header = true, skip = ${header.skip}, ` +
    `strict_mode = true, columns = {${columns}})`);
}

// Words that differ: each pair is asked about.
async function askAboutWords(settings, rows) {
  if (!state.words) {
    const there = (await rows("describe earlier_as_read")).map((column) => column.column_name);
    const columns = [...settings.qi, ...settings.sensitive, ...settings.keep].filter((name) => there.includes(name) &&
      state.look.find((column) => column.column_name === name)?.type === "VARCHAR");
    state.words = await wordsThatDiffer(rows, columns);
  }
  showWords();
}

function showWords() {
  at("words").hidden = !state.words?.length;
  at("words").querySelector("tbody").replaceChildren(...(state.words ?? []).flatMap(({ column, earlier, now, pairs }) => {
    const lines = pairs.map(([there, here]) => {
      const isSame = state.same.get(column)?.get(there) === here;
      const id = JSON.stringify([column, there, here]);
      const answer = (is) => {
        const button = element("button", { type: "button", "aria-pressed": String(is ? isSame : state.answered.has(id) && !isSame) }, text(is ? "words.yes" : "words.no"));
        button.addEventListener("click", () => sayWords(column, there, here, is, id));
        return button;
      };
      return element("tr", {}, element("th", { scope: "row" }, column),
        element("td", {}, text("words.same", { there, here })), element("td", { class: "answers" }, answer(true), answer(false)));
    });
    const alone = (words, place) => words.filter((word) => !pairs.some((pair) => pair[place] === word));
    const others = [[alone(earlier, 0), "words.only_earlier"], [alone(now, 1), "words.only_now"]].filter(([words]) => words.length)
      .map(([words, key]) => text(key, { words: words.join(", ") })).join(" ");
    return others ? [...lines, element("tr", {}, element("th", { scope: "row" }, column), element("td", { colspan: 2 }, others))] : lines;
  }));
}

async function sayWords(column, there, here, is, id) {
  state.answered.add(id);
  const said = state.same.get(column) ?? new Map();
  if (is) said.set(there, here);
  else said.delete(there);
  state.same.set(column, said);
  showWords();
  state.running?.abort();
  await (await starting).rows(earlierWithWords(state.same));
  changed(0);
}

// What somebody has said of words, and of values that may change, beside what follows from it.
function saidOfWords() {
  const said = [...state.same].flatMap(([column, words]) => [...words].map(([there, here]) => text("words.of_column", { column, there, here })));
  const columns = changing(state.release.settings);
  return [said.length && text("words.said", { words: said.join(", ") }), columns.length && text("changing.said", { columns: columns.join(", ") })]
    .filter(Boolean).map((each) => ` ${each}`).join("");
}

// Sensitive columns in which somebody may have another value in another release: nobody is asked about others.
const changing = ({ sensitive }) => sensitive.filter((column) => state.mayChange.has(column));

function showChanging() {
  const columns = state.release?.settings.sensitive ?? [];
  at("changing").hidden = !state.earlier || !columns.length;
  at("changing").querySelector("tbody").replaceChildren(...columns.map((column) => {
    const answers = [true, false].map((is) => {
      const isSaid = is ? state.mayChange.has(column) : state.answered.has(column) && !state.mayChange.has(column);
      const button = element("button", { type: "button", "aria-pressed": String(isSaid) }, text(is ? "words.yes" : "words.no"));
      button.addEventListener("click", () => {
        state.answered.add(column);
        if (is) state.mayChange.add(column);
        else state.mayChange.delete(column);
        showChanging();
        state.running?.abort();
        changed(0);
      });
      return button;
    });
    return element("tr", {}, element("th", { scope: "row" }, text("changing.question", { column })), element("td", { class: "answers" }, ...answers));
  }));
}

// What would make it fit the earlier release

function stopTrying() {
  state.trying?.abort();
  state.trying = null;
}

at("fit-now").addEventListener("click", async () => {
  stopTrying();
  const trying = state.trying = new AbortController();
  const { signal } = trying;
  if (!state.release) return;
  const { settings } = state.release;
  const engine = await starting;
  const rows = (statement) => engine.rows(statement, signal);
  const changes = changesOf(settings, ["earlier", ...state.others.map(({ table }) => table)]), answers = changes.map(() => null);
  const show = () => showTried(changes, answers, state.trying === trying);
  show();
  try {
    const { people, attacked } = await makeTargets(settings, rows);
    await tryChanges(settings, changes, {
      rows, signal,
      judge: (made) => judged(made, rows, "trial_together", attacked < people),
      tell: (i, answer) => {
        answers[i] = answer;
        show();
      },
    });
  } catch (error) {
    if (!(error instanceof Stopped)) view.complain("earlier-error", error);
    for (const [i, answer] of answers.entries()) if (answer?.verdict === "running") answers[i] = null;
  } finally {
    if (state.trying === trying) state.trying = null;
    if (!signal.aborted || trying.isCancelled) showTried(changes, answers, false);
  }
});
at("fit-cancel").addEventListener("click", () => {
  if (state.trying) state.trying.isCancelled = true;
  stopTrying();
});

// Does a change leave nobody certain, and something that is not known?
const isOpenAlone = (answer) => answer?.verdict === "not known" && !answer.people;

function showTried(changes, answers, isRunning) {
  at("fit").hidden = at("tried").hidden = false;
  const isUseless = !isRunning && answers.every((answer) => answer && answer.verdict !== "holds" && !isOpenAlone(answer));
  at("fit-now").hidden = isRunning || isUseless; // tried, does not help
  at("fit-cancel").hidden = at("fit-progress").hidden = !isRunning;
  const done = answers.filter((answer) => answer && answer.verdict !== "running").length;
  Object.assign(at("fit-progress"), { max: changes.length, value: done });
  const helps = answers.some((answer) => answer?.verdict === "holds");
  say("fit-status", isRunning ? text("fit.trying", { done: count(done), of: count(changes.length) })
    : done < changes.length ? text("fit.not_all", { done: count(done), of: count(changes.length) })
      : text(helps ? "fit.some_help" : answers.some(isOpenAlone) ? "fit.some_open" : "fit.none_helps"));
  const told = changes.map(() => null);
  const lines = changes.map(({ id, holes, change }, i) => {
    const { verdict, people, loss, leftOut, reason, why } = answers[i] ?? { verdict: "not_tried" };
    const says = [counted(`fit.verdict_${verdict.replaceAll(" ", "_")}`, people ?? 0), why?.length ? `${sentence(why.join(text("together.next")))}.` : "",
      leftOut ? text("fit.left_out", { rows: count(leftOut) }) : "", verdict === "refused" ? has(`fit.refused_${id}`) ? text(`fit.refused_${id}`) : reason : ""].filter(Boolean).join(" ");
    told[i] = { change: saidOfChange({ id, holes }), says, loss: loss ?? null, helps: verdict === "holds" };
    const take = element("button", { type: "button" }, text("fit.take"));
    take.addEventListener("click", () => {
      state.taken = { id, holes, change };
      at("tried").hidden = true;
      changed(0);
    });
    return element("tr", { class: verdict === "holds" ? "helps" : null },
      element("th", { scope: "row" }, saidOfChange({ id, holes })), element("td", {}, says),
      element("td", { class: "n" }, loss === undefined || loss === null ? "–" : percent(100 * loss)),
      element("td", {}, verdict === "holds" || isOpenAlone(answers[i]) ? take : ""));
  });
  const rank = (i) => (told[i].helps ? 0 : isOpenAlone(answers[i]) ? 1 : 2); // in the end the best comes first
  const order = lines.map((_, i) => i);
  if (!isRunning) order.sort((one, other) => rank(one) - rank(other) || (told[one].loss ?? 2) - (told[other].loss ?? 2));
  at("tried").querySelector("tbody").replaceChildren(...order.map((i) => lines[i]));
  if (state.facts) state.facts.tried = order.map((i) => told[i]);
}

function saidOfChange({ id, holes = {} }) {
  return text(`fit.${id}`, Object.fromEntries(Object.entries(holes).map(([hole, value]) => [hole, value.toLocaleString(current())])));
}

at("fit-undo").addEventListener("click", () => {
  state.taken = null;
  changed(0);
});

function showTaken() {
  at("taken").hidden = !state.taken;
  if (state.taken) say("taken-says", text("fit.taken", { change: saidOfChange(state.taken) }));
}

async function showTogether(settings, rows) {
  view.fill("together", []);
  at("fit").hidden = at("tried").hidden = at("accept").hidden = true;
  showTaken();
  if (!state.earlier) {
    tellAlone(settings);
    return;
  }
  const earlier = (await Promise.all(tablesOfEarlier().map((table) => columnsOf(rows, table)))).flat();
  state.gone = [...new Set(without(earlier, [...settings.qi, ...settings.sensitive, ...settings.keep]))];
  await askAboutWords(settings, rows);
  showChanging();
  if (!settings.sensitive.length) {
    say("earlier-status", text("together.no_sensitive"));
    if (state.facts) state.facts.together = { earlier: state.earlier, rows: 0, verdict: "holds", told: text("together.nothing", { earlier: state.earlier }) };
    tellTogether(null, text("together.nothing", { earlier: state.earlier }));
    return;
  }
  say("earlier-status", text("together.attacking", { earlier: state.earlier }));
  const { people, attacked } = await makeTargets(settings, rows);
  await attackTogether(settings, rows, "together");
  const found = await rows("from together");
  view.fill("together", found.filter((row) => SHOWN_OF_TOGETHER.includes(row.id)).map((row) =>
    [(settings.sensitive.length > 1 ? `${row.sensitive}: ` : "") + text(`together.${row.id}`), percent(row.value)]));
  const isSampled = attacked < people;
  const who = text(isSampled ? "together.some" : "together.all", { some: count(attacked), all: count(people) });
  say("earlier-status", text("together.of", { earlier: state.earlier, people: who }));
  const verdict = await judged(settings, rows, "together", isSampled);
  verdict.sure = found.filter(({ id }) => id === "sure_90").map(({ sensitive, value: share }) => ({ sensitive, share }));
  state.open = verdict.verdict === "not known" ? JSON.stringify([state.earlier, verdict.open]) : null;
  if (state.open && state.accepted?.of === state.open) verdict.verdict = "accepted";
  tellJudged(verdict);
  if (state.facts && verdict.verdict === "accepted") state.facts.accepted = { what: toldTogether(verdict), ...state.accepted };
  const [{ n }] = await rows("select count(*) as n from earlier");
  if (state.facts) state.facts.together = { earlier: state.earlier, rows: n, verdict: verdict.verdict, told: toldTogether(verdict) };
}

// What holds of the release alone may fail together with an earlier one. title: why it may not go out, or null.
function tellTogether(title, why, { isAccepted = false, isPast = false, sure = [], isFitting = true } = {}) {
  const { release } = state;
  if (!release?.namesNobody) return;
  release.isSafe = title === null;
  if (!release.isSafe) tell("fails", title, [why, text("together.alone"), isPast || (!isFitting && at("accept").hidden) ? "" : !isFitting ? text("together.accept") : text(at("accept").hidden ? "together.try" : "together.try_or_accept")].filter(Boolean).join(" "));
  else if (isAccepted && unsaidPeople() === null) tell("open", text("release.accepted", { by: state.accepted.by }), `${release.held} ${why}`);
  else tellItHolds(`${release.held} ${why}`, sure);
  allowDownloads();
}

const tablesOfEarlier = () => ["earlier", ...state.others.map(({ table }) => table)];

const columnsOf = async (rows, table) => (await rows(`select column_name as name from (describe ${table})`)).map(({ name }) => name);
const without = (names, others) => names.filter((name) => !others.some((other) => other.toLowerCase() === name.toLowerCase()));

// An earlier release says nothing of columns that are new since: * in each of its rows.
async function attackTogether(settings, rows, table) {
  await rows(`create or replace table ${table} as\n${await attackOf(settings, rows, settings.sensitive, await earlierAsNow(settings, rows))}`);
}

async function earlierAsNow(settings, rows) {
  const earlier = [];
  for (const each of tablesOfEarlier()) {
    const since = without(settings.qi, await columnsOf(rows, each));
    if (since.length) await rows(`create or replace table ${each}_and_new as select *, ${since.map((name) => `'*' as ${identifier(name)}`).join(", ")} from ${each}`);
    earlier.push(since.length ? `${each}_and_new` : each);
  }
  return earlier;
}

// Is any value certain by all releases that was not by the earlier ones alone? failing: of how many people a value
// is, by sensitive column: who of them is not found again here counts as new.
async function addsToEarlier(settings, rows, failing) {
  const earlier = await earlierAsNow(settings, rows);
  const certain = async (isEarlierAlone) => `select ${identifier(settings.unit ?? idOf())} as whose, sensitive, ` +
    `unnest(list_distinct(if(posterior = 1, candidates, [])${settings.unit ? " || coalesce(certain, [])" : ""})) as value ` +
    `from (${await attackOf(settings, rows, settings.sensitive, earlier, { macro: "intersection_attack", isEarlierAlone })})`;
  await rows(`create or replace table certain_now as ${await certain(false)}`);
  const [{ n }] = await rows(`select count(*) as n from (from certain_now except ${await certain(true)})`);
  const found = new Map((await rows("select sensitive, count(distinct whose) as n from certain_now group by sensitive")).map((row) => [row.sensitive, row.n]));
  return n > 0 || failing.some(({ sensitive, people }) => (found.get(sensitive) ?? 0) < people);
}

// Is somebody not found in the earlier releases, whatever this one is? Then no change of it makes all known.
async function isUnseenInEarlier(settings, rows) {
  await rows(`create or replace table earlier_alone as ${await attackOf(settings, rows, settings.sensitive, await earlierAsNow(settings, rows), { isEarlierAlone: true })}`);
  return (await rows(call("_blind_spots", ["earlier_alone"], {}))).some(({ asked, lost, unread }) => asked === 0 || lost > 1e-9 || unread > 0);
}

// Nobody may be certain by both releases: verdict, people (of whom somebody would be), why it is not known, and
// what is told. open: the same in numbers. table:
// the attack on both, which is made if it is another one than that of the release.
async function judged(settings, rows, table, isSampled) {
  if (table !== "together") await attackTogether(settings, rows, table);
  await rows("create or replace table bounds as from sqlanon._bounds(map {'pvp_100': 0})");
  const verdicts = await rows(call("_verdicts_of_bounds", [table, "bounds", isSampled], {}));
  const open = verdicts.filter(({ verdict }) => verdict !== "holds");
  if (!open.length && !state.gone.length) return { verdict: "holds" };
  const ofGone = state.gone.length ? [text("blind.gone", { columns: state.gone.join(", ") })] : [];
  const blind = (await rows(call("_blind_spots", [table], {}))).filter(({ blind: says }) => says);
  const why = new Map(blind.map((each) => [each.sensitive, whyNotKnown(each)]));
  if (isSampled) for (const { sensitive } of open) why.set(sensitive, [...(why.get(sensitive) ?? []), text("blind.sampled")]);
  const isFailing = open.some(({ verdict }) => verdict === "fails"), isPast = isFailing && !await addsToEarlier(settings, rows, open.filter(({ verdict }) => verdict === "fails"));
  const isFitting = isFailing || !(state.gone.length || isSampled || await isUnseenInEarlier(settings, rows));
  return {
    verdict: isFailing && !isPast ? "fails" : "not known", isPast, isFitting,
    people: isPast ? 0 : open.reduce((sum, each) => sum + (each.people ?? 0), 0),
    why: [...new Set([...[...why.values()].flat(), ...ofGone, ...(isPast ? [text("together.past")] : [])])],
    open: [isPast && open.map(({ sensitive, people }) => [sensitive, people]), ...blind.map(({ sensitive, lost, contradictory, unread, shared, unfinished }) => [sensitive, lost, contradictory, unread, shared, unfinished]), ...state.gone],
    told: [...ofGone, ...open.map(({ sensitive, people }) => `${sensitive} – ` + [people ? counted("together.certain_of", people) : "",
      ...(why.get(sensitive) ?? (people ? [] : [text("blind.other")]))].filter(Boolean).join(text("together.next"))),
      ...(isPast ? [text("together.past")] : [])],
  };
}

// What keeps an attack on several releases from finding everything, a text each.
function whyNotKnown({ asked, lost, contradictory, unread, shared, unfinished }) {
  const some = (key, share) => share > 1e-9 && counted(`blind.${key}`, Math.max(1, Math.round((share * asked) / 100)), { of: count(asked) });
  const told = [asked === 0 && text("blind.nobody"), some("lost", lost), some("contradictory", contradictory - lost),
    unread > 0 && text("blind.unread", { share: percent(unread) }), shared === 0 && text("blind.shared"), some("unfinished", unfinished)];
  return told.filter(Boolean);
}

const sentence = (said) => said.charAt(0).toLocaleUpperCase(current()) + said.slice(1);

const toldTogether = ({ verdict, told }) => (verdict === "holds" ? text("together.nobody", { earlier: state.earlier })
  : text("together.tell", { earlier: state.earlier, told: told.join(". ") }));

function tellJudged(judgement) {
  const { verdict } = judgement;
  const told = toldTogether(judgement) + saidOfWords();
  const isAccepted = verdict === "accepted";
  const isAnswered = (column, [there, here]) => state.same.get(column)?.get(there) === here || state.answered.has(JSON.stringify([column, there, here]));
  const isAsked = (state.words ?? []).some(({ column, pairs }) => pairs.some((pair) => !isAnswered(column, pair)));
  const isAskedOfValues = state.release.settings.sensitive.some((column) => !state.answered.has(column) && !state.mayChange.has(column));
  at("accept").hidden = !state.open || isAsked;
  say("accept-now", text(isAccepted ? "found.undo" : "accept.now"));
  if (verdict === "holds" || isAccepted) tellTogether(null, told, { isAccepted, sure: judgement.sure });
  else {
    const first = isAsked || isAskedOfValues ? `${text("together.answer_first")} ` : "";
    tellTogether(text(verdict === "fails" ? "release.too_much" : judgement.isPast ? "release.past" : "release.unknown_together"), first + told, judgement);
    at("fit").hidden = Boolean(judgement.isPast) || !judgement.isFitting;
    at("fit-now").hidden = false;
    at("fit-cancel").hidden = at("fit-progress").hidden = true;
    say("fit-status", text("fit.about"));
  }
}

// Somebody answers for what is not known: it is accepted as long as the same is not known.
at("accept-now").addEventListener("click", () => {
  const [reason, by] = ["accept-why", "accept-by"].map((id) => at(id).value.trim());
  if (state.accepted?.of === state.open) state.accepted = null;
  else if (reason && by) state.accepted = { of: state.open, reason, by, at: new Date().toISOString() };
  else {
    at(reason ? "accept-by" : "accept-why").focus();
    return;
  }
  changed(0);
});

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

at("project-file").addEventListener("change", () => {
  if (at("project-file").files.length) openProject(at("project-file").files[0]);
  at("project-file").value = "";
});

// The release that can be downloaded is in the project, as one that is out.
at("get-project").addEventListener("click", async () => {
  const { facts, release, project } = state;
  view.complain("download-error", null);
  try {
    const engine = await starting;
    const releases = [...(project?.releases ?? [])];
    if (!project && state.earlier) releases.push({ name: state.earlier, at: "", csv: await csvOf(engine, "earlier_as_read") });
    if (release?.isSafe) releases.push({ name: `${release.name}-release.csv`, at: facts.madeAt, csv: await csvOf(engine, "release") });
    const decisions = [...(project?.decisions ?? []), { at: facts.madeAt, source: facts.source, answer: answerOf(facts), met: facts.met }];
    const saved = projectOf(state, chosen, releases, decisions);
    view.offer(`${facts.name}.sqlanon.json`, `${JSON.stringify(saved, null, 1)}\n`, "application/json");
  } catch (error) {
    view.complain("download-error", error);
  }
});

const csvOf = async (engine, table) => new TextDecoder().decode(
  await engine.written("of_project.csv", `copy ${table} to 'of_project.csv' (format csv, header)`));

at("get-page").addEventListener("click", async () => {
  const { facts } = state;
  view.complain("download-error", null);
  try {
    const page = await decisionPage(facts);
    view.offer(`${facts.name}-decision.html`, page, "text/html");
    view.offer(`${facts.name}-decision.json`, `${JSON.stringify({ answer: answerOf(facts), notLookedAt: facts.together ? ["leavers", "moved", "exact_cover", "insert_only", "correspondence", "complementary_release"] : ["earlier releases"], ...facts }, null, 2)}\n`, "application/json");
  } catch (error) {
    view.complain("download-error", error);
  }
});

speakAgain(current());
