// The project: what was chosen, which releases are out, and what was decided, as a file to open next month. It has
// no table in it, but the releases, and what was said of words and marks: it is to be kept like the table.

import { Refused } from "./engine.js";
import { text } from "./language.js";

const FORMAT = "sqlanon project 1";

// chosen: requirements and their switches, by id. releases: {name, at, csv}; decisions: {at, source, answer, met}.
export function projectOf(state, chosen, releases, decisions) {
  const { trim, fold, missingIn, digits } = state.repairs;
  return {
    format: FORMAT,
    roles: [...state.roles], said: [...state.said], levels: [...state.levels], importance: [...state.importance],
    hierarchies: [...state.hierarchies].map(([column, { builder, numbers }]) => [column, { builder, ...(numbers ? { numbers } : {}) }]),
    repairs: { trim: [...trim], fold: [...fold], missingIn: [...missingIn], digits: [...digits] },
    requirements: [...chosen].map(([id, { value, on }]) => [id, { value, on }]),
    method: state.method, suppression: state.suppression.value,
    same: [...state.same].map(([column, words]) => [column, [...words]]), mayChange: [...state.mayChange],
    releases, decisions,
  };
}

// A project that was saved. Errors: Refused for another file.
export async function readProject(file, methods) {
  try {
    const project = JSON.parse(await file.text());
    const lists = ["roles", "said", "levels", "importance", "hierarchies", "requirements", "same", "releases", "decisions"];
    const isOne = project.format === FORMAT && methods.includes(project.method) && lists.every((key) => Array.isArray(project[key])) &&
      project.releases.every(({ name, csv }) => typeof name === "string" && typeof csv === "string");
    if (!isOne) throw new Error();
    return project;
  } catch {
    throw new Refused(text("project.none", { name: file.name }));
  }
}

// Put into the state what a project says of the columns that are there; which are new, and which are gone.
export function take(project, state, columns) {
  const known = (pairs) => new Map(pairs.filter(([column]) => columns.includes(column)));
  Object.assign(state, { said: known(project.said), levels: known(project.levels), importance: known(project.importance),
    hierarchies: known(project.hierarchies), mayChange: new Set(project.mayChange ?? []) });
  for (const [column, role] of known(project.roles)) {
    state.roles.set(column, role);
    state.isChosen.add(column);
  }
  const { trim, fold, missingIn, digits } = project.repairs;
  state.repairs = { trim: new Set(trim.filter((each) => columns.includes(each))), fold: new Set(fold.filter((each) => columns.includes(each))),
    missingIn: known(missingIn), digits: known(digits) };
  const before = project.roles.map(([column]) => column);
  return { added: columns.filter((each) => !before.includes(each)), gone: before.filter((each) => !columns.includes(each)) };
}
