// Titles before the header of a table, and sums and notes behind its rows, as programs export them: left out as
// the command line does by only_table, and told by the numbers of their lines. A row that was cut off stays,
// for its reader to refuse.

import { DELIMITERS, LINES, records } from "./records.js";

const BEHIND = 20; // lines at the end of a file that are looked at
// How a line begins that stands behind a table.
const OF_NOTES = new RegExp(
  "^(?:\\W*(sum|summe[n]?|total|totals|totaux|gesamt[\\p{L}]*|insgesamt|zwischensumme|anzahl|nombre|count|number of" +
  "|ende|end of|fin de|notes?|source|quelle|hinweise?|anmerkung(en)?|stand|erstellt|erzeugt|gedruckt|seite" +
  "|export[\\p{L}]*|edite|édité|généré|generated|created|printed|page" +
  "|\\d+ (rows|records|zeilen|lignes|datensätze))(?![\\p{L}\\p{N}_])|\\W{3,}$|©)", "iu");

const filled = (fields) => fields.filter((field) => field.trim() !== "");

// A text without the lines around its table, and which these are: {content, before, from, to}; null: there are
// none, or nobody can tell. before: how many lines before the header; from, to: the lines behind the table.
export function tableAlone(content) {
  const ends = [-1]; // where the lines end
  for (let end = content.indexOf("\n"); end >= 0; end = content.indexOf("\n", end + 1)) ends.push(end);
  if (ends.at(-1) < content.length - 1) ends.push(content.length);
  const total = ends.length - 1;
  const lines = (from, to) => Array.from({ length: to - from }, (_, i) =>
    content.slice(ends[from + i] + 1, ends[from + i + 1]).replace(/\r$/, ""));
  const start = lines(0, Math.min(LINES, total));
  const frame = frameOf(start);
  if (!frame) return null;
  const behind = linesBehind(lines(Math.max(frame.before + 1, total - BEHIND), total), frame);
  const isSaid = start.slice(0, frame.before).some((line) => line.trim() !== "");
  if (!isSaid && !behind) return null;
  return {
    content: content.slice(ends[frame.before] + 1, ends[total - behind] + 1),
    before: frame.before, from: behind ? total - behind + 1 : 0, to: total,
  };
}

// How many lines come before the header, and how many fields that has, by which delimiter.
function frameOf(lines) {
  let best = null;
  for (const delimiter of DELIMITERS) {
    const split = lines.map((line) => records(line, delimiter)[0]);
    const lengths = split.filter((fields) => filled(fields).length).map((fields) => fields.length);
    const often = (length) => lengths.filter((each) => each === length).length;
    const usual = lengths.reduce((most, each) => (often(each) > often(most) ? each : most), lengths[0] ?? 0);
    if (usual > 1 && (!best || often(usual) > best.often || (often(usual) === best.often && usual > best.fields))) {
      best = { often: often(usual), fields: usual, delimiter, split };
    }
  }
  if (!best) return null;
  for (const [before, fields] of best.split.entries()) {
    const texts = filled(fields).length;
    if (fields.length === best.fields && 2 * texts > best.fields) return { before, fields: best.fields, delimiter: best.delimiter };
    if (texts > 2) return null;
  }
  return null;
}

// How many of the last lines are no rows.
function linesBehind(last, { fields: width, delimiter }) {
  let behind = 0;
  for (const [i, line] of last.toReversed().entries()) {
    if ((line.split('"').length - 1) % 2) break; // the end of a text of several lines
    const fields = records(line.replace(/\r$/, ""), delimiter)[0];
    const texts = filled(fields);
    if (!texts.length) {
      behind = behind ? i + 1 : 0; // between the rows and a note
      continue;
    }
    if ((fields.length === width && 2 * texts.length > width) || !OF_NOTES.test(texts[0].trim())) break;
    behind = i + 1;
  }
  return behind;
}
