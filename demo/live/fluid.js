// Wind around an obstacle: a lattice Boltzmann fluid. Its nine populations per cell stream and collide in one compiled program;
// obstacles are drawn with the pointer.
import { element } from '../frame.js';
import { diverging, picture, stopwatch } from './canvas.js';

const [WIDTH, HEIGHT, STEPS] = [256, 96, 8]; // cells; steps per picture
const SPEED = 0.1;
/** Where the nine populations go, column and row, and what share of resting air each has. */
const directions = [
  [0, 0, 4 / 9],
  [1, 0, 1 / 9],
  [0, 1, 1 / 9],
  [-1, 0, 1 / 9],
  [0, -1, 1 / 9],
  [1, 1, 1 / 36],
  [-1, 1, 1 / 36],
  [-1, -1, 1 / 36],
  [1, -1, 1 / 36],
];
const opposite = [0, 3, 4, 1, 2, 7, 8, 5, 6];

/** What a population is where air of density 1 moves with a velocity. @param {number} i @param {number} u @param {number} v */
function still(i, u, v) {
  const [dx, dy, weight] = directions[i];
  const along = dx * u + dy * v;
  return weight * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u + v * v));
}

/** The program of one step: populations, wall (1 or 0) and viscosity to populations, and how the air turns. @param {any} hlo */
function stepOf(hlo) {
  const shape = [HEIGHT, WIDTH];
  const shift = (/** @type {any} */ x, /** @type {number} */ d, /** @type {number} */ by) => {
    if (by === 0) return x;
    const cut = by > 0 ? shape[d] - 1 : 1;
    return hlo.concatenate(
      [hlo.sliceInDim(x, cut, shape[d], 1, d), hlo.sliceInDim(x, 0, cut, 1, d)],
      d,
    );
  };
  const sum = (/** @type {any[]} */ list) => list.reduce((a, b) => hlo.add(a, b));
  return hlo.jit((/** @type {any[]} */ air, /** @type {any} */ wall, /** @type {any} */ rate) => {
    const isWall = hlo.gt(wall, 0.5);
    const isInlet = hlo.eq(hlo.iota('s32', shape, 1), 0);
    const moved = air.map((f, i) => shift(shift(f, 1, directions[i][0]), 0, directions[i][1]));
    const density = sum(moved);
    const flow = (/** @type {0 | 1} */ d) =>
      hlo.div(
        sum(
          directions.flatMap((direction, i) =>
            direction[d] === 0 ? [] : [direction[d] > 0 ? moved[i] : hlo.neg(moved[i])],
          ),
        ),
        density,
      );
    const [u, v] = [flow(0), flow(1)];
    const square = hlo.mul(hlo.add(hlo.mul(u, u), hlo.mul(v, v)), 1.5);
    const next = moved.map((f, i) => {
      const [dx, dy, weight] = directions[i];
      const along = hlo.add(hlo.mul(u, dx), hlo.mul(v, dy));
      const shape2 = hlo.sub(
        hlo.add(hlo.mul(along, 3), hlo.mul(hlo.mul(along, along), 4.5)),
        square,
      );
      const wanted = hlo.mul(hlo.mul(density, weight), hlo.add(shape2, 1));
      const collided = hlo.add(f, hlo.mul(hlo.sub(wanted, f), rate));
      const bounced = hlo.select(isWall, moved[opposite[i]], collided);
      return hlo.select(
        isInlet,
        hlo.broadcastInDim(hlo.array(still(i, SPEED, 0), 'f32'), shape, []),
        bounced,
      );
    });
    const curl = hlo.sub(
      hlo.sub(shift(v, 1, -1), shift(v, 1, 1)),
      hlo.sub(shift(u, 0, -1), shift(u, 0, 1)),
    );
    const level = hlo.clamp(0, hlo.add(hlo.mul(curl, 900), 128), 255);
    return {
      next,
      shade: hlo.convert(
        hlo.select(isWall, hlo.broadcastInDim(hlo.array(128, 'f32'), shape, []), level),
        'u8',
      ),
    };
  });
}

/** @param {any} hlo @param {HTMLElement} root */
export function fluid(hlo, root) {
  const step = stepOf(hlo);
  const walls = new Float32Array(WIDTH * HEIGHT);
  /** @type {any[]} */
  let air = [];
  /** @type {any} */
  let wall;
  let steps = 0;
  const build = () => {
    wall?.dispose();
    wall = hlo.array(walls, { shape: [HEIGHT, WIDTH] });
  };
  const block = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ radius,
  ) => {
    for (let r = 0; r < HEIGHT; r++)
      for (let c = 1; c < WIDTH; c++)
        if ((r - y) ** 2 + (c - x) ** 2 <= radius * radius) walls[r * WIDTH + c] = 1;
  };
  const restart = () => {
    for (const array of air) array.dispose();
    walls.fill(0);
    block(48, 46.3, 9); // a little off the middle, so that the wake begins to swing
    build();
    air = directions.map((_, i) =>
      hlo.array(new Float32Array(WIDTH * HEIGHT).fill(still(i, SPEED, 0)), {
        shape: [HEIGHT, WIDTH],
      }),
    );
    steps = 0;
  };
  restart();
  const { canvas, context, image } = picture(
    WIDTH,
    HEIGHT,
    'how the air turns behind the obstacle',
  );
  const pixels = new Uint32Array(image.data.buffer);
  const thickness = element('input', { type: 'range', min: 5, max: 60, value: 10 });
  const draw = (/** @type {PointerEvent} */ { offsetX, offsetY, buttons }) => {
    if (buttons === 0) return;
    block((offsetX / canvas.clientWidth) * WIDTH, (offsetY / canvas.clientHeight) * HEIGHT, 2.5);
    build();
  };
  canvas.onpointerdown = draw;
  canvas.onpointermove = draw;
  canvas.style.touchAction = 'none';
  const told = element('p', { class: 'quiet' });
  root.append(
    element('h2', {}, 'Wind around an obstacle'),
    element(
      'p',
      {},
      `A lattice Boltzmann fluid of ${WIDTH}×${HEIGHT} cells: nine populations stream, collide and bounce in one program. Draw walls with the pointer.`,
    ),
    element(
      'p',
      { class: 'fields' },
      element('label', {}, 'Viscosity ', thickness),
      element('button', { type: 'button', onclick: restart }, 'Start again'),
    ),
    told,
    canvas,
  );
  const time = stopwatch();
  return () => {
    let shades = new Uint8Array(0);
    const took = time(() => {
      const rate = hlo.array(1 / (3 * (Number(thickness.value) / 1000) + 0.5), 'f32');
      for (let i = 0; i < STEPS; i++) {
        const { next, shade } = step(air, wall, rate);
        for (const array of air) array.dispose();
        air = next;
        if (i === STEPS - 1) shades = shade.toTypedArray();
        shade.dispose();
      }
      rate.dispose();
    });
    steps += STEPS;
    for (let i = 0; i < shades.length; i++)
      pixels[i] = walls[i] ? 0xff605a58 : diverging[shades[i]];
    context.putImageData(image, 0, 0);
    told.textContent = `step ${steps}, ${(took / STEPS).toFixed(2)} ms each, ${((WIDTH * HEIGHT * STEPS) / took / 1000).toFixed(0)} million cells per second`;
    root.dataset.step = String(steps);
  };
}
