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

// The methods. byLevels: they recode by hierarchies alone, and may leave rows out. takes: of requirements, if
// not all. hasHierarchies: false where there are none. options: what all calls say. Those of groups have the
// algorithm that needs no Python.
export const METHODS = {
  mondrian: {},
  optimal: { byLevels: true },
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
// method, levels (by column) and suppressed, the share of rows that may be.
export class Settings {
  constructor(roles, hierarchies, requirements, method, levels, suppressed) {
    this.roles = roles;
    this.qi = this.having("qi");
    this.sensitive = this.having("sensitive");
    this.keep = this.having("keep");
    this.units = this.having("unit");
    this.unit = this.units[0] ?? null;
    this.method = method;
    const { byLevels, hasLevels, hasHierarchies, options } = METHODS[method];
    this.hierarchies = hasHierarchies === false ? [] : hierarchies.filter(({ column }) => this.qi.includes(column));
    this.requirements = requirements;
    this.levels = hasLevels ? new Map(this.qi.map((name) => [name, levels.get(name) ?? 0])) : null;
    this.options = { ...options, ...(byLevels ? { suppression_limit: suppressed } : {}) };
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
    const made = call(this.method, [copy ? "people_counted" : "people"], {
      qi, sensitive: sensitive.length ? sensitive : null, keep: kept.length ? kept : null,
      hierarchies: this.hierarchyTable, ...this.requirements, unit,
      levels: this.levels ? [...this.levels.values()] : null, ...this.options,
    });
    return [
      ...(copy ? ["create or replace table people_counted as\n" +
        `select *, ${identifier(unit)} as ${identifier(copy)} from people`] : []),
      `create or replace table checked as\n${made}`,
      `create or replace table release as\nselect *${copy ? ` exclude (${identifier(copy)})` : ""} from checked`,
    ];
  }

  // The classes of the release, as a table (made by a statement, if by any) and the columns that tell them
  // apart: those of Anatomy are its buckets.
  get classes() {
    if (this.method !== "anatomize") return { table: "checked", qi: this.qi, statement: null };
    const values = this.sensitive.map((name) => `unnest(${identifier(name)}) as ${identifier(name)}`).join(", ");
    return { table: "bucket_values", qi: ["bucket"],
      statement: `create or replace table bucket_values as\nselect distinct bucket, ${values} from checked` };
  }

  // Whose a row of these classes is, if they have it.
  get unitOfClasses() {
    return this.method === "anatomize" ? null : this.copy;
  }

  // Classes that violate a requirement. is_whole: no row was left out.
  violations(isWhole) {
    const { table, qi } = this.classes;
    if (this.method === "mu_argus") {
      return `${call("wildcard_frequencies", ["checked"], { qi })}\nwhere frequency < ${this.requirements.k}`;
    }
    return call("violations", [table], {
      qi, sensitive: this.common.sensitive, hierarchies: this.hierarchyTable, ...this.requirements,
      released: true, unit: this.unitOfClasses,
      reference: isWhole ? null : this.copy ? "people_counted" : "people",
    });
  }

  // Its columns, and whether one of them names people.
  leaving() {
    return call("leaving_columns", ["release"], {
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

  risk(isReleased) {
    return call("risk", [isReleased ? "checked" : "people"], {
      qi: this.qi, released: isReleased, unit: isReleased ? this.copy : this.unit,
    });
  }
}

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
// known of its columns; version: of the page.
export function policyOf(settings, table, said, look, version) {
  const of = (name) => look.find((column) => column.column_name === name);
  const line = (name) => {
    const { type, row_count, filled, distinct_values } = of(name);
    const nulls = row_count ? (100 * (1 - filled / row_count)).toFixed(1) : "0.0";
    return `    ${string(name)},  # ${type}, ${distinct_values.toLocaleString("en")} distinct, ${nulls}% NULL`;
  };
  const role = (name) => [`${name} = [`, ...settings.having(name).map(line), "]"];
  const lines = [
    `# A policy for ${string(table.file.name)} (${look[0].row_count.toLocaleString("en")} rows), ` +
      `by the page of sqlanon ${version}.`,
    "confirmed = true",
  ];
  const input = [];
  const types = new Map(table.names.map((name) => [name, table.said?.(name, said) ?? ""]).filter(([, type]) => type));
  if (types.size) input.push(`types = {${[...types].map(([name, type]) => `${key(name)} = ${string(type)}`).join(", ")}}`);
  if (table.header && !table.header.hasHeader) input.push(`names = ${array(table.names)}`);
  if (table.missing?.length) input.push(`missing = ${array(table.missing)}`);
  if (input.length) lines.push("", "[input]", ...input);
  lines.push("", "[roles]", ...role("identifier"), ...role("qi"), ...role("sensitive"), ...role("keep"));
  if (settings.unit) lines.push(`unit = ${string(settings.unit)}`);
  const others = settings.having("none");
  if (others.length) lines.push("# In no role, and not released:", ...others.map((name) => `# ${line(name)}`));
  for (const each of settings.hierarchies) lines.push("", `[hierarchies.${key(each.column)}]`, ...hierarchyOf(each));
  lines.push("", "[requirements]");
  for (const [name, value] of Object.entries(settings.requirements)) lines.push(`${name} = ${value}`);
  lines.push("", "[method]", `name = ${string(settings.method)}`);
  for (const [name, value] of Object.entries(settings.options)) lines.push(`${name} = ${option(value)}`);
  if (settings.levels) {
    lines.push(`levels = {${[...settings.levels].map(([name, level]) => `${key(name)} = ${level}`).join(", ")}}`);
  }
  return `${lines.join("\n")}\n`;
}

// What the page has run, for the DuckDB shell. columns: of the table people, with their types.
export function scriptOf(settings, table, columns, isWhole) {
  const release = `${table.file.name.replace(/\.[^.]*$/, "")}-release.csv`;
  const statements = [
    ["attach if not exists 'sqlanon.duckdb' as sqlanon (read_only)"],
    [table.script(columns)],
    settings.hierarchiesStatement("./") && [settings.hierarchiesStatement("./")],
    ...settings.releaseStatements().map((each) => [each]),
    settings.classes.statement && [settings.classes.statement],
    [settings.violations(isWhole), "No rows: it holds."],
    [`copy release to ${literal(`./${release}`)} (format csv, header)`],
  ];
  return "-- What the page of sqlanon has run. Run it in the folder of the file and of sqlanon.duckdb (which\n" +
    "-- 'sqlanon sql -o sqlanon.duckdb' writes): duckdb < release.sql\n\n" +
    statements.filter(Boolean).map(([statement, note]) => `${note ? `-- ${note}\n` : ""}${statement};\n`).join("\n");
}
