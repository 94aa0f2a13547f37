// Texts of SQL. A name or a text that is not ours goes through one of these.

export const identifier = (name) => `"${name.replaceAll('"', '""')}"`;
export const literal = (text) => `'${text.replaceAll("'", "''")}'`;
export const list = (texts) => `[${texts.map(literal).join(", ")}]`;

// A value of a parameter: a text, a number, true or false, or a list of such values.
const argument = (value) =>
  Array.isArray(value) ? `[${value.map(argument).join(", ")}]`
    : typeof value === "string" ? literal(value) : String(value);

// A call of one of the library's macros. Parameters that are null are left out.
export function call(macro, values, parameters = {}) {
  const named = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} := ${argument(value)}`);
  return `from sqlanon.${macro}(${[...values.map(argument), ...named].join(", ")})`;
}
