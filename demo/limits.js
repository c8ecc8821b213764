// What pages allow programs. Must not know what a page shows.

/** Bytes: filling and going through more would make the page stand still. */
export const MOST_MEMORY = 2 ** 31;
