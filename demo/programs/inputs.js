// The inputs of a program as fields: numbers that are typed, files, or random ones by a seed.
import { HloError } from '../../web/index.js';
import { randomArray } from '../../web/cli/random.js';
import { element, portion } from '../frame.js';

/** @typedef {import('../../web/index.js').HloArray} HloArray */
/** @typedef {import('../../web/index.js').ShapeInfo} ShapeInfo */
/** @typedef {{ name: string, bytes: Uint8Array }} NamedFile a .npy file */

/** @param {string} name whether arrays are in such a file */
export const holdsArrays = (name) => /\.(npy|npz|safetensors)$/.test(name);

export class Inputs {
  /** What is typed, by parameter. @type {string[]} */
  typed = [];
  /** Files, by parameter. @type {(NamedFile | undefined)[]} */
  files = [];

  /**
   * @param {any} hlo
   * @param {HTMLElement} root where the fields go
   * @param {{ changed: () => void, dropped: (files: File[], from: number) => void }} tell that something else is typed, and
   *   which files are chosen for a parameter
   */
  constructor(hlo, root, tell) {
    this.hlo = hlo;
    this.root = root;
    this.tell = tell;
  }

  /** Forgets what was typed and dropped. @param {NamedFile[]} [files] what the program brings */
  reset(files = []) {
    this.typed = [];
    this.files = [...files];
    delete this.root.dataset.key;
  }

  /** What is in files of arrays. @param {File[]} files @returns {Promise<NamedFile[]>} */
  async read(files) {
    const lists = await Promise.all(
      files.map(async (file) =>
        this.#arraysIn(file.name, new Uint8Array(await file.arrayBuffer())),
      ),
    );
    return lists.flat();
  }

  /** The first is for parameter `from`, and so on. @param {NamedFile[]} files @param {number} [from] */
  put(files, from = 0) {
    for (const [i, file] of files.entries()) {
      this.typed[from + i] = '';
      this.files[from + i] = file;
    }
    delete this.root.dataset.key;
  }

  /** @param {string} name @param {Uint8Array} bytes @returns {Promise<NamedFile[]>} */
  async #arraysIn(name, bytes) {
    if (name.endsWith('.npy')) return [{ name, bytes }];
    const arrays = name.endsWith('.npz')
      ? await this.hlo.fromNpz(bytes)
      : this.hlo.fromSafetensors(bytes);
    return Object.entries(arrays).map(([key, array]) => {
      const file = { name: key, bytes: this.hlo.toNpy(array) };
      array.dispose();
      return file;
    });
  }

  /** @param {ShapeInfo[]} parameters @param {number} seed @returns {HloArray[]} owned by the caller */
  arraysFor(parameters, seed) {
    this.#draw(parameters);
    return parameters.map((shape, i) => {
      const text = this.typed[i]?.trim();
      if (text) return this.#parse(i, text, shape);
      const array = this.files[i] && this.#read(this.files[i]);
      const fits =
        array?.type === shape.type &&
        array.rank === shape.dims.length &&
        array.dims.every(
          (n, d) => n === shape.dims[d] || (shape.dynamic?.[d] && n < shape.dims[d]),
        );
      if (array && fits) return array;
      if (array) {
        this.#note(i, `${this.files[i]?.name} is ${array.xla.text}: random instead`);
        array.dispose();
      }
      return randomArray(this.hlo, shape, seed + i);
    });
  }

  /** @param {number} i @param {string} text @param {ShapeInfo} shape @returns {HloArray} */
  #parse(i, text, shape) {
    try {
      return this.hlo.array(/^[a-z]+\d*\w*\[/.test(text) ? text : `${shape.text} ${text}`);
    } catch (error) {
      // Without a place: lines and columns are the program's.
      if (error instanceof HloError) throw new HloError(`input ${i}: ${error.message}`);
      throw error;
    }
  }

  /** @param {NamedFile | undefined} file @returns {HloArray} */
  #read(file) {
    try {
      return this.hlo.fromNpy(file?.bytes);
    } catch (error) {
      if (error instanceof HloError) error.message = `${file?.name}: ${error.message}`;
      throw error;
    }
  }

  /** @param {number} i @param {string} text in place of what an empty field says */
  #note(i, text) {
    this.root.querySelectorAll('input[type=text]')[i]?.setAttribute('placeholder', text);
  }

  /** A row for each parameter. @param {ShapeInfo[]} parameters */
  #draw(parameters) {
    const key = parameters.map(({ text }) => text).join();
    if (this.root.dataset.key === key) return;
    this.root.dataset.key = key;
    this.root.replaceChildren(
      ...portion(parameters.length, (i) => this.#row(parameters[i].text, i)),
    );
  }

  /** @param {string} shape @param {number} i */
  #row(shape, i) {
    const text = element('input', {
      type: 'text',
      value: this.typed[i] ?? '',
      spellcheck: 'false',
      placeholder: this.files[i]?.name ?? 'random',
      onchange: () => {
        this.typed[i] = text.value;
        this.tell.changed();
      },
    });
    const chooser = element('input', {
      type: 'file',
      accept: '.npy',
      hidden: true,
      onchange: () => this.tell.dropped([...chooser.files], i),
    });
    const choose = element(
      'button',
      { type: 'button', 'aria-label': `.npy … for input ${i}`, onclick: () => chooser.click() },
      '.npy …',
    );
    const clear = element(
      'button',
      {
        type: 'button',
        'aria-label': `random numbers for input ${i}`,
        hidden: !this.files[i],
        onclick: () => {
          this.files[i] = undefined;
          this.typed[i] = '';
          delete this.root.dataset.key;
          this.tell.changed();
        },
      },
      'random',
    );
    const label = element(
      'label',
      { class: 'wide' },
      `${i} `,
      element('span', { class: 'shape' }, shape),
      text,
    );
    return element(
      'div',
      { class: 'input', 'data-input': String(i) },
      label,
      chooser,
      choose,
      clear,
    );
  }
}
