// Examples of operations: those of operations.hlo, and of elementwise operations those that can be made for each type. Must
// not run them.
import { HloError } from '../../web/index.js';

/** @typedef {{ title: string, program: string, inputs: string[], feeds: string[] }} Example inputs of all processes, one after the other */

/**
 * @param {string} text of operations.hlo: "//! op NAME...: TITLE" starts an example, "//! input" and "//! feed" lines and
 *   its program follow
 * @returns {Map<string, Example[]>} by operation
 */
export function readGallery(text) {
  /** @type {Map<string, Example[]>} */
  const gallery = new Map();
  for (const part of text.split(/^\/\/! op /m).slice(1)) {
    const [head, ...lines] = part.trimEnd().split('\n');
    const [, names, title] = /** @type {string[]} */ (/^(.*?): (.*)$/.exec(head));
    const after = (/** @type {string} */ mark) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
    const program = lines.filter((line) => !line.startsWith('//! ')).join('\n');
    const example = { title, program, inputs: after('//! input '), feeds: after('//! feed ') };
    for (const name of names.split(' ')) gallery.set(name, [...(gallery.get(name) ?? []), example]);
  }
  return gallery;
}

/** Operands that show what an operation does, by class of element type. @type {Record<string, string[]>} */
const operands = {
  f32: [
    '{{-1.5, 0, 2.25}, {0.5, 3, -0.25}}',
    '{{2, -1, 0.5}, {4, 0.5, 3}}',
    '{{1, 1, 1}, {2, 2, 2}}',
  ],
  s32: ['{{-7, 0, 12}, {1, 255, -1}}', '{{2, 3, 5}, {1, 4, 31}}', '{{1, 1, 1}, {2, 2, 2}}'],
  u32: ['{{7, 0, 12}, {1, 255, 8}}', '{{2, 3, 5}, {1, 4, 31}}', '{{1, 1, 1}, {2, 2, 2}}'],
  c64: [
    '{{(1, 2), (0, -1), (-1, 0)}, {(3, 4), (0, 0), (1, 1)}}',
    '{{(1, 0), (0, 1), (2, 0)}, {(1, 1), (1, 0), (0, 2)}}',
  ],
  pred: [
    '{{true, false, true}, {false, false, true}}',
    '{{true, true, false}, {false, true, true}}',
  ],
};

/**
 * Examples of an operation that needs no attributes, for each type that it takes.
 * @param {any} hlo
 * @param {import('../../web/index.js').OpInfo} op
 * @returns {Example[]}
 */
export function madeExamples(hlo, op) {
  if (!op.elementwise || op.attributes.split(' ').some((name) => name && !name.endsWith('?')))
    return [];
  return Object.entries(operands).flatMap(([type, texts]) => {
    const count = op.minOperands;
    if (count > texts.length) return [];
    const names = ['a', 'b', 'c'].slice(0, count);
    const body = names.map((name, i) => `  ${name} = ${type}[2,3] parameter(${i})\n`).join('');
    for (const result of [type, 'pred', 'f32', 'c64']) {
      const program = `ENTRY e {\n${body}  ROOT r = ${result}[2,3] ${op.name}(${names.join(', ')})\n}\n`;
      const inputs = texts.slice(0, count).map((text) => `${type}[2,3] ${text}`);
      try {
        hlo.parse(program).dispose();
        return [{ title: type, program, inputs, feeds: [] }];
      } catch (error) {
        if (!(error instanceof HloError)) throw error;
      }
    }
    return [];
  });
}
