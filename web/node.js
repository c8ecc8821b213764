// What only Node, Deno and Bun have.

/**
 * One of Node's own modules. Importing it would take 3 ms, and break bundlers for pages.
 * @param {string} name
 * @returns {any}
 */
export function nodeModule(name) {
  return process.getBuiltinModule(name);
}
