// A computation as a graph: instructions in layers by how far they are from what they are computed from; of a large one what is
// around an instruction.

const [WIDTH, HEIGHT, ACROSS, DOWN] = [128, 34, 16, 26];
const SVG = 'http://www.w3.org/2000/svg';
const WHOLE = 120; // instructions of a computation that is drawn as a whole
// Of a larger one what is found from an instruction in so many steps to operands and users, so many of each.
const [STEPS, FAN, MOST] = [4, 4, 40];

/** @typedef {import('./program.js').Computation} Computation */
/** @typedef {{ operands: number, users: number }} Cut how many are not drawn */

/** @param {string} name @param {Record<string, any>} attributes @param {...(Node | string)} children */
function svg(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A computation's instructions, by number, and what they are connected with. */
class Connections {
  /** @param {Computation} computation */
  constructor({ instructions, positions }) {
    this.instructions = instructions;
    this.operands = instructions.map(({ operands }) => [
      ...new Set(operands.flatMap((name) => positions.get(name) ?? [])),
    ]);
    /** @type {number[][]} */
    this.users = instructions.map(() => []);
    for (const [at, operands] of this.operands.entries())
      for (const operand of operands) this.users[operand].push(at);
  }

  /** What is drawn when it is about one of them. @param {number} center @returns {Set<number>} in the program's order */
  around(center) {
    const { length } = this.instructions;
    if (length <= WHOLE) return new Set(this.instructions.keys());
    const near = (/** @type {number[]} */ list) => nearest(list, center, FAN);
    const found = new Set([center]);
    let reached = [center];
    for (let step = 0; step < STEPS; step++) {
      reached = reached
        .flatMap((at) => [...near(this.operands[at]), ...near(this.users[at])])
        .filter((at) => !found.has(at));
      for (const at of reached) if (found.size < MOST) found.add(at);
    }
    return new Set([...found].sort((a, b) => a - b));
  }

  /** @param {number} at @param {{ has(at: number): boolean }} drawn @returns {Cut} */
  cutAt(at, drawn) {
    const [operands, users] = [this.operands, this.users].map((lists) =>
      lists[at].reduce((count, other) => count + (drawn.has(other) ? 0 : 1), 0),
    );
    return { operands, users };
  }
}

/** @param {number[]} list @param {number} center @param {number} most @returns {number[]} those next to it */
function nearest(list, center, most) {
  if (list.length <= most) return list;
  return [...list].sort((a, b) => Math.abs(a - center) - Math.abs(b - center)).slice(0, most);
}

/** @param {string} text @param {number} most characters */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export class Graph {
  /** @type {Computation | undefined} */
  #computation;
  /** @type {Connections} */
  #connections = new Connections({ instructions: [], positions: new Map() });
  /** The groups of the instructions that are drawn, by number. @type {Map<number, SVGElement>} */
  #nodes = new Map();
  #center = 0;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} told where it says which part is drawn
   * @param {(name: string) => void} chosen
   */
  constructor(root, told, chosen) {
    this.root = root;
    this.told = told;
    this.chosen = chosen;
  }

  clear() {
    this.#computation = undefined;
    this.root.replaceChildren();
    this.told.textContent = '';
  }

  /**
   * Draws a computation, or of a large one what is around an instruction, when that is not to be seen yet.
   * @param {Computation} computation
   * @param {number} at
   */
  show(computation, at) {
    const isOther = this.#computation !== computation;
    if (isOther) this.#connections = new Connections(computation);
    this.#computation = computation;
    if (!isOther && (at === this.#center || this.#surrounds(at))) return;
    this.#center = at;
    this.#draw();
  }

  /** Whether an instruction is drawn with all that it is connected with. @param {number} at */
  #surrounds(at) {
    if (!this.#nodes.has(at)) return false;
    const { operands, users } = this.#connections.cutAt(at, this.#nodes);
    return operands + users === 0;
  }

  /** Gives every node the class of its state. @param {(at: number) => string} stateOf */
  mark(stateOf) {
    for (const [at, node] of this.#nodes) node.setAttribute('class', `node ${stateOf(at)}`);
  }

  #draw() {
    const { instructions, operands } = this.#connections;
    const drawn = this.#connections.around(this.#center);
    const isWhole = drawn.size === instructions.length;
    const { name } = instructions[this.#center];
    const part = `around ${name}: ${drawn.size} of ${instructions.length} instructions`;
    this.told.textContent = isWhole ? '' : part;
    const places = new Places(drawn, operands, isWhole ? 4 : DOWN);
    const edges = [...drawn].flatMap((at) =>
      operands[at]
        .filter((operand) => drawn.has(operand))
        .map((operand) => places.edge(operand, at)),
    );
    this.#nodes = new Map([...drawn].map((at) => [at, this.#node(at, places)]));
    const cuts = isWhole ? [] : [...drawn].flatMap((at) => this.#cuts(at, places));
    const { width, height } = places;
    this.root.replaceChildren(
      svg(
        'svg',
        {
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          role: 'img',
          'aria-label': isWhole
            ? 'the graph of the computation; the list of instructions says the same'
            : `the graph ${part}; the list of instructions has all of them`,
        },
        ...edges,
        ...this.#nodes.values(),
        ...cuts,
      ),
    );
  }

  /** @param {number} at @param {Places} places */
  #node(at, places) {
    const { name, op, shape } = this.#connections.instructions[at];
    const node = svg(
      'g',
      {
        'data-name': name,
        transform: `translate(${places.x(at) - WIDTH / 2},${places.y(at)})`,
      },
      svg('title', {}, `${name} = ${cut(shape, 200)} ${op}`),
      svg('rect', { width: WIDTH, height: HEIGHT, rx: 6 }),
      svg('text', { x: WIDTH / 2, y: 14 }, cut(op, 18)),
      svg('text', { x: WIDTH / 2, y: 28, class: 'small' }, cut(name, 18)),
    );
    node.addEventListener('click', () => this.chosen(name));
    return node;
  }

  /** Says how many operands and users of an instruction are not drawn. @param {number} at @param {Places} places */
  #cuts(at, places) {
    const { operands, users } = this.#connections.cutAt(at, this.#nodes);
    const x = places.x(at);
    const [top, bottom] = [places.y(at), places.y(at) + HEIGHT];
    /** @type {SVGElement[]} */
    const made = [];
    const mark = (
      /** @type {number} */ count,
      /** @type {string} */ d,
      /** @type {any} */ place,
    ) => {
      if (count === 0) return;
      made.push(svg('path', { class: 'edge cut', d }));
      made.push(svg('text', { class: 'cut', ...place }, `… ${count} more`));
    };
    // On different sides: the users of one may be cut above the operands of the next.
    mark(operands, `M${x},${top} v-14`, { x: x - 5, y: top - 4, 'text-anchor': 'end' });
    mark(users, `M${x},${bottom} v14`, { x: x + 5, y: bottom + 11 });
    return made;
  }
}

/** Where instructions are drawn. */
class Places {
  /** @type {Map<number, { layer: number, column: number }>} */
  #places = new Map();
  /** How many there are in each layer. @type {number[]} */
  #counts = [];

  /**
   * @param {Set<number>} drawn instructions, operands before their users
   * @param {number[][]} operands
   * @param {number} margin above and below
   */
  constructor(drawn, operands, margin) {
    this.margin = margin;
    let most = 1;
    for (const at of drawn) {
      let layer = 0;
      for (const operand of operands[at])
        layer = Math.max(layer, (this.#places.get(operand)?.layer ?? -1) + 1);
      const column = this.#counts[layer] ?? 0;
      this.#counts[layer] = column + 1;
      this.#places.set(at, { layer, column });
      most = Math.max(most, column + 1);
    }
    this.most = most;
  }

  get width() {
    return this.most * (WIDTH + ACROSS) + 8;
  }

  get height() {
    return this.#counts.length * (HEIGHT + DOWN) - DOWN + 2 * this.margin;
  }

  /** The middle. @param {number} at */
  x(at) {
    const { layer, column } = /** @type {any} */ (this.#places.get(at));
    return ((this.most - this.#counts[layer]) / 2 + column) * (WIDTH + ACROSS) + WIDTH / 2 + 4;
  }

  /** The top. @param {number} at */
  y(at) {
    return /** @type {any} */ (this.#places.get(at)).layer * (HEIGHT + DOWN) + this.margin;
  }

  /** @param {number} from @param {number} to */
  edge(from, to) {
    const [x1, y1, x2, y2] = [this.x(from), this.y(from) + HEIGHT, this.x(to), this.y(to)];
    const middle = (y1 + y2) / 2;
    return svg('path', {
      class: 'edge',
      d: `M${x1},${y1} C${x1},${middle} ${x2},${middle} ${x2},${y2}`,
    });
  }
}
