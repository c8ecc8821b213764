// Names of classes, which minified JavaScript does not keep.

/**
 * Sets the names of classes, for messages of minified JavaScript.
 * @param {Record<string, Function>} classes
 */
export function nameClasses(classes) {
  for (const [name, it] of Object.entries(classes))
    Object.defineProperty(it, 'name', { value: name });
}
