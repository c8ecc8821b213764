// The forms in which bytes may be handed over.

/** @param {Uint8Array} bytes @returns {(ArrayBuffer | Uint8Array)[]} the same bytes, also from the middle of others */
export function formsOf(bytes) {
  const larger = new Uint8Array(bytes.length + 10);
  larger.set(bytes, 3);
  const end = 3 + bytes.length;
  return [bytes.slice().buffer, Buffer.from(bytes), larger.subarray(3, end), larger.slice(3, end)];
}
