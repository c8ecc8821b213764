// The Mandelbrot set: one compiled loop over a grid of points; a click zooms in.
import { element } from '../frame.js';
import { palette, picture, stopwatch } from './canvas.js';

const [WIDTH, HEIGHT, STEPS] = [480, 320, 96];

/** @param {any} hlo @param {HTMLElement} root */
export function mandelbrot(hlo, root) {
  const shape = [HEIGHT, WIDTH];
  const zeros = () => hlo.broadcastInDim(hlo.array(0, 'f32'), shape, []);
  const render = hlo.jit(
    (/** @type {any} */ left, /** @type {any} */ top, /** @type {any} */ pixel) => {
      const place = (/** @type {number} */ d, /** @type {any} */ from) =>
        hlo.add(hlo.mul(hlo.iota('f32', shape, d), pixel), from);
      const [cx, cy] = [place(1, left), place(0, top)];
      const [, , , , , count] = hlo.while(
        (/** @type {any} */ i) => hlo.lt(i, STEPS),
        (
          /** @type {any} */ i,
          /** @type {any} */ x,
          /** @type {any} */ y,
          /** @type {any} */ a,
          /** @type {any} */ b,
          /** @type {any} */ n,
        ) => {
          const [xx, yy] = [hlo.mul(x, x), hlo.mul(y, y)];
          const inside = hlo.lt(hlo.add(xx, yy), 4);
          const nextX = hlo.add(hlo.sub(xx, yy), a);
          const nextY = hlo.add(hlo.mul(hlo.mul(x, y), 2), b);
          return [
            hlo.add(i, 1),
            hlo.select(inside, nextX, x),
            hlo.select(inside, nextY, y),
            a,
            b,
            hlo.add(n, hlo.convert(inside, 'f32')),
          ];
        },
        [hlo.array(0, 's32'), zeros(), zeros(), cx, cy, zeros()],
      );
      return hlo.convert(hlo.mul(count, 255 / STEPS), 'u8');
    },
  );

  let view = { x: -0.6, y: 0, width: 3.2 };
  let isDrawn = false;
  const { canvas, context, image } = picture(WIDTH, HEIGHT, 'the Mandelbrot set');
  const pixels = new Uint32Array(image.data.buffer);
  const told = element('p', { class: 'quiet', 'aria-live': 'polite' });
  const go = (/** @type {any} */ next) => {
    view = next;
    isDrawn = false;
  };
  canvas.onclick = ({ offsetX, offsetY }) => {
    const scale = view.width / canvas.clientWidth;
    go({
      x: view.x + (offsetX - canvas.clientWidth / 2) * scale,
      y: view.y + (offsetY - canvas.clientHeight / 2) * scale,
      width: view.width / 2,
    });
  };
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
    element('button', { type: 'button', onclick }, text);
  root.append(
    element('h2', {}, 'Mandelbrot set'),
    element(
      'p',
      {},
      `${STEPS} steps of z² + c for ${WIDTH * HEIGHT} points, as one program with a loop over arrays.`,
    ),
    element(
      'p',
      { class: 'fields' },
      button('Zoom in', () => go({ ...view, width: view.width / 2 })),
      button('Zoom out', () => go({ ...view, width: view.width * 2 })),
      button('Fit', () => go({ x: -0.6, y: 0, width: 3.2 })),
    ),
    told,
    canvas,
  );
  const time = stopwatch();
  return () => {
    if (isDrawn) return;
    isDrawn = true;
    const took = time(() => {
      const pixel = view.width / WIDTH;
      const arguments_ = [view.x - view.width / 2, view.y - (pixel * HEIGHT) / 2, pixel].map((x) =>
        hlo.array(x, 'f32'),
      );
      const result = render(...arguments_);
      result.toTypedArray().forEach((/** @type {number} */ n, /** @type {number} */ i) => {
        pixels[i] = palette[255 - n];
      });
      for (const array of [...arguments_, result]) array.dispose();
    });
    context.putImageData(image, 0, 0);
    told.textContent = `${took.toFixed(1)} ms, ${((WIDTH * HEIGHT * STEPS) / took / 1000).toFixed(0)} million steps per second; click to zoom in`;
  };
}
