// A computation as a graph: instructions in layers by how far they are from what they are computed from. Must not know
// values.

const [WIDTH, HEIGHT, ACROSS, DOWN] = [128, 34, 16, 26];
const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} name @param {Record<string, any>} attributes @param {...(Node | string)} children */
function svg(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {import('./program.js').Instruction[]} instructions
 * @param {(name: string) => void} chosen
 * @returns {SVGElement} with a group data-name for every instruction
 */
export function graph(instructions, chosen) {
  /** @type {Map<string, { layer: number, column: number }>} */
  const places = new Map();
  /** @type {number[]} */
  const widths = [];
  for (const { name, operands } of instructions) {
    const layer = Math.max(-1, ...operands.map((operand) => places.get(operand)?.layer ?? -1)) + 1;
    const column = widths[layer] ?? 0;
    widths[layer] = column + 1;
    places.set(name, { layer, column });
  }
  const most = Math.max(1, ...widths);
  const x = (/** @type {string} */ name) => {
    const { layer, column } = /** @type {any} */ (places.get(name));
    return ((most - widths[layer]) / 2 + column) * (WIDTH + ACROSS) + WIDTH / 2 + 4;
  };
  const y = (/** @type {string} */ name) =>
    /** @type {any} */ (places.get(name)).layer * (HEIGHT + DOWN) + 4;
  const edges = instructions.flatMap(({ name, operands }) =>
    operands
      .filter((operand) => places.has(operand))
      .map((operand) => {
        const [x1, y1, x2, y2] = [x(operand), y(operand) + HEIGHT, x(name), y(name)];
        const middle = (y1 + y2) / 2;
        return svg('path', {
          class: 'edge',
          d: `M${x1},${y1} C${x1},${middle} ${x2},${middle} ${x2},${y2}`,
        });
      }),
  );
  const nodes = instructions.map(({ name, op, shape }) => {
    const cut = (/** @type {string} */ text) => (text.length > 18 ? `${text.slice(0, 17)}…` : text);
    const node = svg(
      'g',
      {
        class: 'node',
        'data-name': name,
        transform: `translate(${x(name) - WIDTH / 2},${y(name)})`,
      },
      svg('title', {}, `${name} = ${shape} ${op}`),
      svg('rect', { width: WIDTH, height: HEIGHT, rx: 6 }),
      svg('text', { x: WIDTH / 2, y: 14 }, cut(op)),
      svg('text', { x: WIDTH / 2, y: 28, class: 'small' }, cut(name)),
    );
    node.addEventListener('click', () => chosen(name));
    return node;
  });
  const [width, height] = [most * (WIDTH + ACROSS) + 8, widths.length * (HEIGHT + DOWN) + 8];
  return svg(
    'svg',
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': 'the graph of the computation; the list of instructions says the same',
    },
    ...edges,
    ...nodes,
  );
}
