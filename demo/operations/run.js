// Runs an example as as many processes as it asks for.

/** @typedef {import('../../web/index.js').HloArray} HloArray */
/** @typedef {{ title: string, array: HloArray }} Titled */

/**
 * @param {any} hlo
 * @param {import('../../web/index.js').Executable} executable
 * @param {HloArray[]} inputs of all processes, one after the other; borrowed
 * @param {string[]} [feeds] items of the infeed of every process, each one array
 * @returns {{ results: Titled[], titles: string[] }} results and what was handed out, of all processes; titles of inputs
 */
export function runExample(hlo, executable, inputs, feeds = []) {
  const text = executable.module.print('hlo');
  const count = (/** @type {string} */ name) =>
    Number(new RegExp(`^HloModule[^\\n]*\\b${name}=(\\d+)`).exec(text)?.[1] ?? 1);
  const partitions = count('num_partitions');
  const processes = count('replica_count') * partitions;
  const kind = count('replica_count') > 1 ? 'replica' : 'partition';
  const of = (/** @type {number} */ process) => (processes > 1 ? `${kind} ${process}, ` : '');
  const each = executable.parameters.length;
  const lists = Array.from({ length: processes }, (_, p) => inputs.slice(each * p, each * (p + 1)));
  const infeed = lists.map(() => feeds.map((item) => [hlo.array(item)]));
  /** @type {Titled[]} */
  const handed = [];
  const made = executable.runReplicas(lists, {
    partitions,
    infeed,
    onOutfeed: (arrays, { replica, partition }) => {
      const process = replica * partitions + partition;
      for (const array of arrays) handed.push({ title: `${of(process)}outfeed`, array });
    },
  });
  const several = made.some((list) => list.length > 1);
  const results = made.flatMap((list, process) =>
    list.map((array, i) => ({ title: `${of(process)}result${several ? ` ${i}` : ''}`, array })),
  );
  const titles = lists.flatMap((list, process) => list.map((_, i) => `${of(process)}operand ${i}`));
  return { results: [...results, ...handed], titles };
}
