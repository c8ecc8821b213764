// What generators of random programs have in common: a source of choices, and lines with numbered names.

/** A generator of numbers from 0 to 1: mulberry32. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class RandomProgram {
  lines = [];
  count = 0; // of names

  constructor(seed) {
    this.random = randomNumbers(seed);
  }
  below(n) {
    return Math.floor(this.random() * n);
  }
  pick(list) {
    return list[this.below(list.length)];
  }
}
