// What in an export would be read as something else than people mean by it, how often it is there, and what
// repairs it: what `sqlanon init` finds, by the same macros.

import { list, literal } from "./sql.js";

const MOST_PAIRS = 6; // of columns that may say what people have once
const MOST_COLUMNS = 8; // whose pairs are looked at
const MOST_VALUES = 5000; // of such a column
const DIGITS = 5; // of a postcode

// Each finding: kind, column, rows and ofRows (how often), values (examples), and repair: key (of noRepairs in
// reading.js) and value. isSure: nobody has to be asked what it means. Without a repair it is told alone.
// isText: does the table come from a text, whose marks of missing values can be read?
export async function findingsOf(rows, look, isText) {
  const found = look.filter((column) => column.row_count && !column.filled)
    .map((column) => ({ kind: "empty", column: column.column_name, rows: column.row_count, ofRows: column.row_count, values: [] }));
  const marks = new Map();
  for (const { column_name: column, kind, values, rows: n, of_rows: ofRows } of await rows("from sqlanon._values_to_repair('people')")) {
    const common = { column, rows: n, ofRows, values };
    if (kind === "blanks") found.push({ ...common, kind, isSure: true, repair: { key: "trim" } });
    else if (!isText) continue;
    else if (kind === "zeros") found.push({ ...common, kind, isSure: true, repair: { key: "digits", value: DIGITS } });
    else marks.set(column, [...(marks.get(column) ?? []), { ...common, kind }]);
  }
  for (const ofColumn of marks.values()) found.push(...marksOf(ofColumn));
  for (const { column_name: column, found: different, ways, rows: n, example } of await rows("from sqlanon._columns_to_fold('people')")) {
    found.push({ kind: "spellings", column, rows: n, values: example, different, ways, isSure: true, repair: { key: "fold" } });
  }
  const places = new Map(look.map(({ column_name: name }, i) => [name, i]));
  return found.sort((one, other) => places.get(one.column) - places.get(other.column));
}

// Marks of missing values in a column: known ones, others that may be values, and words that are not shown
// because few have them.
function marksOf(ofColumn) {
  const found = [];
  const marks = (values) => values.map((value) => value.trim());
  for (const each of ofColumn) {
    const isSure = ["missing", "missing here"].includes(each.kind);
    if (!each.values.length) found.push({ ...each, kind: "words" });
    else found.push({ ...each, kind: isSure ? "missing" : "asked", isSure, repair: { key: "missingIn", value: marks(each.values) } });
  }
  return found;
}

// Quasi-identifiers that say what others say: follows, from_column, both_ways.
export function columnsThatFollow(rows, look, qi) {
  const lookedAt = look.filter(({ column_name: name, distinct_values: distinct }) =>
    qi.includes(name) && 1 < distinct && distinct <= MOST_VALUES).slice(0, MOST_COLUMNS).map((column) => column.column_name);
  return lookedAt.length < 2 ? [] : rows(`from sqlanon._columns_that_follow('people', ${list(lookedAt)})`);
}

// The column that probably says whose a row is: the one with the fewest values that puts rows together whose
// people are the same by what they have once, such as their birth date. {column, once, merged, agreeing} or null.
export async function personOf(rows, look) {
  const had = (kind) => look.filter((column) => column.had_once === kind).map((column) => column.column_name);
  const births = had("birth"), surely = [...births, ...had("sex")];
  const pairs = had("years").flatMap((years) => had("two values").map((other) => [years, other, ...had("age")])).slice(0, MOST_PAIRS);
  let evidence = surely.length ? [surely] : pairs;
  const candidates = look.filter((column) => !surely.includes(column.column_name) && column.role !== "sensitive" &&
    1 < column.distinct_values && column.distinct_values <= column.filled &&
    ["VARCHAR", "BIGINT", "INTEGER", "HUGEINT", "UUID"].includes(column.type) && (births.length || column.may_number || column.repeats));
  let chosen = null;
  for (const { column_name: column } of candidates.sort((one, other) => other.distinct_values - one.distinct_values)) {
    const finer = chosen ? literal(chosen.column) : "null";
    for (const once of evidence.filter((names) => !names.includes(column))) {
      const [{ merged, agreeing, says_whose: isPerson }] = await rows(`from sqlanon._merged_by('people', ${literal(column)}, ${finer}, ${list(once)})`);
      if (!isPerson) continue;
      chosen = { column, once, merged, agreeing };
      evidence = [once];
      break;
    }
  }
  return chosen;
}
