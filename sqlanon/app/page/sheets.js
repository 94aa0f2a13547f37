// Spreadsheets (.xlsx): a sheet is read as if it were saved as CSV, with the texts that the command line makes.

import { Refused } from "./engine.js";
import { text } from "./language.js";

const EXACT = 1e15; // Excel keeps fifteen digits
const FIRST_DAY = Date.UTC(1900, 0, 1); // what is before it is a time of day alone

// Is it a packed file, as spreadsheets are?
export const isPacked = async (file) => (await file.slice(0, 4).text()) === "PK\x03\x04";

// The sheets of a file: sheet (its name) and data (rows of cells).
export async function sheetsOf(file) {
  await import("./read-excel-file.min.js"); // a script, which leaves its function behind
  let sheets;
  try {
    sheets = await globalThis.readXlsxFile(file, { trim: false, parseNumber: (digits) => ({ digits }) });
  } catch {
    throw new Refused(text("table.no_spreadsheet", { name: file.name }));
  }
  if (!sheets.length) throw new Refused(text("table.empty", { name: file.name }));
  return sheets;
}

// A sheet as a file of CSV.
export function csvOfSheet(data, { name }) {
  const rows = withoutMargins(data);
  const width = rows[0]?.length ?? 0;
  const areDates = Array.from({ length: width }, (_, i) => rows.slice(1).every((row) =>
    !(row[i] instanceof Date) || row[i].getTime() % 86_400_000 === 0));
  const lines = rows.map((row) => `${row.map((cell, i) => field(cell, areDates[i])).join(",")}\n`);
  return new File(lines, name.replace(/\.[^.]*$/, "") + ".csv");
}

// Without empty rows before and behind, and without columns behind that have neither a name nor a value.
function withoutMargins(data) {
  const isFilled = (row) => row.some((cell) => cell !== null && cell !== undefined);
  const first = data.findIndex(isFilled);
  if (first < 0) return [];
  const kept = data.slice(first, data.findLastIndex(isFilled) + 1);
  const width = kept.reduce((most, row) =>
    Math.max(most, row.findLastIndex((cell) => cell !== null && cell !== undefined) + 1), 0);
  return kept.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? null));
}

// An empty cell is a missing value, an empty text is none.
function field(cell, isDate) {
  if (cell === null) return "";
  const said = textOf(cell, isDate);
  return said === "" || /[",\r\n]|^\s|\s$/.test(said) ? `"${said.replaceAll('"', '""')}"` : said;
}

function textOf(cell, isDate) {
  if (cell instanceof Date) {
    const second = new Date(Math.floor((cell.getTime() + 1) / 1000) * 1000); // 08:04:59.999 is 08:05
    const [day, time] = second.toISOString().split(/[T.]/);
    if (cell.getTime() < FIRST_DAY) return time;
    return isDate ? day : `${day} ${time}`;
  }
  return cell.digits === undefined ? String(cell) : numberOf(cell.digits);
}

// A number, as Python writes it.
function numberOf(digits) {
  if (!/[.eE]/.test(digits)) return digits;
  const number = Number(digits);
  if (Number.isInteger(number) && Math.abs(number) < EXACT) return String(number);
  const [, mantissa, sign, exponent] = /^(.*)e([-+])(\d+)$/.exec(number.toExponential());
  if (sign === "-" ? exponent > 4 : exponent > 15) return `${mantissa}e${sign}${exponent.padStart(2, "0")}`;
  return Number.isInteger(number) ? `${number}.0` : String(number);
}
