// The decision page, to sign and to keep: may this be published, why, and what was not looked at? With the texts
// and the style of the page that `sqlanon publish` writes. It holds no value of the table.

import { beside } from "./confined.js";
import { current, text } from "./language.js";
import { count, percent } from "./view.js";

const TONES = { yes: "good", no: "bad", not_yet: "unknown" };
const BADGES = { holds: "good", fails: "bad", not_known: "unknown", accepted: "unknown" };

const escaped = (value) => String(value).replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`);
const list = (sentences, tag = "ul") => `<${tag}>${sentences.map((each) => `<li>${escaped(each)}</li>`).join("")}</${tag}>`;

// The answer of facts. What nobody has said or measured is no yes, nor what sqlanon publish looks at together with
// earlier releases, and the page does not.
export const answerOf = (facts) => (isPartly(facts) ? "not_yet" : answerAsFarAs(facts));

const isPartly = (facts) => answerAsFarAs(facts) === "yes" && facts.together !== null;

function answerAsFarAs({ release, leaving, unsaidPeople, together, isMeasured, certain, sure }) {
  if (!release || certain || leaving.some(({ verdict }) => verdict === "fails") || together?.verdict === "fails") return "no";
  const isOpen = leaving.some(({ verdict }) => verdict !== "holds") || unsaidPeople || sure || !isMeasured ||
    (together && !["holds", "accepted"].includes(together.verdict));
  return isOpen ? "not_yet" : "yes";
}

// A day as it is written in the language, of a text that begins with it.
function dayOf(at) {
  const [year, month, day] = at.slice(0, 10).split("-");
  return { de: `${day}.${month}.${year}`, fr: `${day}/${month}/${year}` }[current()] ?? at.slice(0, 10);
}

const textsOf = () => fetch(beside("decision_texts.json")).then((file) => file.json());
const wordsOf = (texts) => (key, holes = {}) => texts[key][current()].replace(/\{(\w+)\}/g, (hole, name) => holes[name] ?? hole);

// What a macro says in English, in the language of the page where the texts have it.
export async function reasonOf(message) {
  return current() === "en" ? message : saidOf(await textsOf(), message) ?? message;
}

// null: the texts do not have it. A hole that begins with say_ has another one of them. What says more comes first.
function saidOf(texts, message) {
  const length = (key) => texts[key].en.replace(/\{\w+\}/g, "").length;
  const keys = Object.keys(texts).filter((each) => each.startsWith("reason_")).sort((one, other) => length(other) - length(one));
  for (const key of keys) {
    const pattern = texts[key].en.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+?)");
    const found = new RegExp(`^${pattern}$`).exec(message);
    if (!found) continue;
    const holes = Object.entries(found.groups ?? {}).map(([name, value]) => [name,
      name.startsWith("say_") ? saidOf(texts, value) : name === "model" ? texts[`model_${value}`]?.[current()] ?? value : value]);
    if (holes.every(([, value]) => value !== null)) return wordsOf(texts)(key, Object.fromEntries(holes));
  }
  return null;
}

// The page as HTML.
export async function decisionPage(facts) {
  const [texts, style] = await Promise.all([textsOf(), fetch(beside("decision.css")).then((file) => file.text())]);
  const words = wordsOf(texts);
  const names = (each) => (each.length < 2 ? each[0] ?? "–" : `${each.slice(0, -1).join(", ")} ${words("and")} ${each.at(-1)}`);
  const section = (id, title, content) => `<section id="${id}"><h2>${escaped(title)}</h2>${content}</section>`;
  const answer = answerOf(facts);
  return `<!doctype html>
<html lang="${current()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark"><title>${escaped(words("title"))}</title><style>${style}</style></head><body><main>
<header><p class="quiet">sqlanon · ${escaped(words("made_at", { when: `${dayOf(facts.madeAt)} ${facts.madeAt.slice(11, 16)}` }))}</p>
<h1>${escaped(words("title"))}</h1><p class="quiet">${escaped(facts.source)}</p>
<p class="secret"><strong>${escaped(words("secret"))}</strong></p></header>
<section id="answer" class="banner ${TONES[answer]}"><h2>${
    escaped(isPartly(facts) ? text("release.holds_partly") : answer === "yes" ? text("decision.yes") : words(answer))}</h2>
<p>${escaped(text("decision.nothing_sent"))}</p><h3>${escaped(words("why"))}</h3>${list(whyOf(facts, words, names), "ol")}</section>
${section("unseen", words("unseen"), list(unseenOf(facts, words, names)))}
${facts.tried ? section("remedies", words("remedies"), triedOf(facts, words)) : ""}
${facts.release ? section("leaves", words("leaves"), leavesOf(facts, words, names)) : ""}
${section("attacks", words("attacks"), attacksOf(facts, words, names))}
${section("changed", words("changed"), list(changedOf(facts, words)))}
${section("accepted", words("accepted"), acceptedOf(facts, words) + (facts.saidWords.length ? `<h3>${escaped(words("said"))}</h3>${list(facts.saidWords)}` : ""))}
${section("sign", words("sign"), `<p>${escaped(words("sign_about"))}</p><div class="sign">${
    ["sign_name", "sign_date", "sign_signature"].map((key) => `<div>${escaped(words(key))}</div>`).join("")}</div>`)}
<footer><h2>${escaped(words("check"))}</h2><p>${escaped(words("check_about", { json: `${facts.name}-decision.json` }))}</p>
<p class="quiet">sqlanon ${escaped(facts.version)}</p></footer></main></body></html>
`;
}

function whyOf(facts, words, names) {
  const { release, requirements, qi, sensitive, isOfPeople, reasons } = facts;
  if (!release) return [words("why_no_release"), ...reasons];
  const diverse = requirements.l > 1 ? words("why_diverse", { l: count(requirements.l), sensitive: names(sensitive) }) : "";
  const told = requirements.k ? [words(`why_k_${isOfPeople ? "people" : "rows"}`, { k: count(requirements.k), qi: names(qi), diverse })] : [];
  const open = [
    facts.certain, facts.sure,
    facts.together && facts.together.verdict !== "holds" ? facts.together.told : "", facts.accepted ? text("accept.told", { by: facts.accepted.by }) : "",
    facts.together ? text("decision.only_these", { earlier: facts.together.earlier }) : "",
    facts.unsaidPeople ? text("decision.unsaid_people", { column: facts.unsaidPeople }) : "",
    facts.isMeasured ? "" : text("decision.not_measured"),
    ...facts.leaving.filter(({ verdict }) => verdict !== "holds").map(({ column, verdict }) =>
      text(verdict === "fails" ? "decision.column_names" : "decision.column_may_name", { column })),
  ].filter(Boolean);
  const isOut = answerOf(facts) === "yes" ? "" : "_refused";
  return [...open, ...told, text("decision.requirements", { met: facts.met }), ...reasons,
    words(`why_rows${isOut}`, { rows: count(release.rows), suppressed: count(release.suppressed) })];
}

function unseenOf({ freeText, keep, together }, words, names) {
  return [
    freeText.length ? words("unseen_free_text", { columns: names(freeText) }) : "",
    keep.length ? words("unseen_kept", { columns: names(keep) }) : "",
    ...(together ? [words("open_leavers"), words("open_moved"), text("decision.unseen_others", { earlier: together.earlier })]
      : [text("decision.unseen_all_others")]),
    text("decision.unseen_attacks"), words("unseen_knowledge"),
  ].filter(Boolean);
}

function triedOf({ tried }, words) {
  const rows = tried.map(({ change, says, loss, helps }) => `<li>${escaped(change)} <span class="badge ${helps ? "good" : ""} wraps">${
    escaped([says, loss === null ? "" : words("remedy_loss", { loss: percent(100 * loss) })].filter(Boolean).join(" "))}</span></li>`);
  return `<p>${escaped(words("remedies_tried"))}${tried.some(({ helps }) => helps) ? "" : ` ${escaped(words("remedies_none"))}`}</p>
<ul class="verdicts">${rows.join("")}</ul>`;
}

function acceptedOf({ accepted }, words) {
  if (!accepted) return `<p>${escaped(words("accepted_nothing"))}</p>`;
  const { what, reason, by, at } = accepted;
  const told = [["accepted_why", reason], ["accepted_by", text("accept.once", { by, at: dayOf(at) })]];
  return `<article><h4>${escaped(what)}</h4><dl>${told.map(([key, said]) => `<dt>${escaped(words(key))}</dt><dd>${escaped(said)}</dd>`).join("")}</dl></article>`;
}

function tableOf(head, rows) {
  const line = (cells, tag) => `<tr>${cells.map((each) => `<${tag}>${escaped(each)}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll" tabindex="0"><table><thead>${line(head, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("")}</tbody></table></div>`;
}

function leavesOf(facts, words, names) {
  const { columns, neverLeave, firstRows, remarks } = facts;
  const head = [words("column"), words("leaves_how"), words("before"), words("after"), text("decision.values"), text("importance.loss")];
  const rows = columns.map(({ column, how, before, after, values, loss }) => [column, words(`how_${how}`), before.join(", ") || "–",
    after.join(", ") || "–", values.map(count).join(" → "), loss === null ? "–" : percent(100 * loss)]);
  const first = firstRows?.length ? `<h3>${escaped(words(answerOf(facts) === "yes" ? "first_rows" : "first_rows_refused"))}</h3>${
    tableOf(columns.map(({ column }) => column), firstRows)}` : "";
  return `${tableOf(head, rows)}<p class="quiet">${escaped(words("leaves_about"))}</p>${first}${remarks.length ? list(remarks) : ""}${neverLeave.length ? `<p>${escaped(words("never_leave", { columns: names(neverLeave) }))}</p>` : ""}`;
}

function attacksOf({ learned, columns, leaving, together, qi, source, release, isOfPeople }, words, names) {
  if (!release) return `<p>${escaped(words("attacks_none"))}</p>`;
  const share = (found) => (found === 0 ? words(isOfPeople ? "nobody_people" : "nobody_rows") : percent(found));
  const badge = (verdict) => `<span class="badge ${BADGES[verdict] ?? ""}">${escaped(words(`verdict_${verdict}`))}</span>`;
  const asked = (question, answers) => `<h3>${escaped(question)}</h3><ul class="verdicts">${answers.map((each) => `<li>${each}</li>`).join("")}</ul>`;
  const told = learned.map(({ sensitive, certain, sure, expected, baseline }) => asked(
    words("ask_homogeneity", { releases: source, sensitive }), [
      escaped(words("found_single", { sensitive, found: share(certain) })), escaped(words("found_sure", { level: 90, sensitive, found: share(sure) })),
      escaped(text("decision.guessed", { expected: percent(expected), baseline: percent(baseline) })),
    ]));
  if (together) {
    const verdict = together.verdict.replaceAll(" ", "_");
    told.push(asked(words("ask_intersection_attack", { qi: names(qi), releases: names([together.earlier, source]), sensitive: names(columns.filter(({ isSensitive }) => isSensitive).map(({ column }) => column)) }),
      [`${badge(verdict)} ${escaped(together.told)}`]));
  }
  const naming = leaving.map(({ verdict }) => verdict);
  const worst = naming.includes("fails") ? "fails" : naming.some((each) => each !== "holds") ? "not_known" : "holds";
  const which = leaving.filter(({ verdict }) => verdict !== "holds").map(({ column }) => column);
  return [...told, asked(words("ask_columns"), [`${badge(worst)} ${escaped(which.length ? names(which) : text("decision.names_nobody"))}`])].join("");
}

const changedOf = ({ together, rowsNow }, words) => (together
  ? [words("changed_rows", { before: count(together.rows), now: count(rowsNow), name: together.earlier })] : [text("decision.no_earlier")]);
