// What the user has chosen: as calls of the library, as a policy, and as a script.

import { call, literal } from "./sql.js";

// Requirements of every class, with their sliders.
export const REQUIREMENTS = [
  { id: "k", name: "k-anonymity", least: 2, most: 50, step: 1, start: 5, on: true,
    meaning: (value) => `Every class has ${value} rows or more that look alike.` },
  { id: "l", name: "l-diversity", least: 2, most: 10, step: 1, start: 2, on: true, ofValues: true,
    meaning: (value) => `Every class has ${value} sensitive values or more.` },
  { id: "entropy_l", name: "entropy l-diversity", least: 1.1, most: 8, step: 0.1, start: 2, ofValues: true,
    meaning: (value) => `They are as mixed as ${value} equally frequent values.` },
  { id: "alpha", name: "(alpha, k)-anonymity", least: 0.05, most: 1, step: 0.05, start: 0.75, ofValues: true,
    meaning: (value) => `No sensitive value has a larger share of a class than ${percent(value)}.` },
  { id: "t", name: "t-closeness", least: 0.05, most: 1, step: 0.05, start: 0.5, ofValues: true,
    meaning: (value) => `A class’s sensitive values are no farther from those of all than ${value}.` },
];

export const ROLES = {
  identifier: "identifier: never leaves",
  qi: "quasi-identifier: recoded",
  sensitive: "sensitive: leaves as it is",
  keep: "kept: leaves as it is",
  none: "not released",
};

export const BUILDERS = {
  interval: "intervals", mask: "masked digits", date: "months to decades",
  icd10: "categories and chapters", ranges: "ranges and sets",
};

const percent = (share) => `${Math.round(100 * share)} %`;

// Roles (a map by column), hierarchies (by quasi-identifier: builder, widths), and requirements (by id).
export class Settings {
  constructor(roles, hierarchies, requirements) {
    this.roles = roles;
    this.qi = this.having("qi");
    this.sensitive = this.having("sensitive");
    this.keep = this.having("keep");
    this.hierarchies = hierarchies.filter(({ column }) => this.qi.includes(column));
    this.requirements = requirements;
  }

  having(role) {
    return [...this.roles].filter(([, each]) => each === role).map(([name]) => name);
  }

  // Of what all calls say.
  get common() {
    return { qi: this.qi, sensitive: this.sensitive.length ? this.sensitive : null };
  }

  // What makes the table of hierarchies; null if there are none.
  hierarchiesStatement() {
    if (!this.hierarchies.length) return null;
    const made = this.hierarchies.map(({ column, builder, widths }) =>
      call(`${builder}_hierarchy`, ["people", column], builder === "interval" ? { widths } : {}));
    return `create or replace table hierarchies as\n${made.join("\nunion all ")}`;
  }

  get hierarchyTable() {
    return this.hierarchies.length ? "hierarchies" : null;
  }

  releaseStatement(name) {
    return `create or replace table ${name} as\n` + call("mondrian", ["people"], {
      ...this.common, keep: this.keep.length ? this.keep : null, hierarchies: this.hierarchyTable,
      ...this.requirements,
    });
  }

  // Classes that violate a requirement.
  violations(name) {
    return call("violations", [name], {
      ...this.common, hierarchies: this.hierarchyTable, ...this.requirements, released: true,
    });
  }

  // Its columns, and whether one of them names people.
  leaving(name) {
    return call("leaving_columns", [name], this.common);
  }

  privacy(name, released) {
    return call("privacy", [name], { ...this.common, hierarchies: this.hierarchyTable, released });
  }
}

// TOML

const string = (text) => JSON.stringify(text).replaceAll("\x7f", "\\u007f");
const array = (texts) => `[${texts.map(string).join(", ")}]`;
export const key = (name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : string(name));
const number = (value) => (Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(0) : String(value));

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
  const others = settings.having("none");
  if (others.length) lines.push("# In no role, and not released:", ...others.map((name) => `# ${line(name)}`));
  for (const { column, builder, widths } of settings.hierarchies) {
    lines.push("", `[hierarchies.${key(column)}]`, `builder = ${string(builder)}`);
    if (builder === "interval") lines.push(`widths = [${widths.map(number).join(", ")}]`);
  }
  lines.push("", "[requirements]");
  for (const [name, value] of Object.entries(settings.requirements)) lines.push(`${name} = ${value}`);
  lines.push("", "[method]", 'name = "mondrian"');
  return `${lines.join("\n")}\n`;
}

// What the page has run, for the DuckDB shell. columns: of the table people, with their types.
export function scriptOf(settings, table, columns) {
  const release = `${table.file.name.replace(/\.[^.]*$/, "")}-release.csv`;
  const statements = [
    ["attach if not exists 'sqlanon.duckdb' as sqlanon (read_only)"],
    [table.script(columns)],
    settings.hierarchiesStatement() && [settings.hierarchiesStatement()],
    [settings.releaseStatement("release")],
    [settings.violations("release"), "No rows: it holds."],
    [`copy release to ${literal(`./${release}`)} (format csv, header)`],
  ];
  return "-- What the page of sqlanon has run. Run it in the folder of the file and of sqlanon.duckdb (which\n" +
    "-- 'sqlanon sql -o sqlanon.duckdb' writes): duckdb < release.sql\n\n" +
    statements.filter(Boolean).map(([text, note]) => `${note ? `-- ${note}\n` : ""}${text};\n`).join("\n");
}

