// The attributes of an instruction in a program's text, to be edited one by one.
import { closing } from '../brackets.js';

/** @typedef {{ name: string, value: string, from: number, to: number }} Attribute where its value stands in the text */

/**
 * @param {string} text of a program, HLO
 * @param {string} op
 * @returns {Attribute[]} of the last instruction of that operation
 */
export function attributesOf(text, op) {
  const start = text.search(new RegExp(` ${op}\\((?![^]* ${op}\\()`));
  if (start < 0) return [];
  /** @type {Attribute[]} */
  const found = [];
  const next = /\s*,\s*([\w.-]+)=/y;
  for (let at = closing(text, text.indexOf('(', start)); ;) {
    next.lastIndex = at;
    const name = next.exec(text)?.[1];
    if (name === undefined) return found;
    const from = next.lastIndex;
    at = from;
    while (at < text.length && !/[,\s]/.test(text[at]))
      at = '([{'.includes(text[at]) ? closing(text, at) : at + 1;
    found.push({ name, value: text.slice(from, at), from, to: at });
  }
}
