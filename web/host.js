// What the package needs of its host besides WebAssembly: a clock, UTF-8, and yielding to the event loop. An AudioWorklet has none
// of them, so each has a substitute in plain JavaScript.

/** @returns {number} milliseconds since some moment */
export const now = typeof performance === 'undefined' ? () => Date.now() : () => performance.now();

const REPLACEMENT = 0xfffd; // for bytes or units that are not text

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function encodeByLanguage(text) {
  const bytes = [];
  for (const character of text) {
    const given = /** @type {number} */ (character.codePointAt(0));
    const code = given >= 0xd800 && given < 0xe000 ? REPLACEMENT : given; // half of a surrogate pair
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes.push(more === 0 ? code : ((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more)));
    for (let left = more; left-- > 0;) bytes.push(0x80 | ((code >> (6 * left)) & 0x3f));
  }
  return Uint8Array.from(bytes);
}

/** The code point at that byte, and its length in bytes. @param {Uint8Array} bytes @param {number} at */
function codePoint(bytes, at) {
  const first = bytes[at];
  const more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  let code = more <= 0 ? first : first & (0x3f >> more);
  for (let i = 1; i <= more; i++) {
    if ((bytes[at + i] & 0xc0) !== 0x80) return [REPLACEMENT, i];
    code = (code << 6) | (bytes[at + i] & 0x3f);
  }
  const least = [0, 0, 0x800, 0x10000][more];
  const isText = more >= 0 && code >= least && code <= 0x10ffff && code >> 11 !== 0x1b;
  return isText ? [code, more + 1] : [REPLACEMENT, 1];
}

const CHUNK = 4096; // code points per call of String.fromCodePoint

/** @param {Uint8Array} bytes @returns {string} */
export function decodeByLanguage(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const codes = [];
    while (at < bytes.length && codes.length < CHUNK) {
      const [code, length] = codePoint(bytes, at);
      codes.push(code);
      at += length;
    }
    text += String.fromCodePoint(...codes);
  }
  return text;
}

/** @type {TextEncoder | undefined} */
const encoder = typeof TextEncoder === 'undefined' ? undefined : new TextEncoder();
/** @type {TextDecoder | undefined} */
const decoder = typeof TextDecoder === 'undefined' ? undefined : new TextDecoder();

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function encodeText(text) {
  return encoder ? encoder.encode(text) : encodeByLanguage(text);
}

/** @param {Uint8Array} bytes not of shared memory @returns {string} */
export function decodeText(bytes) {
  return decoder ? decoder.decode(bytes) : decodeByLanguage(bytes);
}

/** @returns {Promise<void>} after whatever else waits for its turn */
export function pause() {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  if (typeof MessageChannel === 'undefined') return Promise.resolve();
  // Not a timer: browsers clamp nested timers to 4 ms.
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
