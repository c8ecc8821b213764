// A list of which only the rows that can be seen, and some around them, are in the page, however long it is. All rows have one
// height and consist of buttons; Tab goes to one row, from which keys go to the others.

const AROUND = 20; // rows beyond either end of what is seen

export class Rows {
  /** Rows in the page, by number. @type {Map<number, HTMLElement>} */
  #made = new Map();
  #count = 0;
  /** The row that Tab goes to: it is always in the page, so that it keeps the focus when it is scrolled away. */
  #stop = 0;
  /** Of a row, in pixels. */
  #height = 0;

  /**
   * @param {HTMLElement} list inside of what scrolls
   * @param {{ make: (at: number) => HTMLElement, update: (row: HTMLElement, at: number) => void }} options
   */
  constructor(list, { make, update }) {
    this.list = list;
    this.view = /** @type {HTMLElement} */ (list.parentElement);
    this.make = make;
    this.update = update;
    this.view.addEventListener('scroll', () => this.#fill());
    new ResizeObserver(() => this.#fill()).observe(this.view);
    list.addEventListener('focusin', ({ target }) => {
      const row = /** @type {HTMLElement} */ (target).closest('li');
      if (row) this.#setStop(numberOf(row));
      this.#fill(); // the last one may go
    });
    list.addEventListener('keydown', (event) => this.#press(event));
  }

  /** Other rows, from the start. @param {number} count */
  show(count) {
    for (const row of this.#made.values()) row.remove();
    this.#made.clear();
    this.#count = count;
    this.#stop = 0;
    this.view.scrollTop = 0;
    this.#fill();
  }

  /** Says that rows are to look otherwise. */
  refresh() {
    for (const [at, row] of this.#made) this.update(row, at);
  }

  /** Scrolls as little as shows a row; Tab goes there if the focus is elsewhere. @param {number} at */
  reveal(at) {
    if (at >= this.#count) return;
    this.#put(at).scrollIntoView({ block: 'nearest' });
    if (!this.list.contains(document.activeElement)) this.#setStop(at);
    this.#fill();
  }

  /** @param {number} at */
  #setStop(at) {
    const rows = [this.#made.get(this.#stop), this.#put(at)];
    this.#stop = at;
    for (const row of rows) if (row) this.#setTabs(row);
  }

  /** @param {HTMLElement} row */
  #setTabs(row) {
    for (const button of row.children)
      /** @type {HTMLElement} */ (button).tabIndex = numberOf(row) === this.#stop ? 0 : -1;
  }

  /** Makes a row, behind those before it. @param {number} at @returns {HTMLElement} */
  #put(at) {
    const found = this.#made.get(at);
    if (found) return found;
    const row = this.make(at);
    row.setAttribute('aria-posinset', String(at + 1));
    row.setAttribute('aria-setsize', String(this.#count));
    row.style.top = `${at * this.#height}px`;
    this.update(row, at);
    this.#setTabs(row);
    const next = [...this.list.children].find((other) => numberOf(other) > at);
    this.list.insertBefore(row, next ?? null);
    this.#made.set(at, row);
    return row;
  }

  /** Has the rows in the page that belong there. */
  #fill() {
    const height = this.#count > 0 ? this.#put(this.#stop).offsetHeight : 0;
    if (height !== this.#height)
      for (const [at, row] of this.#made) row.style.top = `${at * height}px`;
    this.#height = height;
    this.list.style.height = `${this.#count * height}px`;
    if (height === 0) return; // nothing is seen
    const first = Math.max(0, Math.floor(this.view.scrollTop / height) - AROUND);
    const seen = (this.view.scrollTop + this.view.clientHeight) / height;
    const last = Math.min(Math.ceil(seen) + AROUND, this.#count) - 1;
    for (const [at, row] of this.#made)
      if (at !== this.#stop && (at < first || at > last)) {
        row.remove();
        this.#made.delete(at);
      }
    for (let at = first; at <= last; at++) this.#put(at);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { key, ctrlKey, altKey, metaKey, target } = event;
    if (ctrlKey || altKey || metaKey) return;
    const row = this.#made.get(this.#stop);
    const page = Math.max(1, Math.floor(this.view.clientHeight / (row?.offsetHeight || 1)) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[key];
    const to = { Home: 0, End: this.#count - 1 }[key] ?? this.#stop + (by ?? NaN);
    if (!row || Number.isNaN(to)) return;
    event.preventDefault();
    const column = [...row.children].findIndex((button) => button === target);
    this.#setStop(Math.min(Math.max(to, 0), this.#count - 1));
    /** @type {HTMLElement} */ (this.#made.get(this.#stop)?.children[column])?.focus();
  }
}

/** @param {Element} row */
const numberOf = (row) => Number(row.getAttribute('aria-posinset')) - 1;
