// How messages between the client and the worker tell a record from the name of something that lives in the worker, which is
// { object: number }: a record that has such a key of its own goes inside of another, { record }.
const RESERVED = ['object', 'record'];

/** @param {Record<string, any>} record @returns {Record<string, any>} as it is sent */
export function escaped(record) {
  return RESERVED.some((key) => Object.hasOwn(record, key)) ? { record } : record;
}

/** @param {any} sent what is no name @returns {Record<string, any>} the record that was sent */
export function unescaped(sent) {
  const { record } = sent;
  return typeof record === 'object' && record !== null && !Array.isArray(record) ? record : sent;
}
