// What `hlo indexing` prints below the maps: utilisation, coalescing, tiles and traffic.

/** @typedef {import('../indexing.js').Indexing} Indexing */

/** @param {number} n */
const count = (n) => (n === Infinity ? 'any number of' : n.toLocaleString('en'));

/** @param {import('../indexing.js').Utilization} use @returns {string} */
function utilisation({ elements, distinct, reads, exact }) {
  const bound = exact ? '' : 'at most ';
  const part = elements > 0 && distinct !== Infinity ? ` (${percent(distinct / elements)})` : '';
  return `utilisation: ${bound}${count(distinct)} of ${count(elements)} elements${part}, ${bound}${count(reads)} reads`;
}

/** @param {number} part */
const percent = (part) => `${Number((100 * part).toPrecision(3))} %`;

/** @param {import('../indexing.js').Coalescing} access @returns {string} */
function coalescing({ loops, coalesced }) {
  const steps = loops.map(({ loop, stride, run, guarded }) => {
    const step = stride === null ? 'unknown' : String(stride);
    const until = run === Infinity ? '' : `, in runs of ${run}`;
    return `${loop}: ${step}${until}${guarded ? ', guarded' : ''}`;
  });
  return `${coalesced ? 'coalesced' : 'not coalesced'}; steps in memory along ${steps.join('; ') || 'no loop'}`;
}

const NO_TILE = 'tile: none that an offset, a size and a stride describe';

/** @param {import('../indexing.js').Tile | import('../indexing.js').SymbolicTile | null} tile @returns {string} */
function tileText(tile) {
  if (tile === null) return NO_TILE;
  const list = (/** @type {'offset' | 'size' | 'stride'} */ key) =>
    `[${tile.dims.map((dim) => dim[key]).join(', ')}]`;
  const notes = [
    ...(tile.exact ? [] : ['not every element of it is needed']),
    ...(tile.guarded ? ['some tile numbers need less'] : []),
    ...tile.constraints.map((it) => `${it.expression} in [${it.lower}, ${it.upper}]`),
    ...tile.runtime.map((name, i) => `rt${i} is read from ${name}`),
  ];
  return [
    `tile: offsets ${list('offset')}, sizes ${list('size')}, strides ${list('stride')}`,
    ...notes,
  ].join('; ');
}

/**
 * @param {Indexing} indexing
 * @param {{ utilisation: boolean, coalescing: boolean, loops?: string[], tile?: number[], symbolicTile: boolean }} wanted
 * @returns {string}
 */
export function reportOfMaps(indexing, wanted) {
  const lines = indexing.entries.flatMap(({ from, to, unknown }, entry) => {
    const title = `\n${from.name} ${from.shape.text} to ${to.name} ${to.shape.text}:`;
    if (unknown) return [title, '  unknown indexing'];
    return [
      title,
      ...(wanted.utilisation ? [utilisation(indexing.utilization(entry))] : []),
      ...(wanted.coalescing ? indexing.coalescing(entry, wanted.loops).map(coalescing) : []),
      ...(wanted.tile ? indexing.tiles(entry, wanted.tile).map(tileText) : []),
      ...(wanted.symbolicTile
        ? indexing
            .symbolicTiles(entry)
            .flatMap((cases) => (cases.length === 0 ? [NO_TILE] : cases.map(tileText)))
        : []),
    ].map((line, i) => (i === 0 ? line : `  ${line}`));
  });
  return `${lines.join('\n')}\n`;
}

/** @param {import('../program.js').Traffic} traffic @returns {string} */
export function reportOfTraffic({ computation, fused, unfused, exact }) {
  const bound = exact ? '' : 'at most ';
  const total = (/** @type {{ read: number, written: number }} */ { read, written }) =>
    `${bound}${count(read)} bytes read, ${count(written)} written`;
  const loads = fused.loaded === fused.read ? '' : ` (${count(fused.loaded)} loaded)`;
  return `\ntraffic of ${computation}:\n  as one fusion: ${total(fused)}${loads}\n  unfused: ${total(unfused)}\n`;
}
