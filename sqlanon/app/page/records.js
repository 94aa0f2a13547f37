// Records of CSV.

export const DELIMITERS = [",", ";", "\t", "|"];
export const LINES = 100; // of the start of a file

// The records of a text of CSV. A blank after a delimiter is none of the field.
export function records(text, delimiter) {
  const found = [];
  let record = [], field = "", quoted = false, begun = false;
  const endField = () => { record.push(field); field = ""; begun = false; };
  const endRecord = () => {
    endField();
    if (record.length > 1 || record[0] !== "") found.push(record);
    record = [];
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[i + 1] === '"') { field += '"'; i++; }
      else quoted = false;
    } else if (character === '"' && !begun) { quoted = true; begun = true; }
    else if (character === delimiter) endField();
    else if (character === "\n") endRecord();
    else if (character === " " && !begun) { /* before a field */ }
    else { field += character; begun = true; }
  }
  if (field || record.length) endRecord();
  return found.length ? found : [[""]];
}
