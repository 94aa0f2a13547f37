// The language of the page: that of the browser, if there are texts in it, or the one that is chosen.

import { LANGUAGES, TEXTS } from "./texts.js";

let language = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in LANGUAGES) ?? "en";

export const current = () => language;

export function speak(other) {
  language = other;
  document.documentElement.lang = other;
}

const filled = (template, values) => template.replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);

export const has = (key) => key in TEXTS;

// A text, with its holes filled.
export const text = (key, values = {}) => filled(TEXTS[key][language], values).replace(language === "fr" ? / (?=[?!:;%»])|(?<=«) /g : / (?=%)/g, "\u00a0");

// The text of n things, or of one: KEY_one.
export const counted = (key, n, values = {}) => text(n === 1 && has(`${key}_one`) ? `${key}_one` : key, { n: n.toLocaleString(language), ...values });

// A text in pieces, of which some have a word that explains them. What fills holes is taken as it is.
export const pieces = (key, values = {}) =>
  TEXTS[key][language].split(/(\[[^\]]*\]\(\w+\))/).filter(Boolean).map((piece) => {
    const [, shown, word] = /^\[([^\]]*)\]\((\w+)\)$/.exec(piece) ?? [null, piece, null];
    return { shown: filled(shown, values), word };
  });
