// What would make a release fit an earlier one: changes that are made on the table itself and attacked together
// with the earlier release, one after the other. Nothing is offered that was not run.

import { reasonOf } from "./decision.js";
import { Refused, Stopped } from "./engine.js";
import { METHODS } from "./settings.js";

const ALPHAS = [0.8, 0.5];
const SUPPRESSED = 0.05;

// The changes that a method knows (known: the earlier releases, the last one first), each with its id, the holes of its text, and what Settings.changed takes.
export function changesOf(settings, known) {
  const { method, requirements } = settings;
  const { k, l, alpha } = requirements;
  const takes = (id) => METHODS[method].takes?.includes(id) ?? true;
  const hasValues = settings.sensitive.length > 0;
  const changes = [];
  if (method === "mondrian" && !settings.unit) changes.push({ id: "same_rows", change: { more: { based_on: "earlier" } } });
  if (["mondrian", "optimal"].includes(method) && hasValues) {
    changes.push({ id: "composed", holes: { l: Math.max(2, l ?? 2) },
      change: { requirements: { composed_l: Math.max(2, l ?? 2) }, more: { known } } });
  }
  if (method === "mondrian") changes.push({ id: "same_categories", holes: { share: 100 * SUPPRESSED }, change: { by_scheme: true, suppressed: SUPPRESSED } });
  if (takes("alpha") && hasValues) {
    for (const less of ALPHAS) if (less < (alpha ?? 1)) changes.push({ id: "alpha", holes: { alpha: less }, change: { requirements: { alpha: less } } });
  }
  if (takes("l") && hasValues && method !== "anatomize") changes.push({ id: "l", holes: { l: (l ?? 1) + 1 }, change: { requirements: { l: (l ?? 1) + 1 } } });
  if (takes("k") && k) for (const times of [2, 4]) changes.push({ id: "k", holes: { k: times * k }, change: { requirements: { k: times * k } } });
  return changes;
}

// Try changes, one after the other; each answer is told as it is found: helps, verdict (holds, fails, not known,
// refused), people (of whom a value would be certain), loss (a share), reason. judge makes it of a release.
export async function tryChanges(settings, changes, { rows, judge, tell, signal }) {
  for (const [i, each] of changes.entries()) {
    if (signal.aborted) throw new Stopped();
    tell(i, { verdict: "running" });
    try {
      tell(i, await tried(settings.changed(each.change, "trial_"), rows, judge));
    } catch (error) {
      if (error instanceof Stopped || signal.aborted) throw new Stopped();
      tell(i, { verdict: "refused", reason: await reasonOf(error.message) });
    }
  }
}

async function tried(settings, rows, judge) {
  settings.check();
  for (const statement of settings.releaseStatements()) await rows(statement);
  const { release } = settings.names;
  const [{ had, has }] = await rows(`select (select count(*) from people) as had, (select count(*) from ${release}) as has`);
  const classes = settings.classes;
  if (classes.statement) await rows(classes.statement);
  const [{ violations }] = await rows(`select count(*) as violations from (${settings.violations(had === has)})`);
  if (violations) throw new Refused(String(violations));
  const [{ loss }] = await rows(settings.lossStatement());
  return { ...await judge(settings), loss, leftOut: had - has };
}
