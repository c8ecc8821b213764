// A small network learns to tell two spirals apart, trained here on points made here: forward pass, gradients and update are
// one compiled program.
import { element } from '../frame.js';
import { line, picture, stopwatch, styleColor } from './canvas.js';

const [POINTS, HIDDEN, SIDE, STEPS_PER_FRAME] = [256, 32, 80, 20];

/** Two spirals: x, y and the class of each point. */
function spirals() {
  const [points, labels] = [new Float32Array(2 * POINTS), new Float32Array(POINTS)];
  for (let i = 0; i < POINTS; i++) {
    const which = i % 2;
    const t = 0.4 + (2.8 * i) / POINTS;
    const noise = () => (Math.random() - 0.5) * 0.06;
    points[2 * i] = (t / 3.3) * Math.cos(2.6 * t + which * Math.PI) + noise();
    points[2 * i + 1] = (t / 3.3) * Math.sin(2.6 * t + which * Math.PI) + noise();
    labels[i] = which;
  }
  return { points, labels };
}

/** @param {any} hlo @param {HTMLElement} root */
export function training(hlo, root) {
  const random = (/** @type {number[]} */ shape, /** @type {number} */ scale) =>
    hlo.array(
      Float32Array.from(
        { length: shape.reduce((a, b) => a * b, 1) },
        () => (Math.random() * 2 - 1) * scale,
      ),
      { shape },
    );
  const columns = { broadcastDimensions: [1] };
  const layer = (/** @type {any} */ x, /** @type {any} */ w, /** @type {any} */ b) =>
    hlo.add(hlo.dot(x, w), b, columns);
  const forward = (/** @type {any} */ p, /** @type {any} */ x) => {
    const h1 = hlo.tanh(layer(x, p.w1, p.b1));
    const h2 = hlo.tanh(layer(h1, p.w2, p.b2));
    return { h1, h2, y: hlo.logistic(layer(h2, p.w3, p.b3)) };
  };
  const transposed = (/** @type {any} */ x) => hlo.transpose(x, [1, 0]);
  const sumRows = (/** @type {any} */ x) => hlo.reduce(x, 0, 'add', [0]);
  const step = hlo.jit(
    (/** @type {any} */ p, /** @type {any} */ v, /** @type {any} */ x, /** @type {any} */ t) => {
      const { h1, h2, y } = forward(p, x);
      const slope = (/** @type {any} */ h) => hlo.sub(1, hlo.mul(h, h)); // of tanh
      const d3 = hlo.mul(hlo.sub(y, t), 1 / POINTS); // cross entropy through the logistic function
      const d2 = hlo.mul(hlo.dot(d3, transposed(p.w3)), slope(h2));
      const d1 = hlo.mul(hlo.dot(d2, transposed(p.w2)), slope(h1));
      const gradients = {
        w1: hlo.dot(transposed(x), d1),
        b1: sumRows(d1),
        w2: hlo.dot(transposed(h1), d2),
        b2: sumRows(d2),
        w3: hlo.dot(transposed(h2), d3),
        b3: sumRows(d3),
      };
      const names = /** @type {(keyof typeof gradients)[]} */ (Object.keys(gradients));
      const each = (/** @type {(name: keyof typeof gradients) => any} */ f) =>
        Object.fromEntries(names.map((name) => [name, f(name)]));
      const velocity = each((name) => hlo.add(hlo.mul(v[name], 0.9), gradients[name]));
      const next = each((name) => hlo.sub(p[name], hlo.mul(velocity[name], 0.3)));
      const safe = hlo.clamp(1e-6, y, 1 - 1e-6);
      const likelihood = hlo.add(
        hlo.mul(t, hlo.log(safe)),
        hlo.mul(hlo.sub(1, t), hlo.log(hlo.sub(1, safe))),
      );
      return { next, velocity, loss: hlo.mul(hlo.reduce(likelihood, 0, 'add'), -1 / POINTS) };
    },
  );
  const predict = hlo.jit((/** @type {any} */ p, /** @type {any} */ x) => forward(p, x).y);

  const { points, labels } = spirals();
  const x = hlo.array(points, { shape: [POINTS, 2] });
  const t = hlo.array(labels, { shape: [POINTS, 1] });
  const grid = hlo.array(
    Float32Array.from({ length: 2 * SIDE * SIDE }, (_, i) => {
      const at = i >> 1;
      return (((i & 1 ? Math.floor(at / SIDE) : at % SIDE) + 0.5) / SIDE) * 2.4 - 1.2;
    }),
    { shape: [SIDE * SIDE, 2] },
  );
  /** @type {any} */
  let parameters;
  /** @type {any} */
  let velocity;
  /** @type {number[]} */
  let losses = [];
  let steps = 0;
  const shapes = {
    w1: [2, HIDDEN],
    b1: [HIDDEN],
    w2: [HIDDEN, HIDDEN],
    b2: [HIDDEN],
    w3: [HIDDEN, 1],
    b3: [1],
  };
  const release = (/** @type {any} */ tree) => {
    for (const array of Object.values(tree ?? {})) array.dispose();
  };
  const restart = () => {
    release(parameters);
    release(velocity);
    const made = (/** @type {(shape: number[]) => any} */ f) =>
      Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, f(shape)]));
    parameters = made((shape) =>
      random(shape, shape.length === 1 ? 0 : 1.2 / Math.sqrt(shape[0] / 2)),
    );
    velocity = made((shape) => random(shape, 0));
    losses = [];
    steps = 0;
  };
  restart();

  const map = picture(
    SIDE,
    SIDE,
    'what the network thinks of every place, and the points it learns from',
  );
  const curve = picture(480, 160, 'the loss over time');
  const told = element('p', { class: 'quiet' });
  map.canvas.classList.add('square');
  root.append(
    element('h2', {}, 'Train a network in this page'),
    element(
      'p',
      {},
      `Two spirals of ${POINTS} points, two hidden layers of ${HIDDEN}. Each step (forward, backward, update with momentum) is one call of a program traced with jit; gradients are written out by hand.`,
    ),
    element(
      'p',
      { class: 'fields' },
      element('button', { type: 'button', onclick: restart }, 'Start again'),
    ),
    told,
    element('div', { class: 'panels' }, map.canvas, curve.canvas),
  );
  const time = stopwatch();
  return () => {
    const took = time(() => {
      for (let i = 0; i < STEPS_PER_FRAME; i++) {
        const { next, velocity: moved, loss } = step(parameters, velocity, x, t);
        release(parameters);
        release(velocity);
        [parameters, velocity] = [next, moved];
        if (i === STEPS_PER_FRAME - 1) losses.push(loss.toNested());
        loss.dispose();
      }
    });
    steps += STEPS_PER_FRAME;
    told.textContent = `step ${steps}, loss ${losses.at(-1)?.toFixed(4)}, ${((1000 * took) / STEPS_PER_FRAME).toFixed(0)} µs per step`;
    root.dataset.loss = String(losses.at(-1));
    const guess = predict(parameters, grid);
    draw(map, guess.toTypedArray(), points, labels);
    guess.dispose();
    curve.context.clearRect(0, 0, 480, 160);
    line(curve.context, losses, {
      low: 0,
      high: Math.max(0.7, losses[0] ?? 0),
      color: styleColor('--accent'),
    });
    if (losses.length > 2000) losses = losses.filter((_, i) => i % 2 === 0);
  };
}

/** @param {any} map @param {Float32Array} guess @param {Float32Array} points @param {Float32Array} labels */
function draw({ image, context }, guess, points, labels) {
  for (let i = 0; i < guess.length; i++) {
    const y = guess[i];
    image.data.set(
      [80 + 175 * y, 110 + 60 * (1 - Math.abs(2 * y - 1)), 80 + 175 * (1 - y), 255],
      4 * i,
    );
  }
  context.putImageData(image, 0, 0);
  for (let i = 0; i < labels.length; i++) {
    const [px, py] = [points[2 * i], points[2 * i + 1]].map((p) => ((p + 1.2) / 2.4) * SIDE);
    context.fillStyle = labels[i] ? '#7a1500' : '#001a66';
    context.fillRect(px - 0.6, py - 0.6, 1.2, 1.2);
  }
}
