// Conway's game of life on a torus: each generation is one compiled program of shifts and sums.
import { element } from '../frame.js';
import { picture, stopwatch } from './canvas.js';

const SIDE = 256;

/** @param {any} hlo @param {HTMLElement} root */
export function life(hlo, root) {
  const shift = (/** @type {any} */ x, /** @type {number} */ d, /** @type {number} */ by) => {
    const cut = by > 0 ? SIDE - by : -by;
    return hlo.concatenate(
      [hlo.sliceInDim(x, cut, SIDE, 1, d), hlo.sliceInDim(x, 0, cut, 1, d)],
      d,
    );
  };
  const around = (/** @type {any} */ x, /** @type {number} */ d) =>
    hlo.add(hlo.add(shift(x, d, 1), shift(x, d, -1)), x);
  const next = hlo.jit((/** @type {any} */ cells) => {
    const sum = around(around(cells, 0), 1); // of nine
    const stays = hlo.and(hlo.eq(sum, 4), hlo.eq(cells, 1));
    return hlo.convert(hlo.or(hlo.eq(sum, 3), stays), 'u8');
  });
  const random = () =>
    hlo.array(
      Uint8Array.from({ length: SIDE * SIDE }, () => Number(Math.random() < 0.3)),
      { shape: [SIDE, SIDE] },
    );
  let cells = random();
  let generation = 0;
  const { canvas, context, image } = picture(SIDE, SIDE, 'the cells that are alive');
  canvas.classList.add('square');
  const pixels = new Uint32Array(image.data.buffer);
  const told = element('p', { class: 'quiet' });
  const restart = element(
    'button',
    {
      type: 'button',
      onclick: () => {
        cells.dispose();
        cells = random();
        generation = 0;
      },
    },
    'Start again',
  );
  root.append(
    element('h2', {}, 'Game of life'),
    element('p', {}, `${SIDE}×${SIDE} cells on a torus, in bytes.`),
    element('p', { class: 'fields' }, restart),
    told,
    canvas,
  );
  const time = stopwatch();
  return () => {
    const took = time(() => {
      const after = next(cells);
      cells.dispose();
      cells = after;
    });
    cells.toTypedArray().forEach((/** @type {number} */ cell, /** @type {number} */ i) => {
      pixels[i] = cell ? 0xffe03250 : 0xfff4f1ee;
    });
    context.putImageData(image, 0, 0);
    told.textContent = `generation ${++generation}, ${took.toFixed(2)} ms each`;
    root.dataset.generation = String(generation);
  };
}
