// Errors of the engine in the words of the call that met them: the operation and its arguments by their names in JavaScript.
import { mayBeOperand } from './argument_kinds.js';

/** Attributes of HLO text that calls name otherwise than in camelCase: for all operations, and for single ones. */
const attributes = {
  lhs_contracting_dims: 'lhsContracting',
  rhs_contracting_dims: 'rhsContracting',
  lhs_batch_dims: 'lhsBatch',
  rhs_batch_dims: 'rhsBatch',
  lhs_ragged_dims: 'lhsRagged',
  rhs_group_dims: 'rhsGroup',
  operand_precision: 'precision',
  fft_type: 'type',
  fft_length: 'length',
  dim_labels: 'dimensionNumbers',
  iota_dimension: 'dimension',
  dynamic_slice_sizes: 'sizes',
  custom_call_target: 'target',
  to_apply: 'body',
};
/** @type {Record<string, Record<string, string>>} */
const ofOperation = {
  transpose: { dimensions: 'permutation' },
  broadcastInDim: { dimensions: 'broadcastDimensions' },
};

/** Operations whose operands stand in another order than in HLO text. @type {Record<string, string[]>} */
const operandNames = {
  scaledDot: ['lhs', 'rhs', 'lhsScale', 'rhsScale'],
  raggedAllToAll: ['input', 'output', 'inputOffsets', 'sendSizes', 'outputOffsets', 'recvSizes'],
};

/** @param {string} name "feature_index" @returns {string} "featureIndex" */
const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/**
 * Names of the operands of a call, as its errors count them.
 * @param {string} operation
 * @param {import('../options.js').Signature} signature
 * @param {any[]} args
 * @returns {string[]}
 */
function namesOfOperands(operation, { names, place }, args) {
  return (
    operandNames[operation] ??
    args.flatMap((value, i) => {
      if (i === place || !mayBeOperand(names[i]) || typeof value === 'function') return [];
      return Array.isArray(value) ? value.map((_, k) => `${names[i]}[${k}]`) : [names[i]];
    })
  );
}

/**
 * The message of an error of the engine, about a call from JavaScript.
 * @param {string} message
 * @param {string} operation
 * @param {import('../options.js').Signature} signature
 * @param {any[]} args in this package's order
 * @param {Map<string, number>} opcodes of the engine, by their names in HLO text
 * @returns {string}
 */
export function messageInJavaScript(message, operation, signature, args, opcodes) {
  const operands = namesOfOperands(operation, signature, args);
  const known = new Set([...signature.names, ...signature.options.split(' ')]);
  const [, start, rest] = /^(?:instruction %\S+ \()?([a-z\d-]+)\)?: ([^]*)$/.exec(message) ?? [];
  const said = withoutExcerpt(opcodes.has(start) ? rest : message);
  const named = said
    .replace(/"[^"]*"|\b[a-z]+(?:_[a-z\d]+)*\b/g, (word) => {
      if (word.startsWith('"')) return word; // the caller's own
      if (Object.hasOwn(ofOperation[operation] ?? {}, word)) return ofOperation[operation][word];
      if (known.has(camelCase(word))) return camelCase(word);
      return Object.hasOwn(attributes, word)
        ? /** @type {Record<string, string>} */ (attributes)[word]
        : word;
    })
    .replace(/\bthe attribute (?=\w+ is missing)/, '')
    .replace(/\boperand (\d+)\b/g, (text, k) => operands[Number(k)] ?? text);
  return new RegExp(`^${operation}\\b`).test(named) ? named : `${operation}: ${named}`;
}

/**
 * A message about the text that an operation's attributes became, which callers have not written: in place of the excerpt, the
 * attribute and what was given.
 * @param {string} message
 * @returns {string}
 */
function withoutExcerpt(message) {
  const [, reason, excerpt, blanks] = /^(.*)\n {2}(.*)\n {2}( *)\^$/.exec(message) ?? [];
  if (reason === undefined) return message;
  const starts = [...excerpt.matchAll(/(?:^|, )(\w+)=/g)];
  const at = starts.findLastIndex((start) => start.index <= blanks.length);
  if (at < 0) return message;
  const name = starts[at][1];
  if (reason.startsWith(`${name} `)) return reason;
  const from = starts[at].index + starts[at][0].length;
  const given = excerpt.slice(from, starts[at + 1]?.index);
  return `${name} cannot be ${JSON.stringify(given)}: ${reason}`;
}
