// What pages allow programs.

/** Bytes: filling and going through more would make the page stand still. */
export const MOST_MEMORY = 2 ** 31;

/** Arrays that are drawn side by side; of more a part at a time. */
export const MOST_ARRAYS = 24;
