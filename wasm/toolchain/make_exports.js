// Writes web/exports.js from the headers of what the engine exports, so that JavaScript keeps no list of functions,
// parameters or numbers of its own:
//   node wasm/toolchain/make_exports.js include/hlo.h wasm/threads.h web/exports.js
// A pair of `const char *x, uint32_t length` is one text for Engine.call, a list of handles or words an array of numbers, a list
// of doubles a Float64Array. Enumerations become objects: HLO_API_FORMAT_HLO of hlo_api_format is Format.HLO.
import { readFileSync, writeFileSync } from 'node:fs';

const headers = process.argv.slice(2, -1);
const out = /** @type {string} */ (process.argv.at(-1));
const source = headers
  .map((header) => readFileSync(header, 'utf8'))
  .join('\n')
  .replace(/\/\/.*/g, '');

/** @param {string} snake @returns {string} */
const camel = (snake) => snake.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** @param {string} list of parameters in C @returns {string[]} of TypeScript */
function parametersOf(list) {
  /** @type {string[]} */
  const found = [];
  const given = list.trim() === 'void' ? [] : list.split(',').map((text) => text.trim());
  for (let i = 0; i < given.length; i++) {
    const [last] = /** @type {any} */ (/\w+$/.exec(given[i]));
    const name = camel(last).replace(/^(arguments|function)$/, '$1_'); // JavaScript's own words
    if (/^const char \*\w+$/.test(given[i])) {
      if (!/^uint32_t (\w+_)?length$/.test(given[++i] ?? ''))
        throw new Error(`a text without its length: ${list}`);
      found.push(`${name}: string | Uint8Array`);
    } else if (/\*const \*\w+$|^const uint32_t \*\w+$/.test(given[i])) {
      found.push(`${name}: number[]`);
    } else {
      found.push(`${name}: ${/^const double \*/.test(given[i]) ? 'Float64Array' : 'number'}`);
    }
  }
  return found;
}

const functions = [...source.matchAll(/HLO_API\s+[^;()]*?(\w+)\(([^)]*)\);/g)].map(
  ([, name, list]) => `  ${name}(${parametersOf(list.replace(/\s+/g, ' ')).join(', ')}): number;`,
);
const enumerations = [...source.matchAll(/typedef enum (\w+) \{([^}]*)\}/g)].map(
  ([, type, body]) => {
    const prefix = `${type.toUpperCase().replace(/_FLAG$/, '')}_`;
    const members = [...body.matchAll(/(\w+) = (\d+)/g)].map(
      ([, name, value]) => `${name.replace(prefix, '')}: ${value}`,
    );
    const name = camel(type.replace(/^hlo_api/, ''));
    return `export const ${name} = Object.freeze({ ${members.join(', ')} });`;
  },
);
if (functions.length === 0 || enumerations.length === 0) throw new Error('nothing is exported');

writeFileSync(
  out,
  `// What the engine's WebAssembly exports, as Engine.call takes it. Written from ${headers.join(' and ')}.
/**
 * @typedef {{
${functions.join('\n').replace(/^/gm, ' * ')}
 * }} Exports
 */

${enumerations.join('\n')}
`,
);
