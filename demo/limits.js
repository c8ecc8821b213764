// What pages allow programs.

/** Bytes: filling and going through more would make the page stand still. */
export const MOST_MEMORY = 2 ** 31;
