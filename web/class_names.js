// Names of classes, which minified JavaScript does not keep.

/**
 * Gives classes the names that they have in messages, also where the JavaScript is minified.
 * @param {Record<string, Function>} classes
 */
export function nameClasses(classes) {
  for (const [name, it] of Object.entries(classes))
    Object.defineProperty(it, 'name', { value: name });
}
