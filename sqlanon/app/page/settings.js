// What the user has chosen: as calls of the library, as a policy, and as a script.

import { Refused } from "./engine.js";
import { text } from "./language.js";
import { call, identifier, literal } from "./sql.js";

// Requirements of every class, with their sliders.
export const REQUIREMENTS = [
  { id: "k", least: 2, most: 50, step: 1, start: 5, on: true },
  { id: "l", least: 2, most: 10, step: 1, start: 2, on: true, ofValues: true },
  { id: "entropy_l", least: 1.1, most: 8, step: 0.1, start: 2, ofValues: true },
  { id: "alpha", least: 0.05, most: 1, step: 0.05, start: 0.75, ofValues: true, isShare: true },
  { id: "t", least: 0.05, most: 1, step: 0.05, start: 0.5, ofValues: true },
];

// The methods. byLevels: they recode by hierarchies alone, and may leave rows out. weighs: columns that matter
// more stay finer. takes: of requirements, if not all. hasHierarchies: false where there are none. options: what all calls say. Those of groups have the
// algorithm that needs no Python.
export const METHODS = {
  mondrian: { weighs: true },
  optimal: { byLevels: true, weighs: true },
  samarati: { byLevels: true },
  datafly: { byLevels: true },
  generalize: { byLevels: true, hasLevels: true },
  k_similar: { options: { algorithm: "curve" } },
  microaggregate: { options: { algorithm: "curve" } },
  mu_argus: { takes: ["k"], hasHierarchies: false },
  anatomize: { takes: ["l"], hasHierarchies: false },
};

export const ROLES = ["identifier", "qi", "sensitive", "keep", "unit", "none"];

// What makes a hierarchy of which columns; breaks is interval by its other parameter. numbers: what is said of
// it, with an example.
export const BUILDERS = {
  interval: { fits: isNumber, numbers: "widths", example: "5, 10, 20" },
  breaks: { fits: isNumber, numbers: "breaks", example: "18, 65, 90" },
  mask: { fits: (type) => !isNumber(type) && !isTime(type) },
  date: { fits: isTime },
  icd10: { fits: (type) => type === "VARCHAR" },
  flat: { fits: () => true },
  file: { fits: () => true },
};

function isNumber(type) {
  return /INT|DOUBLE|FLOAT|DECIMAL/.test(type);
}

function isTime(type) {
  return /^(DATE|TIMESTAMP)/.test(type);
}

const macroOf = (builder) => `${builder === "breaks" ? "interval" : builder}_hierarchy`;

// Roles (a map by column), hierarchies (by quasi-identifier: builder, numbers or file), requirements (by id),
// method, levels (by column), suppressed, the share of rows that may be, and importance (by column, from -2 to
// 2: 0 is that of all).
export class Settings {
  constructor(roles, hierarchies, requirements, method, levels, suppressed, importance = new Map()) {
    Object.assign(this, { roles, given: { hierarchies, requirements, method, levels, suppressed, importance } });
    this.names = { checked: "checked", release: "release" }; // of the tables that are made
    this.change = null;
    this.qi = this.having("qi");
    this.sensitive = this.having("sensitive");
    this.keep = this.having("keep");
    this.units = this.having("unit");
    this.unit = this.units[0] ?? null;
    this.method = method;
    const { byLevels, hasLevels, hasHierarchies, options, weighs } = METHODS[method];
    const differs = weighs && new Set(this.qi.map((name) => importance.get(name) ?? 0)).size > 1;
    this.weights = differs ? new Map(this.qi.map((name) => [name, 2 ** (importance.get(name) ?? 0)])) : null;
    this.hierarchies = hasHierarchies === false ? [] : hierarchies.filter(({ column }) => this.qi.includes(column));
    this.requirements = requirements;
    this.levels = hasLevels ? new Map(this.qi.map((name) => [name, levels.get(name) ?? 0])) : null;
    this.options = { ...options, ...(byLevels ? { suppression_limit: suppressed } : {}) };
  }

  // The same with a change: requirements (beside those that are there), more (parameters of the method),
  // suppressed (the share of rows), by_scheme (with the labels of the earlier release). prefix: of the tables
  // that are made.
  changed(change, prefix = "") {
    const { hierarchies, requirements, method, levels, suppressed, importance } = this.given;
    const made = new Settings(this.roles, hierarchies, { ...requirements, ...change.requirements }, method, levels,
      change.suppressed ?? suppressed, importance);
    if (change.suppressed !== undefined) made.options.suppression_limit = change.suppressed;
    return Object.assign(made, { change, names: { checked: `${prefix}checked`, release: `${prefix}release` } });
  }

  // What holds within each class, as far as it can be checked there.
  get requirementsOfClasses() {
    const { composed_l: _, ...others } = this.requirements;
    return others;
  }

  having(role) {
    return [...this.roles].filter(([, each]) => each === role).map(([name]) => name);
  }

  // Errors: Refused, for what no call could say.
  check() {
    if (!this.qi.length) throw new Refused(text("release.no_qi"));
    if (!Object.keys(this.requirements).length) throw new Refused(text("release.nothing_required"));
    if (this.units.length > 1) throw new Refused(text("columns.two_units", { columns: this.units.join(", ") }));
    if (this.unit && this.method === "mu_argus") {
      throw new Refused(text("method.no_unit", { method: text("method.mu_argus") }));
    }
    for (const { column, builder, numbers, file } of this.hierarchies) {
      if (builder === "file" && !file) throw new Refused(text("columns.no_file", { column }));
      const { example } = BUILDERS[builder];
      if (example && !(numbers?.length && numbers.every(Number.isFinite))) {
        throw new Refused(text("columns.no_numbers", { column, example }));
      }
    }
  }

  // Of what all calls say.
  get common() {
    return { qi: this.qi, sensitive: this.sensitive.length ? this.sensitive : null };
  }

  // What makes the table of hierarchies; null if there are none. folder: where their files are.
  hierarchiesStatement(folder = "") {
    if (!this.hierarchies.length) return null;
    const made = this.hierarchies.map(({ column, builder, numbers, file }) => (builder === "file"
      ? call("read_hierarchy", [`${folder}${file.name}`, column])
      : call(macroOf(builder), ["people", column], numbers ? { [BUILDERS[builder].numbers]: numbers } : {})));
    return `create or replace table hierarchies as\n${made.join("\nunion all ")}`;
  }

  get hierarchyTable() {
    return this.hierarchies.length ? "hierarchies" : null;
  }

  // Where there is a unit, the release is made with a copy of it, so that people can be counted, and leaves
  // without.
  get copy() {
    if (!this.unit) return null;
    return `person${"_".repeat(Math.max(...[...this.roles.keys()].map((name) => name.length)))}`; // no column is called so
  }

  // The statements that make checked, and of it the release.
  releaseStatements() {
    const { qi, sensitive, keep, unit, copy } = this;
    const kept = [...keep, ...(copy ? [copy] : [])];
    const source = copy ? "people_counted" : "people";
    const common = { qi, sensitive: sensitive.length ? sensitive : null, keep: kept.length ? kept : null,
      ...this.requirements, unit };
    const made = this.change?.by_scheme
      ? call("recode", [source, "scheme"], { ...common, suppression_limit: this.options.suppression_limit })
      : call(this.method, [source], {
        ...common, hierarchies: this.hierarchyTable,
        levels: this.levels ? [...this.levels.values()] : null,
        weights: this.weights ? [...this.weights.values()] : null, ...this.options, ...this.change?.more,
      });
    const { checked, release } = this.names;
    return [
      ...(copy ? ["create or replace table people_counted as\n" +
        `select *, ${identifier(unit)} as ${identifier(copy)} from people`] : []),
      ...(this.change?.by_scheme ? ["create or replace table scheme as\n" +
        call("scheme_of_cuts", ["earlier"], { qi, hierarchies: this.hierarchyTable })] : []),
      `create or replace table ${checked} as\n${made}`,
      `create or replace table ${release} as\nselect *${copy ? ` exclude (${identifier(copy)})` : ""} from ${checked}`,
    ];
  }

  // The classes of the release, as a table (made by a statement, if by any) and the columns that tell them
  // apart: those of Anatomy are its buckets.
  get classes() {
    const { checked } = this.names;
    if (this.method !== "anatomize") return { table: checked, qi: this.qi, statement: null };
    const values = this.sensitive.map((name) => `unnest(${identifier(name)}) as ${identifier(name)}`).join(", ");
    return { table: "bucket_values", qi: ["bucket"],
      statement: `create or replace table bucket_values as\nselect distinct bucket, ${values} from ${checked}` };
  }

  // Whose a row of these classes is, if they have it.
  get unitOfClasses() {
    return this.method === "anatomize" ? null : this.copy;
  }

  // Classes that violate a requirement. is_whole: no row was left out.
  violations(isWhole) {
    const { table, qi } = this.classes;
    if (this.method === "mu_argus") {
      return `${call("wildcard_frequencies", [this.names.checked], { qi })}\nwhere frequency < ${this.requirements.k}`;
    }
    return call("violations", [table], {
      qi, sensitive: this.common.sensitive, hierarchies: this.hierarchyTable, ...this.requirementsOfClasses,
      released: true, unit: this.unitOfClasses,
      reference: isWhole ? null : this.copy ? "people_counted" : "people",
    });
  }

  // Its columns, and whether one of them names people.
  leaving() {
    return call("leaving_columns", [this.names.release], {
      ...this.common, original: this.unit ? "people" : null, id: this.unit,
    });
  }

  // What models reach: of the table, or of the release.
  privacy(isReleased) {
    const { table, qi } = isReleased ? this.classes : { table: "people", qi: this.qi };
    return call("privacy", [table], {
      qi, sensitive: this.common.sensitive, hierarchies: this.hierarchyTable, released: isReleased,
      unit: isReleased ? this.unitOfClasses : this.unit,
    });
  }

  // How much is lost over all columns, a share.
  lossStatement() {
    const lost = call("utility", ["people", this.names.release], { qi: this.qi, hierarchies: this.hierarchyTable, queries: 1 });
    return `select any_value(value) as loss from (${lost}) where id = 'gcp' and attribute is null`;
  }

  risk(isReleased) {
    return call("risk", [isReleased ? this.names.checked : "people"], {
      qi: this.qi, released: isReleased, unit: isReleased ? this.copy : this.unit,
    });
  }
}

// What files about a table are called after.
export const stem = ({ title }) => title.replace(/\.[^.]*$/, "");

// TOML

const string = (value) => JSON.stringify(value).replaceAll("\x7f", "\\u007f");
const array = (texts) => `[${texts.map(string).join(", ")}]`;
export const key = (name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : string(name));
const number = (value) => (Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(0) : String(value));
const option = (value) => (typeof value === "string" ? string(value) : String(value));

function hierarchyOf({ builder, numbers, file }) {
  if (builder === "file") return [`file = ${string(file.name)}`];
  const { numbers: parameter } = BUILDERS[builder];
  return [`builder = ${string(parameter ? "interval" : builder)}`,
    ...(parameter ? [`${parameter} = [${numbers.map(number).join(", ")}]`] : [])];
}

// The settings as a policy that `sqlanon anonymize --policy` takes. table: how the file is read; look: what is
// known of its columns; version: of the page; mayChange: columns whose values may be others next time.
export function policyOf(settings, table, said, look, version, mayChange) {
  const of = (name) => look.find((column) => column.column_name === name);
  const line = (name) => {
    const { type, row_count, filled, distinct_values } = of(name);
    const nulls = row_count ? (100 * (1 - filled / row_count)).toFixed(1) : "0.0";
    return `    ${string(name)},  # ${type}, ${distinct_values.toLocaleString("en")} distinct, ${nulls}% NULL`;
  };
  const role = (name) => [`${name} = [`, ...settings.having(name).map(line), "]"];
  const lines = [
    `# A policy for ${string(table.title)} (${look[0].row_count.toLocaleString("en")} rows), ` +
      `by the page of sqlanon ${version}.`,
    "confirmed = true",
  ];
  const input = [];
  const types = new Map(table.names.map((name) => [name, table.said?.(name, said) ?? ""]).filter(([, type]) => type));
  if (types.size) input.push(`types = {${[...types].map(([name, type]) => `${key(name)} = ${string(type)}`).join(", ")}}`);
  if (table.header && !table.header.hasHeader) input.push(`names = ${array(table.names)}`);
  if (table.missing?.length) input.push(`missing = ${array(table.missing)}`);
  if (table.leftOut) input.push("only_table = true");
  const header = table.header?.header ?? table.names;
  if (header.some((name, i) => name !== table.names[i])) {
    const pairs = header.map((name, i) => array(name === table.names[i] ? [name] : [name, table.names[i]]));
    input.push("rename = [", ...pairs.map((pair) => `    ${pair},`), "]");
  }
  const { trim, fold, missingIn, digits } = table.repairs;
  if (trim.size) input.push(`trim = ${array([...trim])}`);
  if (fold.size) input.push(`fold = ${array([...fold])}`);
  for (const [name, marks] of missingIn) input.push(`missing_in.${key(name)} = ${array(marks)}`);
  for (const [name, most] of digits) input.push(`digits.${key(name)} = ${most}`);
  if (input.length) lines.push("", "[input]", ...input);
  lines.push("", "[roles]", ...role("identifier"), ...role("qi"), ...role("sensitive"), ...role("keep"));
  if (settings.unit) lines.push(`unit = ${string(settings.unit)}`);
  const others = settings.having("none");
  if (others.length) lines.push("# In no role, and not released:", ...others.map((name) => `# ${line(name)}`));
  for (const each of settings.hierarchies) lines.push("", `[hierarchies.${key(each.column)}]`, ...hierarchyOf(each));
  lines.push("", "[requirements]");
  for (const [name, value] of Object.entries(settings.requirements)) lines.push(`${name} = ${value}`);
  const { change } = settings;
  if (change?.more?.known) lines.push('known = "register"  # for sqlanon publish, whose register has the earlier release');
  lines.push("", "[method]", `name = ${string(settings.method)}`);
  if (change?.more?.based_on) lines.push('based_on = "register"  # for sqlanon publish, whose register has the earlier release');
  if (change?.by_scheme) lines.push('scheme = "register"  # for sqlanon publish, whose register has the earlier release');
  for (const [name, value] of Object.entries(settings.options)) lines.push(`${name} = ${option(value)}`);
  if (settings.levels) {
    lines.push(`levels = {${[...settings.levels].map(([name, level]) => `${key(name)} = ${level}`).join(", ")}}`);
  }
  if (settings.weights) {
    lines.push(`weights = {${[...settings.weights].map(([name, weight]) => `${key(name)} = ${weight}`).join(", ")}}`);
  }
  if (mayChange.length) lines.push("", "[judge]", `values_may_change = ${array(mayChange)}`);
  return `${lines.join("\n")}\n`;
}

// What the page has run, for the DuckDB shell. columns: of the table people, with their types.
export function scriptOf(settings, table, columns, isWhole) {
  const release = `${stem(table)}-release.csv`;
  const statements = [
    ["attach if not exists 'sqlanon.duckdb' as sqlanon (read_only)"],
    [table.script(columns)],
    settings.hierarchiesStatement("./") && [settings.hierarchiesStatement("./")],
    ...settings.releaseStatements().map((each) => [each]),
    settings.classes.statement && [settings.classes.statement],
    [settings.violations(isWhole), "No rows: it holds."],
    [`copy release to ${literal(`./${release}`)} (format csv, header)`],
  ];
  const earlier = settings.change ? "-- The table earlier is the earlier release: make it first, of its file.\n" : "";
  return `${earlier}-- What the page of sqlanon has run. Run it in the folder of the file and of sqlanon.duckdb (which\n` +
    "-- 'sqlanon sql -o sqlanon.duckdb' writes): duckdb < release.sql\n\n" +
    statements.filter(Boolean).map(([statement, note]) => `${note ? `-- ${note}\n` : ""}${statement};\n`).join("\n");
}
