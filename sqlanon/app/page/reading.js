// A file as a table, as the command line reads it: a column of a text file gets the narrowest type that every
// value survives, and what leaves unchanged stays as it is written.

import { Refused } from "./engine.js";
import { beside, confinedWorker } from "./confined.js";
import { tableAlone } from "./framed.js";
import { current, text } from "./language.js";
import { DELIMITERS, LINES, records } from "./records.js";
import { csvOfSheet, isPacked, sheetsOf } from "./sheets.js";
import { identifier, list, literal } from "./sql.js";
import { readings, typeSaid } from "./view.js";

const SAMPLE = 2000; // rows that are looked at first
const AT_ONCE = 500; // tests in a statement: longer ones take longer to plan than several
const START = 1 << 20; // bytes that the first lines are looked for in
const BEHIND_A_BLANK = " behind a blank"; // of a type: all values have it, as in 39, 13, 40
const FORMATTED = "formatted "; // before a type that says how its values are written: date %d.%m.%Y
const CENTURY = / from (\d{4})$/; // of which hundred years those with two digits are
const EXACT = ["boolean", "bigint", "double", "decimal", "date", "time", "timestamp"];

// What a column of a text file can be said to be, and what DuckDB calls it.
const TIMES = ["date", "time", "timestamp"];
export const TYPES = {
  text: "varchar", boolean: "boolean", integer: "bigint", double: "double", date: "date", time: "time",
  timestamp: "timestamp",
};

// A file as CSV in UTF-8, as the command line reads it. Of a spreadsheet it is one sheet, the first one if none
// is named: sheets has the names of all, sheet the one. Other files are Windows-1252 if they are not UTF-8, but
// for what begins as UTF-16 does: encoding is what it was, null where it is UTF-8.
export async function asText(file, named = null) {
  if (!(await isPacked(file))) return { ...(await asUtf8(file)), sheets: [], sheet: null };
  const sheets = await sheetsOf(file);
  const chosen = sheets.find(({ sheet }) => sheet === named) ?? sheets[0];
  return { file: csvOfSheet(chosen.data, file), encoding: null, sheets: sheets.map(({ sheet }) => sheet), sheet: chosen.sheet };
}

async function asUtf8(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let encoding = null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) encoding = "utf-16le";
  else if (bytes[0] === 0xfe && bytes[1] === 0xff) encoding = "utf-16be";
  else {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return { file, encoding };
    } catch {
      encoding = "windows-1252";
    }
  }
  return { file: new File([new TextDecoder(encoding).decode(bytes)], file.name), encoding };
}

export const isParquet = async (file) => (await file.slice(0, 4).text()) === "PAR1";

const position = (i) => `c${i + 1}`;

// How the file of a text is read: where its rows begin, by which delimiter, and the names of its columns.
// given: names, if the first line is none.
export async function headerOf(file, given = null) {
  const start = new Uint8Array(await file.slice(0, START).arrayBuffer());
  if (start.includes(0)) throw new Refused(text("table.other_kind", { name: file.name }));
  let content;
  try {
    content = new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: file.size > START });
  } catch {
    throw new Refused(text("table.no_utf8", { name: file.name }));
  }
  const lines = content.replace(/\r\n?/g, "\n").split("\n").slice(0, LINES);
  const skip = lines.findIndex((line) => line !== "");
  if (skip < 0) throw new Refused(text("table.no_header", { name: file.name }));
  const candidates = DELIMITERS.map((delimiter) => {
    const [first, ...others] = records(lines.slice(skip).join("\n"), delimiter);
    const even = first.length > 1 && others.slice(0, LINES / 2).every((each) => each.length === first.length);
    const blanks = lines[skip].split(`${delimiter} `).length - 1;
    return { delimiter, first, others, score: [Number(even), first.length, -blanks] };
  });
  const { delimiter, first, others } = candidates.reduce((best, each) => (isMore(each.score, best.score) ? each : best));
  if (given) {
    if (given.length !== first.length) {
      throw new Refused(text("table.wrong_names", { name: file.name, columns: first.length, names: given.length }));
    }
    refuseSame(given, text("table.the_names"));
    return { skip, delimiter, names: given, hasHeader: false, doubt: "" };
  }
  const likeData = first.filter((name, i) => isLikeData(name, others.filter((each) => i < each.length).map((each) => each[i])));
  const doubt = 2 * likeData.length >= first.length
    ? text("table.like_data", { some: likeData.length, columns: first.length })
    : "";
  const header = first.map((name, i) => name.trim() || `column${i}`);
  const names = withOtherNames(header);
  if (doubt && names.some((name, i) => name !== header[i])) throw new Refused(doubt);
  return { skip, delimiter, names, header, hasHeader: true, doubt };
}

// Names of which no two are the same but for case: PLZ and plz_2, from PLZ and plz.
function withOtherNames(header) {
  const taken = (names) => new Set(names.map((name) => name.toLowerCase()));
  return header.reduce((names, name) => {
    let other = name;
    for (let nth = 2; taken(nth > 2 ? [...names, ...header] : names).has(other.toLowerCase()); nth++) other = `${name}_${nth}`;
    return [...names, other];
  }, []);
}

// A text file without titles before its table and sums behind it; leftOut: which lines these are, or null.
export async function withoutFrame(file) {
  const leftOut = tableAlone(await file.text());
  if (!leftOut) return { file, leftOut };
  return { file: new File([leftOut.content], file.name.replace(/(\.[^.]*)?$/, "-table$1")), leftOut };
}

function isMore(score, other) {
  const i = score.findIndex((each, place) => each !== other[place]);
  return i >= 0 && score[i] > other[i];
}

// Is what should be the name of a column one of its values, or a number as they are?
function isLikeData(name, values) {
  const number = /^\s*[-+]?\d+([.,]\d+)?\s*$/;
  const areNumbers = values.length > 0 && values.every((value) => number.test(value));
  return name.trim() !== "" && (values.includes(name) || (areNumbers && number.test(name)));
}

export function refuseSame(names, title) {
  const known = new Map();
  for (const name of names) {
    const other = known.get(name.toLowerCase());
    if (other !== undefined) {
      throw new Refused(text(name === other ? "table.two_columns" : "table.two_alike", { name: title, column: name, other }));
    }
    known.set(name.toLowerCase(), name);
  }
}

// What is repaired of a table when it is read: trim and fold (columns), missingIn (by column, what stands for a
// missing value there), digits (by column of codes that have lost zeros, how many digits these have).
export const noRepairs = () => ({ trim: new Set(), fold: new Set(), missingIn: new Map(), digits: new Map() });

// A query of the rows of another one, whose columns are trimmed and read in one spelling. called: by name, what
// a column is called there.
function cleaned(query, { trim, fold }, called = (name) => name) {
  return [["_with_trimmed", trim], ["_with_one_spelling", fold]].reduce((rows, [macro, columns]) => (columns.size
    ? `with _sqlanon_line as (${rows}) from sqlanon.${macro}('_sqlanon_line', ${list([...columns].map(called))})`
    : rows), query);
}

// The text of a query of all rows of a file, by position, with NULL for what stands for a missing value, and
// otherwise repaired.
function rowsOf(name, header, missing, repairs, encoding = null) {
  const columns = header.names.map((_, i) => `${literal(position(i))}: 'VARCHAR'`).join(", ");
  const values = header.names.map((each, i) => {
    const column = position(i), digits = repairs.digits.get(each);
    const value = digits ? `sqlanon._with_zeros(${column}, ${digits})` : column;
    const marks = [...missing, ...(repairs.missingIn.get(each) ?? [])].map((mark) => literal(mark.trim()));
    return marks.length ? `case when trim(${column}) not in (${marks.join(", ")}) then ${value} end as ${column}`
      : `${value} as ${column}`;
  }).join(", ");
  const rows = `select ${values} from read_csv(${literal(name)}, auto_detect = false, compression = 'uncompressed', ` +
    `comment = '', null_padding = false, hive_partitioning = false, delim = ${literal(header.delimiter)}, ` +
    `quote = '"', escape = '"', header = ${header.hasHeader}, strict_mode = true, skip = ${header.skip}, ` +
    `ignore_errors = false, allow_quoted_nulls = false, ${encoding ? `encoding = ${literal(encoding)}, ` : ""}columns = {${columns}})`;
  return cleaned(rows, repairs, (each) => position(header.names.indexOf(each)));
}

// A CSV file in the table raw, and what its columns are.
export class TextTable {
  // source: what is known of the file, beside its text: title, encoding, sheets, sheet, leftOut.
  constructor(engine, file, header, missing, source, repairs) {
    Object.assign(this, { engine, file, header, missing, source, repairs }, source);
    this.names = header.names;
  }

  static async read(engine, file, header, missing, source, repairs = noRepairs()) {
    const table = new TextTable(engine, file, header, missing, source, repairs);
    await engine.addFile("source", file);
    try {
      await engine.rows(`create or replace table raw as ${rowsOf("source", header, missing, repairs)}`);
    } catch (error) {
      throw new Refused(unreadable(error.message, file.name));
    }
    table.types = await table.narrowest();
    table.formats = await table.formatsOfTexts();
    return table;
  }

  // By column, the types with a format that all values can be read by, of columns that are text otherwise: of
  // those that read all values alike the first. shown: what they make of three values.
  async formatsOfTexts() {
    const texts = this.names.map((_, i) => position(i)).filter((_, i) => !this.types[i]);
    const digits = await this.passed(new Map(texts.map((each) => [each, ["digits"]])));
    const { tried } = await this.engine.row("select sqlanon._formats_tried() as tried");
    let left = new Map([...digits].filter(([, passed]) => passed.length)
      .map(([each]) => [each, tried.map((type) => FORMATTED + type)]));
    const others = texts.filter((each) => !left.has(each)); // which may be numbers with a unit
    const units = others.map((each) => `sqlanon._formats_tried_of_unit(sqlanon._unit_of_numbers(${each}))`).join(", ");
    const { of_units: ofUnits } = await this.engine.row(`select [${units}]::varchar[][] as of_units from (from raw limit ${SAMPLE})`);
    others.forEach((each, i) => { if (ofUnits[i]?.[0]) left.set(each, ofUnits[i].map((type) => FORMATTED + type)); });
    for (const most of [SAMPLE, null]) left = await this.passed(left, most);
    this.shown = new Map();
    return Promise.all(this.names.map(async (_, i) => {
      const passed = (left.get(position(i)) ?? []).map((test) => test.slice(FORMATTED.length));
      if (!passed.length) return [];
      const whole = passed.filter((type) => type.startsWith("integer")), found = whole.length ? whole : passed;
      const ways = await this.engine.rows(
        `select said, shown from sqlanon._ways_to_read('raw', ${literal(position(i))}, ${list(found)})`);
      for (const { said, shown } of ways) this.shown.set(`${i} ${said}`, readings(shown));
      return ways.map(({ said }) => said);
    }));
  }

  // What is said of a column, or the one format that its values have; empty: neither.
  said(name, said) {
    const formats = this.formats[this.names.indexOf(name)];
    return said.get(name) ?? (formats.length === 1 ? formats[0] : "");
  }

  // By column, the first test that holds for all rows. A look at some rows spares most of the work.
  async narrowest() {
    const all = this.names.map((_, i) => position(i));
    const decimals = all.map((each) => `max(length(split_part(${each}, '.', 2)))`).join(", ");
    const { scales } = await this.engine.row(`select [${decimals}] as scales from (from raw limit ${SAMPLE})`);
    const exact = (i) => EXACT.filter((type) => type !== "decimal" || (0 < scales[i] && scales[i] < 18))
      .map((type) => (type === "decimal" ? `decimal(18, ${scales[i]})` : type));
    let left = new Map(all.map((each, i) => [each, [
      ...exact(i), "number", ...exact(i).map((type) => type + BEHIND_A_BLANK), "loosely double",
      "loosely timestamp",
    ]]));
    left = await this.passed(left, SAMPLE);
    const types = new Map();
    for (;;) {
      left = new Map([...left].filter(([each, tests]) => tests.length && !types.has(each)));
      if (!left.size) return all.map((each) => types.get(each) ?? null);
      const passed = await this.passed(new Map([...left].map(([each, tests]) => [each, tests.slice(0, 1)])));
      for (const [each, tests] of passed) if (tests.length) types.set(each, tests[0]);
      left = new Map([...left].map(([each, tests]) => [each, tests.slice(1)]));
    }
  }

  // The tests that hold for all rows, or for the first ones, by column.
  async passed(tests, most = null) {
    const pending = [...tests].flatMap(([column, each]) => each.map((test) => [column, test]));
    if (!pending.length) return new Map();
    const passed = [];
    for (let first = 0; first < pending.length; first += AT_ONCE) {
      const together = pending.slice(first, first + AT_ONCE);
      const answer = await this.engine.row(
        `select passed from sqlanon._tests_passed('raw', ${list(together.map(([column]) => column))}, ` +
        `${list(together.map(([, test]) => test))}, ${most ?? "null"})`);
      passed.push(...answer.passed);
    }
    return new Map([...tests.keys()].map((column) =>
      [column, pending.filter(([name], i) => name === column && passed[i]).map(([, test]) => test)]));
  }

  // The columns with their types, where it is known what they are there for. said: types by name. What of it
  // is worth a word is told.
  async columns(roles, said, tell) {
    const columns = [];
    for (const [i, name] of this.names.entries()) {
      const found = this.types[i];
      const isUnchanged = ["sensitive", "keep"].includes(roles.get(name));
      if (this.formats[i].includes(this.said(name, said))) {
        if (!said.has(name) && roles.get(name) === "qi") {
          const format = this.said(name, said);
          tell(text("columns.one_format", { column: name, format: typeSaid(format), shown: this.shown.get(`${i} ${format}`) }));
        }
        columns.push([i, name, isUnchanged ? null : FORMATTED + this.said(name, said)]);
      } else if (said.has(name)) {
        const type = TYPES[said.get(name)];
        columns.push([i, name, await this.saidType(i, name, said.get(name), type, isUnchanged)]);
      } else if (this.formats[i].length) { // several fit: 01.02.2020
        columns.push([i, name, null]);
        if (roles.get(name) === "qi") {
          const formats = this.formats[i].map((each) => `“${typeSaid(each)}” (${this.shown.get(`${i} ${each}`)})`)
            .join(text("columns.or"));
          tell(text("columns.several_formats", { column: name, formats }));
        }
      } else if (found === "number") columns.push([i, name, isUnchanged ? null : "double"]);
      else if (found?.startsWith("loosely")) {
        columns.push([i, name, null]);
        if (roles.get(name) === "qi") await this.doubt(i, name, found.split(" ")[1], tell);
      } else if (found?.endsWith(BEHIND_A_BLANK)) {
        columns.push([i, name, isUnchanged ? null : found.slice(0, -BEHIND_A_BLANK.length)]);
      } else columns.push([i, name, found]);
    }
    return columns;
  }

  async saidType(i, name, word, type, isUnchanged) {
    if (type === "varchar") return null;
    const column = position(i);
    const read = TIMES.includes(type) ? `sqlanon._without_offset(${column})` : column;
    const { rows, first } = await this.engine.row(
      `select count(*) as rows, min(rowid) + 1 as first from raw ` +
      `where not sqlanon._can_be_read(${column}, try_cast(${read} as ${type}))`);
    if (rows > 0) {
      const shown = (number) => number.toLocaleString(current());
      throw new Refused(text("columns.wrong_type", { column: name, row: shown(first), type: typeSaid(word) }) +
        (rows > 1 ? text("columns.wrong_others", { others: shown(rows - 1) }) : ""));
    }
    const exact = await this.passed(new Map([[column, [type]]]));
    return isUnchanged && !exact.get(column).length ? null : type;
  }

  async doubt(i, name, type, tell) {
    const { code } = await this.engine.row(`select bool_or(sqlanon._is_code(${position(i)})) as code from raw`);
    if (!code) {
      const { shown } = await this.engine.row(
        `select shown from sqlanon._ways_to_read('raw', ${literal(position(i))}, ${list([type])})`);
      tell(text("columns.not_exact", { column: name, type: typeSaid(type), shown: readings(shown) }));
    }
  }

  // What makes the table people of the rows of source.
  statement(columns, source = "raw") {
    const values = columns.map(([i, name, type]) =>
      `${valueOf(position(i), type)} as ${identifier(name)}`);
    return `create or replace table people as select ${values.join(",\n    ")}\nfrom ${source}`;
  }

  // The same for whoever has the file.
  script(columns) {
    const encoding = { "utf-16le": "utf-16", "utf-16be": "utf-16" }[this.encoding];
    const path = `./${this.file.name}`;
    const before = this.hasOtherFile ? `-- ${this.file.name}: the table of ${this.title} alone, as the page has read it, saved as CSV.\n` : "";
    if (this.hasOtherFile || this.encoding !== "windows-1252") {
      return before + this.statement(columns,
        `(${rowsOf(path, this.header, this.missing, this.repairs, this.hasOtherFile ? null : encoding)})`);
    }
    const copied = `${path}.utf-8`; // DuckDB does not read Windows-1252
    return `copy (select encode(sqlanon._of_windows_1252(content)) from read_blob(${literal(path)}))\n` +
      `to ${literal(copied)} (format blob);\n` +
      this.statement(columns, `(${rowsOf(copied, this.header, this.missing, this.repairs)})`);
  }

  // The same table, read in another way.
  with(repairs) {
    return TextTable.read(this.engine, this.file, this.header, this.missing, this.source, repairs);
  }

  // Is the file that is read another one than the user's?
  get hasOtherFile() {
    return this.sheet !== null || this.leftOut !== null;
  }
}

// The value of a text of a column.
function valueOf(column, type) {
  if (!type) return column;
  if (!type.startsWith(FORMATTED)) return `cast(${column} as ${type})`;
  const [word, ...format] = type.slice(FORMATTED.length).split(" ");
  const reader = TIMES.includes(word) ? "_formatted_time" : "_formatted_number";
  const [written, firstYear] = format.join(" ").split(CENTURY);
  const from = firstYear ? `, first_year := ${firstYear}` : "";
  return `cast(sqlanon.${reader}(${column}, ${literal(written)}${from}) as ${TYPES[word]})`;
}

// What is wrong with a file of CSV, without what is in it.
function unreadable(message, title) {
  const line = /CSV Error on Line: (\d+)/.exec(message);
  const at = line ? text("table.line", { name: title, line: line[1] }) : title;
  const fields = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (fields) return text("table.fields", { at, found: fields[2], wanted: fields[1] });
  if (message.includes("Invalid unicode")) return text("table.no_utf8", { name: at });
  if (message.includes("unterminated quote")) return text("table.quote", { at });
  if (line || message.includes("CSV")) return text("table.no_csv", { at });
  return text("table.unreadable", { name: title, error: message.split("\n")[0] });
}

// A Parquet file as the table people.
export class ParquetTable {
  constructor(engine, file, names) {
    Object.assign(this, { engine, file, names, title: file.name, repairs: noRepairs(), isAsRead: true });
  }

  static async read(engine, file, table = "people") {
    const stream = await parquet("read", new Uint8Array(await file.arrayBuffer()), file.name);
    await engine.rows(`drop table if exists ${table}`);
    await engine.addArrow(table, stream);
    const columns = await engine.rows(`describe ${table}`);
    const names = columns.map((column) => column.column_name);
    refuseSame(names, file.name);
    return new ParquetTable(engine, file, names);
  }

  // Of repairs those that a table with types can take: trim and fold.
  async with(repairs) {
    if (this.isAsRead) {
      await this.engine.rows("drop table if exists people_as_read");
      await this.engine.rows("alter table people rename to people_as_read");
    }
    await this.engine.rows(`create or replace table people as ${cleaned("from people_as_read", repairs)}`);
    return Object.assign(new ParquetTable(this.engine, this.file, this.names), { repairs, isAsRead: false });
  }

  script() {
    return `create or replace table people as ${cleaned(`from read_parquet(${literal(`./${this.file.name}`)})`, this.repairs)}`;
  }
}

// Have the worker for Parquet do something; it is made anew, as few files are Parquet.
export function parquet(task, bytes, title) {
  const worker = confinedWorker(`import(${JSON.stringify(beside("parquet.worker.js"))});`, { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Refused(event.message ? `${title}: ${event.message}` : text("table.no_parquet_here", { name: title })));
    worker.onmessage = ({ data }) => {
      if (data.ready) worker.postMessage({ task, bytes }, [bytes.buffer]);
      else if (data.error) reject(new Refused(text("table.no_parquet", { name: title, error: data.error })));
      else resolve(data.bytes);
    };
  }).finally(() => worker.terminate());
}
