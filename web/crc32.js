// CRC-32, eight bytes at a time: M. E. Kounavis and F. L. Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC
// Generation" (2008).

/** @type {Int32Array[]} made when first needed */
let crcTables = [];

function buildCrcTables() {
  crcTables = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    crcTables[0][n] = c;
  }
  for (let t = 1; t < 8; t++)
    crcTables[t].forEach((_, n) => {
      const c = crcTables[t - 1][n];
      crcTables[t][n] = crcTables[0][c & 255] ^ (c >>> 8);
    });
}

/** @param {Uint8Array} bytes @returns {number} CRC-32 as ZIP has it */
export function crc32(bytes) {
  if (crcTables.length === 0) buildCrcTables();
  const [t0, t1, t2, t3, t4, t5, t6, t7] = crcTables;
  let c = -1;
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8)
    c =
      t7[(c ^ bytes[at]) & 255] ^
      t6[((c >>> 8) ^ bytes[at + 1]) & 255] ^
      t5[((c >>> 16) ^ bytes[at + 2]) & 255] ^
      t4[(c >>> 24) ^ bytes[at + 3]] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]];
  for (; at < bytes.length; at++) c = t0[(c ^ bytes[at]) & 255] ^ (c >>> 8);
  return (c ^ -1) >>> 0;
}
