// Where brackets of a program's text close.

/** @param {string} text @param {number} from at a bracket @returns {number} behind the one that closes it */
export function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth++;
    else if (')]}'.includes(text[at]) && --depth === 0) return at + 1;
  }
  return text.length;
}
